"""Tests of the compiled readers of columns."""

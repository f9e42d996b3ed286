"""Tests of the older rules, a module for each of theirs."""

"""Tests of migrations as projects have them: written to files, and run on tables with rows."""

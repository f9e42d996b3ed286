"""Tests of the demo in ``docs/demo``."""

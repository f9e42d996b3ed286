"""Tests of `weburl.patterns`."""

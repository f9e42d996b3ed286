"""Tests of `weburl.keys`."""

"""Tests of `weburl.testing`."""

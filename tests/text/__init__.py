"""Tests of `weburl.text`: links in plain text."""

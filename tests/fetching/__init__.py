"""Tests of `weburl.fetching`, with real clients and real servers on loopback addresses."""

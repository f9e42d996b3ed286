"""The tests of `weburl.records`, a file for each of its modules."""

"""The tests of `weburl.standard.url`, a file for each of its modules."""

"""The tests of `weburl.standard.hosts`, a file for each of its modules."""

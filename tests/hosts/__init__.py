"""The tests of `weburl.hosts`, a file for each of its modules."""

"""The tests of `weburl.origins`, a file for each of its modules."""

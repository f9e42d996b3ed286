"""The tests of `weburl.parsing`, a file for each of its modules."""

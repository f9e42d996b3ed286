"""The tests of `weburl.validation`, a file for each of its modules."""

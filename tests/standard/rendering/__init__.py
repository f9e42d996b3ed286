"""The tests of `weburl.standard.rendering`, a file for each of its modules."""

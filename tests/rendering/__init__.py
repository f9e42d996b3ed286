"""The tests of `weburl.rendering`, a file for each of its modules."""

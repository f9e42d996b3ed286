"""The tests of `weburl.interface`, a file for each of its modules."""

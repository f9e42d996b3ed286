"""The tests of `weburl.standard.interface`, a file for each of its modules."""

"""The tests: a package, so that pytest does not put its ``django`` on the import path."""

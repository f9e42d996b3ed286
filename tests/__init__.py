"""The tests. A package, so that pytest never puts this directory, and its ``django``, on the path."""

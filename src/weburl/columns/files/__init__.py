"""``weburl columns``: DuckDB reads a file, calls our functions for each batch, and writes another.

Memory use does not depend on the length of the file. The modules make a query of the options, run
it, and put its output in its place. What a URL is, is left to `weburl.columns`.
"""

"""§4.7: origins and sites as values, and how to compare them.

Nothing here depends on a page or on a browser's settings. May use `api` and below.
"""

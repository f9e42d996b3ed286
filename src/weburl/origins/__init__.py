"""§4.7: origins and sites, as values, and which URLs have the same one.

What depends on a page or a browser's settings does not live here. May use `api` and below.
"""

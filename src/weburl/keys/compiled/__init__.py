"""Keys of most URLs, from the bytes of their hrefs.

The interpreted build imports nothing from here.
"""

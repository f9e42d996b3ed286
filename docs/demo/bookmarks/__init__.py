"""A demonstration: a shelf of bookmarks, each one a URL as a browser reads it."""

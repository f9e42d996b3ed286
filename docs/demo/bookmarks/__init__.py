"""A demonstration: a shelf of bookmarks, each a URL as a browser reads it."""

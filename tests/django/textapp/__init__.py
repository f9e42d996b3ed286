"""A small app whose URLs are text in Python; it has no migrations."""

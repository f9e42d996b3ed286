"""A Django app whose URLs are asked for by their parts."""

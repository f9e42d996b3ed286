"""A small app with URL columns of every kind."""

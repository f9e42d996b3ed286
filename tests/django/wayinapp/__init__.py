"""Rows as people have them before there is a CanonicalURLField, and what points at them."""

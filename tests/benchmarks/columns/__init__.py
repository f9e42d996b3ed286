"""The measurements of columns."""

"""Tests of the command ``canonicalize_urls``, the operation and the check."""

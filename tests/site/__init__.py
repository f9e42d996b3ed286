"""Tests of the site of the documents, and of what builds it: `make docs` runs them."""

"""URLs in columns, in each engine for real: `make test-columns`."""

"""Jobs over all rows of a large table, each beside its plain twin: `make bench-rows`.

`models` has the tables, `seed` what is in them, and `jobs` what is measured.
"""

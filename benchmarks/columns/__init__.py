"""Columns of URLs beside their peers, run by hand with `make bench-columns` and by no test.

``python -m benchmarks.columns measure FILE`` makes rows of the corpus and measures what is
installed in the running environment, each contender in a process of its own. ``python -m
benchmarks.columns report FILE…`` makes the table of it. No test measures time.
`tests/benchmarks/columns/` and `tests/columns/test_benchmark.py` hold the rows, the contenders and
the table to what they claim.
"""

"""Measurements beside the peers, run by hand with `make bench` and by no test.

``python -m benchmarks measure FILE`` measures what is installed in the running environment,
``python -m benchmarks report FILE…`` makes the table and the chart of it. No test measures time.
`tests/benchmarks/` holds the adapters, the inputs and the table to what they claim.
"""

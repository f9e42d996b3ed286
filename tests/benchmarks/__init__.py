"""Measurements beside the peers, run by hand with `make bench` and by no test.

``python -m tests.benchmarks measure FILE`` measures what is installed in the running environment,
``python -m tests.benchmarks report FILE…`` makes the table and the chart of it. No test measures
time; those beside these modules hold the adapters, the inputs and the table to what they claim.
"""

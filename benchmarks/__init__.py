"""Measurements beside the peers, by pytest-benchmark. One module ``bench_…`` for each subject.

``pytest -c benchmarks/pytest.ini benchmarks/bench_urls.py`` measures what is installed in the
running environment. `make bench` measures both builds, and `benchmarks.report` makes the tables of
the documents. A measurement is one line in a table of its module, such as `bench_urls.ROWS`.

These ideas were measured and did not help:

- mypyc on the same sources takes 2.3 times as long as the fastest library for links, and 15 times
  for hosts beyond ASCII. Cython on the general parser without C types is slower than mypyc.
- `URL` and `URLSearchParams` as extension types are quicker, but lose `inspect.signature` and
  ``del``. With search params, the two are a cycle, so the collector must traverse them.
- Functions of Cython's own type: the interpreter calls built-in functions faster.
- `weburl.parse` as a built-in function would have no annotations.
- A record of a base that is text takes longer than parsing the base without one.
- With ``__getattr__`` for a path that is split once and kept, the interpreter no longer
  specializes reads of any slot.
- Joining a table's items byte by byte is a fifth to two thirds slower than `re.sub` with a
  function.
- A regex with a lookahead for dot segments is a tenth slower than looking back from each "." and
  "%".
- An empty record first and its parts on demand, compiled: checking that the text parses takes
  nearly as long as parsing it.
- A table of bits, a cache of first numbers or sorted pairs for Punycode saves at most 0.2 of 7 µs.
- A converter in C for ``values_list`` takes 7 % less than Django's usual one.
- The methods of a Django field's attribute, compiled in a Python class, take twice the time of a
  class of C.
- `inet_pton` for IPv6: importing its module takes as long as two thousand addresses.
- 16 hosts that records share, instead of 256: no faster, and 24 bytes less for a record, not 36.
"""

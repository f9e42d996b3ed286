"""Drops the pages of a batch that were seen before: ``python -m benchmarks.columns.seen 2000000``.

The seen numbers are made up, and every second page of the batch is among them. It prints how long
the join of the recipe in ``docs/columns/crawl.md`` takes, and the most memory that it uses.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from weburl import columns

_BATCH: Final = 1_000_000
_AT_A_TIME: Final = 10_000_000


def main(count: int) -> None:
    """Measure with that many pages that were seen."""
    urls = pa.array([f"https://h{number}.example/{number}" for number in range(_BATCH)])
    began = time.process_time()
    own = columns.key_hash(urls, "page")
    keyed = time.process_time() - began
    with TemporaryDirectory() as folder:
        there = own.take(pa.array(range(0, _BATCH, 2)))
        for number, start in enumerate(range(0, count, _AT_A_TIME)):
            more = min(_AT_A_TIME, count - start) - (len(there) if start == 0 else 0)
            made = pa.array(memoryview(os.urandom(8 * more)).cast("q"), pa.int64())
            seen = pa.concat_arrays([there, made] if start == 0 else [made])
            pq.write_table(pa.table({"key_hash": seen}), Path(folder, f"{number}.parquet"))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        with duckdb.connect(config={"threads": 1}) as connection:
            connection.register("batch", pa.table({"url": urls, "key_hash": own}))
            began = time.process_time()
            fresh = connection.sql(
                "SELECT count(*) FROM (SELECT DISTINCT ON (key_hash) batch.* FROM batch"
                f" ANTI JOIN '{folder}/*.parquet' USING (key_hash) ORDER BY key_hash, url)"
            ).fetchall()[0][0]
            joined = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{count:,} seen in {size >> 20:,} MiB; a batch of {_BATCH:,}: {keyed:.1f} s for the"
        f" numbers, {joined:.1f} s for the join, {memory:,} MiB; {fresh:,} are new"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))

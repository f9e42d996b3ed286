"""The rows: as many as wanted, made of real links, the same ones each time.

Of a hundred rows, 85 are links as they are but for a fragment or a host that nobody else has; the
others are what crawl logs and link tables have beside them, down to text that is no URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.inputs import domains, make_slow

BATCH: Final = 65_536
"""How many rows are read, and handed to a contender, at a time."""

BASE: Final = "https://example.com/a/b?c"
"""What rows are joined to."""

_NOT_URLS: Final = ("http://[::1", "www.example.com/a", "https://exa mple.com/", "http://a:99999/")
_DOMAINS: Final = 1_000


def made_rows(links: Sequence[str], start: int, stop: int) -> list[str]:
    """Return the rows from ``start`` to before ``stop``. Two with the same number are the same.

    When all links have had their turn, every other one gets a host of its own, and the others a
    fragment: as many hosts are new, and as many have been there, as in the links themselves.
    """
    foreign = _foreign_domains()
    return [_row(links, foreign, number) for number in range(start, stop)]


def _row(links: Sequence[str], foreign: Sequence[str], number: int) -> str:
    turn, at = divmod(number, len(links))
    link = links[at]
    if turn:
        link = _on_another_host(link, turn) if at % 2 else f"{link.partition('#')[0]}#{turn}"
    match number % 100:
        case 10 | 20 | 30 | 40 | 50 | 60 | 70 | 80:
            return make_slow(link)
        case 15 | 35 | 55:
            return f"https://{foreign[number % len(foreign)]}/{number}"
        case 25:
            return link.replace("://", f"://user:secret{number}@", 1)
        case 45:
            return f"http://[2001:db8::{number % 65_536:x}]:8080/{number}"
        case 65:
            return f"mailto:someone{number}@example.com"
        case 85:
            return _NOT_URLS[number // 100 % len(_NOT_URLS)]
    return link


def _on_another_host(link: str, turn: int) -> str:
    """Return a link with a number in the last label but one of its host, if it has two."""
    scheme, slashes, rest = link.partition("://")
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    name, dot, last = rest[:end].rpartition(".")
    if not (slashes and dot and name and last.isalpha()) or "xn--" in name:
        return f"{link.partition('#')[0]}#{turn}"
    return f"{scheme}://{name}-{turn}.{last}{rest[end:]}"


_made_domains: list[str] = []


def _foreign_domains() -> list[str]:
    if not _made_domains:
        _made_domains.extend(domains(_DOMAINS))
    return _made_domains


def write_rows(
    path: Path, links: Sequence[str], count: int, progress: Callable[[int], object]
) -> None:
    """Write ``count`` rows to a Parquet file with one column, "url", a batch at a time."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("url", pa.string())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, count, BATCH):
            stop = min(start + BATCH, count)
            batch = pa.record_batch([pa.array(made_rows(links, start, stop))], schema=schema)
            writer.write_batch(batch)
            progress(stop)


def batches(path: Path) -> Iterator[object]:
    """Yield the column of a file that `write_rows` wrote, as Arrow arrays of `BATCH` rows."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=BATCH):
            yield batch.column(0)

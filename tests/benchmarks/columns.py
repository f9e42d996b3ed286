"""``python -m tests.benchmarks.columns``: columns beside a loop over the same texts.

Both in one process. Prints a table for the build that is installed, for `docs/columns/index.md`.
What a loop gives is a list of Python's own objects; what a column gives is an array. ada-url and
can-ada are measured where they are installed.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterable
from functools import partial
from statistics import median
from typing import Any, Final

import pyarrow as pa

import weburl
from tests.benchmarks.inputs import corpus_path, thin_out, unique_links
from weburl import columns
from weburl.infra.build import COMPILED

BASE: Final = "https://example.com/a/b?c"

Work = Callable[[], object]


def _host(record: weburl.URLRecord) -> str | None:
    return None if record.host is None else str(record.host)


def _parts(record: weburl.URLRecord) -> tuple[str | int | None, ...]:
    return (
        record.scheme,
        record.username,
        record.password,
        _host(record),
        record.port,
        record.path_text,
        record.query,
        record.fragment,
    )


def _registrable_domain(record: weburl.URLRecord) -> str | None:
    domain = None if record.host is None else record.host.registrable_domain
    return None if domain is None else str(domain)


def operations(texts: list[str]) -> dict[str, tuple[Work, Work]]:
    """Return for each operation a loop and the function of `weburl.columns`."""
    array = pa.array(texts)
    parse, canonicalize, can_parse = weburl.parse, weburl.canonicalize, weburl.can_parse
    return {
        "canonicalize": (
            lambda: [canonicalize(text) for text in texts],
            lambda: columns.canonicalize(array),
        ),
        "can_parse": (
            lambda: [can_parse(text) for text in texts],
            lambda: columns.can_parse(array),
        ),
        "resolve": (
            lambda: [canonicalize(text, BASE) for text in texts],
            lambda: columns.resolve(array, BASE),
        ),
        "parse": (
            lambda: [_parts(parse(text)) for text in texts],
            lambda: columns.parse(array),
        ),
        "host": (
            lambda: [_host(parse(text)) for text in texts],
            lambda: columns.host(array),
        ),
        "origin": (
            lambda: [parse(text).origin for text in texts],
            lambda: columns.origin(array),
        ),
        "registrable_domain": (
            lambda: [_registrable_domain(parse(text)) for text in texts],
            lambda: columns.registrable_domain(array),
        ),
        "search_param": (
            lambda: [weburl.URLSearchParams(parse(text).query or "").get("id") for text in texts],
            lambda: columns.search_param(array, "id"),
        ),
        "render": (
            lambda: [weburl.render(parse(text)) for text in texts],
            lambda: columns.render(array),
        ),
    }


def peers(texts: list[str]) -> Iterable[tuple[str, Work]]:
    """Yield loops that give canonical texts by other libraries, of those that are installed."""
    for module, name in (("can_ada", "can_ada.parse, href"), ("ada_url", "ada_url.URL, href")):
        try:
            library: Any = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
        make = library.parse if module == "can_ada" else library.URL
        yield name, partial(_hrefs, make, texts)


def _hrefs(make: Callable[[str], Any], texts: list[str]) -> list[str]:
    return [make(text).href for text in texts]


def seconds(works: list[Work], rounds: int) -> list[float]:
    """Return the median time of each, of rounds in which each has its turn."""
    times: list[list[float]] = [[] for _ in works]
    for number in range(rounds):
        for at in range(len(works)):
            turn = (at + number) % len(works)
            start = time.process_time()
            works[turn]()
            times[turn].append(time.process_time() - start)
    return [median(own) for own in times]


def measured_by_workers(texts: list[str], rows: int) -> None:
    """Print how long many rows take by one worker and by two, as the clock says."""
    array = pa.array((texts * (rows // len(texts) + 1))[:rows])
    for workers in (1, 2, 4):
        start = time.perf_counter()
        columns.parse(array, workers=workers)
        took = time.perf_counter() - start
        print(f"| parse, {workers} workers | {rows:,} rows | {took:.1f} s | {rows / took:,.0f} |")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=40_000, help="how many links")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rows", type=int, default=0, help="of a column for several workers")
    options = parser.parse_args()
    links = thin_out(unique_links(corpus_path()), options.limit)
    texts = [text for text in links if weburl.can_parse(text)]
    print(f"{'compiled' if COMPILED else 'interpreted'}, {len(texts):,} links\n")
    print("| function | a loop, ns a row | the column, ns a row | ratio | rows a second |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, works in operations(texts).items():
        loop, column = (1e9 * took / len(texts) for took in seconds(list(works), options.rounds))
        rate = 1e9 / column
        print(f"| {name} | {loop:,.0f} | {column:,.0f} | {column / loop:.2f} | {rate:,.0f} |")
    for name, work in peers(texts):
        took = 1e9 * seconds([work], options.rounds)[0] / len(texts)
        print(f"| {name} | {took:,.0f} | – | – | {1e9 / took:,.0f} |")
    if options.rows:
        measured_by_workers(texts, options.rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

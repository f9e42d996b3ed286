"""How long a URL takes, beside the peers, in one run: ``python -m tests.benchmarks.parse FILE``.

FILE holds one link a line. Each contender parses all of them, in turn, several rounds; what
counts is the ratio of the fastest rounds, since these times drift with the machine. Peers that
are not installed are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import weburl
from tests.reference.machine import basic_url_parse
from weburl.records import URLRecord

_ROUNDS = 5
_PEERS = {
    "can_ada.parse": ("can_ada", "parse"),
    "ada_url.URL": ("ada_url", "URL"),
    "upa_url.URL": ("upa_url", "URL"),
    "pywhatwgurl.URL": ("pywhatwgurl", "URL"),
    "yarl.URL": ("yarl", "URL"),
    "pydantic.AnyUrl": ("pydantic", "AnyUrl"),
    "urllib.parse.urlsplit": ("urllib.parse", "urlsplit"),
}


def contenders() -> dict[str, Callable[[str], Any]]:
    """Return what is measured, by name."""
    found: dict[str, Callable[[str], Any]] = {
        "weburl.parse": weburl.parse,
        "weburl.can_parse": weburl.can_parse,
        "weburl.canonicalize": weburl.canonicalize,
        "weburl.check": weburl.check,
        "weburl.URL": weburl.URL,
        "the literal state machine": partial(basic_url_parse),
    }
    for name, (module, attribute) in _PEERS.items():
        try:
            found[name] = getattr(import_module(module), attribute)
        except ImportError:
            print(f"({name} is not installed)", file=sys.stderr)
    return found


def seconds(parse: Callable[[str], Any], links: list[str]) -> float:
    """Return how long ``parse`` takes for all ``links``, failures included."""
    start = perf_counter()
    for link in links:
        with suppress(ValueError):
            parse(link)
    return perf_counter() - start


def value_costs(record: URLRecord) -> dict[str, Callable[[str], Any]]:
    """Return the two ways to make a record: checked, and as the parser does."""
    from weburl.records import trusted_record

    fields = tuple(getattr(record, name) for name in URLRecord.__match_args__)
    return {
        "URLRecord(…), checked": lambda _: URLRecord(*fields),
        "trusted_record(…)": lambda _: trusted_record(*fields),
    }


def main(path: str) -> None:
    """Print microseconds a URL, and the ratio to `weburl.parse`."""
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    links = [line for line in text.splitlines() if line]
    measured = contenders() | value_costs(weburl.parse("https://user@example.com/a/b?q#f"))
    best = dict.fromkeys(measured, float("inf"))
    for _ in range(_ROUNDS):
        for name, parse in measured.items():
            best[name] = min(best[name], seconds(parse, links))
    print(f"{len(links)} links, best of {_ROUNDS} rounds")
    for name, time in best.items():
        print(
            f"{name:<28}{time / len(links) * 1e6:>10.2f} µs"
            f"{time / best['weburl.parse']:>10.2f} times weburl.parse"
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.benchmarks.parse FILE")
    main(sys.argv[1])

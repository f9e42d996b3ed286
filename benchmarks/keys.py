"""Nanoseconds per URL for `url_key` and `canonicalize`.

``make bench-keys`` runs ``python -m benchmarks.keys LINKS``, which prints the table as
Markdown. ``LINKS`` has one link per line. What does not parse is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from weburl import can_parse, canonicalize
from weburl.keys import KeyRules, url_key
from weburl.standard.infra.build import COMPILED

_ROUNDS: Final = 25
_RULES: Final = KeyRules.page()


def main(path: str) -> None:
    """Print a row for the links that no step of "page" changes, for the others, and for columns."""
    text = Path(path).read_text("utf-8", "replace")
    links = [link for link in text.split("\n") if can_parse(link)]
    untouched = {link for link in links if url_key(link, _RULES) == canonicalize(link)}
    groups = {
        "no step changes them, no query": [
            link for link in links if link in untouched and "?" not in link
        ],
        "no step changes them, with a query": [
            link for link in links if link in untouched and "?" in link
        ],
        "a step changes them": [link for link in links if link not in untouched],
    }
    print(f"{'compiled' if COMPILED else 'interpreted'}\n")
    print("| links | number | `canonicalize` | `url_key` | ratio |")
    print("|---|---:|---:|---:|---:|")
    for name, group in groups.items():
        _print_row(name, len(group), best_times(_LOOPS, group))
    try:
        import pyarrow as pa

        from weburl import columns
    except ImportError:
        return
    functions = {"canonicalize": columns.canonicalize, "url_key": columns.key}
    _print_row("all, as a column", len(links), best_times(functions, pa.array(links)))


def _canonicalize_each(links: list[str]) -> None:
    for link in links:
        canonicalize(link)


def _key_each(links: list[str]) -> None:
    rules = _RULES
    for link in links:
        url_key(link, rules)


_LOOPS: Final = {"canonicalize": _canonicalize_each, "url_key": _key_each}


def best_times(
    functions: Mapping[str, Callable[[Any], object]], links: Any
) -> dict[str, float]:  # a list or an Arrow array
    """Return the processor time of each function per link, from its quickest round.

    The functions take turns, so that a busy machine slows all of them.
    """
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(_ROUNDS):
        for name, function in functions.items():
            start = time.process_time_ns()
            function(links)
            best[name] = min(best[name], time.process_time_ns() - start)
    return {name: nanoseconds / max(len(links), 1) for name, nanoseconds in best.items()}


def _print_row(name: str, number: int, times: Mapping[str, float]) -> None:
    canonical, keys = times["canonicalize"], times["url_key"]
    print(f"| {name} | {number:,} | {canonical:,.0f} | {keys:,.0f} | {keys / canonical:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1])

"""Nanoseconds per URL for `url_key`, beside those for `canonicalize`, in one run.

``python -m tests.benchmarks.keys LINKS`` reads one link per line. What does not parse is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from weburl import can_parse, canonicalize
from weburl.keys import KeyRules, url_key

_ROUNDS = 5


def main(path: str) -> None:
    """Print a row for all links, for those that no step of "page" changes, and for the others."""
    rules = KeyRules.page()
    text = Path(path).read_text("utf-8", "surrogateescape")
    links = [link for link in text.split("\n") if can_parse(link)]
    untouched = {link for link in links if url_key(link, rules) == canonicalize(link)}
    groups = {
        "all": links,
        "no step, no query": [link for link in links if link in untouched and "?" not in link],
        "no step, query": [link for link in links if link in untouched and "?" in link],
        "some step": [link for link in links if link not in untouched],
    }
    print(f"{'links':20}{'number':>8}{'canonicalize':>14}{'url_key':>10}{'ratio':>8}")
    for name, group in groups.items():
        canonical = _nanoseconds(canonicalize, group)
        keys = _nanoseconds(partial(url_key, rules=rules), group)
        ratio = keys / canonical
        print(f"{name:20}{len(group):8}{canonical:14.0f}{keys:10.0f}{ratio:8.2f}")


def _nanoseconds(function: Callable[[str], str], links: list[str]) -> float:
    """Return the processor time of one call, from the quickest of some rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time_ns()
        for link in links:
            function(link)
        best = min(best, time.process_time_ns() - start)
    return best / max(len(links), 1)


if __name__ == "__main__":
    main(sys.argv[1])

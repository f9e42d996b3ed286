"""What functions that merge URLs do to a list of links.

``make bench-keys`` runs ``python -m benchmarks.keys_beside_others LINKS``, which prints the
table as Markdown. ``LINKS`` has one link per line. Those that do not parse are left out, and so are
libraries that are not installed.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from attrs import frozen

from weburl import can_parse, canonicalize
from weburl.keys import RULE_NAMES, KeyRules, url_key

Function: TypeAlias = Callable[[str], object]

# Distribution, module, function, and how the table calls it.
_LIBRARIES: Final = (
    ("w3lib", "w3lib.url", "canonicalize_url"),
    ("courlan", "courlan", "clean_url"),
    ("ural", "ural", "canonicalize_url"),
    ("ural", "ural", "normalize_url"),
    ("url-normalize", "url_normalize", "url_normalize"),
    ("turbohtml", "turbohtml.extract", "clean_url"),
)
_ROUNDS: Final = 3
_HEADER: Final = ("function", "merged", "other page", "not a URL", "not stable", "ns per URL")


@frozen
class Counts:
    """What a function did to links.

    Args:
        merged: how many distinct canonical URLs disappeared, of those with a result.
        other_page: how many results are URLs for which a browser would fetch something else.
        no_url: how many results do not parse, or are not text.
        unstable: how many results a second call changes.
    """

    merged: int
    other_page: int
    no_url: int
    unstable: int


def count(function: Function, links: list[str]) -> Counts:
    """Return what ``function`` does to ``links``, all of which parse."""
    distinct: set[str] = set()
    results: set[str] = set()
    other_page = no_url = unstable = 0
    for link in links:
        result = _result(function, link)
        if not isinstance(result, str):
            no_url += 1
            continue
        distinct.add(canonicalize(link))
        results.add(result)
        if can_parse(result):
            other_page += _fetched(result) != _fetched(link)
        else:
            no_url += 1
        unstable += _result(function, result) != result
    return Counts(len(distinct) - len(results), other_page, no_url, unstable)


def _result(function: Function, link: str) -> object:
    try:
        return function(link)
    except Exception:  # noqa: BLE001  # whatever a library raises, it has no result
        return None


def _fetched(link: str) -> str:
    return canonicalize(link).partition("#")[0]


def functions() -> Iterator[tuple[str, Function]]:
    """Yield all functions, with their names in the table."""
    yield "`weburl.canonicalize`", canonicalize
    for name in RULE_NAMES:
        yield f'`url_key`, "{name}"', _key_by(KeyRules.named(name))
    for distribution, module, name in _LIBRARIES:
        try:
            function = getattr(importlib.import_module(module), name)
        except ImportError:
            continue
        yield f"{distribution} {metadata.version(distribution)}, `{name}`", function
    yield "as linkding, `normalize_url`", as_linkding


def _key_by(rules: KeyRules) -> Function:
    return lambda link: url_key(link, rules)


def as_linkding(link: str) -> str:
    """Return what linkding 1.42 and later compares to find duplicates, as its users see it.

    Written from its issues 957 and 1169, not from its source: scheme and host are lowercased,
    slashes at the end of the path go, and params are sorted. It stands for what people write with
    `urllib.parse`: params are decoded and encoded again.
    """
    parts = urlsplit(link.strip())
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    path = parts.path.rstrip("/")
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, query, parts.fragment))


def nanoseconds(function: Function, links: list[str]) -> float:
    """Return the processor time of one call, from the quickest of some rounds."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time_ns()
        for link in links:
            _result(function, link)
        best = min(best, time.process_time_ns() - start)
    return best / max(len(links), 1)


def main(path: str) -> None:
    """Print the table."""
    text = Path(path).read_text("utf-8", "replace")
    links = [link for link in text.split("\n") if can_parse(link)]
    print(f"{len(links):,} links\n")
    print(f"| {' | '.join(_HEADER)} |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, function in functions():
        found = count(function, links)
        cells = (found.merged, found.other_page, found.no_url, found.unstable)
        times = nanoseconds(function, links)
        print(f"| {name} | {' | '.join(f'{cell:,}' for cell in (*cells, round(times)))} |")


if __name__ == "__main__":
    main(sys.argv[1])

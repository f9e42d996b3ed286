"""`url_key` beside `canonicalize`, and what other functions that merge URLs do to a list of links.

``extra_info`` in the JSON file has how many canonical URLs a function ``merged``, how many results
are the URL of an ``other_page``, ``no_url`` at all, or ``unstable`` under a second call.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pytest

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


def _key_by(name: str) -> Function:
    rules = KeyRules.named(name)
    return lambda link: url_key(link, rules)


def _imported(module: str, name: str) -> Function:
    found: Function = getattr(importlib.import_module(module), name)
    return found


FUNCTIONS: Final[dict[str, Callable[[], Function]]] = {
    "`weburl.canonicalize`": lambda: canonicalize,
    **{f"`url_key`, {name}": partial(_key_by, name) for name in RULE_NAMES},
    **{f"{of}, `{name}`": partial(_imported, module, name) for of, module, name in _LIBRARIES},
    "as linkding, `normalize_url`": lambda: as_linkding,
}
"""How each function is found. One line is one row."""


def counted(function: Function, links: list[str]) -> dict[str, int]:
    """Return what ``function`` does to ``links``, all of which parse."""
    distinct: set[str] = set()
    results: set[str] = set()
    other_page = no_url = unstable = 0
    for link in links:
        result = _result(function, link)
        if not isinstance(result, str) or not can_parse(result):
            no_url += 1
            continue
        distinct.add(canonicalize(link))
        results.add(result)
        other_page += _fetched(result) != _fetched(link)
        unstable += _result(function, result) != result
    merged = len(distinct) - len(results)
    return {"merged": merged, "other_page": other_page, "no_url": no_url, "unstable": unstable}


def _result(function: Function, link: str) -> object:
    try:
        return function(link)
    except Exception:  # noqa: BLE001  # whatever a library raises, it has no result
        return None


def _fetched(link: str) -> str:
    return canonicalize(link).partition("#")[0]


@pytest.mark.parametrize("who", FUNCTIONS)
def bench_keys(who: str, links: list[str], timed: Any, benchmark: Any) -> None:
    """Make the keys of all links that parse."""
    try:
        function = FUNCTIONS[who]()
    except ImportError as error:
        pytest.skip(f"{error.name} is not installed")
    given = [link for link in links if can_parse(link)]
    benchmark.group = "keys"
    benchmark.extra_info.update(counted(function, given))
    timed(lambda texts: [_result(function, text) for text in texts], given, who=who)

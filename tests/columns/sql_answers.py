"""What each function for SQL has to give in every engine: what those for one text give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import weburl
from tests.columns.scalars import failure, parts, record_or_none, registrable_domain
from weburl import URLRecord
from weburl.columns.sql import FUNCTIONS
from weburl.keys import KeyRules, surt, url_key

Row = tuple[str | None, str | None]
"""A URL, and what else a function takes: a base, or a name."""

OF_RECORD: Final[dict[str, Callable[[URLRecord], Any]]] = {
    "url_canonicalize": lambda record: record.href,
    "url_parse": parts,
    "url_scheme": lambda record: record.scheme,
    "url_host": lambda record: parts(record)["host"],
    "url_port": lambda record: record.port,
    "url_path": lambda record: record.path_text,
    "url_query": lambda record: record.query,
    "url_fragment": lambda record: record.fragment,
    "url_origin": lambda record: record.origin,
    "url_site": lambda record: str(weburl.obtain_a_site(record)),
    "url_registrable_domain": registrable_domain,
    "url_key_browser": lambda record: url_key(record, KeyRules.browser()),
    "url_key_page": lambda record: url_key(record, KeyRules.page()),
    "url_key_crawl": lambda record: url_key(record, KeyRules.crawl()),
    "url_surt": surt,
}


def _resolved(url: str | None, base: str | None) -> str | None:
    if url is None or base is None:
        return None
    record = record_or_none(url, base)
    return None if record is None else record.href


def _param(url: str | None, name: str | None) -> str | None:
    record = record_or_none(url)
    if record is None or name is None:
        return None
    return weburl.URLSearchParams(record.query or "").get(name)


def answers(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return what each function has to give for each row, by the function's name."""
    records = [record_or_none(url) for url, _ in rows]
    found = {
        name: [None if record is None else of_record(record) for record in records]
        for name, of_record in OF_RECORD.items()
    }
    found["url_can_parse"] = [None if url is None else weburl.can_parse(url) for url, _ in rows]
    found["url_error"] = [failure(url) for url, _ in rows]
    found["url_resolve"] = [_resolved(*row) for row in rows]
    found["url_search_param"] = [_param(*row) for row in rows]
    assert set(found) == {function.name for function in FUNCTIONS}
    return found


def differences(rows: Sequence[Row], got: Mapping[str, Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return where an engine gave something else: function, row, what it gave, what it should."""
    found = []
    for name, wanted in answers(rows).items():
        for row, answer, want in zip(rows, got[name], wanted, strict=True):
            if answer != want or type(answer) is not type(want):
                found.append((name, row, answer, want))
    return found

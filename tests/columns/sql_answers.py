"""What each function for SQL has to give in every engine: what those for one text give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

import weburl
from tests import strategies
from tests.columns.scalars import (
    as_map,
    as_row,
    failure,
    host,
    is_ip,
    key_hash,
    matches,
    of_domain,
    parts,
    path_depth,
    pattern_for,
    record_or_none,
    registrable_domain,
    same_site,
    search_params,
    subdomain,
    value_of_param,
    without_private,
)
from tests.wpt import load_cases
from weburl import URLRecord
from weburl.columns.options import SQL_LINK_FIELDS
from weburl.columns.sql import FUNCTIONS
from weburl.html import links
from weburl.keys import RULE_NAMES, KeyRules, surt, url_key
from weburl.public_suffix import packaged_list, using_list

Row = tuple[str | None, str | None]
"""A URL, and what else a function takes: a base, or a name."""

COLUMN_OF: Final = {
    "url": "url",
    "host": "url",
    "base": "other",
    "name": "other",
    "other": "other",
    "rules": "rules",
    "pattern": "pattern",
    "body": "body",
    "names": "names",
    "address": "other",
}
"""Which column of a test's table each argument takes."""

NAMES: Final = ["q", "a", "", "\u00e9", "a b"]
"""Names of parameters, some of which are also bases that do not parse."""
# A row of Arrow has no lone surrogates.
TEXTS: Final = strategies.url_texts.map(lambda text: text.encode("utf-8", "replace").decode())

_JSON: Final = '{"from": "page", "also_drop_params": ["q"]}'
RULES: Final = {
    **{name: KeyRules.named(name) for name in RULE_NAMES},
    _JSON: KeyRules.from_json(_JSON),
}
"""Rules as SQL takes them: by name, or in JSON."""


def site_without_private(record: URLRecord) -> str:
    """Return the site by the list without its private section."""
    with using_list(packaged_list(private=False)):
        return str(weburl.obtain_a_site(record))


def of_domain_without_private(text: str | None) -> str | None:
    """Return the registrable domain of a host by the list without its private section."""
    with using_list(packaged_list(private=False)):
        return of_domain(text, "registrable_domain")


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
    "url_registrable_domain_without_private": without_private,
    "url_site_without_private": site_without_private,
    "url_surt": surt,
    "url_search_params": search_params,
    "url_path_segments": lambda record: list(record.segments),
    "url_path_depth": path_depth,
    "url_file_name": lambda record: record.name,
    "url_file_extension": lambda record: record.suffix,
    "url_render": weburl.render,
}

OF_HOST: Final[dict[str, Callable[[str | None], Any]]] = {
    "host_canonicalize": host,
    "host_is_ip": is_ip,
    "host_registrable_domain": lambda text: of_domain(text, "registrable_domain"),
    "host_registrable_domain_without_private": of_domain_without_private,
    "host_public_suffix": lambda text: of_domain(text, "public_suffix"),
    "host_subdomain": subdomain,
}


def _resolved(url: str, base: str) -> str | None:
    record = record_or_none(url, base)
    return None if record is None else record.href


def _of_both(
    of_both: Callable[[str, str], Any], rows: Sequence[Row], others: Sequence[str | None]
) -> list[Any]:
    """Return what a function gives for each URL and what is beside it, null without one of them."""
    return [
        None if url is None or other is None else of_both(url, other)
        for (url, _), other in zip(rows, others, strict=True)
    ]


def _or_error(of_record: Callable[[URLRecord], Any], url: str | None) -> Any:
    record = record_or_none(url)
    if url is None:
        return None
    return {"value": None if record is None else of_record(record), "error": failure(url)}


def rules_of(rows: Sequence[Row]) -> list[str | None]:
    """Return a column of rules: null where the other text is, and else all in turn."""
    return [
        None if other is None else list(RULES)[number % len(RULES)]
        for number, (_, other) in enumerate(rows)
    ]


def patterns_of(rows: Sequence[Row]) -> list[str | None]:
    """Return a column of patterns: null where the other text is."""
    return [None if other is None else pattern_for(other) for _, other in rows]


def more_columns(rows: Sequence[Row]) -> dict[str, list[str | None]]:
    """Return the columns of `COLUMN_OF` that are made of the two of a test."""
    return {
        "rules": rules_of(rows),
        "pattern": patterns_of(rows),
        "body": bodies_of(rows),
        "names": names_of(rows),
    }


def names_of(rows: Sequence[Row]) -> list[str | None]:
    """Return a column of names of params: null where the other text is."""
    return [
        None if other is None else ("q, a*", "u*", "b")[number % 3]
        for number, (_, other) in enumerate(rows)
    ]


def _without(url: str, names: str) -> str | None:
    record = record_or_none(url)
    given = {"q, a*": (("q",), ("a",)), "u*": ((), ("u",)), "b": (("b",), ())}[names]
    return (
        None if record is None else record.without_query_params(*given[0], prefixes=given[1]).href
    )


def bodies_of(rows: Sequence[Row]) -> list[str | None]:
    """Return a column of pages, each with a link to the URL of its row."""
    return [
        None if url is None else f'<a rel="next me" href="{escape(url)}">to <b>it</b></a>'
        for url, _ in rows
    ]


def _links(row: Row) -> Any:
    _, address = row
    body, *_ = bodies_of([row])
    if body is None or record_or_none(address) is None:
        return None
    assert address is not None
    return [
        {name: value for name, value in as_row(link).items() if name in SQL_LINK_FIELDS}
        for link in links(body, address, texts=True)
    ]


def _links_or_error(row: Row) -> Any:
    url, address = row
    if row == (None, None):
        return None
    why = "no-address" if address is None else failure(address)
    return {"value": _links(row), "error": why or ("no-body" if url is None else None)}


def _key(url: str, rules: str) -> str | None:
    record = record_or_none(url)
    return None if record is None else url_key(record, RULES[rules])


def _key_hash(url: str, rules: str) -> int | None:
    record = record_or_none(url)
    return None if record is None else key_hash(record, RULES[rules])


def answers(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return what each function has to give for each row, by the function's name."""
    records = [record_or_none(url) for url, _ in rows]
    found = {
        name: [None if record is None else of_record(record) for record in records]
        for name, of_record in OF_RECORD.items()
    }
    found["url_can_parse"] = [None if url is None else weburl.can_parse(url) for url, _ in rows]
    found["url_error"] = [failure(url) for url, _ in rows]
    others = [other for _, other in rows]
    found["url_resolve"] = _of_both(_resolved, rows, others)
    found["url_search_param"] = _of_both(value_of_param, rows, others)
    found["url_matches"] = _of_both(matches, rows, others)
    found["url_same_site"] = _of_both(same_site, rows, others)
    found["url_key"] = _of_both(_key, rows, rules_of(rows))
    found["url_key_hash"] = _of_both(_key_hash, rows, rules_of(rows))
    found["url_without_query_params"] = _of_both(_without, rows, names_of(rows))
    for name in ("url_canonicalize", "url_parse"):
        found[f"{name}_or_error"] = [_or_error(OF_RECORD[name], url) for url, _ in rows]
    for name, of_host in OF_HOST.items():
        found[name] = [of_host(url) for url, _ in rows]
    found["html_links"] = [_links(row) for row in rows]
    found["html_links_or_error"] = [_links_or_error(row) for row in rows]
    assert set(found) == {function.name for function in FUNCTIONS}
    return found


def differences(rows: Sequence[Row], got: Mapping[str, Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return where an engine gave something else: function, row, what it gave, what it should."""
    found = []
    for name, wanted in answers(rows).items():
        given = [as_map(name, answer) for answer in got[name]]
        due = [as_map(name, want) for want in wanted]
        for row, answer, want in zip(rows, given, due, strict=True):
            if answer != want or type(answer) is not type(want):
                found.append((name, row, answer, want))
    return found


def calls() -> list[str]:
    """Return a call of each function in SQL."""
    return [
        f"{function.name}({', '.join(COLUMN_OF[each] for each in function.arguments)})"
        for function in FUNCTIONS
    ]


def cases() -> list[Row]:
    """Return the URLs of web-platform-tests with their bases, and with names of parameters."""
    found = [
        (case["input"], case["base"])
        for case in load_cases("urltestdata.json")
        if not any(0xD800 <= ord(char) < 0xE000 for char in case["input"])
    ]
    assert len(found) > 850
    return [*found, *((url, NAMES[number % 5]) for number, (url, _) in enumerate(found))]

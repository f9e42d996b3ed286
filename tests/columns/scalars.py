"""What the functions of `weburl.columns` have to give: the same as those for one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import pyarrow as pa

import weburl
from weburl import URLRecord, columns
from weburl.keys import KeyRules, surt, url_key
from weburl.public_suffix import packaged_list, using_list

KINDS: Final = {
    weburl.Domain: "domain",
    weburl.IPv4Address: "ipv4",
    weburl.IPv6Address: "ipv6",
    weburl.OpaqueHost: "opaque",
    weburl.EmptyHost: "empty",
}


def record_or_none(text: str | None, base: str | None = None) -> URLRecord | None:
    """Return the record of a text; None for what does not parse, and for None."""
    if text is None:
        return None
    try:
        return weburl.parse(text, base)
    except weburl.URLParseError:
        return None


def failure(text: str | None, base: str | None = None) -> str | None:
    """Return the name of the failure of a text; None for what parses, and for None."""
    found = None if text is None else weburl.check(text, base).failure
    return None if found is None else str(found.type)


def _host(record: URLRecord) -> str | None:
    return None if record.host is None else str(record.host)


def parts(record: URLRecord) -> dict[str, str | int | None]:
    """Return the parts of a record."""
    return {
        "scheme": record.scheme,
        "username": record.username,
        "password": record.password,
        "host": _host(record),
        "host_kind": None if record.host is None else KINDS[type(record.host)],
        "port": record.port,
        "path": record.path_text,
        "query": record.query,
        "fragment": record.fragment,
    }


def registrable_domain(record: URLRecord) -> str | None:
    """Return the registrable domain of a record's host as text."""
    found = None if record.host is None else record.host.registrable_domain
    return None if found is None else str(found)


def without_private(record: URLRecord) -> str | None:
    """Return the registrable domain by the list without its private section."""
    with using_list(packaged_list(private=False)):
        return registrable_domain(record)


def search_param(record: URLRecord) -> str | None:
    """Return the first value of the name "q"."""
    return weburl.URLSearchParams(record.query or "").get("q")


OfRecord = Callable[[URLRecord], Any]
OfColumn = Callable[[Any], Any]

# Each function, and what it has to give for a record.
FUNCTIONS: Final[dict[str, tuple[OfColumn, OfRecord]]] = {
    "canonicalize": (columns.canonicalize, lambda record: record.href),
    "parse": (columns.parse, parts),
    "host": (columns.host, _host),
    "origin": (columns.origin, lambda record: record.origin),
    "registrable_domain": (columns.registrable_domain, registrable_domain),
    "without private": (
        lambda urls: columns.registrable_domain(urls, private=False),
        without_private,
    ),
    "site": (columns.site, lambda record: str(weburl.obtain_a_site(record))),
    "render": (columns.render, weburl.render),
    "render in 20": (
        lambda urls: columns.render(urls, max_length=20, omit_scheme="https"),
        lambda record: weburl.render(record, max_length=20, omit_scheme="https"),
    ),
    "search_param": (lambda urls: columns.search_param(urls, "q"), search_param),
    "key": (columns.key, lambda record: url_key(record, KeyRules.page())),
    "surt": (columns.surt, surt),
    "without_query_params": (
        lambda urls: columns.without_query_params(urls, "q", prefixes="utm_"),
        lambda record: record.without_query_params("q", prefixes="utm_").href,
    ),
    "scheme": (lambda urls: columns.part(urls, "scheme"), lambda record: record.scheme),
    "username": (lambda urls: columns.part(urls, "username"), lambda record: record.username),
    "password": (lambda urls: columns.part(urls, "password"), lambda record: record.password),
    "host_kind": (
        lambda urls: columns.part(urls, "host_kind"),
        lambda record: parts(record)["host_kind"],
    ),
    "port": (lambda urls: columns.part(urls, "port"), lambda record: record.port),
    "path": (lambda urls: columns.part(urls, "path"), lambda record: record.path_text),
    "query": (lambda urls: columns.part(urls, "query"), lambda record: record.query),
    "fragment": (lambda urls: columns.part(urls, "fragment"), lambda record: record.fragment),
}


# The functions of a text, which also answer for what does not parse.
OF_TEXT: Final[dict[str, tuple[OfColumn, Callable[[str | None], Any]]]] = {
    "can_parse": (
        columns.can_parse,
        lambda text: None if text is None else weburl.can_parse(text),
    ),
    "check": (columns.check, failure),
}

# Those that take a base, and what each has to give for a text and a base that are both there.
ON_BASES: Final[dict[str, tuple[Callable[[Any, Any], Any], Callable[[str, str], Any]]]] = {
    "canonicalize": (columns.canonicalize, lambda text, base: _of(text, base, "href")),
    "resolve": (columns.resolve, lambda text, base: _of(text, base, "href")),
    "can_parse": (columns.can_parse, weburl.can_parse),
    "check": (columns.check, failure),
    "parse": (columns.parse, lambda text, base: _of(text, base, "parts")),
}

TWINS: Final = {
    "can_parse": "can_parse",
    "canonicalize": "canonicalize",
    "check": "check",
    "host": "URLRecord.host",
    "key": "keys.url_key",
    "origin": "URLRecord.origin",
    "parse": "parse",
    "part": "URLRecord",
    "registrable_domain": "Domain.registrable_domain",
    "render": "render",
    "resolve": "URLRecord.join",
    "search_param": "URLSearchParams.get",
    "site": "obtain_a_site",
    "surt": "keys.surt",
    "without_query_params": "URLRecord.without_query_params",
}
"""What does for one text or one record what each function does for a column, in `weburl`."""


def _of(text: str, base: str, wanted: str) -> Any:
    record = record_or_none(text, base)
    if record is None:
        return None
    return record.href if wanted == "href" else parts(record)


def compared() -> set[str]:
    """Return the names of the functions whose answers are compared with those for one text."""
    by_part = set(parts(weburl.parse("https://h"))) <= set(FUNCTIONS)
    return {*FUNCTIONS, *OF_TEXT, *ON_BASES, *(["part"] if by_part else [])}


def expected(name: str, texts: Sequence[str | None]) -> list[Any]:
    """Return what the function ``name`` has to give for each text."""
    of_record = FUNCTIONS[name][1]
    records = map(record_or_none, texts)
    return [None if record is None else of_record(record) for record in records]


def differences(texts: Sequence[str | None]) -> list[tuple[str, str | None, Any, Any]]:
    """Return where a function gives something else than the one for one text."""
    urls = pa.array(texts, pa.string())
    answers = {name: (function(urls), expected(name, texts)) for name, (function, _) in _all()}
    for name, (function, of_text) in OF_TEXT.items():
        answers[name] = (function(urls), [of_text(text) for text in texts])
    found = []
    for name, (array, wanted) in answers.items():
        array.validate(full=True)
        for text, got, want in zip(texts, array.to_pylist(), wanted, strict=True):
            if got != want or type(got) is not type(want):
                found.append((name, text, got, want))
    return found


def _all() -> Sequence[tuple[str, tuple[OfColumn, OfRecord]]]:
    return list(FUNCTIONS.items())


def differences_with_bases(
    texts: Sequence[str | None], bases: Sequence[str | None]
) -> list[tuple[Any, ...]]:
    """Return where a text on a base gives something else than for one text and base."""
    urls, of_bases = pa.array(texts, pa.string()), pa.array(bases, pa.string())
    found = []
    for name, (function, of_text) in ON_BASES.items():
        got = function(urls, of_bases).to_pylist()
        for text, base, answer in zip(texts, bases, got, strict=True):
            want = None if text is None or base is None else of_text(text, base)
            if answer != want or type(answer) is not type(want):
                found.append((name, text, base, answer, want))
    return found

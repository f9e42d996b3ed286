"""What the functions of `weburl.columns` have to give: the same as those for one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import pyarrow as pa

import weburl
from weburl import URLRecord, columns
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


def expected(name: str, texts: Sequence[str | None]) -> list[Any]:
    """Return what the function ``name`` has to give for each text."""
    of_record = FUNCTIONS[name][1]
    records = map(record_or_none, texts)
    return [None if record is None else of_record(record) for record in records]


def differences(texts: Sequence[str | None]) -> list[tuple[str, str | None, Any, Any]]:
    """Return where a function gives something else than the one for one text."""
    urls = pa.array(texts, pa.string())
    answers = {name: (function(urls), expected(name, texts)) for name, (function, _) in _all()}
    answers["can_parse"] = (
        columns.can_parse(urls),
        [None if text is None else weburl.can_parse(text) for text in texts],
    )
    answers["check"] = (columns.check(urls), list(map(failure, texts)))
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
    got = zip(
        columns.resolve(urls, of_bases).to_pylist(),
        columns.can_parse(urls, of_bases).to_pylist(),
        columns.check(urls, of_bases).to_pylist(),
        columns.parse(urls, of_bases).to_pylist(),
        strict=True,
    )
    found = []
    for text, base, answers in zip(texts, bases, got, strict=True):
        wanted: tuple[Any, ...] = (None, None, None, None)
        if text is not None and base is not None:
            record = record_or_none(text, base)
            wanted = (
                record and record.href,
                weburl.can_parse(text, base),
                failure(text, base),
                record and parts(record),
            )
        if answers != wanted:
            found.append((text, base, answers, wanted))
    return found

"""From the texts of a batch to records: the same parser as for one text, and why a text is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, TypeAlias

from weburl.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.infra.errors import Failure, ValidationErrorType
from weburl.origins.of_url import origin_of
from weburl.origins.values import OPAQUE_ORIGIN, OpaqueOrigin, serialize_tuple_origin
from weburl.parsing.fast_path import canonical_href, is_parsable, join_quickly, parse_quickly
from weburl.parsing.parser import parse_url
from weburl.records.record import URLRecord

NOT_UTF_8: Final = "not-UTF-8"
"""The name of the failure of bytes that are no text. The standard knows no such text."""

FAILURES: Final = (*(type.value for type in ValidationErrorType), NOT_UTF_8)
"""The names of all failures, in the order of the standard's table."""

Failures: TypeAlias = dict[int, str]
"""From the row of a batch to the name of its failure."""

Texts: TypeAlias = Sequence[str | None]
Bases: TypeAlias = URLRecord | Sequence[URLRecord | str | None] | None
"""One base for all rows, or one for each: None for null, the name of its failure for no URL."""

# Of a column of bases, as many as are kept; a page's links follow one another.
_BASES_KEPT: Final = 4096


def record_of(text: str, base: URLRecord | None = None) -> URLRecord:
    """Return the record of a text, or raise `Failure`."""
    record = parse_quickly(text) if base is None else join_quickly(base, text)
    return parse_url(text, base, "utf-8", None) if record is None else record


def bases_of(texts: Texts) -> list[URLRecord | str | None]:
    """Return the records of bases: None for null, the name of its failure for what is no URL."""
    read = lru_cache(_BASES_KEPT)(_base_of)
    return [None if text is None else read(text) for text in texts]


def _base_of(text: str) -> URLRecord | str:
    try:
        return record_of(text)
    except Failure as failure:
        return failure.type.value


def records_of(texts: Texts, bases: Bases, failures: Failures) -> Iterator[URLRecord | None]:
    """Yield the record of each text, None where it or its base is null, or there is a failure."""
    one = bases if isinstance(bases, URLRecord) else None
    several = None if bases is None or isinstance(bases, URLRecord) else bases
    for row, text in enumerate(texts):
        base = one if several is None else several[row]
        if text is None or (several is not None and base is None):
            yield None
        elif isinstance(base, str):
            failures[row] = base
            yield None
        else:
            try:
                record = record_of(text, base)
            except Failure as failure:
                failures[row] = failure.type.value
                yield None
            else:
                yield record


def hrefs_of(texts: Texts, failures: Failures) -> list[str | None]:
    """Return the href of each text that needs no base."""
    hrefs: list[str | None] = []
    append = hrefs.append
    for row, text in enumerate(texts):
        if text is None:
            append(None)
            continue
        href = canonical_href(text)
        if href is not None:
            append(href)
        else:
            record = record_or_failure(row, text, failures)
            append(None if record is None else record.href)
    return hrefs


def note_failures(texts: Texts, failures: Failures) -> None:
    """Note the failure of each text that does not parse without a base."""
    for row, text in enumerate(texts):
        if text is not None and not is_parsable(text):
            record_or_failure(row, text, failures)


def record_or_failure(row: int, text: str | None, failures: Failures) -> URLRecord | None:
    """Return the record of a text, or note its failure; None for what is not UTF-8."""
    if text is None:
        failures[row] = NOT_UTF_8
        return None
    try:
        return parse_url(text, None, "utf-8", None)
    except Failure as failure:
        failures[row] = failure.type.value
        return None


# --- what is read from a record -----------------------------------------------------------------

_KINDS: Final = {
    Domain: "domain",
    IPv4Address: "ipv4",
    IPv6Address: "ipv6",
    OpaqueHost: "opaque",
    EmptyHost: "empty",
}
_NUMBER_OF_KIND: Final = {kind: number for number, kind in enumerate(_KINDS)}
HOST_KINDS: Final = tuple(_KINDS.values())
"""What kinds of hosts are called, in the order of their numbers."""


def _host(record: URLRecord) -> str | None:
    return None if record.host is None else str(record.host)


def _host_kind(record: URLRecord) -> int | None:
    return None if record.host is None else _NUMBER_OF_KIND[type(record.host)]


def _domain(record: URLRecord) -> str | None:
    return record.host.value if isinstance(record.host, Domain) else None


def _scheme_and_host(record: URLRecord) -> str:
    origin = origin_of(record)
    if isinstance(origin, OpaqueOrigin):
        return OPAQUE_ORIGIN
    return serialize_tuple_origin(origin.scheme, origin.host, None)


READERS: Final[dict[str, Callable[[URLRecord], str | int | None]]] = {
    "href": attrgetter("href"),
    "scheme": attrgetter("scheme"),
    "username": attrgetter("username"),
    "password": attrgetter("password"),
    "host": _host,
    "host_kind": _host_kind,
    "port": attrgetter("port"),
    "path": attrgetter("path_text"),
    "query": attrgetter("query"),
    "fragment": attrgetter("fragment"),
    "origin": attrgetter("origin"),
    "domain": _domain,
    "scheme_and_host": _scheme_and_host,
}
"""How each part is read from a record: the number of a kind of host, and text or a port."""

"""Parses the strings of a batch with the same parser as a single string, and names the failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, TypeAlias

from weburl.keys import KeyRules
from weburl.keys.rules import key_of_href, plan_by
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)
from weburl.standard.infra.errors import Failure, ValidationErrorType
from weburl.standard.infra.strings import remove_tabs_and_newlines
from weburl.standard.url.api import parse_generally
from weburl.standard.url.fast_path import canonical_href, is_parsable, join_quickly, parse_quickly
from weburl.standard.url.host_texts import read_host
from weburl.standard.url.origin import OPAQUE_ORIGIN, OpaqueOrigin, serialize_tuple_origin
from weburl.standard.url.origin_of import origin_of
from weburl.standard.url.record import URLRecord

NOT_UTF_8: Final = "not-UTF-8"
"""The failure of bytes that are not text, which the standard does not have."""

FAILURES: Final = (*(type.value for type in ValidationErrorType), NOT_UTF_8)
"""The names of all failures, in the order of the standard's table."""

_NO_SCHEME: Final = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL.value

Failures: TypeAlias = dict[int, str]
"""Maps a row of a batch to the name of its failure."""

Texts: TypeAlias = Sequence[str | None]
Bases: TypeAlias = URLRecord | Sequence[URLRecord | str | None] | None
"""One base for all rows, or one for each: None for null, a failure's name if it does not parse."""

# How many bases of a column are cached. Links of one page, with one base, follow one another.
_BASES_KEPT: Final = 4096


def record_of(text: str, base: URLRecord | None = None) -> URLRecord:
    """Return the record of a string, or raise `Failure`."""
    record = parse_quickly(text) if base is None else join_quickly(base, text)
    return parse_generally(text, base, "utf-8") if record is None else record


def bases_of(texts: Texts) -> list[URLRecord | str | None]:
    """Return the records of bases, with None for null and a failure's name for a bad base."""
    read = lru_cache(_BASES_KEPT)(_base_of)
    return [None if text is None else read(text) for text in texts]


def _base_of(text: str) -> URLRecord | str:
    try:
        return record_of(text)
    except Failure as failure:
        return failure.type.value


def records_of(texts: Texts, bases: Bases, failures: Failures) -> Iterator[URLRecord | None]:
    """Yield the record of each text, or None if the text or its base is null or does not parse."""
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
    """Return the href of each text, without a base; None if it is null or does not parse."""
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


def keys_of(texts: Texts, rules: KeyRules, failures: Failures) -> list[str | None]:
    """Return the key of each text by rules; None if it is null or does not parse."""
    quick_key = plan_by(rules).key_of
    return [
        None if text is None else quick_key(text) or slow_key(row, text, rules, failures)
        for row, text in enumerate(texts)
    ]


def slow_key(row: int, text: str | None, rules: KeyRules, failures: Failures) -> str | None:
    """Return the key of a string that has no quick key, or record its failure and return None."""
    href = None if text is None else canonical_href(text)
    if href is None:
        record = record_or_failure(row, text, failures)
        if record is None:
            return None
        href = record.href
    return key_of_href(href, rules)


def note_failures(texts: Texts, failures: Failures) -> None:
    """Record the failure of each text that does not parse without a base."""
    for row, text in enumerate(texts):
        if text is not None and not is_parsable(text):
            record_or_failure(row, text, failures)


def record_or_failure(row: int, text: str | None, failures: Failures) -> URLRecord | None:
    """Return the record of a string, or record its failure and return None.

    ``text`` is None for bytes that are not UTF-8.
    """
    if text is None:
        failures[row] = NOT_UTF_8
        return None
    if ":" not in text:  # The parser would say so too, in ten times the time.
        failures[row] = _NO_SCHEME
        return None
    try:
        return parse_generally(text, None, "utf-8")
    except Failure as failure:
        failures[row] = failure.type.value
        return None


def host_or_failure(row: int, text: str | None, failures: Failures) -> Host | None:
    """Return the bare host in a string, or record its failure and return None.

    ``text`` is None for bytes that are not UTF-8.
    """
    if text is None:
        failures[row] = NOT_UTF_8
        return None
    try:
        return read_host(remove_tabs_and_newlines(text))
    except Failure as failure:
        failures[row] = failure.type.value
        return None


def is_bare_host(text: str) -> bool:
    """Return whether a string is an IPv4 address or has a registrable domain, without a scheme."""
    if ":" in text or "." not in text:
        return False
    try:
        host = read_host(remove_tabs_and_newlines(text))
    except Failure:
        return False
    return isinstance(host, IPv4Address) or host.registrable_domain is not None


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
"""The names of the kinds of hosts, in the order of their numbers."""


def _kind(host: Host) -> int:
    return _NUMBER_OF_KIND[type(host)]


def _domain_in(host: Host) -> str | None:
    return host.value if isinstance(host, Domain) else None


READERS_OF_HOSTS: Final[dict[str, Callable[[Host], str | int | None]]] = {
    "host": str,
    "host_kind": _kind,
    "domain": _domain_in,
}
"""How each part of a host is read, as text or as a number (kind of host)."""


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
    "host": lambda record: None if record.host is None else str(record.host),
    "host_kind": lambda record: None if record.host is None else _kind(record.host),
    "port": attrgetter("port"),
    "path": attrgetter("path_text"),
    "query": attrgetter("query"),
    "fragment": attrgetter("fragment"),
    "origin": attrgetter("origin"),
    "domain": lambda record: None if record.host is None else _domain_in(record.host),
    "scheme_and_host": _scheme_and_host,
}
"""How each part is read from a record, as text or as a number (port, kind of host)."""

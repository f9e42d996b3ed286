"""The fast path without compiled code, for links that are not canonical.

A regex matches nearly all links to a domain, and those to an address as it is serialized. Their
parts only have to be lowercased and percent-encoded, and dot segments to be resolved. That takes
two thirds of the time of the general parser, because it makes fewer calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from weburl.hosts.ipv6 import parse_ipv6
from weburl.hosts.values import IPv4Address, IPv6Address
from weburl.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
)
from weburl.infra.errors import Failure
from weburl.infra.percent_encoding import utf8_percent_encode
from weburl.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.infra.strings import strip_c0_control_or_space
from weburl.parsing import fast_path_regex
from weburl.parsing.fast_path_others import IPV4, MAX_PORT, is_canonical, parse_canonical
from weburl.parsing.fast_path_regex import HOST_IN_ANY_CASE
from weburl.records.path import parse_path
from weburl.records.record import URLRecord
from weburl.records.trusted import trusted_plain_record, trusted_record

_SCHEME_IN_ANY_CASE: Final = "[Hh][Tt][Tt][Pp][Ss]?"
# Not the five digits from 60000 on, which may be too large.
_PORT_IN_RANGE: Final = ":(?:[1-5][0-9]{4}|[0-9]{0,4})"

# Nothing after the host and the port of a special URL can make it fail.
_is_parsable: Final = re.compile(
    rf"[\x00-\x20]*+{_SCHEME_IN_ANY_CASE}://"
    rf"(?:{HOST_IN_ANY_CASE}|{IPV4})(?:{_PORT_IN_RANGE})?[/?#\\]"
).match

# An IPv6 address without an IPv4 address at its end. "::" is in it at most once, with at most seven
# colons, so it has at most seven pieces.
_HEX: Final = "[0-9A-Fa-f]{1,4}+"
_IPV6: Final = (
    rf"\[(?:(?:{_HEX}:){{7}}{_HEX}"
    rf"|(?!(?:[^:\]]*+:){{8}})(?:{_HEX}(?::{_HEX})*+)?+::(?:{_HEX}(?::{_HEX})*+)?+)\]"
)
_CREDENTIALS: Final = r"(?:[^/?#@\\\t\n\r]*+@)?+"


@cache  # not compiled when this is imported, because not every program needs it
def _is_other_parsable() -> Callable[[str], object]:
    """Return what matches the beginning of other URLs that parse.

    Nothing in a URL of a scheme that is not special, and that has no host, can make it fail. A tab
    or newline at the start could be removed.
    """
    return re.compile(
        rf"[\x00-\x20]*+(?:{_SCHEME_IN_ANY_CASE}://"
        rf"{_CREDENTIALS}(?:{HOST_IN_ANY_CASE}|{IPV4}|{_IPV6})(?:{_PORT_IN_RANGE})?[/?#\\]"
        rf"|file://(?:{HOST_IN_ANY_CASE})?/"
        rf"|(?!(?:{'|'.join(sorted(SPECIAL_SCHEMES))}):)[a-z][a-z0-9+.-]*+:"
        rf"(?:(?![/\t\n\r])|//{HOST_IN_ANY_CASE}[/?#]))"
    ).match


def is_parsable(text: str) -> object:
    """Return something true if the text parses, or None if the parser must decide."""
    return _is_parsable(text) or _is_other_parsable()(text)


@cache  # not compiled when this is imported, because not every program needs it
def _link() -> re.Pattern[str]:
    """Return the regex of a link with a domain or an address as they are serialized.

    Letters may be uppercase. The parts after the host may be anything in ASCII, except tabs and
    newlines, which the parser removes.
    """
    return re.compile(
        rf"({_SCHEME_IN_ANY_CASE})://"
        rf"({HOST_IN_ANY_CASE}(?![^:/?#\\])|{IPV4}|\[[0-9a-f:]++\])"
        r"(?::([1-9][0-9]{0,4}+))?(?:[/\\]([^?#\t\n\r]*+))?"
        r"(?:\?([^#\t\n\r]*+))?(?:#([^\t\n\r]*+))?"
    )


_Parts: TypeAlias = tuple[str, str, int | None, str, str | None, str | None]


def _parts_of_link(text: str) -> _Parts | None:
    """Return the parts of a link as they are serialized, or None if the parser must decide.

    They are scheme, host, port, path, query and fragment. If the host is in brackets, it has not
    been parsed.
    """
    found = _link().fullmatch(strip_c0_control_or_space(text)) if text.isascii() else None
    if found is None:
        return None
    scheme, host, digits, path, query, fragment = found.groups()
    scheme = scheme.lower()
    port = None if digits is None else int(digits)
    if port is not None and (port > MAX_PORT or port == DEFAULT_PORTS[scheme]):
        return None
    return (
        scheme,
        host.lower(),
        port,
        "/" if path is None else parse_path(path, "", scheme, True),
        query and utf8_percent_encode(query, SPECIAL_QUERY_PERCENT_ENCODE_SET),
        fragment and utf8_percent_encode(fragment, FRAGMENT_PERCENT_ENCODE_SET),
    )


def _address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is, or None if what is in brackets is not one."""
    if host[0] == "[":
        try:
            return IPv6Address(parse_ipv6(host[1:-1], None, 0))
        except Failure:
            return None
    a, b, c, d = map(int, host.split("."))
    return IPv4Address(a << 24 | b << 16 | c << 8 | d)


def _record_of_link(text: str) -> URLRecord | None:
    """Return the record of a link, or None if the parser must decide."""
    parts = _parts_of_link(text)
    if parts is None:
        return None
    scheme, host, port, path, query, fragment = parts
    if host[-1] >= "a":  # a letter, so it is a domain
        return trusted_plain_record(scheme, host, port, path, query, fragment)
    address = _address_of(host)
    if address is None:
        return None
    return trusted_record(scheme, "", "", address, port, path, query, fragment)


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of the link in ``text``, or None if the parser must decide."""
    record = fast_path_regex.parse_quickly(text)
    if record is None and type(text) is str:
        return parse_canonical(text) or _record_of_link(text)
    return record


def canonical_href(text: object) -> str | None:
    """Return the href of the link in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    if fast_path_regex.canonical_href(text) is not None or is_canonical(text):
        return text
    parts = _parts_of_link(text)
    if parts is None:
        return None
    scheme, host, port, path, query, fragment = parts
    if host[0] == "[":
        address = _address_of(host)
        if address is None:
            return None
        host = str(address)
    return (
        f"{scheme}://{host}{'' if port is None else f':{port}'}{path}"
        f"{'' if query is None else f'?{query}'}{'' if fragment is None else f'#{fragment}'}"
    )

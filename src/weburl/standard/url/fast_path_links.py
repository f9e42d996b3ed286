"""The fast path without compiled code, for links: canonical ones first, then others.

A regex matches nearly all links to a domain, and those to an address nearly as it is serialized.
Their parts only have to be lowercased and percent-encoded, and dot segments to be resolved. That
takes half the time of the general parser, because it makes fewer calls. The host parser reads a
domain that is not plain ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weburl.standard.hosts.values import Domain, DomainStorage
from weburl.standard.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
)
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.infra.strings import C0_CONTROL_OR_SPACE
from weburl.standard.url.fast_path_others import (
    IPV4,
    MAX_PORT,
    address_of,
    is_canonical,
    is_serialized,
    parse_canonical,
    serialized,
)
from weburl.standard.url.fast_path_regex import (
    ADDRESS,
    CANONICAL_LINK,
    FRAGMENT,
    HOST,
    HOST_IN_ANY_CASE,
    IPV6,
    PATH,
    PORT,
    QUERY,
    SPLIT,
    others,
)
from weburl.standard.url.path import resolve_dot_segments
from weburl.standard.url.record import RecordStorage, URLRecord
from weburl.standard.url.serializer import serialize_url
from weburl.standard.url.trusted import trusted_record

_SCHEME_IN_ANY_CASE: Final = "[Hh][Tt][Tt][Pp][Ss]?"
# Not the five digits from 60000 on, which may be too large.
_PORT_IN_RANGE: Final = ":(?:[1-5][0-9]{4}|[0-9]{0,4})"


def compiled_when_called(
    namespace: dict[str, Any], name: str, regex: Callable[[], str], method: str = "fullmatch"
) -> Callable[[str], re.Match[str] | None]:
    """Return a method of a regex. The first call compiles it, and rebinds ``name``.

    A cached function that returns the method would have to be called each time.
    """

    def at_first(text: str) -> re.Match[str] | None:
        found: Callable[[str], re.Match[str] | None] = getattr(re.compile(regex()), method)
        namespace[name] = found
        return found(text)

    return at_first


split: Callable[[str], re.Match[str] | None] = compiled_when_called(
    globals(), "split", lambda: SPLIT
)
is_canonical_link: Callable[[str], re.Match[str] | None] = compiled_when_called(
    globals(), "is_canonical_link", lambda: CANONICAL_LINK
)
# Nothing after the host and the port of a special URL can make it fail.
_is_parsable = compiled_when_called(
    globals(),
    "_is_parsable",
    lambda: (
        rf"[\x00-\x20]*+{_SCHEME_IN_ANY_CASE}://"
        rf"(?:{HOST_IN_ANY_CASE}|{IPV4})(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z)"
    ),
    "match",
)

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
        rf"{_CREDENTIALS}(?:{HOST_IN_ANY_CASE}|{IPV4}|{_IPV6})(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z)"
        rf"|file://(?:{HOST_IN_ANY_CASE})?/"
        rf"|(?!(?:{'|'.join(sorted(SPECIAL_SCHEMES))}):)[a-z][a-z0-9+.-]*+:"
        rf"(?:(?![/\t\n\r])|//{HOST_IN_ANY_CASE}[/?#]))"
    ).match


def is_parsable(text: str) -> object:
    """Return something true if the text parses, or None if the parser must decide."""
    return _is_parsable(text) or _is_other_parsable()(text)


# A domain that is not plain ASCII, or has two hyphens in a row; or an address.
_OTHER_HOST: Final = "[-.0-9A-Z_a-z\x80-\ud7ff\ue000-\U0010ffff]++"
# Anything up to the end, except the tabs and newlines that the parser removes, and surrogates.
ANYTHING: Final = r"[^\t\n\r\ud800-\udfff]*+\Z"


def encode_anything(text: str) -> tuple[str, str | None, str | None]:
    """Return the path, the query and the fragment in ``text``, percent-encoded.

    Slashes take the place of backslashes in the path. Its dot segments are not resolved.
    """
    before_fragment, hash_mark, fragment = text.partition("#")
    path, question_mark, query = before_fragment.partition("?")
    return (
        utf8_percent_encode(path, PATH_PERCENT_ENCODE_SET).replace("\\", "/"),
        utf8_percent_encode(query, SPECIAL_QUERY_PERCENT_ENCODE_SET) if question_mark else None,
        utf8_percent_encode(fragment, FRAGMENT_PERCENT_ENCODE_SET) if hash_mark else None,
    )


@cache
def with_spaces() -> list[str]:
    """Return regexes of a path, a query and a fragment in which only spaces are to be encoded."""
    return [
        f"[ {others(percent_encode_set, but=backslash)[1:-1]}]*+"
        for percent_encode_set, backslash in (
            (PATH_PERCENT_ENCODE_SET, "\\"),
            (SPECIAL_QUERY_PERCENT_ENCODE_SET, ""),
            (FRAGMENT_PERCENT_ENCODE_SET, ""),
        )
    ]


def encode_spaces(
    path: str, query: str | None, fragment: str | None
) -> tuple[str, str | None, str | None]:
    """Return these parts with "%20" for each space."""
    return (
        path.replace(" ", "%20"),
        query and query.replace(" ", "%20"),
        fragment and fragment.replace(" ", "%20"),
    )


def _link_regex() -> str:
    """Return the regex of a link with a domain or an address, and what follows it.

    Its groups are scheme, host or other host, port, path, query and fragment; or instead of the
    last three, all that follows. Letters of scheme and host may be uppercase. What looks like an
    address may not be one, and the host parser must read the other host.
    """
    address = ADDRESS.replace("a-f", "A-Fa-f")
    path, query, fragment = with_spaces()
    return (
        rf"({_SCHEME_IN_ANY_CASE})://(?:({HOST_IN_ANY_CASE}|{address})(?![^:/?#\\])|({_OTHER_HOST}))"
        r"(?::([1-9][0-9]{0,4}+)|)"
        rf"(?:(/{path}|)(?:\?({query})|)(?:#({fragment})|)\Z"
        rf"|((?=[/\\?#]){ANYTHING}))"
    )


_link = compiled_when_called(globals(), "_link", _link_regex, "match")

# What nearly all links start with that are not canonical. Others may be URLs with another scheme.
_FIRST: Final = frozenset("hH ")

if TYPE_CHECKING:
    # Scheme, domain, address, port, path, query and fragment, as they are serialized. Either the
    # domain or the address is None. What looks like an address may not be one.
    _Parts: TypeAlias = tuple[str, str | None, str | None, int | None, str, str | None, str | None]


def _read_link(text: str) -> _Parts | None:
    """Return the parts of a link, or None if the parser must decide."""
    text = text.strip(C0_CONTROL_OR_SPACE)
    found = _link(text)
    if found is None:
        return None
    scheme, host, other_host, digits, path, query, fragment, other = found.groups()
    scheme = "https" if len(scheme) == len("https") else "http"
    port = None
    if digits is not None:
        port = int(digits)
        if port > MAX_PORT or port == DEFAULT_PORTS[scheme]:
            return None
    if other is not None:
        path, query, fragment = encode_anything(other)
    elif " " in text:
        path, query, fragment = encode_spaces(path or "", query, fragment)
    if not path:
        path = "/"
    elif "/." in path or "/%2" in path:
        path = resolve_dot_segments(path)
    if other_host:
        domain = _domain(other_host)
        return None if domain is None else (scheme, domain, None, port, path, query, fragment)
    host = host.lower()
    if host[-1] >= "a":  # a letter, so it is a domain
        return scheme, host, None, port, path, query, fragment
    return scheme, None, host, port, path, query, fragment


def _domain(host: str) -> str | None:
    """Return the domain in ASCII that a host is, or None if the parser must decide."""
    from weburl.standard.hosts.parser import parse_host
    from weburl.standard.infra.errors import Failure

    try:
        read = parse_host(host, False, None, 0)
    except Failure:
        return None
    return read.value if type(read) is Domain else None


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    found = split(text)
    if found is not None:
        s, host, address, digits, path, query, fragment = found.groups()
        scheme = "https" if s else "http"
        port = None
        if digits is not None:
            port = int(digits)
            if port > MAX_PORT:
                return None
    else:
        if "@" in text or text[:1] not in _FIRST:
            record = parse_canonical(text)
            if record is not None:
                return record
        parts = _read_link(text)
        if parts is None:
            return None
        scheme, host, address, port, path, query, fragment = parts
    if host is None:
        read = address_of(address)
        if read is None:
            return None
        return trusted_record(scheme, "", "", read, port, path, query, fragment)
    # Nearly all calls end here, so the domain and the record are made without calls of
    # `trusted_domain` and `trusted_record`, which would take a tenth of the time.
    domain = DomainStorage()
    domain.value = host
    domain.__class__ = Domain
    made = RecordStorage()
    made.scheme = scheme
    made.username = ""
    made.password = ""
    made.host = domain  # type: ignore[assignment]  # mypy does not follow the change of class
    made.port = port
    made.path_text = path
    made.query = query
    made.fragment = fragment
    made.__class__ = URLRecord
    return made  # type: ignore[return-value]


@cache
def _canonical_with_address() -> Callable[[str], re.Match[str] | None]:
    """Return what matches a canonical link that has an address or a port of five digits.

    Its group is what may be an IPv6 address.
    """
    return re.compile(
        rf"https?://(?:{HOST}|{IPV4}|({IPV6}))(?::(?:{PORT}|[1-5][0-9]{{4}}))?{PATH}"
        rf"(?:\?{QUERY}*+)?(?:\#{FRAGMENT}*+)?"
    ).fullmatch


def canonical_href(text: object) -> str | None:
    """Return the href of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    if is_canonical_link(text):
        return text
    first = text[:1]
    if first not in _FIRST or "@" in text:
        if is_canonical(text):
            return text
    elif first == "h":
        found = _canonical_with_address()(text)
        if found is not None and is_serialized(found[1] or ""):
            return text
    parts = _read_link(text)
    if parts is None:
        return None
    scheme, host, address, port, path, query, fragment = parts
    if address is not None:
        read = address_of(address)
        if read is None:
            return None
        host = serialized(read, address)
    href = serialize_url(scheme, "", "", host, port, path, query, fragment)
    return text if href == text else href  # so that a caller keeps one of two equal strings

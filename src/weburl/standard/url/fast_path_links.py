"""The fast path without compiled code, for links: canonical ones first, then others.

A regex matches nearly all http and https links without credentials. Their parts only have to be
lowercased and percent-encoded, and dot segments to be resolved. That takes half the time of the
general parser, because it makes fewer calls. The host parser reads addresses, and domains that are
not plain ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weburl.standard.hosts.values import Domain, DomainStorage, Host, trusted_domain
from weburl.standard.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
)
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.infra.strings import C0_CONTROL_OR_SPACE
from weburl.standard.url.fast_path_regex import (
    CANONICAL_LINK,
    HOST_IN_ANY_CASE,
    SPLIT,
    others,
)
from weburl.standard.url.path import resolve_dot_segments
from weburl.standard.url.record import RecordStorage, URLRecord
from weburl.standard.url.serializer import serialize_url
from weburl.standard.url.trusted import trusted_record

_MAX_PORT: Final = 0xFFFF
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
# An IPv4 address as it is serialized.
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = rf"{_BYTE}(?:\.{_BYTE}){{3}}"

# Nothing after the host and the port of a special URL can make it fail.
_is_parsable = compiled_when_called(
    globals(),
    "_is_parsable",
    lambda: (
        rf"[\x00-\x20]*+{_SCHEME_IN_ANY_CASE}://"
        rf"(?:{HOST_IN_ANY_CASE}|{_IPV4})(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z)"
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
        rf"{_CREDENTIALS}(?:{HOST_IN_ANY_CASE}|{_IPV4}|{_IPV6})(?:{_PORT_IN_RANGE})?(?:[/?#\\]|\Z)"
        rf"|file://(?:{HOST_IN_ANY_CASE})?/"
        rf"|(?!(?:{'|'.join(sorted(SPECIAL_SCHEMES))}):)[a-z][a-z0-9+.-]*+:"
        rf"(?:(?![/\t\n\r])|//{HOST_IN_ANY_CASE}[/?#]))"
    ).match


# The start of text that certainly fails. Nothing depends on spaces at the end, tabs or newlines,
# because the parser removes them. The rest of the authority has no "@", which would make everything
# before it credentials. It has no "%" or character beyond ASCII either, because "<" and ">" become
# other characters if a combining mark follows.
_LARGE_PORT: Final = (
    "0*+(?:[1-9][0-9]{5}|[7-9][0-9]{4}|6[6-9][0-9]{3}|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])"
)
_FORBIDDEN_ENCODED: Final = "%(?:[01]|2[035Ff]|3[ACEFacef]|40|5[B-Eb-e]|7[CFcf])"
_NUMBER: Final = "(?:0|[1-9][0-9]*+)"
_BAD_IPV4: Final = rf"(?!{_IPV4}\.?(?![.0-9]))(?:{_NUMBER}\.){{3,}}+{_NUMBER}\.?(?=[:/?#\\]|\Z)"
_BAD_HOST: Final = (
    rf"(?:{_BAD_IPV4}|\[[0-9A-Fa-f:.]*+(?:[^0-9A-Fa-f:.@\]\t\n\r]|\Z)"
    rf"|[-.0-9A-Z_a-z]*+(?:[ <>^|\]\x7f][\x00-\x20]*+(?!\Z)|{_FORBIDDEN_ENCODED}"
    rf"|:(?:[0-9]*+[^\x00-\x20/?#\\@0-9]|{_LARGE_PORT})))"
)
_FAILURE: Final = (
    r"[\x00-\x20]*+(?:[^\x00-\x20A-Za-z]|[A-Za-z][-+.0-9A-Za-z]*+(?:[^-+.:0-9A-Za-z\t\n\r]|\Z)"
    rf"|{_SCHEME_IN_ANY_CASE}:[/\\]*+(?:[?#]|\Z|{_BAD_HOST}[^/?#\\@%\x80-\U0010ffff]*+(?:[/?#\\]|\Z)))"
)


@cache
def _is_failure() -> Callable[[str], object]:
    return re.compile(_FAILURE).match


def is_parsable(text: str) -> bool | None:
    """Return True for the text of a URL, and False for text that is certain to fail."""
    if _is_parsable(text):
        return True
    if _is_failure()(text):
        return False
    return True if _is_other_parsable()(text) else None


# A domain that is not plain ASCII, or has two hyphens in a row; or an address.
_OTHER_HOST: Final = r"(?:[-.0-9A-Z_a-z\x80-\ud7ff\ue000-\U0010ffff]++|\[[0-9A-Fa-f:.]++\])"
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

    Its groups are scheme, plain domain or other host, port, path, query and fragment; or instead of
    the last three, all that follows. Letters of scheme and host may be uppercase.
    """
    path, query, fragment = with_spaces()
    return (
        rf"({_SCHEME_IN_ANY_CASE})://(?:({HOST_IN_ANY_CASE})(?![^:/?#\\])|({_OTHER_HOST}))"
        r"(?::([1-9][0-9]{0,4}+)|)"
        rf"(?:(/{path}|)(?:\?({query})|)(?:#({fragment})|)\Z"
        rf"|((?=[/\\?#]){ANYTHING}))"
    )


_link = compiled_when_called(globals(), "_link", _link_regex, "match")

if TYPE_CHECKING:
    # Scheme, host, port, path, query and fragment.
    _Parts: TypeAlias = tuple[str, Host, int | None, str, str | None, str | None]


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
        if port > _MAX_PORT or port == DEFAULT_PORTS[scheme]:
            return None
    if other is not None:
        path, query, fragment = encode_anything(other)
    elif " " in text:
        path, query, fragment = encode_spaces(path or "", query, fragment)
    if not path:
        path = "/"
    elif "/." in path or "/%2" in path:
        path = resolve_dot_segments(path)
    if not other_host:
        return scheme, trusted_domain(host.lower()), port, path, query, fragment
    from weburl.standard.hosts.parser import parse_host
    from weburl.standard.infra.errors import Failure

    try:
        return scheme, parse_host(other_host, False, None, 0), port, path, query, fragment
    except Failure:
        return None


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    found = split(text)
    if found is None:
        parts = _read_link(text)
        if parts is None:
            return None
        scheme, read, port, path, query, fragment = parts
        return trusted_record(scheme, "", "", read, port, path, query, fragment)
    s, host, digits, path, query, fragment = found.groups()
    port = None
    if digits is not None:
        port = int(digits)
        if port > _MAX_PORT:
            return None
    # Nearly all calls end here, so the domain and the record are made without calls of
    # `trusted_domain` and `trusted_record`, which would take a tenth of the time.
    domain = DomainStorage()
    domain.value = host
    domain.__class__ = Domain
    made = RecordStorage()
    made.scheme = "https" if s else "http"
    made.username = ""
    made.password = ""
    made.host = domain  # type: ignore[assignment]  # mypy does not follow the change of class
    made.port = port
    made.path_text = path
    made.query = query
    made.fragment = fragment
    made.__class__ = URLRecord
    return made  # type: ignore[return-value]


def canonical_href(text: object) -> str | None:
    """Return the href of the URL in ``text``, or None if the parser must decide."""
    if type(text) is not str:
        return None
    if is_canonical_link(text):
        return text
    parts = _read_link(text)
    if parts is None:
        return None
    scheme, host, port, path, query, fragment = parts
    href = serialize_url(scheme, "", "", str(host), port, path, query, fragment)
    return text if href == text else href  # so that a caller keeps one of two equal strings

"""Values as text, text as values, and the schemas of text, for the modules of the libraries.

References, hosts, origins and sites are written by ``str()``, like URLs. Reading is strict: text
with a part that the value cannot have is an error.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeVar

from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.strings import exact, remove_tabs_and_newlines
from weburl.standard.interface.url import URL
from weburl.standard.url.api import parse
from weburl.standard.url.host_texts import parse_host
from weburl.standard.url.origin import (
    OPAQUE_ORIGIN,
    OpaqueOrigin,
    Origin,
    SchemeAndHost,
    Site,
    TupleOrigin,
)
from weburl.standard.url.record import URLRecord
from weburl.standard.url.references import RelativeReference
from weburl.standard.url.report import URLParseError


class Kind(NamedTuple):
    """The noun for a class in messages, the code of an error without its own, and a JSON Schema."""

    noun: str
    code: str
    schema: dict[str, Any]


KINDS: Final[dict[type, Kind]] = {
    URLRecord: Kind("a URL", "not-a-url", {"format": "uri"}),
    RelativeReference: Kind(
        "a relative reference", "not-a-relative-reference", {"format": "uri-reference"}
    ),
    # Domains are written in ASCII, but Unicode is accepted, too.
    Domain: Kind("a domain", "not-a-domain", {"format": "hostname"}),
    IPv4Address: Kind("an IPv4 address", "not-an-ipv4-address", {"format": "ipv4"}),
    # The format "ipv6" does not allow brackets.
    IPv6Address: Kind(
        "an IPv6 address", "not-an-ipv6-address", {"pattern": r"^\[[0-9A-Fa-f:.]+\]$"}
    ),
    OpaqueHost: Kind("an opaque host", "not-an-opaque-host", {"minLength": 1}),
    EmptyHost: Kind("the empty host", "not-an-empty-host", {"const": ""}),
    TupleOrigin: Kind("an origin", "not-an-origin", {"format": "uri"}),
    OpaqueOrigin: Kind("an opaque origin", "not-an-opaque-origin", {"const": "null"}),
    SchemeAndHost: Kind("a site", "not-a-site", {"format": "uri"}),
}
"""The classes of values."""

WRITTEN: Final[tuple[type, ...]] = (*KINDS, URL)
"""The classes that are written as text."""

UNIONS: Final = (Host, Origin, Site)
_HOSTS: Final = (Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost)

_T = TypeVar("_T")


def json_schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of one of `KINDS`."""
    return {"type": "string", **KINDS[kind].schema}


def read(kind: type[_T], text: str) -> _T:
    """Return the value of the class ``kind`` for ``text``.

    ``kind`` is one of `KINDS`. Raises `URLParseError`, and TypeError if ``text`` is not text.
    """
    if not isinstance(text, str):
        raise TypeError(f"{KINDS[kind].noun} must be text, not {type(text).__name__}")
    value: _T = _read(kind, exact(text))
    return value


def read_any_of(union: object, text: str) -> object:
    """Return the value for ``text``, of a class in ``union``, which is one of `UNIONS`.

    A host is a domain or an address if possible, otherwise opaque. Raises the errors of `read`.
    """
    if union is Host:
        return read_host(text)
    tuple_kind = TupleOrigin if union is Origin else SchemeAndHost
    return read(OpaqueOrigin if text == OPAQUE_ORIGIN else tuple_kind, text)


def read_host(text: str) -> Host:
    """Return the host for ``text``: a domain or an address if possible, otherwise opaque."""
    if not isinstance(text, str):
        raise TypeError(f"a host must be text, not {type(text).__name__}")
    text = exact(text)
    try:
        return _host(text, is_opaque=False)
    except URLParseError:
        with suppress(URLParseError):
            return _read(IPv6Address, text) if ":" in text else _host(text, is_opaque=True)
        raise


def _read(kind: type, text: str) -> Any:  # noqa: ANN401, C901  # of that kind; one case for each class
    if kind is URLRecord:
        return parse(text)
    if kind is RelativeReference:
        return RelativeReference(text)
    if kind in _HOSTS:
        if kind is IPv6Address and ":" in text and not text.startswith("["):
            text = f"[{text}]"  # Python and JSON Schema write it without brackets.
        if kind is EmptyHost and text:
            raise _refused(kind, text, "It has text")
        host = _host(text, is_opaque=kind is OpaqueHost)
        if not isinstance(host, kind):
            raise _refused(kind, text, f"It is {KINDS[type(host)].noun}")
        return host
    if kind is OpaqueOrigin:
        if text != OPAQUE_ORIGIN:
            raise _refused(kind, text, f"An opaque origin is written as '{OPAQUE_ORIGIN}'")
        return OpaqueOrigin()
    record = parse(text)
    if record.includes_credentials:
        raise _refused(kind, text, "It has a username or a password")
    for part in ("query", "fragment"):
        if getattr(record, part) is not None:
            raise _refused(kind, text, f"It has a {part}")
    if record.host is None:
        raise _refused(kind, text, "It has no host")
    if record.path_text not in ("", "/"):
        raise _refused(kind, text, "It has a path")
    try:
        if kind is TupleOrigin:
            return TupleOrigin(record.scheme, record.host, record.port)
        if record.port is not None:
            raise _refused(kind, text, "It has a port")
        return SchemeAndHost(record.scheme, record.host)
    except URLParseError:
        raise
    except ValueError:  # for example, "file:///"
        raise _refused(kind, text, "Its host is neither a domain nor an address") from None


def _host(text: str, *, is_opaque: bool) -> Host:
    if not remove_tabs_and_newlines(text):
        return EmptyHost()
    return parse_host(text, is_opaque=is_opaque)


def _refused(kind: type, text: str, reason: str) -> URLParseError:
    return URLParseError(f"This is not {KINDS[kind].noun}. {reason}.", masked_before_at_sign(text))

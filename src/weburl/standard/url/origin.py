"""Origins and sites of the HTML Standard, as frozen values.

A blob URL has the origin of the URL in its path, so this module calls the parser. `origin_of` is
the public function, and `weburl.origins` compares origins.
"""

from __future__ import annotations

from typing import Final, Never, TypeAlias, TypeVar

import attrs

from weburl.standard.hosts.values import (
    Domain,
    Host,
    IPv4Address,
    IPv6Address,
    exact_if_text,
    is_host,
    refuse_unless,
)
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.one_value import OneValue, one_value
from weburl.standard.infra.schemes import SPECIAL_SCHEMES, TUPLE_ORIGIN_SCHEMES
from weburl.standard.url.invariants import check_port, check_scheme
from weburl.standard.url.parser import parse_url
from weburl.standard.url.report import URLParseError
from weburl.standard.url.value import RecordStorage, redacted, replaced

_Record = TypeVar("_Record", bound=RecordStorage)

OPAQUE_ORIGIN: Final = "null"
"""What every opaque origin is serialized to."""


def serialize_tuple_origin(scheme: str, host: Host | None, port: int | None) -> str:
    """Return the serialization of the tuple origin with these parts.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
    """
    return f"{scheme}://{host}" if port is None else f"{scheme}://{host}:{port}"


def _check_scheme_and_host(scheme: str, host: object) -> None:
    check_scheme(scheme)
    refuse_unless(is_host(host), f"a host must be one of the host values, not {masked_value(host)}")
    refuse_unless(
        scheme not in SPECIAL_SCHEMES or isinstance(host, Domain | IPv4Address | IPv6Address),
        f"the host of the scheme {scheme!r} must be a domain or an IP address, not"
        f" {masked_value(host)}",
    )


class OpaqueOrigin(OneValue):
    """An origin that is equal only to itself.

    Each call makes a new origin, and a copy is the same origin. ``str()`` is "null", which does not
    identify the origin. So pickling one raises TypeError.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin-opaque
    """

    __module__ = "weburl"

    __slots__ = ("__weakref__",)
    _attrs_fields = ()  # attrs reads the fields of this class too, but does not make its methods

    def __eq__(self, other: object) -> bool:
        return True if self is other else unequal(self, other)

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __str__(self) -> str:
        return OPAQUE_ORIGIN

    def __repr__(self) -> str:
        return f"<OpaqueOrigin at {id(self):#x}>"

    def __reduce__(self) -> Never:
        raise TypeError("an opaque origin is the same only as itself, so it cannot be pickled")

    @property
    def effective_domain(self) -> None:
        """None: only a tuple origin has one.

        Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin-effective-domain
        """
        return


@one_value
@attrs.frozen(eq=False)
class TupleOrigin(OneValue):
    """An origin made of a scheme, a host, a port and a domain.

    ``scheme``: lowercase, without ":". ``host``: a domain or an IP address; for a scheme that is
    not special, any `Host`. ``port``: 0 to 65535; None for no port and for the scheme's default
    port. ``domain``: what a page has set ``document.domain`` to, or None. Raises ValueError for any
    other value. ``str()`` is the serialization, which leaves the domain out.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin-tuple
    """

    __module__ = "weburl"

    scheme: str = attrs.field(converter=exact_if_text)
    host: Host
    port: int | None = None
    domain: Host | None = None

    def __attrs_post_init__(self) -> None:
        _check_scheme_and_host(self.scheme, self.host)
        check_port(self.scheme, self.port)
        refuse_unless(
            self.domain is None or is_host(self.domain),
            f"the domain of an origin must be a host value or None: {masked_value(self.domain)}",
        )

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TupleOrigin):
            return (
                self.scheme == other.scheme
                and self.host == other.host
                and self.port == other.port
                and self.domain == other.domain
            )
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash((self.scheme, self.host, self.port, self.domain))

    def __str__(self) -> str:
        return serialize_tuple_origin(self.scheme, self.host, self.port)

    @property
    def effective_domain(self) -> Host:
        """The domain if one is set, or else the host.

        Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin-effective-domain
        """
        return self.host if self.domain is None else self.domain


@one_value
@attrs.frozen(eq=False)
class SchemeAndHost(OneValue):
    """A site made of a scheme and a host, without port and subdomains.

    ``scheme``: lowercase, without ":". ``host``: a registrable domain, or a host that has none.
    Raises ValueError for any other value. ``str()`` is the serialization. It looks like the
    serialization of an origin, so remember which one you stored.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#scheme-and-host
    """

    __module__ = "weburl"

    scheme: str = attrs.field(converter=exact_if_text)
    host: Host

    def __attrs_post_init__(self) -> None:
        _check_scheme_and_host(self.scheme, self.host)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SchemeAndHost):
            return self.scheme == other.scheme and self.host == other.host
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash((SchemeAndHost, self.scheme, self.host))

    def __str__(self) -> str:
        return serialize_tuple_origin(self.scheme, self.host, None)


_set: Final = object.__setattr__


def trusted_site(scheme: str, host: Host) -> SchemeAndHost:
    """Return the site of a URL, without checks."""
    site = SchemeAndHost.__new__(SchemeAndHost)
    _set(site, "scheme", scheme)
    _set(site, "host", host)
    return site


Origin: TypeAlias = TupleOrigin | OpaqueOrigin
"""An origin. Spec: https://html.spec.whatwg.org/multipage/browsers.html#concept-origin"""

Site: TypeAlias = SchemeAndHost | OpaqueOrigin
"""A site. Spec: https://html.spec.whatwg.org/multipage/browsers.html#site"""


# --- §4.7: the origin of a URL -------------------------------------------------------------------


def with_a_tuple_origin(record: RecordStorage) -> RecordStorage | None:
    """Return the record whose scheme, host and port are the origin of ``record``, if any."""
    if record.scheme == "blob":
        try:
            record = parse_url(record.path_text, None, "utf-8")
        except Failure:
            return None
        # "file" too has its own origin, which is opaque.
        return record if record.scheme in ("http", "https") else None
    return record if record.scheme in TUPLE_ORIGIN_SCHEMES else None


def serialize_origin(record: RecordStorage) -> str:
    """Return the serialization of the origin of ``record``; "null" for an opaque one.

    Spec: #concept-url-origin
    """
    found = with_a_tuple_origin(record)
    if found is None:
        return OPAQUE_ORIGIN
    return serialize_tuple_origin(found.scheme, found.host, found.port)


def origin_url(record: _Record) -> _Record:
    """Return the URL of the root of the origin. See `URLRecord.origin_url`."""
    found = with_a_tuple_origin(record)
    if found is None or found.host is None:
        shown = redacted(record)
        raise URLParseError(f"The origin of {quoted(shown)} is opaque, so it has no URL.", shown)
    root = replaced(record, scheme=found.scheme, username="", password="", host=found.host)
    return replaced(root, port=found.port, path_text="/", query=None, fragment=None)

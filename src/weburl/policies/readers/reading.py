"""The reading of a URL by one reader, as a value that can be compared with others."""

from __future__ import annotations

from typing import Final

import attrs

from weburl.standard.hosts.domains import domain_to_ascii
from weburl.standard.hosts.ipv4 import ends_in_a_number
from weburl.standard.hosts.ipv6 import parse_ipv6, serialize_ipv6
from weburl.standard.infra.credentials import without_credentials
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.infra.strings import ascii_lowercase, to_scalar_value_string

_LONGEST: Final = 60


@attrs.frozen
class Reading(FrozenValue):
    """The scheme, host and port that one reader finds in a URL.

    ``reader``: its name. ``scheme``: in lower case. ``host``: as the reader gives it, but with
    ASCII letters in lower case and an IPv6 address in brackets; None for no host. ``port``: the
    scheme's default port is filled in; None for no port. ``failure``: why the reader refuses the
    text, or None; after a failure the other parts are None.
    """

    __module__ = "weburl"

    reader: str
    scheme: str | None = None
    host: str | None = attrs.field(default=None, repr=lambda host: repr(_without_credentials(host)))
    port: int | None = None
    failure: str | None = None

    def __str__(self) -> str:
        if self.failure is not None:
            return f"{self.reader}: not a URL"
        port = "" if self.port is None else f":{self.port}"
        host = _without_credentials(self.host)
        where = f"//{_shortened(host)}{port}" if host else "no host"
        return f"{self.reader}: {_shortened(self.scheme or '')}:{where}"


def _without_credentials(host: str | None) -> str | None:
    return without_credentials(host, after="//") if host else None


def reading(reader: str, scheme: str | None, host: str | None, port: int | None) -> Reading:
    """Return the reading of ``reader``, with the parts in one form for all readers.

    A host in Unicode becomes the domain that the standard makes of it. If that fails or gives an
    address, the host stays unchanged, and the reading agrees with no other. An empty host is None.
    """
    scheme = ascii_lowercase(scheme) if scheme else None
    if port is None and scheme is not None:
        port = DEFAULT_PORTS.get(scheme)
    host = _one_form(host) if host else None
    return Reading(reader, scheme, host, port if host else None)


def _one_form(host: str) -> str:
    address = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if ":" in address:
        try:
            return f"[{serialize_ipv6(parse_ipv6(address))}]"
        except Failure:
            return host
    if host.isascii():
        return ascii_lowercase(host)
    domain = domain_to_ascii(to_scalar_value_string(host), False)
    return domain if domain and not ends_in_a_number(domain) else host


def _shortened(text: str | None) -> str:
    text = text or ""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

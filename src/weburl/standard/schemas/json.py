"""The JSON Schema of each class of values. All values are written as text."""

from __future__ import annotations

from typing import Any, Final

from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.url.origin import OpaqueOrigin, SchemeAndHost, TupleOrigin
from weburl.standard.url.record import URLRecord
from weburl.standard.url.references import RelativeReference

JSON_SCHEMAS: Final[dict[type, dict[str, Any]]] = {
    URLRecord: {"type": "string", "format": "uri"},
    RelativeReference: {"type": "string", "format": "uri-reference"},
    Domain: {"type": "string", "format": "hostname"},
    IPv4Address: {"type": "string", "format": "ipv4"},
    # The format "ipv6" does not allow brackets.
    IPv6Address: {"type": "string", "pattern": r"^\[[0-9A-Fa-f:.]+\]$"},
    OpaqueHost: {"type": "string", "minLength": 1},
    EmptyHost: {"type": "string", "const": ""},
    TupleOrigin: {"type": "string", "format": "uri"},
    OpaqueOrigin: {"type": "string", "const": "null"},
    SchemeAndHost: {"type": "string", "format": "uri"},
}
"""The JSON Schemas by class. Domains are written in ASCII, but Unicode is accepted, too."""

"""The special schemes, and what is true of each: the only table of them in the project.

The parsers, the origins, the policies, the SQL and the test generators all read this table when
they are imported. CONTRIBUTING.md ("How to add") lists the snapshots that restate it.

The scheme `file` has more rules than a table can hold: drive letters, an empty host, no credentials
and no port. The standard's algorithms name it, so the code that follows them names it too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

import attrs

from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.infra.strings import ascii_lowercase, exact, require_text


@attrs.frozen(kw_only=True)
class Scheme(FrozenValue):
    """A special scheme. Every scheme in `weburl.SPECIAL_SCHEMES` is one, and no other scheme is.

    ``name``: lowercase, without ":". ``default_port``: 0 to 65535, or None for a scheme without
    one. ``has_tuple_origin``: whether its URLs have an origin made of scheme, host and port; if
    not, the origin is opaque. ``keeps_encoding``: whether the query is encoded with the encoding of
    the document; if not, it is always UTF-8.

    Spec: #special-scheme
    """

    __module__ = "weburl"

    name: str
    default_port: int | None
    has_tuple_origin: bool = True
    keeps_encoding: bool = True


SPECIAL_SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (
            Scheme(name="http", default_port=80),
            Scheme(name="https", default_port=443),
            Scheme(name="ws", default_port=80, keeps_encoding=False),
            Scheme(name="wss", default_port=443, keeps_encoding=False),
            Scheme(name="ftp", default_port=21),
            Scheme(name="file", default_port=None, has_tuple_origin=False),
        )
    }
)
"""The special schemes by name. It cannot be changed.

Spec: #special-scheme
"""


@cache  # not compiled when this is imported, because not every program needs it
def _host_and_port() -> re.Pattern[str]:
    return re.compile(
        r"(?:localhost|[a-z0-9+-]*\.[a-z0-9.+-]*):[0-9]{1,5}(?:[/\\?#]|\Z)",
        re.ASCII | re.IGNORECASE,
    )


# The standard lets only special schemes have a default port, a tuple origin (a blob URL has the
# origin of the URL in its path) or the document's encoding. So other schemes need no entry.
DEFAULT_PORTS: Final = {
    scheme.name: scheme.default_port
    for scheme in SPECIAL_SCHEMES.values()
    if scheme.default_port is not None
}
TUPLE_ORIGIN_SCHEMES: Final = frozenset(
    scheme.name for scheme in SPECIAL_SCHEMES.values() if scheme.has_tuple_origin
)
ENCODING_KEEPING_SCHEMES: Final = frozenset(
    scheme.name for scheme in SPECIAL_SCHEMES.values() if scheme.keeps_encoding
)


def default_port(scheme: str) -> int | None:
    """Return the default port of ``scheme``, or None if it has none.

    ``scheme``: in upper or lower case, without ":". Text that is not a scheme gives None. A record
    leaves out the default port, so the port to connect to is ``default_port(record.scheme)`` where
    ``record.port`` is None. Raises TypeError for a value that is not text.

    Spec: #default-port
    """
    return DEFAULT_PORTS.get(ascii_lowercase(require_text(scheme, "a scheme")))


def normalized_scheme(text: str) -> str | None:
    """Return a scheme as a record holds it, in lowercase; None if ``text`` is not a scheme.

    ``text`` has no ":". Only ASCII letters are lowercased. Raises TypeError for other types.

    Spec: #url-scheme-string
    """
    from weburl.standard.infra.code_point_regexes import SCHEME

    scheme = ascii_lowercase(exact(require_text(text, "a scheme")))
    return scheme if SCHEME.fullmatch(scheme) else None


def starts_with_host_and_port(text: str) -> bool:
    """Return whether ``text`` starts like "example.com:8080" or "localhost:8080/path".

    To the parser that is a URL with the scheme "example.com", which no person means. A field that
    adds a scheme to text without one should add it here, too. The host is "localhost" or has a dot,
    and the port has 1 to 5 digits. ``text`` must not start with spaces. Raises TypeError for other
    types.

    Spec: #concept-basic-url-parser
    """
    return _host_and_port().match(require_text(text, "what may be a URL")) is not None

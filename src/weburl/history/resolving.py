"""The rules that "Web addresses in HTML 5" and the HTML5 draft share: all except parsing.

Both name the same components, and both resolve a parsed address with the same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from weburl.history.errors import LegacyURLError
from weburl.history.idna2003 import domain_to_ascii
from weburl.history.rfc3986 import (
    URI,
    Components,
    Grammar,
    percent_encode,
    require_readable,
    resolve,
)
from weburl.standard.infra.percent_encoding import percent_decode

SPACE_CHARACTERS: Final = " \t\n\f\r"
"""What is stripped from the ends: HTML's space characters."""

# The schemes whose own document has "//", a host and a default port.
DEFAULT_PORTS: Final = {
    "aaa": "3868",  # RFC 3588
    "aaas": "3868",  # RFC 3588
    "acap": "674",  # RFC 2244
    "dict": "2628",  # RFC 2229
    "dns": "53",  # RFC 4501
    "ftp": "21",  # RFC 1738, as are the others without a note
    "gopher": "70",
    "http": "80",
    "https": "443",  # RFC 2818
    "icap": "1344",  # RFC 3507
    "imap": "143",  # RFC 5092
    "ipp": "631",  # RFC 3510
    "ldap": "389",  # RFC 4516
    "ldaps": "636",  # as registered for LDAP over TLS
    "msrp": "2855",  # RFC 4975
    "msrps": "2855",  # RFC 4975
    "mtqp": "1038",  # RFC 3887
    "mupdate": "3905",  # RFC 3656
    "nfs": "2049",  # RFC 2224
    "nntp": "119",  # RFC 5538
    "pop": "110",  # RFC 2384
    "prospero": "1525",
    "rtsp": "554",  # RFC 2326
    "rtspu": "554",  # RFC 2326
    "sieve": "4190",  # RFC 5804
    "snmp": "161",  # RFC 4088
    "telnet": "23",
    "tip": "3372",  # RFC 2371
    "vemmi": "575",  # RFC 2122
    "wais": "210",
    "ws": "80",  # RFC 6455
    "wss": "443",  # RFC 6455
    "xmlrpc.beep": "602",  # RFC 3529
    "z39.50r": "210",  # RFC 2056
    "z39.50s": "210",  # RFC 2056
}
SERVER_BASED_SCHEMES: Final = frozenset(DEFAULT_PORTS) | {"file"}
"""The schemes with a server-based naming authority, "//" and then a host."""

# Their own documents leave no place for "//": RFC 6694 (its draft is in the drafts' references),
# RFC 2392 for two of them, RFC 2397, RFC 2368, RFC 3966, and RFC 2141.
_SCHEMES_WITHOUT_AUTHORITY: Final = frozenset(
    ("about", "cid", "mid", "data", "mailto", "tel", "urn")
)
_SCHEMES_WITH_A_HOST: Final = frozenset(("http", "https"))
# The productions of RFC 3986, except that "%" is never encoded.
_KEEPING_PERCENT: Final = Grammar(r"A-Za-z0-9._~\-", lone_percent=True)


@attrs.frozen
class AddressComponents:
    """The components of an address, with the names of both documents; None if one is missing.

    ``hostport``: the host, and the port unless it is the default of the scheme or there is no
    scheme. ``host_specific``: everything after the authority, or all of it without one.
    """

    scheme: str | None
    host: str | None
    port: str | None
    hostport: str | None
    path: str
    query: str | None
    fragment: str | None
    host_specific: str

    @classmethod
    def of(cls, components: Components) -> AddressComponents:
        """Return the names for ``components`` as split by RFC 3986's grammar."""
        scheme, host, port = components.scheme, components.host, components.port
        hostport = host
        # An empty port is the default one. RFC 3986, 3.2.3.
        if scheme is not None and port and port.lstrip("0") != DEFAULT_PORTS.get(scheme.lower()):
            hostport = f"{host}:{port}"
        host_specific = attrs.evolve(components, userinfo=None, host=None, port=None)
        if host is not None:
            host_specific = attrs.evolve(host_specific, scheme=None)
        return cls(
            scheme,
            host,
            port,
            hostport,
            components.path,
            components.query,
            components.fragment,
            str(host_specific),
        )


def resolve_address(
    split: Callable[[str], Components], address: str, base: str | None, encoding: str
) -> str:
    """Return the absolute address that ``address`` implies relative to ``base``.

    ``split`` parses an address by the rules of one document, into scalar values. The base is an
    absolute address; without one, ``address`` must be absolute itself. ``encoding`` is a label
    of the Encoding Standard, for the query. Raises `LegacyURLError` if the address cannot be
    resolved, and ValueError for an unknown encoding.

    Spec divergence (ToASCII would refuse both): it is not applied to an IP address in brackets,
    which is not a domain name, or to an empty host, which has no labels.

    Document: HTML5 working draft, 2.6.3, steps 6 to 13; "Web addresses in HTML 5", the same.
    """
    reference = _encode(split(address), _output_encoding(encoding))
    base_components = reference
    if base is not None:
        try:
            base_components = split(resolve_address(split, base, None, "utf-8"))
        except LegacyURLError as error:
            raise LegacyURLError(f"in the base: {error}") from None
    elif reference.scheme is None:
        raise LegacyURLError("the URL is relative, and there is no base")
    target = require_readable(resolve(reference, base_components))
    scheme = "" if target.scheme is None else target.scheme.lower()
    if target.host is not None and scheme in _SCHEMES_WITHOUT_AUTHORITY:
        raise LegacyURLError(f"{scheme} URLs cannot have '//' and a host")
    if not target.host and scheme in _SCHEMES_WITH_A_HOST:
        raise LegacyURLError(f"{scheme} URLs need '//' and a host")
    result = str(target)
    return result.replace("\\", "/") if scheme in SERVER_BASED_SCHEMES else result


def _output_encoding(label: str) -> str:
    """Return the name of the encoding of queries. Raises ValueError for another name."""
    if label == "utf-8":
        return label

    from weburl.standard.infra.encodings import get_output_encoding  # Big tables.

    return get_output_encoding(label)


def _encode(reference: Components, encoding: str) -> Components:
    """Return ``reference`` with its host in ASCII, and path and query percent-encoded."""
    host, query = reference.host, reference.query
    if host and not URI.is_ip_literal(host):
        try:
            host = percent_decode(host.encode()).decode()
        except UnicodeDecodeError:
            raise LegacyURLError("the percent-encoded bytes of the host are not UTF-8") from None
        host = domain_to_ascii(host)
    if query is not None:
        query = _encode_query(query, encoding)
    path = _KEEPING_PERCENT.escape("path", reference.path)
    return attrs.evolve(reference, host=host, path=path, query=query)


def _encode_query(query: str, encoding: str) -> str:
    if encoding == "utf-8":
        return _KEEPING_PERCENT.escape("query", query)

    from weburl.standard.infra.encodings import encode_or_fail  # Big tables.

    def encoded(char: str) -> str:
        if _KEEPING_PERCENT.escape("query", char) == char:
            return char
        data, unencodable = next(iter(encode_or_fail(char, encoding)))
        return percent_encode(data) if unencodable is None else "?"

    replacements = {char: encoded(char) for char in set(query)}
    return "".join([replacements[char] for char in query])

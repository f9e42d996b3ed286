"""Content Security Policies: which URLs a `base` element may set.

Only the directive "base-uri" is read. The rest of a policy does not change which links a page has.
No HTML is read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from weburl.html.attributes import ASCII_WHITESPACE, space_separated_tokens
from weburl.standard.hosts.values import Domain
from weburl.standard.infra.percent_encoding import percent_decode
from weburl.standard.infra.schemes import DEFAULT_PORTS, TUPLE_ORIGIN_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, require_text
from weburl.standard.url.record import URLRecord

_SCHEME_SOURCE: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*+):")
_HOST_SOURCE: Final = re.compile(
    r"""(?>(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*+)://)?)
    (?P<host>\*|(?>(?:\*\.)?)[A-Za-z0-9-]++(?>(?:\.[A-Za-z0-9-]++)*)\.?+)
    (?>(?::(?P<port>[0-9]++|\*))?)
    (?>(?P<path>/(?>(?:[A-Za-z0-9._~!$&'()*+=:@/-]|%[0-9A-Fa-f]{2})*))?)""",
    re.VERBOSE,
)
_NONE: Final = "'none'"
_SELF: Final = "'self'"
# The schemes that a scheme in a policy allows besides itself.
_UPGRADES: Final = {
    "http": frozenset(("https",)),
    "ws": frozenset(("wss", "http", "https")),
    "wss": frozenset(("https",)),
}
_HTTP: Final = frozenset(("http", "https"))


def policies_in_header(value: str) -> tuple[str, ...]:
    """Return the policies in one value of the header, without empty ones.

    Spec: https://w3c.github.io/webappsec-csp/#parse-response-csp
    """
    return tuple(
        policy
        for part in require_text(value, "a content security policy").split(",")
        if (policy := part.strip(ASCII_WHITESPACE))
    )


def is_base_allowed(base: URLRecord, policies: Iterable[str], page_url: URLRecord) -> bool:
    """Return whether the policies in force on a page let a `base` element set ``base``.

    Args:
        base: The URL that the element would set.
        policies: The policies in force, as text.
        page_url: A URL of the page's origin. ``'self'`` means this origin, and a source without a
            scheme has its scheme.

    Spec: https://w3c.github.io/webappsec-csp/#allow-base-for-document
    """
    lists = map(_base_uri, policies)
    return all(
        sources is None or _matches_source_list(base, sources, page_url) for sources in lists
    )


def _base_uri(policy: str) -> list[str] | None:
    """Return the sources of a policy's first "base-uri" directive, or None if it has none.

    Spec: https://w3c.github.io/webappsec-csp/#parse-serialized-policy
    """
    for directive in policy.split(";"):
        if not directive.isascii():
            continue
        name, *sources = space_separated_tokens(directive) or [""]
        if ascii_lowercase(name) == "base-uri":
            return sources
    return None


def _matches_source_list(url: URLRecord, sources: list[str], page_url: URLRecord) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#match-url-to-source-list."""
    if len(sources) == 1 and ascii_lowercase(sources[0]) == _NONE:
        return False
    return any(_matches(url, source, page_url) for source in sources)


def _matches(url: URLRecord, source: str, page_url: URLRecord) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#match-url-to-source-expression."""
    own_scheme = page_url.scheme if page_url.scheme in TUPLE_ORIGIN_SCHEMES else ""
    if source == "*" and (url.scheme in _HTTP or url.scheme == own_scheme):
        return True
    found = _SCHEME_SOURCE.fullmatch(source)
    if found is not None:
        return _scheme_matches(found[1], url.scheme)
    found = _HOST_SOURCE.fullmatch(source)
    if found is not None:
        return (
            _scheme_matches(found["scheme"] or own_scheme, url.scheme)
            and _host_matches(found["host"], url)
            and _port_matches(found["port"], url)
            and _path_matches(found["path"] or "", url.path_text)
        )
    return ascii_lowercase(source) == _SELF and _is_self(url, page_url, own_scheme)


def _scheme_matches(scheme: str, of_url: str) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#scheme-part-match."""
    scheme = ascii_lowercase(scheme)
    return scheme == of_url or of_url in _UPGRADES.get(scheme, ())


def _host_matches(pattern: str, url: URLRecord) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#host-part-match."""
    if not isinstance(url.host, Domain):
        return False
    pattern, host = ascii_lowercase(pattern), str(url.host)
    if pattern.startswith("*"):
        return host.endswith(pattern[1:])
    return host == pattern


def _port_matches(port: str | None, url: URLRecord) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#port-part-matches."""
    if port is None or port == "*":
        return port == "*" or url.port is None
    of_url = DEFAULT_PORTS.get(url.scheme) if url.port is None else url.port
    # Compare as text, because int() refuses a very long number.
    return of_url is not None and (port.lstrip("0") or "0") == str(of_url)


def _path_matches(pattern: str, path: str) -> bool:
    """Spec: https://w3c.github.io/webappsec-csp/#path-part-match."""
    if not pattern:
        return True
    wanted, parts = pattern.split("/"), path.split("/")
    if wanted[-1]:
        if len(wanted) != len(parts):
            return False
    elif len(wanted) > len(parts):
        return False
    else:
        wanted.pop()
    return all(
        percent_decode(piece.encode()) == percent_decode(part.encode())
        for piece, part in zip(wanted, parts, strict=False)
    )


def _is_self(url: URLRecord, page_url: URLRecord, own_scheme: str) -> bool:
    if not own_scheme or page_url.host != url.host or url.scheme not in TUPLE_ORIGIN_SCHEMES:
        return False
    if page_url.port != url.port:
        return False
    return (
        own_scheme == url.scheme
        or url.scheme in ("https", "wss")
        or (own_scheme == "http" and url.scheme == "ws")
    )

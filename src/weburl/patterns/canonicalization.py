"""Encoding of one component, alone: the fixed text of a pattern, or a component to match.

All functions take text of any kind, and return what a URL has there. They use the parser's own
functions on a dummy URL, as the standard does.

Spec: https://urlpattern.spec.whatwg.org/#canon
"""

from __future__ import annotations

import re
from typing import Final

from weburl.patterns.errors import URLPatternError
from weburl.standard.infra.code_points import C0_CONTROL_PERCENT_ENCODE_SET
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.explanations import explain, quoted
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.strings import ascii_lowercase, remove_tabs_and_newlines
from weburl.standard.url.api import parse
from weburl.standard.url.parser import parse_port
from weburl.standard.url.report import URLParseError
from weburl.standard.url.setters import (
    Refusal,
    set_fragment,
    set_hostname,
    set_password,
    set_path,
    set_query,
    set_username,
)

_DUMMY_URL: Final = parse("https://dummy.invalid/")
_NOT_IN_AN_IPV6_ADDRESS: Final = re.compile(r"[^0-9A-Fa-f\[\]:]")
_DIGITS: Final = re.compile("[0-9]*")
_OPAQUE_PATH_END: Final = re.compile("[?#]")


def canonicalize_a_protocol(value: str) -> str:
    """Return a scheme in lowercase. Raises `URLPatternError` if ``value`` is not a scheme.

    Spec: #canonicalize-a-protocol
    """
    if not value:
        return value
    try:
        return parse(f"{value}://dummy.invalid/").scheme
    except URLParseError:
        raise _error(f"{quoted(value)} is not a scheme.", value) from None


def canonicalize_a_username(value: str) -> str:
    """Return a username, percent-encoded.

    Spec: #canonicalize-a-username
    """
    return set_username(_DUMMY_URL, value).record.username


def canonicalize_a_password(value: str) -> str:
    """Return a password, percent-encoded.

    Spec: #canonicalize-a-password
    """
    return set_password(_DUMMY_URL, value).record.password


def canonicalize_a_hostname(value: str) -> str:
    """Return a host as text. Raises `URLPatternError` if ``value`` is not a host.

    Spec: #canonicalize-a-hostname
    """
    if not value:
        return value
    outcome = set_hostname(_DUMMY_URL, value)
    if outcome.record is _DUMMY_URL:
        assert outcome.refusal is not None
        raise _error(_sentence(outcome.refusal, value), value)
    return str(outcome.record.host)


def canonicalize_an_ipv6_hostname(value: str) -> str:
    """Return part of an IPv6 address in lowercase. Raises `URLPatternError` for other text.

    Spec: #canonicalize-an-ipv6-hostname
    """
    wrong = _NOT_IN_AN_IPV6_ADDRESS.search(value)
    if wrong is not None:
        raise _error(f"An IPv6 address cannot contain {quoted(wrong[0])}.", value)
    return ascii_lowercase(value)


def canonicalize_a_port(value: str, protocol: str = "") -> str:
    """Return a port as digits, or "" for the default port of ``protocol``.

    Raises `URLPatternError` if ``value`` does not start with a number from 0 to 65535.

    Spec: #canonicalize-a-port
    """
    if not value:
        return value
    # The text of the standard drops 443 from a pattern, because its dummy URL is an https URL. Its
    # tests and the browsers keep it: "443*" matches the port 4430.
    found = _DIGITS.match(remove_tabs_and_newlines(value))
    try:
        if found is None or not found[0]:
            raise _error(f"{quoted(value)} is not a port.", value)
        port = parse_port(found[0], protocol)
    except Failure:
        raise _error(f"The port {quoted(value)} is greater than 65535.", value) from None
    return "" if port is None else str(port)


def canonicalize_a_pathname(value: str) -> str:
    """Return a path with its dot segments resolved. It need not start with a slash.

    Spec: #canonicalize-a-pathname
    """
    if not value:
        return value
    # The parser would put a slash before a path without one, so it gets "/-", which is cut off.
    if value.startswith("/"):
        return set_path(_DUMMY_URL, value).record.path_text
    return set_path(_DUMMY_URL, f"/-{value}").record.path_text[2:]


def canonicalize_an_opaque_pathname(value: str) -> str:
    """Return the path of a URL that is not special. A "?" or "#" ends it.

    Spec: #canonicalize-an-opaque-pathname
    """
    text = remove_tabs_and_newlines(value)
    end = _OPAQUE_PATH_END.search(text)
    path = utf8_percent_encode(
        text if end is None else text[: end.start()], C0_CONTROL_PERCENT_ENCODE_SET
    )
    return f"{path[:-1]}%20" if end is not None and path.endswith(" ") else path


def canonicalize_a_search(value: str) -> str:
    """Return a query without its "?".

    Spec: #canonicalize-a-search
    """
    return set_query(_DUMMY_URL, value).query or ""


def canonicalize_a_hash(value: str) -> str:
    """Return a fragment without its "#".

    Spec: #canonicalize-a-hash
    """
    return set_fragment(_DUMMY_URL, value).fragment or ""


def _sentence(refusal: Refusal, value: str) -> str:
    """Return why a host is refused, as a sentence."""
    if refusal.type is not None and refusal.reason is None:
        return explain(refusal.type, value, is_failure=True).message
    return f"{quoted(value)} is not a hostname: {refusal.reason}."


def _error(reason: str, value: str) -> URLPatternError:
    return URLPatternError(reason, value)

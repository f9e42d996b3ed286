"""The fast path without compiled code, for canonical URLs that the first regex leaves out.

They have credentials, an address, a port of any size, or another scheme than http and https. A
regex chosen by the scheme splits them. For credentials, files and other schemes, that takes half
the time of the general parser.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from weburl.hosts.values import (
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    trusted_domain,
    trusted_host,
)
from weburl.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FORBIDDEN_HOST_CODE_POINTS,
    SCHEME,
    USERINFO_PERCENT_ENCODE_SET,
)
from weburl.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.parsing.fast_path_regex import FRAGMENT, HOST, PATH, QUERY, others
from weburl.records.record import URLRecord
from weburl.records.trusted import trusted_record

MAX_PORT: Final = 0xFFFF

# An IPv4 address as it is serialized.
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
IPV4: Final = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
# An IPv6 address as it is serialized. One with two zeros in a row that are written out is left to
# the parser, because another run of zeros may be longer. "::" replaces at least two pieces.
_PIECE: Final = "(?:0|[1-9a-f][0-9a-f]{0,3})"
_PIECES: Final = rf"{_PIECE}(?::{_PIECE})*+"
_IPV6: Final = (
    rf"\[(?!0:0[:\]]|[0-9a-f:]{{0,39}}:0:0[:\]])(?:(?:{_PIECE}:){{7}}{_PIECE}"
    rf"|::(?:{_PIECE}(?::{_PIECE}){{0,5}})?|{_PIECE}(?::{_PIECE}){{0,5}}::"
    rf"|(?!(?:[^:\]]*+:){{7}}){_PIECES}::{_PIECES})\]"
)

_PORT: Final = "(?::([1-9][0-9]{0,4}+))?"
_REST: Final = rf"(?:\?({QUERY}*+))?(?:#({FRAGMENT}*+))?"

_EMPTY_HOST: Final = EmptyHost()


# Each regex below matches what follows the scheme, and its groups are username, password, host,
# port, path, query and fragment. None is compiled when this is imported: not all programs need it.


@cache
def _after_file() -> re.Pattern[str]:
    """Return the regex for the scheme `file`."""
    # "localhost" is left out, and "|" after a drive letter becomes ":".
    host = f"((?!localhost/){HOST}(?=/)|)"
    return re.compile(rf"://()(){host}()(?!/[A-Za-z]\|)({PATH}){_REST}")


@cache
def _after_special_scheme() -> re.Pattern[str]:
    """Return the regex for the other special schemes."""
    host = rf"({HOST}(?=[:/])|{IPV4}|{_IPV6})"
    return re.compile(rf"://{_credentials()}{host}{_PORT}({PATH}){_REST}")


@cache
def _with_opaque_host() -> re.Pattern[str]:
    """Return the regex for a scheme that is not special, with two slashes after it."""
    forbidden = "".join(FORBIDDEN_HOST_CODE_POINTS)
    host = rf"({others(C0_CONTROL_PERCENT_ENCODE_SET, but=forbidden)}++)"
    return re.compile(rf"://{_credentials()}{host}{_PORT}((?:{PATH})?+){_REST}")


@cache
def _without_host() -> re.Pattern[str]:
    """Return the regex for a scheme that is not special, without two slashes after it."""
    # A space may be at the end, where it would be encoded or removed.
    opaque_path = others(C0_CONTROL_PERCENT_ENCODE_SET, but=" ?#")
    path = rf"((?!//){PATH}|(?!/){opaque_path}*+)"
    return re.compile(rf":(?:(?!)()()()())?{path}{_REST}")  # four groups that never match


def _credentials() -> str:
    userinfo = others(USERINFO_PERCENT_ENCODE_SET)
    # An empty password, or no username and no password, would be left out of the href.
    return rf"(?:(?!@)({userinfo}*+)(?::({userinfo}++))?@)?"


def _number_of(address: str) -> int:
    """Return the number of an IPv6 address that has matched, without brackets."""
    head, compressed, tail = address.partition("::")
    pieces = head.split(":") if head else []
    if compressed:
        after = tail.split(":") if tail else []
        pieces += ["0"] * (8 - len(pieces) - len(after)) + after
    # One conversion instead of eight.
    return int(("%4s" * 8 % tuple(pieces)).replace(" ", "0"), 16)


def _host_of(text: str | None, is_special: bool) -> Host | None:
    """Return the host that has matched, which is None where the URL has none."""
    if text is None:
        return None
    if not text:
        return _EMPTY_HOST
    if not is_special:
        return trusted_host(OpaqueHost, text)
    if text[-1] >= "a":  # a letter, so it is a domain
        return trusted_domain(text)
    if text[-1] == "]":
        return trusted_host(IPv6Address, _number_of(text[1:-1]))
    a, b, c, d = map(int, text.split("."))
    return trusted_host(IPv4Address, a << 24 | b << 16 | c << 8 | d)


def _found_in(text: str) -> re.Match[str] | None:
    """Return the match of what follows the scheme, or None if the parser must decide."""
    if not "a" <= text[:1] <= "z":  # so that nearly all other links are left at once
        return None
    colon = text.find(":")
    scheme = text[:colon]
    if scheme in SPECIAL_SCHEMES:
        pattern = _after_file() if scheme == "file" else _after_special_scheme()
    elif colon > 0 and SCHEME.fullmatch(scheme):
        has_host = text.startswith("//", colon + 1)
        pattern = _with_opaque_host() if has_host else _without_host()
    else:
        return None
    found = pattern.fullmatch(text, colon)
    if found is None:
        return None
    digits = found[4]
    if digits:
        port = int(digits)
        if port > MAX_PORT or port == DEFAULT_PORTS.get(scheme):
            return None
    return found


def parse_canonical(text: str) -> URLRecord | None:
    """Return the record of ``text`` if it is its own href, or None if the parser must decide."""
    found = _found_in(text)
    if found is None:
        return None
    username, password, host, digits, path, query, fragment = found.groups()
    scheme = text[: found.start()]
    return trusted_record(
        scheme,
        username or "",
        password or "",
        _host_of(host, scheme in SPECIAL_SCHEMES),
        int(digits) if digits else None,
        path,
        query,
        fragment,
    )


def is_canonical(text: str) -> bool:
    """Return whether ``text`` is its own href. If not, the parser must decide."""
    return _found_in(text) is not None

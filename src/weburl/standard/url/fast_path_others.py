"""The fast path without compiled code, for addresses, and for other canonical URLs than links.

Those have credentials, or another scheme than http and https. A regex chosen by the scheme splits
them, which takes half the time of the general parser.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from weburl.standard.hosts.values import (
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    trusted_domain,
    trusted_host,
)
from weburl.standard.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FORBIDDEN_HOST_CODE_POINTS,
    USERINFO_PERCENT_ENCODE_SET,
)
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES
from weburl.standard.url.fast_path_regex import FRAGMENT, HOST, IPV6, PATH, QUERY, others
from weburl.standard.url.record import URLRecord
from weburl.standard.url.trusted import trusted_record

MAX_PORT: Final = 0xFFFF

# An IPv4 address as it is serialized.
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
IPV4: Final = rf"{_BYTE}(?:\.{_BYTE}){{3}}"

# As in `fast_path_regex`, an empty alternative instead of an optional group.
_PORT: Final = "(?::([1-9][0-9]{0,4}+)|)"
_REST: Final = rf"(?:\Z|(?:\?({QUERY}*+)|)(?:#({FRAGMENT}*+)|))"

_EMPTY_HOST: Final = EmptyHost()


@cache
def _scheme() -> re.Pattern[str]:
    from weburl.standard.infra.code_point_regexes import SCHEME

    return SCHEME


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
    host = rf"({HOST}(?=[:/])|{IPV4}|{IPV6})"
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


@cache
def _bytes() -> dict[str, int]:
    """Return the numbers that a byte of an IPv4 address can be, by their digits."""
    return {str(byte): byte for byte in range(0x100)}


# What a "::" replaces in an address with so many colons, with the colons around it.
_ZEROS: Final = ("", "", *(f":{'0:' * (8 - colons)}" for colons in range(2, 8)))


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a host is, or None if the parser must decide.

    ``host``: lowercase. It has matched `ADDRESS`.
    """
    if host[0] != "[":
        number_of = _bytes()  # half the time of `int`, and no number has a leading zero
        a, b, c, d = host.split(".")
        try:
            number = ((number_of[a] << 8 | number_of[b]) << 8 | number_of[c]) << 8 | number_of[d]
        except KeyError:
            return None
        return trusted_host(IPv4Address, number)
    pieces = host[1:-1]
    colons = pieces.count(":")
    if "::" in pieces and colons < 8:
        pieces = pieces.replace("::", _ZEROS[colons], 1)
        if "::" in pieces:
            return None
    elif colons != 7:
        return None
    # One conversion instead of eight. The first piece or the last is empty where a "::" was.
    digits = ("%4s" * 8 % tuple(pieces.split(":"))).replace(" ", "0")
    return trusted_host(IPv6Address, int(digits, 16)) if len(digits) == 32 else None


def serialized(address: IPv4Address | IPv6Address, host: str) -> str:
    """Return ``address`` as it is serialized, given that ``host`` is the text that it was in."""
    if host[0] != "[":
        return host
    # An IPv6 address without zeros has one spelling, unless "::" is for one piece. This
    # takes a tenth of the time.
    has_zeros = ":0" in host or host[1] == "0"
    return str(address) if has_zeros or (host.count(":") > 6 and "::" in host) else host


def is_serialized(host: str) -> bool:
    """Return whether a host that has matched is as it is serialized, which only IPv6 may not be."""
    if host[-1:] != "]":
        return True
    address = address_of(host)
    return address is not None and serialized(address, host) == host


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
    return address_of(text)


def _found_in(text: str) -> re.Match[str] | None:
    """Return the match of what follows the scheme, or None if the parser must decide."""
    colon = text.find(":")
    scheme = text[:colon]
    if scheme in SPECIAL_SCHEMES:
        pattern = _after_file() if scheme == "file" else _after_special_scheme()
    elif colon > 0 and _scheme().fullmatch(scheme):
        has_host = text.startswith("//", colon + 1)
        pattern = _with_opaque_host() if has_host else _without_host()
    else:
        return None
    found = pattern.fullmatch(text, colon)
    if found is None:
        return None
    if "[" in text and scheme in SPECIAL_SCHEMES and not is_serialized(found[3]):
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

"""§3 of the URL Standard of 2020: from text to hosts, and back.

A host is an address, or text: a domain, an opaque host, or the empty host. `idna_editions` maps and
validates names in Unicode.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from weburl.history.errors import LegacyURLError
from weburl.history.facts_2020 import (
    C0_CONTROL_SET,
    FORBIDDEN_IN_DOMAIN,
    FORBIDDEN_IN_OPAQUE_HOST,
)
from weburl.standard.hosts.ipv6 import parse_ipv6
from weburl.standard.hosts.values import IPv4Address, IPv6Address
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode
from weburl.standard.infra.strings import ascii_lowercase

Host2020: TypeAlias = str | IPv4Address | IPv6Address
"""A host as of 2020: an address, or the text of a domain, an opaque host or the empty host."""

_ACE_PREFIX: Final = "xn--"
_IPV4_NUMBER: Final = re.compile("0[Xx]([0-9A-Fa-f]*)|0([0-7]*)|([1-9][0-9]*)")
_RADIXES: Final = (16, 8, 10)  # of the groups of `_IPV4_NUMBER`
# More digits than any number of 32 bits has, in octal. To convert such text would take quadratic
# time, and it is out of range in any case.
_MAX_SIGNIFICANT_DIGITS: Final = 11
_OUT_OF_RANGE: Final = 1 << 32


def parse_host(input: str, is_not_special: bool) -> Host2020:
    """Return the host that ``input``, scalar values, writes; raises `LegacyURLError`.

    Document: the URL Standard of 2020, §3.5, "host parser".
    """
    if input.startswith("["):
        return parse_ipv6_in_brackets(input)
    if is_not_special:
        if FORBIDDEN_IN_OPAQUE_HOST.search(input):
            raise LegacyURLError("the host contains a character that is not allowed there")
        return utf8_percent_encode(input, C0_CONTROL_SET)
    ascii_domain = domain_to_ascii(percent_decode_to_text(input))
    if ascii_domain is None:
        raise LegacyURLError("the host is not a domain: IDNA refuses it")
    if FORBIDDEN_IN_DOMAIN.search(ascii_domain):
        raise LegacyURLError("the host contains a character that is not allowed there")
    return parse_ipv4(ascii_domain)


def parse_ipv6_in_brackets(input: str) -> IPv6Address:
    """Return the address in a host that starts with "["; raises `LegacyURLError`."""
    if not input.endswith("]"):
        raise LegacyURLError("an IPv6 address is not closed by ']'")
    try:
        return IPv6Address(parse_ipv6(input[1:-1]))
    except Failure:
        raise LegacyURLError("the text in brackets is not an IPv6 address") from None


def domain_to_ascii(domain: str, be_strict: bool = False) -> str | None:
    """Return ``domain``, scalar values, in its ASCII form, which may be empty, or None for failure.

    Document: the URL Standard of 2020, §3.3, "domain to ASCII".
    """
    if domain.isascii() and not be_strict:
        lowered = ascii_lowercase(domain)
        if _ACE_PREFIX not in lowered:
            return lowered

    from weburl.history.idna_editions import UNICODE_13  # Unicode's tables take a while to load.

    return UNICODE_13.to_ascii(domain, be_strict=be_strict)


def domain_to_unicode(domain: str) -> str:
    """Return ``domain`` for people to read, as far as its labels can be decoded.

    Document: the URL Standard of 2020, §3.3, "domain to Unicode".
    """
    from weburl.history.idna_editions import UNICODE_13

    return UNICODE_13.to_unicode(domain)


def parse_ipv4(domain: str) -> str | IPv4Address:
    """Return the address that an ASCII ``domain`` writes, or ``domain`` if it is not an address.

    Raises `LegacyURLError` for numbers that do not fit into an address.

    Document: the URL Standard of 2020, §3.5, "IPv4 parser".
    """
    parts = domain.split(".")
    if not parts[-1] and len(parts) > 1:
        parts.pop()
    if len(parts) > 4:
        return domain
    numbers: list[int] = []
    for part in parts:
        number = parse_ipv4_number(part)
        if number is None:
            return domain
        numbers.append(number)
    last = numbers.pop()
    if any(number > 255 for number in numbers) or last >= 256 ** (4 - len(numbers)):
        raise LegacyURLError("a number of the IPv4 address is too large")
    address = last + sum(number << 8 * (3 - index) for index, number in enumerate(numbers))
    return IPv4Address(address)


def parse_ipv4_number(text: str) -> int | None:
    """Return the number that one part of an IPv4 address writes, or None if it is not a number.

    The number is 2**32 or greater if no address can contain it.

    Document: the URL Standard of 2020, §3.5, "IPv4 number parser".
    """
    found = _IPV4_NUMBER.fullmatch(text)
    if found is None or found.lastindex is None:
        return None
    significant = found[found.lastindex].lstrip("0")
    if len(significant) > _MAX_SIGNIFICANT_DIGITS:
        return _OUT_OF_RANGE
    return int(significant or "0", _RADIXES[found.lastindex - 1])

"""§3 of the URL Standards of 2020 and 2024: from text to hosts.

A host is an address, or text: a domain, an opaque host, or the empty host. `idna_editions` maps and
validates names in Unicode.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from weburl.history.errors import LegacyURLError
from weburl.history.facts import (
    C0_CONTROL_SET,
    FORBIDDEN_IN_DOMAIN_2020,
    FORBIDDEN_IN_DOMAIN_2024,
    FORBIDDEN_IN_OPAQUE_HOST_2020,
    FORBIDDEN_IN_OPAQUE_HOST_2024,
)
from weburl.history.idna_editions import UNICODE_13, UNICODE_15_1, Edition
from weburl.standard.hosts.ipv6 import parse_ipv6
from weburl.standard.hosts.values import IPv4Address, IPv6Address
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode

Host2020: TypeAlias = str | IPv4Address | IPv6Address
"""A host as of 2020: an address, or the text of a domain, an opaque host or the empty host."""

_IPV4_NUMBER: Final = re.compile("0[Xx]([0-9A-Fa-f]*)|0([0-7]*)|([1-9][0-9]*)")
_RADIXES: Final = (16, 8, 10)  # of the groups of `_IPV4_NUMBER`
# More digits than any number of 32 bits has, in octal. To convert such text would take quadratic
# time, and it is out of range in any case.
_MAX_SIGNIFICANT_DIGITS: Final = 11
_OUT_OF_RANGE: Final = 1 << 32
_DIGITS: Final = re.compile("[0-9]+")


def parse_host_2020(input: str, is_opaque: bool) -> Host2020:
    """Return the host that ``input``, scalar values, writes; raises `LegacyURLError`.

    Document: the URL Standard of 2020, §3.5, "host parser".
    """
    forbidden = FORBIDDEN_IN_OPAQUE_HOST_2020 if is_opaque else FORBIDDEN_IN_DOMAIN_2020
    host = _parse_host(input, is_opaque, forbidden, UNICODE_13)
    return parse_ipv4(host) if isinstance(host, str) and not is_opaque else host


def parse_host_2024(input: str, is_opaque: bool) -> Host2020:
    """Return the host that ``input``, scalar values, writes; raises `LegacyURLError`.

    Document: the URL Standard of 2024, §3.5, "host parser".
    """
    forbidden = FORBIDDEN_IN_OPAQUE_HOST_2024 if is_opaque else FORBIDDEN_IN_DOMAIN_2024
    host = _parse_host(input, is_opaque, forbidden, UNICODE_15_1)
    if is_opaque or not isinstance(host, str) or not _ends_in_a_number(host):
        return host
    address = parse_ipv4(host)
    if not isinstance(address, IPv4Address):
        raise LegacyURLError("the host ends in a number but is not an IPv4 address")
    return address


def _parse_host(
    input: str, is_opaque: bool, forbidden: re.Pattern[str], edition: Edition
) -> str | IPv6Address:
    """Return the host, in which an IPv4 address is still text."""
    if input.startswith("["):
        if not input.endswith("]"):
            raise LegacyURLError("an IPv6 address is not closed by ']'")
        try:
            return IPv6Address(parse_ipv6(input[1:-1]))
        except Failure:
            raise LegacyURLError("the text in brackets is not an IPv6 address") from None
    host = input if is_opaque else edition.to_ascii(percent_decode_to_text(input))
    if host is None:
        raise LegacyURLError("the host is not a domain: IDNA refuses it")
    if forbidden.search(host):
        raise LegacyURLError("the host contains a character that is not allowed there")
    return utf8_percent_encode(host, C0_CONTROL_SET) if is_opaque else host


def _ends_in_a_number(domain: str) -> bool:
    """Return whether an ASCII ``domain`` must be an IPv4 address: its last label is a number.

    Document: the URL Standard of 2024, §3.5, "ends-in-a-number checker".
    """
    head, _, last = domain.rpartition(".")
    label = last or head.rpartition(".")[2]
    return _DIGITS.fullmatch(label) is not None or parse_ipv4_number(label) is not None


def parse_ipv4(domain: str) -> str | IPv4Address:
    """Return the address that an ASCII ``domain`` writes, or ``domain`` if it is not an address.

    Raises `LegacyURLError` for numbers that do not fit into an address.

    Document: the URL Standards of 2020 and 2024, §3.5, "IPv4 parser".
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

    Document: the URL Standards of 2020 and 2024, §3.5, "IPv4 number parser".
    """
    found = _IPV4_NUMBER.fullmatch(text)
    if found is None or found.lastindex is None:
        return None
    significant = found[found.lastindex].lstrip("0")
    if len(significant) > _MAX_SIGNIFICANT_DIGITS:
        return _OUT_OF_RANGE
    return int(significant or "0", _RADIXES[found.lastindex - 1])

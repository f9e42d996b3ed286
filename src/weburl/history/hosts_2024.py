"""§3 of the URL Standard of 2024: from text to hosts. `hosts_2020` has what did not change."""

from __future__ import annotations

import re
from typing import Final

from weburl.history.errors import LegacyURLError
from weburl.history.facts_2020 import C0_CONTROL_SET
from weburl.history.facts_2024 import FORBIDDEN_IN_DOMAIN, FORBIDDEN_IN_OPAQUE_HOST
from weburl.history.hosts_2020 import (
    Host2020,
    parse_ipv4,
    parse_ipv4_number,
    parse_ipv6_in_brackets,
)
from weburl.standard.hosts.values import IPv4Address
from weburl.standard.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode
from weburl.standard.infra.strings import ascii_lowercase

_DIGITS: Final = re.compile("[0-9]+")


def parse_host(input: str, is_opaque: bool) -> Host2020:
    """Return the host that ``input``, scalar values, writes; raises `LegacyURLError`.

    Document: the URL Standard of 2024, §3.5, "host parser".
    """
    if input.startswith("["):
        return parse_ipv6_in_brackets(input)
    if is_opaque:
        if FORBIDDEN_IN_OPAQUE_HOST.search(input):
            raise LegacyURLError("the host contains a code point that is not allowed in a host")
        return utf8_percent_encode(input, C0_CONTROL_SET)
    ascii_domain = domain_to_ascii(percent_decode_to_text(input))
    if ascii_domain is None:
        raise LegacyURLError("the host is not a domain: IDNA refuses it")
    if FORBIDDEN_IN_DOMAIN.search(ascii_domain):
        raise LegacyURLError("the host contains a code point that is not allowed in a domain")
    if not ends_in_a_number(ascii_domain):
        return ascii_domain
    address = parse_ipv4(ascii_domain)
    if not isinstance(address, IPv4Address):
        raise LegacyURLError("the host ends in a number but is not an IPv4 address")
    return address


def ends_in_a_number(domain: str) -> bool:
    """Return whether an ASCII ``domain`` must be an IPv4 address: its last label is a number.

    Document: the URL Standard of 2024, §3.5, "ends-in-a-number checker".
    """
    head, _, last = domain.rpartition(".")
    label = last or head.rpartition(".")[2]
    return _DIGITS.fullmatch(label) is not None or parse_ipv4_number(label) is not None


def domain_to_ascii(domain: str, be_strict: bool = False) -> str | None:
    """Return ``domain``, scalar values, in its ASCII form; None for failure or if it is empty.

    Document: the URL Standard of 2024, §3.3, "domain to ASCII".
    """
    if domain.isascii() and not be_strict:
        lowered = ascii_lowercase(domain)
        if "xn--" not in lowered:
            return lowered or None

    from weburl.history.idna_editions import UNICODE_15_1  # Unicode's tables take a while to load.

    return UNICODE_15_1.to_ascii(domain, be_strict=be_strict) or None


def domain_to_unicode(domain: str) -> str:
    """Return ``domain`` for people to read, as far as its labels can be decoded.

    Document: the URL Standard of 2024, §3.3, "domain to Unicode".
    """
    from weburl.history.idna_editions import UNICODE_15_1

    return UNICODE_15_1.to_unicode(domain)

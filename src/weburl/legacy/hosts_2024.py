"""§3 of the URL Standard of 2024: from text to hosts. What is not here is as in `hosts_2020`."""

from __future__ import annotations

from weburl.hosts.ipv4 import ends_in_a_number
from weburl.hosts.ipv4 import parse_ipv4 as parse_ipv4_now
from weburl.hosts.values import IPv4Address
from weburl.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FORBIDDEN_DOMAIN_CODE_POINT,
    FORBIDDEN_HOST_CODE_POINT,
)
from weburl.infra.errors import Failure
from weburl.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode
from weburl.infra.strings import ascii_lowercase
from weburl.legacy.errors import LegacyURLError
from weburl.legacy.hosts_2020 import Host2020, parse_ipv6_in_brackets


def parse_host(input: str, is_opaque: bool) -> Host2020:
    """Return the host that ``input``, scalar values, writes; raises `LegacyURLError`.

    Document: the URL Standard of 2024, §3.5, "host parser".
    """
    if input.startswith("["):
        return parse_ipv6_in_brackets(input)
    if is_opaque:
        if FORBIDDEN_HOST_CODE_POINT.search(input):
            raise LegacyURLError("the host holds a code point that no host may hold")
        return utf8_percent_encode(input, C0_CONTROL_PERCENT_ENCODE_SET)
    ascii_domain = domain_to_ascii(percent_decode_to_text(input))
    if ascii_domain is None:
        raise LegacyURLError("the host is no domain: IDNA refuses it")
    if FORBIDDEN_DOMAIN_CODE_POINT.search(ascii_domain):
        raise LegacyURLError("the host holds a code point that no domain may hold")
    if not ends_in_a_number(ascii_domain):
        return ascii_domain
    try:
        return IPv4Address(parse_ipv4_now(ascii_domain, None, 0, 0, False))
    except Failure:
        raise LegacyURLError("the host ends in a number, and is no IPv4 address") from None


def domain_to_ascii(domain: str, be_strict: bool = False) -> str | None:
    """Return ``domain``, scalar values, in its ASCII form; None for failure, and for nothing.

    Document: the URL Standard of 2024, §3.3, "domain to ASCII".
    """
    if domain.isascii() and not be_strict:
        lowered = ascii_lowercase(domain)
        if "xn--" not in lowered:
            return lowered or None

    from weburl.legacy.idna_editions import UNICODE_15_1  # Unicode's tables take a while to load.

    return UNICODE_15_1.to_ascii(domain, be_strict=be_strict) or None


def domain_to_unicode(domain: str) -> str:
    """Return ``domain`` for people to read, as far as its labels can be decoded.

    Document: the URL Standard of 2024, §3.3, "domain to Unicode".
    """
    from weburl.legacy.idna_editions import UNICODE_15_1

    return UNICODE_15_1.to_unicode(domain)

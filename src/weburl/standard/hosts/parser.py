"""§3.5: the host parser and the opaque-host parser.

They turn text into host values. The URL parser finds where the host begins and ends.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.hosts.domains import parse_domain
from weburl.standard.hosts.ipv4 import ends_in_a_number, parse_ipv4
from weburl.standard.hosts.ipv6 import parse_ipv6
from weburl.standard.hosts.values import (
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    trusted_domain,
)
from weburl.standard.infra.code_point_regexes import FORBIDDEN_HOST_CODE_POINT, PERCENT_ENCODED_BYTE
from weburl.standard.infra.code_points import C0_CONTROL_PERCENT_ENCODE_SET, PLAIN_DOMAIN
from weburl.standard.infra.errors import NO_ERRORS, Errors, ValidationErrorType
from weburl.standard.infra.percent_encoding import percent_decode_to_text, utf8_percent_encode

_PLAIN_DOMAIN: Final = re.compile(PLAIN_DOMAIN)


def parse_host(input: str, is_opaque: bool, errors: Errors = NO_ERRORS) -> Host:
    """Return the host in ``input``. Raises `Failure`.

    Args:
        input: text without surrogates. It is not empty unless ``is_opaque``.
        is_opaque: whether the scheme is not special.
        errors: where validation errors are recorded.

    Spec: #concept-host-parser
    """
    if input.startswith("["):
        if not input.endswith("]"):
            raise errors.failure(ValidationErrorType.IPV6_UNCLOSED, 0, len(input))
        return IPv6Address(parse_ipv6(input[1:-1], errors.after(1)))
    if is_opaque:
        return _parse_opaque_host(input, errors)
    if errors is NO_ERRORS and input.isascii():
        lowered = input.lower()
        if _PLAIN_DOMAIN.fullmatch(lowered) is not None:
            return trusted_domain(lowered)
    domain = percent_decode_to_text(input)
    if found := PERCENT_ENCODED_BYTE.search(input):
        errors.add(ValidationErrorType.DOMAIN_PERCENT_ENCODED, *found.span())
    ascii_domain = parse_domain(domain, errors, len(input))
    if not ends_in_a_number(ascii_domain):
        return trusted_domain(ascii_domain)
    if not domain.isascii():
        errors.add(ValidationErrorType.IPV4_NON_ASCII_INPUT, 0, len(input))
    is_unchanged = domain == input and domain.isascii()
    return IPv4Address(parse_ipv4(ascii_domain, errors, len(input), is_unchanged))


def _parse_opaque_host(input: str, errors: Errors) -> OpaqueHost | EmptyHost:
    """Return the opaque host in ``input``, or the empty host. Raises `Failure`.

    Spec: #concept-opaque-host-parser
    """
    if found := FORBIDDEN_HOST_CODE_POINT.search(input):
        raise errors.failure(ValidationErrorType.HOST_INVALID_CODE_POINT, *found.span())
    if (kept := errors.kept) is not None:
        from weburl.standard.infra.url_units import (  # takes a while to load
            NOT_A_URL_CODE_POINT_NOR_PERCENT,
            PERCENT_WITHOUT_TWO_HEX_DIGITS,
        )

        written = kept.as_written(input)
        for pattern in (NOT_A_URL_CODE_POINT_NOR_PERCENT, PERCENT_WITHOUT_TWO_HEX_DIGITS):
            if found := pattern.search(written):
                kept.add(ValidationErrorType.INVALID_URL_UNIT, *found.span())
    if not input:
        return EmptyHost()
    return OpaqueHost(utf8_percent_encode(input, C0_CONTROL_PERCENT_ENCODE_SET))

"""Parses a bare host, and explains what is wrong with it."""

from __future__ import annotations

from contextlib import suppress

from weburl.standard.hosts import parser
from weburl.standard.hosts.ipv6 import is_ipv6_address
from weburl.standard.hosts.values import Host
from weburl.standard.infra.credentials import masking_before_at_sign
from weburl.standard.infra.errors import NO_ERRORS, ErrorList, Errors, Failure, ValidationErrorType
from weburl.standard.infra.guesses import host_of_type
from weburl.standard.infra.strings import exact, remove_tabs_and_newlines, to_scalar_value_string
from weburl.standard.url.report import Report, URLParseError, place_errors


def parse_host(text: str, *, is_opaque: bool = False) -> Host:
    """Return the host that a URL with ``text`` as its host has.

    Args:
        text: a host in any spelling, without a port. The host of an https URL is read, so
            "EXAMPLE.com" is the domain "example.com". Tabs and newlines are removed, as in a URL.
        is_opaque: True reads the host of a URL whose scheme is not special, such as ``git://``.

    Raises:
        URLParseError: ``text`` is not a host. Empty text is one only if ``is_opaque`` is True.
        TypeError: ``text`` is not text.

    Spec: #concept-host-parser
    """
    if not isinstance(text, str):
        raise TypeError(f"a host must be text, not {host_of_type(text)}")
    prepared = remove_tabs_and_newlines(to_scalar_value_string(exact(text)))
    with suppress(Failure):
        return read_host(prepared, is_opaque=is_opaque)
    errors = ErrorList()
    with suppress(Failure):
        read_host(prepared, errors, is_opaque=is_opaque)
    shown = masking_before_at_sign(text)
    placed = place_errors(text, errors, trimmed=False, shown=shown)
    report = Report(shown.text, None, placed, errors.count, is_valid_url_string=False)
    reason = placed[-1].message
    if is_ipv6_address(prepared):
        reason = f"An IPv6 address needs brackets: '[{prepared}]'."
    raise URLParseError(reason, shown.text, placed[-1].type, report)


def read_host(prepared: str, errors: Errors = NO_ERRORS, *, is_opaque: bool = False) -> Host:
    """Return the host in a string without tabs, newlines and surrogates. Raises `Failure`.

    ``errors``: where validation errors are recorded.
    """
    if not prepared and not is_opaque:
        raise errors.failure(ValidationErrorType.HOST_MISSING, 0, 0)
    return parser.parse_host(prepared, is_opaque, errors)

"""Parses a bare host, and explains what is wrong with it."""

from __future__ import annotations

from contextlib import suppress

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Host
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.errors import ErrorList, Failure, ValidationErrorType, failure
from weburl.standard.infra.strings import remove_tabs_and_newlines, to_scalar_value_string
from weburl.standard.url.report import MAX_ERRORS, Report, URLParseError, place_errors


def parse_host_text(text: str, *, is_opaque: bool = False) -> Host:
    """Return the host that a URL with this text in its place has.

    ``is_opaque``: whether the scheme is not special. Tabs and newlines do not count, as in a URL.
    Raises `URLParseError` for text that is not a host.

    Spec: #concept-host-parser
    """
    prepared = remove_tabs_and_newlines(to_scalar_value_string(text))
    with suppress(Failure):
        return read_host(prepared, None, is_opaque=is_opaque)
    errors = ErrorList(MAX_ERRORS)
    with suppress(Failure):
        read_host(prepared, errors, is_opaque=is_opaque)
    shown = masked_before_at_sign(text)
    placed = place_errors(text, errors, trimmed=False, shown=shown)
    report = Report(shown, None, placed, errors.count, is_valid_url_string=False)
    raise URLParseError(placed[-1].message, shown, placed[-1].type, report)


def read_host(prepared: str, errors: ErrorList | None, *, is_opaque: bool = False) -> Host:
    """Return the host in a text without tabs, newlines and surrogates. Raises `Failure`.

    ``errors``: where validation errors are recorded, or None.
    """
    if not prepared and not is_opaque:
        raise failure(errors, ValidationErrorType.HOST_MISSING, 0, 0)
    return parse_host(prepared, is_opaque, errors, 0)

"""Conversions from and to the results of `urllib.parse`."""

from __future__ import annotations

from typing import Any, TypeAlias
from urllib.parse import ParseResult, ParseResultBytes, SplitResult, SplitResultBytes, urlsplit

from weburl import URLRecord
from weburl.integrations.agreeing import Seen, URLConversionError, agreed_record, agreed_url
from weburl.standard.url.given import AnyURL

__all__ = ["Result", "URLConversionError", "from_urllib", "to_urllib"]

Result: TypeAlias = SplitResult | ParseResult | SplitResultBytes | ParseResultBytes
"""What `urlsplit` and `urlparse` return for text and for bytes."""


def to_urllib(record: AnyURL) -> SplitResult:
    """Return the `SplitResult` of a record.

    It loses an empty query and an empty fragment. Raises `URLConversionError` if `urlsplit` reads a
    different URL.
    """
    return agreed_url(record, "urllib.parse", urlsplit, _look)


def from_urllib(result: Result) -> URLRecord:
    """Return the record of a result of `urlsplit` or `urlparse`.

    A part may be None, as in what Python 3.15 returns for ``missing_as_none=True``. Then an empty
    query and an empty fragment are kept.

    Raises `URLConversionError` for bytes outside ASCII, and if urllib and the URL Standard read it
    differently.
    """
    return agreed_record(result, "urllib.parse", _look)


def _look(result: Result) -> tuple[Seen, str]:
    parts: Any = result  # The stubs do not know that it has text from here on.
    if isinstance(result, SplitResultBytes | ParseResultBytes):
        parts = result.decode("ascii")
    seen = Seen(parts.scheme, parts.hostname, parts.port, parts.username, parts.password)
    return seen, parts.geturl()

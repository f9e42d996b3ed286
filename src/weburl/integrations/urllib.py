"""Conversions from and to what `urllib.parse` returns."""

from __future__ import annotations

from typing import Any, TypeAlias
from urllib.parse import ParseResult, ParseResultBytes, SplitResult, SplitResultBytes, urlsplit

from weburl import URLRecord
from weburl.integrations.agreeing import Seen, URLConversionError, agreed_record, agreed_url

__all__ = ["Result", "URLConversionError", "from_urllib", "to_urllib"]

Result: TypeAlias = SplitResult | ParseResult | SplitResultBytes | ParseResultBytes
"""What `urlsplit` and `urlparse` return, of text and of bytes."""


def to_urllib(record: URLRecord) -> SplitResult:
    """Return what `urlsplit` makes of a record.

    Raises `URLConversionError` if it reads another URL. It forgets an empty query and an empty
    fragment.
    """
    return agreed_url(record, "urllib.parse", urlsplit, _look)


def from_urllib(result: Result) -> URLRecord:
    """Return the record of what `urlsplit` or `urlparse` returned.

    Raises `URLConversionError` if they read it differently, also for bytes outside ASCII.
    """
    return agreed_record(result, "urllib.parse", _look)


def _look(result: Result) -> tuple[Seen, str]:
    parts: Any = result  # of text from here on, which the stubs do not follow
    if isinstance(result, SplitResultBytes | ParseResultBytes):
        parts = result.decode("ascii")
    seen = Seen(parts.scheme, parts.hostname, parts.port, parts.username, parts.password)
    return seen, parts.geturl()

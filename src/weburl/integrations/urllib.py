"""Conversions from and to the results of `urllib.parse`."""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import ParseResult, ParseResultBytes, SplitResult, SplitResultBytes, urlsplit

from weburl import URLRecord
from weburl.integrations.agreeing import URLConversionError, agreed_record, agreed_url
from weburl.policies.readers import look_at_urllib
from weburl.standard.url.record import AnyURL

__all__ = ["Result", "URLConversionError", "from_urllib", "to_urllib"]

Result: TypeAlias = SplitResult | ParseResult | SplitResultBytes | ParseResultBytes
"""What `urlsplit` and `urlparse` return for text and for bytes."""


def to_urllib(record: AnyURL) -> SplitResult:
    """Return the `SplitResult` of a record.

    It loses an empty query and an empty fragment. Raises `URLConversionError` if `urlsplit` reads a
    different URL.
    """
    return agreed_url(record, "urllib.parse", urlsplit, look_at_urllib, SplitResult.geturl)


def from_urllib(result: Result) -> URLRecord:
    """Return the record of a result of `urlsplit` or `urlparse`.

    A part may be None, as in what Python 3.15 returns for ``missing_as_none=True``. Then an empty
    query and an empty fragment are kept.

    Raises `URLConversionError` for bytes outside ASCII, and if urllib and the URL Standard read it
    differently.
    """
    return agreed_record(
        result,
        "urllib.parse",
        lambda parts: look_at_urllib(_of_text(parts)),
        lambda parts: _of_text(parts).geturl(),
    )


def _of_text(result: Result) -> SplitResult | ParseResult:
    if isinstance(result, SplitResultBytes | ParseResultBytes):
        return result.decode("ascii")  # type: ignore[return-value]  # the stubs name its base
    return result

"""Conversions from and to `httpx.URL`."""

from __future__ import annotations

from weburl import URLRecord
from weburl.integrations.agreeing import URLConversionError, agreed_record, agreed_url
from weburl.policies.readers import look_at_httpx
from weburl.standard.support.releases import required
from weburl.standard.url.record import AnyURL

with required("httpx>=0.28"):
    from httpx import URL

__all__ = ["URLConversionError", "from_httpx", "to_httpx"]


def to_httpx(record: AnyURL) -> URL:
    """Return the `httpx.URL` of a record.

    Raises `URLConversionError` if httpx reads a different URL.
    """
    return agreed_url(record, "httpx", URL, look_at_httpx)


def from_httpx(url: URL) -> URLRecord:
    """Return the record of an `httpx.URL`.

    Raises `URLConversionError` if httpx and the URL Standard read it differently.
    """
    return agreed_record(url, "httpx", look_at_httpx)

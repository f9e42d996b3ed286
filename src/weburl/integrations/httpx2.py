"""Conversions from and to `httpx2.URL`."""

from __future__ import annotations

from weburl import URLRecord
from weburl.integrations.agreeing import URLConversionError, agreed_record, agreed_url
from weburl.policies.readers import look_at_httpx
from weburl.standard.support.releases import required
from weburl.standard.url.record import AnyURL

with required("httpx2>=2.16"):
    from httpx2 import URL

__all__ = ["URLConversionError", "from_httpx2", "to_httpx2"]


def to_httpx2(record: AnyURL) -> URL:
    """Return the `httpx2.URL` of a record.

    Raises `URLConversionError` if httpx2 reads a different URL.
    """
    return agreed_url(record, "httpx2", URL, look_at_httpx)


def from_httpx2(url: URL) -> URLRecord:
    """Return the record of an `httpx2.URL`.

    Raises `URLConversionError` if httpx2 and the URL Standard read it differently.
    """
    return agreed_record(url, "httpx2", look_at_httpx)

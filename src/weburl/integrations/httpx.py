"""Conversions from and to `httpx.URL`."""

from __future__ import annotations

from httpx import URL

from weburl import URLRecord
from weburl.integrations.agreeing import Seen, URLConversionError, agreed_record, agreed_url

__all__ = ["URLConversionError", "from_httpx", "to_httpx"]


def to_httpx(record: URLRecord) -> URL:
    """Return the `httpx.URL` of a record.

    Raises `URLConversionError` if httpx reads a different URL.
    """
    return agreed_url(record, "httpx", URL, _look)


def from_httpx(url: URL) -> URLRecord:
    """Return the record of an `httpx.URL`.

    Raises `URLConversionError` if httpx and the URL Standard read it differently.
    """
    return agreed_record(url, "httpx", _look)


def _look(url: URL) -> tuple[Seen, str]:
    username, _, password = url.userinfo.decode("ascii").partition(":")
    # httpx connects to raw_host; its `host` is in Unicode.
    seen = Seen(url.scheme, url.raw_host.decode("ascii"), url.port, username, password)
    return seen, str(url)

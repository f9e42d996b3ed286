"""Conversions from and to `yarl.URL`."""

from __future__ import annotations

from weburl import URLRecord
from weburl.integrations.agreeing import URLConversionError, agreed_record, agreed_url
from weburl.policies.readers import look_at_yarl
from weburl.standard.support.releases import required
from weburl.standard.url.record import AnyURL

with required("yarl>=1.24.3"):
    from yarl import URL

__all__ = ["URLConversionError", "from_yarl", "to_yarl"]


def to_yarl(record: AnyURL) -> URL:
    """Return the `yarl.URL` of a record. Its text is the href, byte for byte.

    Raises `URLConversionError` if yarl reads a different URL.
    """
    return agreed_url(record, "yarl", _as_written, look_at_yarl)


def from_yarl(url: URL) -> URLRecord:
    """Return the record of a `yarl.URL`.

    Raises `URLConversionError` if yarl and the URL Standard read it differently.
    """
    return agreed_record(url, "yarl", look_at_yarl)


def _as_written(href: str) -> URL:
    # yarl would decode %27 and %2F otherwise, which breaks a signed URL.
    return URL(href, encoded=True)

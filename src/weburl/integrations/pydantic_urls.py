"""Conversions from and to the URL types of pydantic, such as `AnyUrl`."""

from __future__ import annotations

from weburl import URLRecord
from weburl.integrations.agreeing import Seen, URLConversionError, agreed_record, agreed_url
from weburl.standard.support.releases import required
from weburl.standard.url.record import AnyURL

with required("pydantic>=2.11"):
    from pydantic import AnyUrl

__all__ = ["URLConversionError", "from_pydantic", "to_pydantic"]


def to_pydantic(record: AnyURL) -> AnyUrl:
    """Return the `AnyUrl` of a record.

    Raises `URLConversionError` if pydantic reads a different URL.
    """
    return agreed_url(record, "pydantic", AnyUrl, _look)


def from_pydantic(url: AnyUrl) -> URLRecord:
    """Return the record of an `AnyUrl`, an `HttpUrl` and so on.

    Raises `URLConversionError` if pydantic and the URL Standard read it differently.
    """
    return agreed_record(url, "pydantic", _look)


def _look(url: AnyUrl) -> Seen:
    return Seen(url.scheme, url.host, url.port, url.username, url.password)

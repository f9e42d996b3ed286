"""Conversions from and to the `URIReference` of the package rfc3986."""

from __future__ import annotations

from weburl import URLRecord
from weburl.integrations.agreeing import Seen, URLConversionError, agreed_record, agreed_url
from weburl.standard.support.releases import required
from weburl.standard.url.record import AnyURL

with required("rfc3986>=2"):
    from rfc3986 import URIReference, uri_reference

__all__ = ["URLConversionError", "from_rfc3986", "to_rfc3986"]


def to_rfc3986(record: AnyURL) -> URIReference:
    """Return the `URIReference` of a record.

    Raises `URLConversionError` if rfc3986 reads a different URL.
    """
    return agreed_url(record, "rfc3986", uri_reference, _look, URIReference.unsplit)


def from_rfc3986(reference: URIReference) -> URLRecord:
    """Return the record of a `URIReference`.

    Raises `URLConversionError` for a relative reference, and if rfc3986 and the URL Standard read
    it differently.
    """
    return agreed_record(reference, "rfc3986", _look, URIReference.unsplit)


def _look(reference: URIReference) -> Seen:
    username, _, password = (reference.userinfo or "").partition(":")
    port = None if reference.port is None else int(reference.port or 0)
    return Seen(reference.scheme, reference.host, port, username, password)

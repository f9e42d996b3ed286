"""§4.7: the origin of a URL, as text and as a value.

A blob URL has the origin of the URL in its path, so this module calls the parser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from weburl.standard.infra.errors import Failure
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.schemes import TUPLE_ORIGIN_SCHEMES
from weburl.standard.url.api import record_of
from weburl.standard.url.fast_path import untracked, with_fast_origin
from weburl.standard.url.given import AnyURL
from weburl.standard.url.origin import (
    OPAQUE_ORIGIN,
    OpaqueOrigin,
    Origin,
    TupleOrigin,
    serialize_tuple_origin,
)
from weburl.standard.url.parser import parse_url
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError
from weburl.standard.url.trusted import trusted_record

BlobEntryOrigin: TypeAlias = Callable[[URLRecord], Origin | None]
"""From a blob URL to the origin of its entry's environment, or None for a URL without an entry."""


def with_a_tuple_origin(record: URLRecord) -> URLRecord | None:
    """Return the record whose scheme, host and port are the origin of ``record``, if any."""
    if record.scheme == "blob":
        try:
            record = parse_url(record.path_text, None, "utf-8", None)
        except Failure:
            return None
        # "file" too has its own origin, which is opaque.
        return record if record.scheme in ("http", "https") else None
    return record if record.scheme in TUPLE_ORIGIN_SCHEMES else None


def serialize_origin(record: URLRecord) -> str:
    """Return the serialization of the origin of ``record``; "null" for an opaque one.

    Spec: #concept-url-origin
    """
    found = with_a_tuple_origin(record)
    if found is None:
        return OPAQUE_ORIGIN
    return serialize_tuple_origin(found.scheme, found.host, found.port)


@with_fast_origin(TupleOrigin, OpaqueOrigin)
def origin_of(record: AnyURL, *, blob_entry_origin: BlobEntryOrigin | None = None) -> Origin:
    """Return the origin of ``record``. If it is opaque, each call returns a new one.

    ``blob_entry_origin``: only for programs that keep blob URLs themselves. A function that takes
    the blob URL and returns the origin of the environment that made it, or None if it does not know
    the URL. Then the URL in the blob URL's path has the origin. Raises `URLParseError` for text
    that does not parse, and TypeError if ``record`` is not a URL.

    Spec: #concept-url-origin
    """
    record = record_of(record)
    if record.scheme == "blob" and blob_entry_origin is not None:
        origin = blob_entry_origin(record)
        if origin is not None:
            return origin
    found = with_a_tuple_origin(record)
    if found is None or found.host is None:
        return OpaqueOrigin()
    return untracked(TupleOrigin(found.scheme, found.host, found.port))


def origin_url(record: URLRecord) -> URLRecord:
    """Return the URL of the root of the origin. See `URLRecord.origin_url`."""
    origin = origin_of(record)
    if isinstance(origin, OpaqueOrigin):
        shown = record.redacted()
        raise URLParseError(f"The origin of {quoted(shown)} is opaque, so it has no URL.", shown)
    return trusted_record(origin.scheme, "", "", origin.host, origin.port, "/", None, None)

"""`weburl.origin_of`: the origin of a URL as callers give it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from weburl.standard.url.api import record_of
from weburl.standard.url.fast_path import untracked, with_fast_origin
from weburl.standard.url.origin import OpaqueOrigin, Origin, TupleOrigin, with_a_tuple_origin
from weburl.standard.url.record import AnyURL, URLRecord

BlobEntryOrigin: TypeAlias = Callable[[URLRecord], Origin | None]
"""From a blob URL to the origin of its entry's environment, or None for a URL without an entry."""


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

"""§4.7: the origin of a URL, as text.

A blob URL's origin is that of the URL in its path, so this stands above the parser.
"""

from __future__ import annotations

from typing import Final

from weburl.errors import Failure
from weburl.parser import parse_url
from weburl.records import URLRecord

OPAQUE_ORIGIN: Final = "null"


def serialize_origin(record: URLRecord) -> str:
    """Return the serialization of the origin of ``record``; "null" for an opaque one.

    Spec: #concept-url-origin
    """
    if record.scheme == "blob":
        try:
            inner = parse_url(record.path_text, None, "utf-8", None)
        except Failure:
            return OPAQUE_ORIGIN
        return serialize_origin(inner) if inner.scheme in ("http", "https") else OPAQUE_ORIGIN
    if record.scheme == "file" or not record.is_special:
        return OPAQUE_ORIGIN
    port = "" if record.port is None else f":{record.port}"
    return f"{record.scheme}://{record.host}{port}"

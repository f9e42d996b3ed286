"""The rows of WARC, WET and WAT files, which fastwarc reads: one for each record with a URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Final

import pyarrow as pa

from weburl.columns.files.errors import FileError
from weburl.standard.infra.releases import required

try:
    with required("fastwarc", "warc"):
        from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
except ImportError as _error:
    raise FileError(f"reading WARC files: {_error}") from None

COLUMNS: Final = pa.schema(
    [
        ("url", pa.string()),
        ("type", pa.string()),
        ("date", pa.string()),
        ("status", pa.int32()),
        ("content_type", pa.string()),
        ("body", pa.binary()),
    ]
)
"""The columns. ``body`` has the content as bytes, without the encodings of HTTP."""

MOST_BYTES: Final = 1 << 26
"""How long a record may be."""

# The others do not have the content of a URL. Of metadata, only the JSON of a WAT file does.
_TYPES: Final = (
    WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    | WarcRecordType.metadata
)  # fmt: skip


def rows_of(file: IO[bytes], *, only_pages: bool) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield the offset of each record, with its values or with what is wrong with it.

    ``only_pages``: whether bodies other than HTML are left empty. fastwarc cannot find the next
    record after bytes that are not a record, so these are always the last.
    """
    offset = 0
    try:
        for record in ArchiveIterator(file, record_types=_TYPES, parse_http=False):
            offset = record.stream_pos
            row = _row(record, only_pages=only_pages)
            if row is not None:
                yield offset, row
    except (OSError, ValueError):
        yield offset, "what follows this byte is damaged"


def _row(record: WarcRecord, *, only_pages: bool) -> dict[str, Any] | str | None:
    url, type = record.headers.get("WARC-Target-URI"), record.headers.get("Content-Type")
    is_json = (type or "").startswith("application/json")
    if url is None or (record.record_type == WarcRecordType.metadata and not is_json):
        return None
    data = record.reader.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        return f"a record is longer than {MOST_BYTES >> 20} MiB"
    if len(data) < record.content_length:
        return "a record is cut off"
    body, status = data, None
    if record.is_http:
        # Read anew, because an error in a body would end the iterator over all records.
        response = WarcRecord()
        response.set_bytes_content(data)
        response.is_http = True
        try:
            response.parse_http(auto_decode="all")
            body = response.reader.read(MOST_BYTES + 1)
        except (OSError, ValueError):
            return "a body cannot be decoded"
        if len(body) > MOST_BYTES:
            return f"a record is longer than {MOST_BYTES >> 20} MiB"
        if response.http_headers is not None:
            status = response.http_headers.status_code
            type = response.http_content_type or type
    if only_pages and not _is_html(type):
        body = b""
    return {
        # Old programs write the URL in angle brackets.
        "url": _scalar(url.removeprefix("<").removesuffix(">")),
        "type": str(record.record_type),
        "date": _scalar(record.headers.get("WARC-Date")),
        "status": status,
        "content_type": _scalar(type or None),
        "body": body,
    }


def _is_html(content_type: str | None) -> bool:
    essence = (content_type or "").partition(";")[0]
    return essence.strip(" \t").lower() in ("text/html", "application/xhtml+xml")


def _scalar(text: str | None) -> str | None:
    """Return text as Arrow can hold it."""
    return None if text is None else text.encode(errors="replace").decode()

"""Reader of WARC files, and so of WET and WAT files: a row for each record with a URL.

The records are cut out here, so that a broken one costs no other. fastwarc reads each of them, and
undoes what HTTP has done to a body.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import IO, Any, Final, NamedTuple

import pyarrow as pa

from weburl.columns.files.arguments import OnMalformed
from weburl.columns.files.errors import FileError
from weburl.columns.files.lines import MOST_BYTES
from weburl.columns.files.malformed import HINT, Malformed
from weburl.columns.files.places import Place
from weburl.columns.files.rows import Rows, Wanted, rows_of, type_of

try:
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
except ModuleNotFoundError as _error:
    if _error.name != "fastwarc":
        raise
    raise FileError("WARC files need fastwarc: pip install 'weburl[warc]'") from None

URL: Final = "url"
"""The column of the addresses."""
BODY: Final = "body"
"""The column of the contents, as bytes. What HTTP has compressed or cut into chunks is whole."""

_SCHEMA: Final = pa.schema(
    [
        (URL, pa.string()),
        ("type", pa.string()),
        ("date", pa.string()),
        ("status", pa.int32()),
        ("content_type", pa.string()),
        (BODY, pa.binary()),
    ]
)
# The others have no content of a URL. Of metadata, only the JSON of a WAT file does.
_TYPES: Final = (
    WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    | WarcRecordType.metadata
)  # fmt: skip
_JSON: Final = "application/json"

_BATCH: Final = 256
_BATCH_BYTES: Final = 1 << 24
_BLOCK: Final = 1 << 16
_BETWEEN: Final = 64  # bytes after a record, which are line ends and the beginning of the next
_MOST_KEPT: Final = 1 << 16  # bytes of a malformed record
_GZIP: Final = b"\x1f\x8b\x08"
_START: Final = re.compile(rb"WARC/\d\.\d\r?\n")
_LENGTH: Final = re.compile(rb"\n[Cc]ontent-[Ll]ength:[ \t]*([0-9]{1,15})[ \t]*\r?\n")
_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")

_CUT_OFF: Final = "a record is cut off"
_NOT_A_RECORD: Final = "not a WARC record"
_NOT_DECODED: Final = "a body cannot be decoded"
_TOO_LONG: Final = f"a record is longer than {MOST_BYTES >> 20} MiB"


class _Record(NamedTuple):
    """The bytes of a record, or what is wrong with it, and where it begins in the file."""

    offset: int
    data: bytes
    why: str | None = None


class WARCReader:
    """A WARC file, whose records may each be compressed by gzip.

    ``with_bodies``: whether the rows have their bodies, beside the column that is wanted.
    ``only_pages``: whether only HTML is wanted, so that all other bodies are empty.
    """

    unit = "B"
    in_lists = False

    def __init__(
        self,
        place: Place,
        file: IO[bytes],
        wanted: Wanted,
        on_malformed: OnMalformed = "stop",
        *,
        with_bodies: bool,
        only_pages: bool,
    ) -> None:
        assert place.path is not None
        self._place = place
        self._file = file
        self._only_pages = only_pages
        self._is_packed = place.compression is not None
        if file.read(len(_GZIP)) == _GZIP and not self._is_packed:
            raise FileError(f"{place} is compressed by gzip: its name must end in .gz")
        self._goes_on = on_malformed != "stop"
        self.total: int | None = place.path.stat().st_size
        self.schema: pa.Schema = _SCHEMA if with_bodies else _SCHEMA.remove(len(_SCHEMA) - 1)
        self._fields = url, base = wanted.fields(_SCHEMA, place)
        self.url_type: pa.DataType = type_of(_SCHEMA, url)
        self.base_type: pa.DataType | None = None if base is None else type_of(_SCHEMA, base)

    def __iter__(self) -> Iterator[Rows]:
        rows: list[tuple[Any, ...]] = []
        malformed: list[Malformed] = []
        size = 0
        for offset, data, why in records_of(self._file, is_packed=self._is_packed):
            row = None if why is not None else _row(data)
            if isinstance(row, str) or why is not None:
                malformed.append(self._malformed(offset, data, why or str(row)))
            elif row is not None:
                if self._only_pages and not _is_html(row[-2]):
                    row = (*row[:-1], b"")
                rows.append(row)
                size += len(row[-1])
            if len(rows) == _BATCH or len(malformed) == _BATCH or size >= _BATCH_BYTES:
                yield self._rows(rows, malformed)
                rows, malformed, size = [], [], 0
        if rows or malformed:
            yield self._rows(rows, malformed)

    def _malformed(self, offset: int, data: bytes, why: str) -> Malformed:
        if not self._goes_on:
            raise FileError(f"{self._place}, byte {offset:,}: {why}. {HINT}")
        return Malformed(offset, why, data[:_MOST_KEPT])

    def _rows(self, rows: list[tuple[Any, ...]], malformed: list[Malformed]) -> Rows:
        columns = list(zip(*rows, strict=True)) or [()] * len(_SCHEMA)
        arrays = [
            pa.array(values, field.type) for values, field in zip(columns, _SCHEMA, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)
        found = rows_of(batch, self._fields, tuple(malformed))
        return found._replace(kept=batch.select(self.schema.names))

    def position(self) -> int:
        return self._file.tell()


def _row(data: bytes) -> tuple[Any, ...] | str | None:
    """Return the values of a record, what is wrong with it, or None for one without a URL."""
    record = _read(data, "none")
    if record is None:
        return _NOT_A_RECORD
    url = record.headers.get("WARC-Target-URI")
    own_type = record.headers.get("Content-Type") or ""
    if url is None or not record.record_type & _TYPES:
        return None
    if record.record_type == WarcRecordType.metadata and not own_type.startswith(_JSON):
        return None
    status = content_type = None
    if record.http_headers is not None:
        status, content_type = record.http_headers.status_code, record.http_content_type
        names = {name.lower() for name, _ in record.http_headers}
        if not names.isdisjoint({"content-encoding", "transfer-encoding"}):
            record = _read(data, "all")
    body = None if record is None else _body(record)
    if record is None or body is None:
        return _NOT_DECODED
    if len(body) > MOST_BYTES:
        return _TOO_LONG
    return (
        # Old programs write the URL in angle brackets.
        _scalar(url.removeprefix("<").removesuffix(">")),
        str(record.record_type),
        _scalar(record.headers.get("WARC-Date")),
        status,
        _scalar(content_type or own_type or None),
        body,
    )


def _is_html(content_type: str | None) -> bool:
    essence = (content_type or "").partition(";")[0]
    return essence.strip(" \t").lower() in ("text/html", "application/xhtml+xml")


def _read(data: bytes, auto_decode: Any) -> WarcRecord | None:  # noqa: ANN401  # one of four names
    try:
        return next(iter(ArchiveIterator(BytesIO(data), auto_decode=auto_decode)), None)
    except (OSError, ValueError):
        return None


def _body(record: WarcRecord) -> bytes | None:
    """Return the content of a record, at most one byte more than it may have, or None."""
    try:
        return record.reader.read(MOST_BYTES + 1)
    except (OSError, ValueError):
        return None


def _scalar(text: str | None) -> str | None:
    """Return a text as Arrow can hold it."""
    return None if text is None else text.encode(errors="replace").decode()


# --- where records begin and end ------------------------------------------------------------------


def records_of(file: IO[bytes], *, is_packed: bool) -> Iterator[_Record]:
    """Yield the records of a file, and what is no record. No other is lost for it.

    ``is_packed``: whether gzip has packed each record, or some together of less than 64 MiB.
    """
    if not is_packed:
        yield from _plain_records(file)
        return
    offset: int | None = 0
    while offset is not None:
        member, end = _member(file, offset)
        if member is None:
            return
        if member.why is None:
            for record in _plain_records(BytesIO(member.data)):
                yield record._replace(offset=offset)
            offset = end
        else:
            yield member
            offset = _next(file, offset + 1, _GZIP, _begins_packed) if end is None else end


def _member(file: IO[bytes], offset: int) -> tuple[_Record | None, int | None]:
    """Return what gzip has packed at an offset, and where it ends, if that is known."""
    file.seek(offset)
    unpacker = zlib.decompressobj(31)
    parts: list[bytes] = []
    length = read = 0
    why = None
    while not unpacker.eof:
        block = file.read(_BLOCK)
        if not block:
            why = _CUT_OFF
            break
        read += len(block)
        try:
            part = unpacker.decompress(block)
        except zlib.error:
            why = _NOT_A_RECORD
            break
        length += len(part)
        if length <= MOST_BYTES:
            parts.append(part)
    if not read:
        return None, None
    if why is None and length > MOST_BYTES:
        why = _TOO_LONG
    end = offset + read - len(unpacker.unused_data) if unpacker.eof else None
    return _Record(offset, b"".join(parts), why), end


def _begins_packed(file: IO[bytes], offset: int) -> bool:
    file.seek(offset)
    try:
        return zlib.decompressobj(31).decompress(file.read(_BLOCK), 64).startswith(b"WARC/")
    except zlib.error:
        return False


def _begins_plainly(file: IO[bytes], offset: int) -> bool:
    file.seek(offset)
    return _START.match(file.read(_BETWEEN)) is not None


def _plain_records(file: IO[bytes]) -> Iterator[_Record]:
    offset: int | None = 0
    while offset is not None:
        file.seek(offset)
        head = file.read(_BLOCK)
        offset += len(head) - len(head.lstrip(b"\r\n"))
        head = head.lstrip(b"\r\n")
        if not head:
            return
        end_of_head = _END_OF_HEAD.search(head)
        length = None if end_of_head is None else _LENGTH.search(head, 0, end_of_head.end())
        if end_of_head is None or length is None or not _START.match(head):
            yield _Record(offset, head, _NOT_A_RECORD)
            offset = _next(file, offset + 1, b"WARC/", _begins_plainly)
            continue
        size = end_of_head.end() + int(length[1])
        if size > MOST_BYTES:
            yield _Record(offset, head, _TOO_LONG)
            offset += size
            continue
        file.seek(offset)
        data = file.read(size)
        if len(data) < size or not _ends_a_record(file.read(_BETWEEN)):
            # Its length may be wrong, or its end may be missing.
            yield _Record(offset, data, _CUT_OFF)
            offset = _next(file, offset + 1, b"WARC/", _begins_plainly)
        else:
            yield _Record(offset, data + b"\r\n\r\n")
            offset += size


def _ends_a_record(after: bytes) -> bool:
    """Return whether a record ends before these bytes. Some programs write fewer line ends."""
    rest = after.lstrip(b"\r\n")
    return after.startswith(b"\r\n\r\n") or not rest or rest.startswith(b"WARC/")


def _next(
    file: IO[bytes], offset: int, mark: bytes, is_one: Callable[[IO[bytes], int], bool]
) -> int | None:
    """Return where a mark is next, of those that are one, or None."""
    while True:
        file.seek(offset)
        block = file.read(_BLOCK)
        found = block.find(mark)
        if found >= 0 and is_one(file, offset + found):
            return offset + found
        if found < 0 and len(block) < _BLOCK:
            return None
        offset += found + 1 if found >= 0 else len(block) - len(mark) + 1

"""Reader of WARC files, and so of WET and WAT files: a row for each record with a URL.

The records are cut out here, so that a broken one costs no other. fastwarc reads each of them, and
undoes what HTTP has done to a body.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import SEEK_END, BytesIO
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
_PACKED: Final = re.compile(re.escape(_GZIP))
_START: Final = re.compile(rb"WARC/\d\.\d\r?\n")
_NO_LINE_END: Final = re.compile(rb"[^\r\n]")
_LENGTH: Final = re.compile(rb"\n[Cc]ontent-[Ll]ength:[ \t]*([0-9]{1,15})[ \t]*\r?\n")
_END_OF_HEAD: Final = re.compile(rb"\r?\n\r?\n")
_LONGEST_END: Final = len(b"\r\n\r\n")
_LONGEST_MARK: Final = len(b"WARC/1.0\r\n")
_MOST_HEAD: Final = 1 << 16
_PROBE: Final = 1 << 10  # bytes that tell what gzip has packed: its head, and tables of codes
# How many bytes are unpacked of members that turn out to be broken, before the search for others
# leaves out what they have read: these, and so many for each byte of the file before.
_MOST_IN_VAIN: Final = 1 << 28
_TIMES_IN_VAIN: Final = 4

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
        self._offset = 0
        self.schema: pa.Schema = _SCHEMA if with_bodies else _SCHEMA.remove(len(_SCHEMA) - 1)
        self._fields = url, base = wanted.fields(_SCHEMA, place)
        self.url_type: pa.DataType = type_of(_SCHEMA, url)
        self.base_type: pa.DataType | None = None if base is None else type_of(_SCHEMA, base)

    def __iter__(self) -> Iterator[Rows]:
        rows: list[tuple[Any, ...]] = []
        numbers: list[int] = []
        malformed: list[Malformed] = []
        size = 0
        for offset, data, why in records_of(self._file, is_packed=self._is_packed):
            self._offset = offset
            row = None if why is not None else _row(data)
            if isinstance(row, str) or why is not None:
                malformed.append(self._malformed(offset, data, why or str(row)))
            elif row is not None:
                if self._only_pages and not _is_html(row[-2]):
                    row = (*row[:-1], b"")
                rows.append(row)
                numbers.append(offset)
                size += len(row[-1])
            if len(rows) == _BATCH or len(malformed) == _BATCH or size >= _BATCH_BYTES:
                yield self._rows(rows, numbers, malformed)
                rows, numbers, malformed, size = [], [], [], 0
        self._offset = self.total or 0
        if rows or malformed:
            yield self._rows(rows, numbers, malformed)

    def _malformed(self, offset: int, data: bytes, why: str) -> Malformed:
        if not self._goes_on:
            raise FileError(f"{self._place}, byte {offset:,}: {why}. {HINT}")
        return Malformed(offset, why, data[:_MOST_KEPT])

    def _rows(
        self, rows: list[tuple[Any, ...]], numbers: list[int], malformed: list[Malformed]
    ) -> Rows:
        columns = list(zip(*rows, strict=True)) or [()] * len(_SCHEMA)
        arrays = [
            pa.array(values, field.type) for values, field in zip(columns, _SCHEMA, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)
        found = rows_of(batch, self._fields, numbers, tuple(malformed))
        return found._replace(kept=batch.select(self.schema.names))

    def position(self) -> int:
        return self._offset


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
    """Yield the records of a file, and the bytes that are not records. Later records are kept.

    ``is_packed``: whether gzip has packed each record, or some together of less than 64 MiB.
    """
    if not is_packed:
        yield from _plain_records(file)
        return
    source = _Source(file)
    offset: int | None = 0
    unpacked_in_vain = 0
    while offset is not None and offset < source.size:
        member = _member(file, offset)
        if member.why is None:
            for record in _plain_records(BytesIO(member.data)):
                yield record._replace(offset=offset)
        else:
            yield _Record(offset, member.data, member.why)
        if member.is_whole:
            offset = member.end
            continue
        # Members may begin in what a broken one has read. All of that is read again for each
        # that is broken, too, so a hostile file does not get it without end.
        unpacked_in_vain += max(member.length, member.end - offset)
        is_hostile = unpacked_in_vain > _MOST_IN_VAIN + _TIMES_IN_VAIN * offset
        offset = source.next_packed(max(member.end if is_hostile else 0, offset + 1))


class _Member(NamedTuple):
    """What gzip has packed: its bytes, or what is wrong with it.

    ``is_whole``: whether it ends at ``end``, else it is broken at some byte after that.
    ``length``: how many bytes were unpacked.
    """

    data: bytes
    why: str | None
    is_whole: bool
    end: int
    length: int


def _member(file: IO[bytes], offset: int) -> _Member:
    """Return what gzip has packed at an offset."""
    file.seek(offset)
    unpacker = zlib.decompressobj(31)
    parts: list[bytes] = []
    length = read = 0
    why = None
    while not unpacker.eof:
        # As much again as was read: of what is broken, little is unpacked.
        block = file.read(min(max(read, _PROBE), _BLOCK))
        if not block:
            why = _CUT_OFF
            break
        try:
            part = unpacker.decompress(block)
        except zlib.error:
            why = _NOT_A_RECORD
            break
        read += len(block)
        length += len(part)
        if length <= MOST_BYTES:
            parts.append(part)
    if why is None and length > MOST_BYTES:
        why = _TOO_LONG
    end = offset + read - len(unpacker.unused_data)
    return _Member(b"".join(parts), why, unpacker.eof, end, length)


def _plain_records(file: IO[bytes]) -> Iterator[_Record]:
    source = _Source(file)
    offset: int | None = source.after_line_ends(0)
    while offset is not None and offset < source.size:
        head, length = source.head(offset)
        size = 0 if head is None or length is None else head + length.value
        if size and source.has_end_of_record(offset + size):
            if size > MOST_BYTES:
                yield _Record(offset, source.read(offset, _MOST_KEPT), _TOO_LONG)
            else:
                yield _Record(offset, source.read(offset, size) + b"\r\n\r\n")
            offset = source.after_line_ends(offset + size)
            continue
        # A length may be wrong, or an end may be missing. What begins before the same length, or
        # before the end of a head without one, is no record either.
        search_from = offset + 1
        if length is not None:
            search_from = max(search_from, length.offset)
        elif head is not None:
            search_from = offset + head
        following = source.next_plain(search_from)
        to = source.size if following is None else following
        yield _Record(
            offset,
            source.read(offset, min(to - offset, _MOST_KEPT)),
            _CUT_OFF if size else _NOT_A_RECORD,
        )
        offset = following


class _Length(NamedTuple):
    """The length that a head declares, and where."""

    offset: int
    value: int


class _Source:
    """The bytes of a file, by their offsets. A block of them is kept, so few are read twice."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size: Final = file.seek(0, SEEK_END)
        self._start = 0
        self._block = b""
        # Where the last head that was found ends, and up to where there is no end.
        self._end_of_head: int | None = None
        self._searched = 0

    def read(self, offset: int, size: int) -> bytes:
        """Return so many bytes, or those that there are."""
        at = offset - self._start
        if at >= 0 and min(offset + size, self.size) <= self._start + len(self._block):
            return self._block[at : at + size]
        self._file.seek(offset)
        return self._file.read(size)

    def _around(self, offset: int) -> tuple[bytes, int]:
        """Return a block with all bytes that a head at an offset may have, and where it begins."""
        to = min(offset + _MOST_HEAD, self.size)
        if not self._start <= offset or to > self._start + len(self._block):
            self._file.seek(offset)
            self._start, self._block = offset, self._file.read(2 * _MOST_HEAD)
        return self._block, offset - self._start

    def after_line_ends(self, offset: int) -> int:
        """Return where the line ends at an offset end."""
        while offset < self.size:
            block, at = self._around(offset)
            found = _NO_LINE_END.search(block, at)
            if found:
                return offset + found.start() - at
            offset += max(len(block) - at, 1)
        return offset

    def head(self, offset: int) -> tuple[int | None, _Length | None]:
        """Return how long the head of a record at an offset is, and the first length in it.

        None for a head if its end is missing, and for a length if that is missing, or the bytes do
        not begin as a record does.
        """
        block, at = self._around(offset)
        if self._end_of_head is None or self._end_of_head <= offset:
            begin, to = max(offset, self._searched), offset + _MOST_HEAD
            end = _END_OF_HEAD.search(block, begin - self._start, to - self._start)
            if end is None:
                self._searched = max(begin, min(to, self.size) - _LONGEST_END)
            self._end_of_head = None if end is None else self._start + end.end()
        if self._end_of_head is None or self._end_of_head - offset > _MOST_HEAD:
            return None, None
        head = self._end_of_head - offset
        found = _LENGTH.search(block, at, at + head)
        if found is None:
            return head, None
        if not _START.match(block, at):
            return None, None
        return head, _Length(self._start + found.start(), int(found[1]))

    def has_end_of_record(self, offset: int) -> bool:
        """Return whether a record may end at an offset. Some programs write fewer line ends."""
        if offset > self.size:
            return False
        after = self.read(offset, _BETWEEN)
        rest = after.lstrip(b"\r\n")
        return after.startswith(b"\r\n\r\n") or not rest or rest.startswith(b"WARC/")

    def next_plain(self, offset: int) -> int | None:
        """Return where the next record seems to begin."""
        return next(self._marks(offset, _START), None)

    def next_packed(self, offset: int) -> int | None:
        """Return where gzip seems to have packed the next record."""
        marks = self._marks(offset, _PACKED)
        return next((mark for mark in marks if _begins_packed(self.read(mark, _PROBE))), None)

    def _marks(self, offset: int, mark: re.Pattern[bytes]) -> Iterator[int]:
        """Yield where a mark is; a mark may come twice."""
        while offset < self.size:
            block, at = self._around(offset)
            start = offset - at
            for found in mark.finditer(block, at):
                yield start + found.start()
            offset += max(len(block) - at - _LONGEST_MARK + 1, 1)


def _begins_packed(data: bytes) -> bool:
    try:
        return zlib.decompressobj(31).decompress(data, 64).startswith(b"WARC/")
    except zlib.error:
        return False

"""Readers of tables: Parquet with all its types, and CSV as text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from secrets import token_hex
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from weburl.column_files.errors import FileError
from weburl.column_files.lines import BLOCK, BYTE_ORDER_MARK
from weburl.column_files.places import DELIMITERS, Place, Source
from weburl.column_files.rows import Rows, Wanted, rows_of

_ROWS_AT_A_TIME: Final = 1 << 15
# A row of CSV must fit into a block.
_CSV_BLOCK: Final = 4 * BLOCK
_ROW: Final = re.compile(r"Row #(\d+)")


class ParquetReader:
    """A Parquet file, read in batches of a fixed size that does not depend on its row groups."""

    unit = "rows"

    def __init__(self, place: Place, wanted: Wanted) -> None:
        assert place.path is not None
        self._place = place
        try:
            # Do not load a whole row group: it may be the whole file.
            self._file = pq.ParquetFile(place.path, buffer_size=BLOCK, pre_buffer=False)
            self.schema: pa.Schema = self._file.schema_arrow
        except pa.ArrowException:
            raise FileError(f"{place} is not a Parquet file or is corrupt") from None
        self.total: int | None = self._file.metadata.num_rows
        self._indices = wanted.indices(self.schema.names, place)
        self.url_type: pa.DataType = self.schema.field(self._indices[0]).type
        base = self._indices[1]
        self.base_type: pa.DataType | None = None if base is None else self.schema.field(base).type
        self._read = 0

    def compression(self) -> str | None:
        """Return how the column of URLs is compressed, or None if there are no rows."""
        metadata = self._file.metadata
        if not metadata.num_row_groups:
            return None
        path = self.schema.names[self._indices[0]]
        group = metadata.row_group(0)
        chunks = (group.column(number) for number in range(group.num_columns))
        return next((chunk.compression for chunk in chunks if chunk.path_in_schema == path), None)

    def __iter__(self) -> Iterator[Rows]:
        try:
            for batch in self._file.iter_batches(_ROWS_AT_A_TIME):
                self._read += batch.num_rows
                yield rows_of(batch, self._indices)
        except (pa.ArrowException, OSError):
            raise FileError(f"{self._place} is corrupt after row {self._read:,}") from None

    def position(self) -> int:
        return self._read


class CSVReader:
    """A CSV or TSV file. Every cell is text, so that nothing is lost; an empty one is null."""

    unit = "B"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._place = place = source.place
        self._source = source
        self.total: int | None = source.size
        self._delimiter = DELIMITERS[place.format]
        names, self._begun = _header(source.stream, self._delimiter, place)
        self._indices = wanted.indices(names, place)
        self.schema: pa.Schema = pa.schema([(name, pa.string()) for name in names])
        self.url_type: pa.DataType = pa.string()
        self.base_type: pa.DataType | None = None if wanted.base_column is None else pa.string()
        self._read = 0
        self._wrong: Any = None

    def __iter__(self) -> Iterator[Rows]:
        stream = self._source.stream
        begun = self._begun or stream.read(BLOCK)
        if not begun:
            return
        if begun.startswith(BYTE_ORDER_MARK):
            # Arrow drops a byte order mark, but after the header it is text: write it twice.
            begun = BYTE_ORDER_MARK + begun
        names = self.schema.names
        # We append a last row: if it ends up inside a cell, a quotation mark is not closed.
        last = token_hex(16)
        row = f"{last}{self._delimiter * (len(names) - 1)}\n".encode()
        is_closed = False
        try:
            batches = pa_csv.open_csv(
                _Rows(begun, stream, row),
                pa_csv.ReadOptions(use_threads=False, block_size=_CSV_BLOCK, column_names=names),
                pa_csv.ParseOptions(
                    delimiter=self._delimiter,
                    newlines_in_values=True,
                    # In a file with one column, an empty line is an empty cell.
                    ignore_empty_lines=len(names) > 1,
                    invalid_row_handler=self._refuse,
                ),
                pa_csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            for batch in batches:
                count = batch.num_rows
                if count and batch.column(0)[-1].as_py() == last:
                    count -= 1
                    is_closed = True
                for start in range(0, count, _ROWS_AT_A_TIME):
                    size = min(_ROWS_AT_A_TIME, count - start)
                    yield rows_of(batch.slice(start, size), self._indices)
                self._read += count
        except pa.ArrowInvalid as error:
            raise self._error(str(error)) from None
        if not is_closed:
            where = f"{self._place}, row {self._read + 1:,} (the header is row 1)"
            raise FileError(f"{where}: a quotation mark is not closed")

    def _refuse(self, row: Any) -> str:  # noqa: ANN401  # pyarrow's own, without types
        self._wrong = row
        return "error"

    def _error(self, message: str) -> FileError:
        """Return our own error, because pyarrow's message quotes the row."""
        found = _ROW.search(message)
        row = int(found[1]) + 1 if found else self._read + 2
        if self._wrong is not None:
            wrong = self._wrong
            why = f"{wrong.actual_columns} cells, but the header has {wrong.expected_columns}"
            return FileError(f"{self._place}, row {row:,} (the header is row 1): {why}")
        if "UTF8" in message:
            return FileError(f"{self._place} is not UTF-8, in row {row:,} or after it")
        if "straddl" in message:
            why = f"longer than {_CSV_BLOCK >> 20} MiB, or a quotation mark is not closed"
            return FileError(f"{self._place}: a row after row {self._read + 1:,} is {why}")
        return FileError(f"{self._place} is not CSV after row {self._read + 1:,}")

    def position(self) -> int:
        return self._source.position()


def _header(stream: IO[bytes], delimiter: str, place: Place) -> tuple[list[str], bytes]:
    """Return the names in the first row, and what was read of the rows after it."""
    row = _FIRST_ROW[delimiter]
    data, size = b"", 1 << 16
    found = None
    # At the end of the data read so far, a cell or a CR LF may continue.
    while found is None or found.end() == len(data):
        if len(data) > BLOCK or not (more := stream.read(size)):
            break
        data, size = data + more, size * 2
        found = row.match(data)
    if found is None and data:
        why = f"longer than {BLOCK >> 20} MiB, or a quotation mark is not closed"
        raise FileError(f"{place}: row 1 is {why}")
    if found is None or not found[1]:
        raise FileError(f"{place} is empty: {place.format.upper()} begins with a row of names")
    try:
        text = f"{delimiter}{found[1].decode()}"
    except UnicodeDecodeError:
        raise FileError(f"{place} is not UTF-8, in row 1") from None
    names = [
        plain if quoted is None else quoted.replace('""', '"') + plain
        for quoted, plain in (cell.groups() for cell in _CELL[delimiter].finditer(text))
    ]
    return names, data[found.end() :]


# The rules by which Arrow reads the other rows: a quotation mark is special only at the beginning
# of a cell. The module `csv` is not used, because it expects text that is already split into lines.
# What repeats possessively has no alternatives or groups: Python before 3.11.5 gets those wrong.
_IN_MARKS: Final = '[^"]*+(?:""[^"]*+)*+'
_FIRST_ROW: Final[dict[str, re.Pattern[bytes]]] = {}
_CELL: Final[dict[str, re.Pattern[str]]] = {}
for _delimiter in DELIMITERS.values():
    _plain = rf"[^{_delimiter}\r\n]*+"
    _any = rf'(?:"{_IN_MARKS}"|(?!")){_plain}'
    _row = rf"(?:\xEF\xBB\xBF)?+({_any}(?:{_delimiter}{_any})*)(?:\r\n|\r|\n|\Z)"
    _FIRST_ROW[_delimiter] = re.compile(_row.encode())
    _CELL[_delimiter] = re.compile(rf'{_delimiter}(?:"({_IN_MARKS})")?({_plain})')


class _Rows(io.RawIOBase):
    """The rows after the header: what was already read of them, the stream, and one more row."""

    def __init__(self, begun: bytes, stream: IO[bytes], last: bytes) -> None:
        self._begun = begun
        self._stream = stream
        self._last = last
        self._ends_a_line = True

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data, self._begun = self._begun[:size], self._begun[size:]
        data += self._stream.read(size - len(data))
        if data:
            self._ends_a_line = data.endswith((b"\n", b"\r"))
        elif self._last:
            data = self._last if self._ends_a_line else b"\n" + self._last
            self._last = b""
        return data

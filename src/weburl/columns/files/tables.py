"""Readers of tables: Parquet with all its types, and CSV as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from weburl.columns.files.arguments import OnMalformed
from weburl.columns.files.errors import FileError
from weburl.columns.files.lines import BLOCK, BYTE_ORDER_MARK
from weburl.columns.files.malformed import HINT, Malformed, numbers_without
from weburl.columns.files.parquet_batches import ParquetBatches
from weburl.columns.files.places import DELIMITERS, Place, Source
from weburl.columns.files.rows import Rows, Wanted, are_in_lists, rows_of, type_of

_ROWS_AT_A_TIME: Final = 1 << 15
# The longest row of CSV, in bytes, that is read in any case.
_CSV_BLOCK: Final = 4 * BLOCK
_ROW: Final = re.compile(r"Row #(\d+)")


class ParquetReader:
    """A Parquet file, read in batches whose size does not depend on its row groups."""

    unit = "rows"

    def __init__(self, place: Place, wanted: Wanted, most_bytes: int | None = None) -> None:
        """Make the reader. ``most_bytes``: about how many a batch has, if other than usual."""
        assert place.path is not None
        self._place = place
        self._most_bytes = most_bytes
        try:
            # Do not load a whole row group: it may be the whole file.
            self._file = pq.ParquetFile(place.path, buffer_size=BLOCK, pre_buffer=False)
            self.schema: pa.Schema = self._file.schema_arrow
        except pa.ArrowException:
            raise FileError(f"{place} is not a Parquet file or is corrupt") from None
        self.total: int | None = self._file.metadata.num_rows
        self._fields = url, base = wanted.fields(self.schema, place)
        self.url_type: pa.DataType = type_of(self.schema, url)
        self.in_lists: bool = are_in_lists(self.schema, url)
        self.base_type: pa.DataType | None = None if base is None else type_of(self.schema, base)
        self._read = 0

    def compression(self) -> str | None:
        """Return how the column of URLs is compressed, or None if there are no rows."""
        metadata = self._file.metadata
        if not metadata.num_row_groups:
            return None
        path = ".".join(self._fields[0])
        group = metadata.row_group(0)
        chunks = (group.column(number) for number in range(group.num_columns))
        return next((chunk.compression for chunk in chunks if chunk.path_in_schema == path), None)

    def __iter__(self) -> Iterator[Rows]:
        try:
            for batch in ParquetBatches(self._place, self._file, self._most_bytes):
                first = self._read + 1
                self._read += batch.num_rows
                yield rows_of(batch, self._fields, range(first, first + batch.num_rows))
        except (pa.ArrowException, OSError):
            raise FileError(f"{self._place} is corrupt after row {self._read:,}") from None

    def position(self) -> int:
        return self._read


class CSVReader:
    """A CSV or TSV file. Every cell is text, so that nothing is lost; an empty one is null."""

    unit = "B"
    in_lists = False

    def __init__(self, source: Source, wanted: Wanted, on_malformed: OnMalformed = "stop") -> None:
        self._place = place = source.place
        self._source = source
        self.total: int | None = source.size
        self._delimiter = DELIMITERS[place.format]
        names, self._begun = _header(source.stream, self._delimiter, place)
        self.schema: pa.Schema = pa.schema([(name, pa.string()) for name in names])
        self._fields = wanted.fields(self.schema, place)
        self.url_type: pa.DataType = pa.string()
        self.base_type: pa.DataType | None = None if wanted.base_column is None else pa.string()
        self._goes_on = on_malformed != "stop"
        self._malformed: list[Malformed] = []  # in the block that is read
        self._read = 0
        self._wrong: Any = None

    def __iter__(self) -> Iterator[Rows]:
        blocks = _WholeRows(
            self._source.stream, self._begun, self._delimiter, goes_on=self._goes_on
        )
        for block in blocks:
            if blocks.is_broken:
                table = self.schema.empty_table()
                why = "a quotation mark is not closed"
                self._malformed = [Malformed(self._read + 2, why, block.rstrip(b"\r\n"))]
            else:
                table = self._table(block)
            malformed, self._malformed = tuple(self._malformed), []
            yield from self._batches(table, malformed)
            self._read += table.num_rows + len(malformed)
        if blocks.is_too_long:
            why = f"longer than {_CSV_BLOCK >> 20} MiB, or a quotation mark is not closed"
            raise FileError(f"{self._place}: a row after row {self._read + 1:,} is {why}")
        if blocks.is_open:
            where = f"{self._place}, row {self._read + 1:,} (the header is row 1)"
            raise FileError(f"{where}: a quotation mark is not closed. {HINT}")
        if cut_off := self._source.cut_off(self._read + 2, goes_on=self._goes_on):
            yield from self._batches(self.schema.empty_table(), cut_off)

    def _batches(self, table: pa.Table, malformed: tuple[Malformed, ...]) -> Iterator[Rows]:
        """Yield the rows of a block. The first batch has the malformed ones."""
        numbers = self._numbers(table.num_rows, malformed)
        for start in range(0, table.num_rows or bool(malformed), _ROWS_AT_A_TIME):
            rows = table.slice(start, _ROWS_AT_A_TIME).combine_chunks()
            columns = [
                pa.array([], field.type) if not column.num_chunks else column.chunk(0)
                for column, field in zip(rows.columns, self.schema, strict=True)
            ]
            batch = pa.RecordBatch.from_arrays(columns, schema=self.schema)
            own = numbers[start : start + _ROWS_AT_A_TIME]
            yield rows_of(batch, self._fields, own, malformed)
            malformed = ()

    def _numbers(self, rows: int, malformed: Collection[Malformed]) -> Sequence[int]:
        """Return the numbers of the rows of a block. The header is row 1."""
        first = self._read + 2
        return numbers_without(range(first, first + rows + len(malformed)), malformed)

    def _table(self, block: bytes) -> pa.Table:
        """Return the rows of a block, which contains whole rows."""
        try:
            return self._as(pa.string(), block)
        except pa.ArrowInvalid as error:
            if not (self._goes_on and "UTF8" in str(error)):
                raise self._error(str(error)) from None
        self._malformed = []
        table = self._as(pa.binary(), block)
        return self._without_bytes(table)

    def _without_bytes(self, table: pa.Table) -> pa.Table:
        """Return the rows that are UTF-8, as text, and put the others with the malformed ones."""
        wrong = sorted(
            {
                row
                for column in table.columns
                for row, cell in enumerate(column.to_pylist())
                if cell is not None and not _is_utf_8(cell)
            }
        )
        number_of = self._numbers(table.num_rows, self._malformed)
        for row in wrong:
            cells = [column[row].as_py() or b"" for column in table.columns]
            line = self._delimiter.encode().join(cells)
            self._malformed.append(Malformed(number_of[row], "not UTF-8", line))
        self._malformed.sort()
        there = set(wrong)
        kept = pa.array([row not in there for row in range(table.num_rows)], pa.bool_())
        return table.filter(kept).cast(self.schema)

    def _as(self, type: pa.DataType, block: bytes) -> pa.Table:
        """Return the rows of a block with cells of this type.

        Arrow reads from memory. If it read the file itself, it would do so in a thread of its own,
        which calls Python even after an error, while the interpreter shuts down.
        """
        names = self.schema.names
        if block.startswith(BYTE_ORDER_MARK):
            # Arrow drops a byte order mark, but after the header it is text: write it twice.
            block = BYTE_ORDER_MARK + block
        return pa_csv.read_csv(
            pa.BufferReader(block),
            pa_csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=names),
            pa_csv.ParseOptions(
                delimiter=self._delimiter,
                newlines_in_values=True,
                # In a file with one column, an empty line is an empty cell.
                ignore_empty_lines=len(names) > 1,
                invalid_row_handler=self._skip if self._goes_on else self._refuse,
            ),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, type),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )

    def _refuse(self, row: Any) -> str:  # noqa: ANN401  # pyarrow's own, without types
        self._wrong = row
        return "error"

    def _skip(self, row: Any) -> str:  # noqa: ANN401
        number = self._read + row.number + 1
        self._malformed.append(Malformed(number, _cells(row), row.text.encode()))
        return "skip"

    def _error(self, message: str) -> FileError:
        """Return our own error, because pyarrow's message quotes the row."""
        found = _ROW.search(message)
        row = self._read + (int(found[1]) + 1 if found else 2)
        if self._wrong is not None:
            why = _cells(self._wrong)
            return FileError(f"{self._place}, row {row:,} (the header is row 1): {why}. {HINT}")
        if "UTF8" in message:
            return FileError(f"{self._place} is not UTF-8, in row {row:,} or after it. {HINT}")
        return FileError(f"{self._place} is not CSV after row {self._read + 1:,}")

    def position(self) -> int:
        return self._source.position()


def _cells(row: Any) -> str:  # noqa: ANN401  # pyarrow's own, without types
    return f"{row.actual_columns} cells, but the header has {row.expected_columns}"


def _is_utf_8(cell: bytes) -> bool:
    try:
        cell.decode()
    except UnicodeDecodeError:
        return False
    return True


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
        what = "begins with an empty line" if data.strip(BYTE_ORDER_MARK + b"\r\n") else "is empty"
        raise FileError(f"{place} {what}: {place.format.upper()} begins with a row of names")
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
# The quotation mark at its end is missing if the data ends before it.
_QUOTED_CELL: Final = re.compile(f'"{_IN_MARKS}(")?'.encode())
_FIRST_ROW: Final[dict[str, re.Pattern[bytes]]] = {}
_WHOLE_CELLS: Final[dict[str, re.Pattern[bytes]]] = {}
_CELL: Final[dict[str, re.Pattern[str]]] = {}
for _delimiter in DELIMITERS.values():
    _plain = rf"[^{_delimiter}\r\n]*+"
    _any = rf'(?:"{_IN_MARKS}"|(?!")){_plain}'
    _row = rf"(?:\xEF\xBB\xBF)?+({_any}(?:{_delimiter}{_any})*)(?:\r\n|\r|\n|\Z)"
    _FIRST_ROW[_delimiter] = re.compile(_row.encode())
    # The group is the last end of a row. At the end of the data, LF may follow a CR.
    # A match needs memory for each cell, so it has at most a thousand.
    _WHOLE_CELLS[_delimiter] = re.compile(
        rf"(?:{_any}(?:{_delimiter}|(\n|\r(?:\n|(?!\Z))))){{1,1000}}".encode()
    )
    _CELL[_delimiter] = re.compile(rf'{_delimiter}(?:"({_IN_MARKS})")?({_plain})')


_LINE: Final = re.compile(rb"[^\r\n]*+(?:\r\n|\r|\n)")


class _WholeRows:
    """Blocks of whole rows: what was read of them with the header, and then the stream.

    After the last block, ``is_open`` says whether a quotation mark is not closed, and
    ``is_too_long`` whether a row was too long. What follows such a row was not read. With
    ``goes_on``, the first line of such a row is a block of its own, for which ``is_broken`` is
    true, and the next line begins a row.
    """

    def __init__(
        self, stream: IO[bytes], begun: bytes, delimiter: str, *, goes_on: bool = False
    ) -> None:
        self._goes_on = goes_on
        self.is_broken = False
        self.is_open = False
        self.is_too_long = False
        self._stream = stream
        self._begun = begun
        self._whole_cells = _WHOLE_CELLS[delimiter]

    def __iter__(self) -> Iterator[bytes]:
        rest = self._begun
        while more := self._stream.read(BLOCK):
            data = rest + more
            end = self._end_of_rows(data)
            if end:
                yield data[:end]
            rest = data[end:]
            if len(rest) > _CSV_BLOCK:
                line = _LINE.match(rest) if self._goes_on and self.is_open else None
                if line is None:
                    self.is_too_long = True
                    return
                rest = rest[line.end() :]
                yield from self._broken(line[0])
        while rest:
            end = self._end_of_rows(rest)
            if not (self.is_open and self._goes_on):
                yield rest
                return
            if end:
                yield rest[:end]
            line = _LINE.match(rest, end)
            broken = rest[end:] if line is None else line[0]
            rest = rest[end + len(broken) :]
            self.is_open = False
            yield from self._broken(broken)

    def _broken(self, line: bytes) -> Iterator[bytes]:
        self.is_broken = True
        yield line
        self.is_broken = False

    def _end_of_rows(self, data: bytes) -> int:
        """Return where the last whole row of ``data`` ends, and set ``is_open``."""
        if b'"' not in data:
            self.is_open = False
            return _end_of_lines(data)
        end = after = 0
        while cells := self._whole_cells.match(data, after):
            after = cells.end()
            end = end if cells[1] is None else cells.end(1)
        cell = _QUOTED_CELL.match(data, after)
        self.is_open = cell is not None and cell[1] is None
        return end


def _end_of_lines(data: bytes) -> int:
    """Return where the last whole line ends, or 0 if none does."""
    # LF may follow a CR at the end of the data.
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, max(0, len(data) - 1))) + 1

"""Writers: Parquet with all types, and the other formats as lines of text.

A writer takes record batches of one schema and writes bytes to a stream, which the caller opens and
closes.
"""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import IO, Any, Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from weburl.columns.files.errors import FileError
from weburl.columns.files.json_lines import LINE
from weburl.columns.files.places import DELIMITERS, Place

# A row group is written when it reaches this many rows, or this many bytes before compression.
_GROUP_ROWS: Final = 1 << 18
_GROUP_BYTES: Final = 1 << 26
_DEFAULT_COMPRESSION: Final = "snappy"


class Writer(Protocol):
    """Writes batches."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch. Raises `FileError` for values that the format cannot represent."""

    def end_group(self) -> None:
        """Write what is buffered, so that its memory is free."""

    def finish(self) -> None:
        """Write what is buffered. The stream stays open."""

    def abandon(self) -> None:
        """Give up after an error. Errors here would hide that one."""


def writer_of(
    place: Place, stream: IO[bytes], schema: pa.Schema, compression: str | None, column: str
) -> Writer:
    """Return a writer for the format of ``place``.

    Args:
        place: The place that is written, also for messages.
        stream: The stream to write to.
        schema: The columns of the rows.
        compression: The compression inside Parquet, or None for the default.
        column: The only column that plain text contains.

    Raises:
        FileError: The format cannot represent the schema.
    """
    if place.format == "parquet":
        return _ParquetWriter(stream, schema, compression)
    if place.format in DELIMITERS:
        return _CSVWriter(stream, schema, DELIMITERS[place.format], place)
    if place.format == "text":
        if column not in schema.names:
            raise FileError(f"{place}: plain text cannot represent a field of a struct")
        return _TextWriter(stream, schema.field(column), place)
    if schema.names and schema.field(0).equals(LINE, check_metadata=True):
        return _LinesWriter(stream, schema)
    return _JSONWriter(stream, schema, place)


class _ParquetWriter:
    """Collects batches, so that row groups are large but fit into memory."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, compression: str | None) -> None:
        own = (compression or _DEFAULT_COMPRESSION).lower().replace("uncompressed", "none")
        known = own == "none" or (own != "lz4_raw" and pa.Codec.is_available(own))
        self._file = pq.ParquetWriter(
            stream, schema, compression=own if known else _DEFAULT_COMPRESSION
        )
        self._waiting: list[pa.RecordBatch] = []
        # A row group has one dictionary for each column, and readers use the same type for indices.
        self._most = {
            number: 1 << (field.type.index_type.bit_width - pa.types.is_signed_integer(own))
            for number, field in enumerate(schema)
            if pa.types.is_dictionary(field.type) and (own := field.type.index_type).bit_width <= 16
        }
        self._values: dict[int, pa.Array] = {}

    def write(self, batch: pa.RecordBatch) -> None:
        values = self._values_with(batch)
        if any(len(values[number]) > most for number, most in self._most.items()):
            self.end_group()
            values = self._values_with(batch)
        self._values = values
        self._waiting.append(batch)
        rows = sum(len(waiting) for waiting in self._waiting)
        if rows >= _GROUP_ROWS or sum(each.nbytes for each in self._waiting) >= _GROUP_BYTES:
            self.end_group()

    def end_group(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting)
            self._file.write_table(table, row_group_size=max(1, len(table)))
            self._waiting = []
            self._values = {}

    def _values_with(self, batch: pa.RecordBatch) -> dict[int, pa.Array]:
        """Return the dictionaries that the row group would have with another batch."""
        values = {}
        for number in self._most:
            own = batch.column(number).dictionary
            there = self._values.get(number, own)
            values[number] = own if there is own else pa.concat_arrays([there, own]).unique()
        return values

    def finish(self) -> None:
        self.end_group()
        self._file.close()

    def abandon(self) -> None:
        with suppress(pa.ArrowException, OSError, ValueError):
            self._file.close()
        self._file.is_open = False  # Otherwise it tries again when it is garbage-collected.


class _Unbuffered:
    """A writer that keeps nothing between two batches."""

    def end_group(self) -> None:
        pass

    def finish(self) -> None:
        pass

    def abandon(self) -> None:
        pass


class _CSVWriter(_Unbuffered):
    """Writes cells, with quotation marks if needed. Null is an empty cell, and "" is ``""``."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, delimiter: str, place: Place) -> None:
        self._stream = stream
        self._delimiter = delimiter
        self._special = f'[{delimiter}"\r\n]'
        for field in schema:
            if pa.types.is_nested(field.type) or _is_bytes(field.type):
                raise FileError(
                    f"{place}: a cell of {place.format.upper()} cannot represent '{field.name}', "
                    f"which has the type {field.type}"
                )
        self._write([pa.array([name], pa.large_string()) for name in schema.names])

    def write(self, batch: pa.RecordBatch) -> None:
        self._write([_as_text(column) for column in batch.columns])

    def _write(self, columns: list[pa.Array]) -> None:
        cells = [self._quoted(column) for column in columns]
        _write_lines(self._stream, _joined(*cells, between=self._delimiter))

    def _quoted(self, column: pa.Array) -> pa.Array:
        wanted = pc.or_(
            pc.match_substring_regex(column, self._special), pc.equal(pc.binary_length(column), 0)
        )
        if pc.any(wanted).as_py():
            marks = pc.replace_substring(column, '"', '""')
            quoted = _joined('"', marks, '"')
            column = pc.if_else(wanted, quoted, column)
        return pc.fill_null(column, "")


class _TextWriter(_Unbuffered):
    """Writes one column, a value on each line; null is an empty line."""

    def __init__(self, stream: IO[bytes], field: pa.Field, place: Place) -> None:
        self._stream = stream
        self._place = place
        self._name = field.name
        if pa.types.is_nested(field.type) or _is_bytes(field.type):
            raise FileError(f"{place}: plain text cannot represent '{field.name}'")

    def write(self, batch: pa.RecordBatch) -> None:
        texts = _as_text(batch.column(self._name))
        if pc.any(pc.match_substring_regex(texts, "[\r\n]")).as_py():
            raise FileError(
                f"{self._place}: a value of '{self._name}' has a line break, which plain text"
                " cannot represent"
            )
        _write_lines(self._stream, pc.fill_null(texts, ""))


class _LinesWriter(_Unbuffered):
    """Writes lines of JSON as they were read, with the other columns at the end of each object."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema) -> None:
        self._stream = stream
        self._names = [f"{json.dumps(name, ensure_ascii=False)}: " for name in schema.names[1:]]

    def write(self, batch: pa.RecordBatch) -> None:
        lines = pc.ascii_trim_whitespace(batch.column(0).cast(pa.large_string()))
        if not self._names:  # The only new column names the folders.
            _write_lines(self._stream, lines)
            return
        begun = pc.binary_slice(lines.cast(pa.large_binary()), 0, -1).cast(pa.large_string())
        is_empty = pc.equal(pc.binary_length(pc.ascii_rtrim_whitespace(begun)), 1)
        commas = pc.if_else(is_empty, "", ", ").cast(pa.large_string())
        members = [
            _joined(name, _as_json(column))
            for name, column in zip(self._names, batch.columns[1:], strict=True)
        ]
        _write_lines(self._stream, _joined(begun, commas, _joined(*members, between=", "), "}"))


class _JSONWriter(_Unbuffered):
    """Writes rows as objects. Dates and the like are text, and NaN is null."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, place: Place) -> None:
        self._stream = stream
        self._place = place
        if len(set(schema.names)) < len(schema.names):
            raise FileError(f"{place}: two columns have the same name, which JSON does not allow")
        for field in schema:
            if _is_bytes(field.type):
                raise FileError(f"{place}: JSON cannot represent the bytes of '{field.name}'")

    def write(self, batch: pa.RecordBatch) -> None:
        encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode
        columns = [_as_python(column) for column in batch.columns]
        try:
            rows = pa.RecordBatch.from_arrays(columns, batch.schema.names).to_pylist()
        except ValueError:  # Nanoseconds inside other values.
            raise FileError(
                f"{self._place}: a date, a time or a duration is too precise for JSON lines"
            ) from None
        try:
            lines = [encode(row) for row in rows]
        except ValueError:
            lines = [encode(_finite(row)) for row in rows]
        self._stream.write("".join(f"{line}\n" for line in lines).encode())


def _write_lines(stream: IO[bytes], texts: pa.Array) -> None:
    """Write each text and LF, directly from the Arrow buffer of all lines."""
    lines = _joined(texts, "\n")
    if len(lines):
        offsets, data = lines.buffers()[1:]
        ends = memoryview(offsets).cast("q")
        stream.write(memoryview(data)[ends[lines.offset] : ends[lines.offset + len(lines)]])


def _joined(*texts: pa.Array | str, between: str = "") -> pa.Array:
    """Return the texts of each row joined; a str is the same for every row."""
    of_row = [
        pa.scalar(text, pa.large_string()) if isinstance(text, str) else text
        for text in (*texts, between)
    ]
    return pc.binary_join_element_wise(*of_row)


def _as_text(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.cast(pa.large_string())


# What JSON escapes in text.
_ESCAPED: Final = '["\\\\\x00-\x1f]'


def _as_json(column: pa.Array) -> pa.Array:
    """Return values as JSON texts, as `json.dumps` writes them."""
    own = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(own) or pa.types.is_boolean(own):
        return pc.fill_null(_as_text(column), "null")
    if pa.types.is_string(own) or pa.types.is_large_string(own):
        texts = _as_text(column)
        if not pc.any(pc.match_substring_regex(texts, _ESCAPED)).as_py():
            return pc.fill_null(_joined('"', texts, '"'), "null")
    encode = json.JSONEncoder(ensure_ascii=False).encode
    return pa.array([encode(value) for value in column.to_pylist()], pa.large_string())


def _is_bytes(type: pa.DataType) -> bool:
    own = type.value_type if pa.types.is_dictionary(type) else type
    checks = (
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_binary_view,
        pa.types.is_fixed_size_binary,
    )
    return any(check(own) for check in checks)


def _plain(value: object) -> object:
    """Return a value without a JSON type as text: a date, a time, a decimal number."""
    return value.decode(errors="backslashreplace") if isinstance(value, bytes) else str(value)


def _as_python(column: pa.Array) -> pa.Array:
    """Return nanoseconds as microseconds, or as text if that would lose precision.

    Python has no type for nanoseconds. Arrow would return pandas objects if pandas is installed,
    and different values for times of the day.
    """
    type = column.type
    if pa.types.is_timestamp(type) and type.unit == "ns":
        own = pa.timestamp("us", type.tz)
    elif pa.types.is_time64(type) and type.unit == "ns":
        own = pa.time64("us")
    else:
        return column
    try:
        return column.cast(own)
    except pa.ArrowInvalid:
        return column.cast(pa.large_string())


def _finite(value: Any) -> Any:  # noqa: ANN401  # whatever a row holds
    """Return a value with null in place of NaN and infinity, which JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list) else value

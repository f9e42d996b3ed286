"""Batches of a Parquet file that fit into memory, and which files unpack to too much.

A dictionary has each value once, and rows repeat it in a few bits. So a file of a few kilobytes can
have gigabytes of text. How much it is depends on the dictionaries, not only on the footer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.lines import BLOCK
from weburl.columns.files.places import Place

_ROWS_AT_A_TIME: Final = 1 << 15
# A batch has fewer rows if its values could take more bytes than this: the longest of a dictionary,
# and as many as the others have on average.
_BATCH_BYTES: Final = 1 << 28
# The longest value of a dictionary, in bytes.
_LONGEST_VALUE: Final = 1 << 26
# What Arrow has to unpack at once may have this many bytes, or this many times its compressed size.
_UNPACKED: Final = 1 << 30
_TIMES_COMPRESSED: Final = 100
# The same for all rows of the file. Text compressed by gzip grows about as much at most.
_ALL_UNPACKED: Final = 1 << 32
_TIMES_FILE: Final = 1000

_WIDTHS: Final = {
    "BOOLEAN": 1,
    "INT32": 4,
    "INT64": 8,
    "INT96": 12,
    "FLOAT": 4,
    "DOUBLE": 8,
    "BYTE_ARRAY": 4,  # the offset
}


class ParquetBatches:
    """The record batches of a Parquet file, in order.

    Iterating raises `FileError` if the file unpacks to too much, ArrowException or OSError if it is
    corrupt.
    """

    def __init__(self, place: Place, file: pq.ParquetFile, most_bytes: int | None = None) -> None:
        assert place.path is not None
        self._most_bytes = _BATCH_BYTES if most_bytes is None else most_bytes
        self._place = place
        self._file = file
        self._size = place.path.stat().st_size
        self._columns: list[Any] = [file.schema.column(i) for i in range(len(file.schema))]
        texts = [column.path for column in self._columns if column.physical_type == "BYTE_ARRAY"]
        # The field "b" of a struct "a" has the same path as a column "a.b". pyarrow then reads the
        # dictionary of the last of them only.
        self._number_of_path = {column.path: at for at, column in enumerate(self._columns)}
        # Reads each dictionary as it is, and the rows as indices.
        self._encoded = pq.ParquetFile(
            place.path, read_dictionary=texts, buffer_size=BLOCK, pre_buffer=False
        )

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        read = unpacked = 0
        most = max(_ALL_UNPACKED, _TIMES_FILE * self._size)
        for groups, rows in self._runs():
            for batch in self._file.iter_batches(rows, row_groups=groups):
                unpacked += batch.nbytes
                if unpacked > most:
                    raise FileError(
                        f"{self._place}: the rows up to row {read + batch.num_rows:,} unpack to"
                        f" more than {_TIMES_FILE:,} times the size of the file"
                    )
                read += batch.num_rows
                yield batch

    def _runs(self) -> Iterator[tuple[list[int], int]]:
        """Yield row groups that are read together, and how many of their rows at a time.

        Row groups can be tiny, but a batch of few rows takes as long as one of many.
        """
        metadata = self._file.metadata
        groups: list[int] = []
        there, at_a_time = 0, _ROWS_AT_A_TIME
        for group in range(metadata.num_row_groups):
            groups.append(group)
            there += metadata.row_group(group).num_rows
            at_a_time = min(at_a_time, self._rows_at_a_time(group))
            if there >= _ROWS_AT_A_TIME:
                yield groups, at_a_time
                groups, there, at_a_time = [], 0, _ROWS_AT_A_TIME
        if groups:
            yield groups, at_a_time

    def _rows_at_a_time(self, group: int) -> int:
        """Return how many rows of a row group fit into a batch. Raises `FileError` if none do."""
        width = 1
        rows = self._file.metadata.row_group(group).num_rows
        for number, column in enumerate(self._columns):
            chunk = self._file.metadata.row_group(group).column(number)
            most = max(_UNPACKED, _TIMES_COMPRESSED * min(chunk.total_compressed_size, self._size))
            fixed = _WIDTHS.get(column.physical_type, column.length)
            values = chunk.num_values * fixed if column.max_repetition_level else 0
            if max(chunk.total_uncompressed_size, values) > most:
                raise self._too_much(group, column)
            width += 0 if column.max_repetition_level else fixed
            if column.physical_type != "BYTE_ARRAY":
                continue
            if not _has_dictionary(chunk):
                width += 0 if not rows else chunk.total_uncompressed_size // rows
                continue
            if column.max_repetition_level:
                # One row may have all values of the row group.
                if self._size_of_lists(group, number, chunk) > most:
                    raise self._too_much(group, column)
            else:
                width += self._longest(group, number, chunk)
        return max(1, min(_ROWS_AT_A_TIME, self._most_bytes // width))

    def _longest(self, group: int, number: int, chunk: Any) -> int:  # noqa: ANN401
        """Return the most bytes that a value in the dictionary of a row group can have."""
        if not self._has_own_path(number):
            return int(min(chunk.total_uncompressed_size, _LONGEST_VALUE))
        for leaf in self._leaves(group, number, 1):
            return self._longest_of(leaf.dictionary, group, self._columns[number])
        return 0

    def _size_of_lists(self, group: int, number: int, chunk: Any) -> int:  # noqa: ANN401
        """Return the most bytes that all values can have, or 0 if they cannot be too many."""
        if not self._has_own_path(number):
            return int(chunk.num_values * min(chunk.total_uncompressed_size, _LONGEST_VALUE))
        size = 0
        for leaf in self._leaves(group, number, 1024):
            if len(leaf.dictionary) == 0:
                continue
            longest = self._longest_of(leaf.dictionary, group, self._columns[number])
            if chunk.num_values * longest <= _UNPACKED:
                return 0
            lengths = pc.binary_length(leaf.dictionary).cast(pa.int64())
            size += pc.sum(lengths.take(leaf.indices)).as_py() or 0
        return size

    def _has_own_path(self, number: int) -> bool:
        """Return whether the dictionary of a column can be read, because its path names only it."""
        return self._number_of_path[self._columns[number].path] == number

    def _leaves(self, group: int, number: int, rows: int) -> Iterator[pa.DictionaryArray]:
        """Yield the values of one column of a row group, some rows at a time."""
        # By its number: its path, or the start of it, could also name other columns.
        for batch in self._encoded.reader.iter_batches(
            rows, row_groups=[group], column_indices=[number], use_threads=False
        ):
            yield _leaf(batch.column(0))

    def _longest_of(self, values: pa.Array, group: int, column: Any) -> int:  # noqa: ANN401
        longest: int = pc.max(pc.binary_length(values)).as_py() or 0
        if longest > _LONGEST_VALUE:
            raise FileError(
                f"{self._where(group, column)} has a value longer than {_LONGEST_VALUE >> 20} MiB"
            )
        return longest

    def _too_much(self, group: int, column: Any) -> FileError:  # noqa: ANN401
        return FileError(
            f"{self._where(group, column)} unpacks to more than {_UNPACKED >> 30} GiB and more than"
            f" {_TIMES_COMPRESSED} times its size"
        )

    def _where(self, group: int, column: Any) -> str:  # noqa: ANN401
        return f"{self._place}, row group {group + 1:,}: the column {listed([column.path])}"


def _has_dictionary(chunk: Any) -> bool:  # noqa: ANN401  # pyarrow's own, without types
    return any("DICTIONARY" in encoding for encoding in chunk.encodings)


def _leaf(column: pa.Array) -> pa.DictionaryArray:
    """Return the values inside a nested column of which only one leaf was read."""
    while not pa.types.is_dictionary(column.type):
        column = column.field(0) if pa.types.is_struct(column.type) else column.values
    return column

"""Output that is split up into folders such as ``host=example.com``, as Hive, Spark and DuckDB do.

Rows are collected and then written folder by folder, so memory and the number of open files do not
grow with the number of folders. The column is left out of the files, because engines read it from
the names of the folders.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from operator import ge
from pathlib import Path
from typing import Final, Protocol

import attrs
import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.places import EXTENSIONS, Place, new_folder

NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
"""The value in the name of the folder of rows without one. Engines read it as null."""

_MOST_OPEN: Final = 100
# Rows are written when there are this many, or this many bytes, or rows in so many folders.
_MOST_ROWS: Final = 1 << 20
_MOST_BYTES: Final = 1 << 27
_MOST_PIECES: Final = 1 << 17
_LONGEST: Final = 255  # bytes in the name of a folder, on nearly all file systems
# Capital letters, because "A" and "a" are one name on some file systems.
_ESCAPED: Final = re.compile(rb"[^a-z0-9._-]|\.$")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+")


@attrs.frozen
class Partitioning:
    """How rows are split up.

    ``column``: the new column whose values name the folders. ``bucket``: the name of the numbers
    of buckets, if they name the folders instead: the number in ``column``, modulo ``buckets``.
    """

    column: str
    bucket: str | None = None
    buckets: int = 0

    def __attrs_post_init__(self) -> None:
        if _PLAIN.fullmatch(self.name) is None:
            raise FileError(
                f"--partition-by: the name of a folder cannot begin with {listed([self.name])}"
            )

    @property
    def name(self) -> str:
        """What the names of the folders begin with."""
        return self.bucket or self.column

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the columns in the files. Raises `FileError` if the rows cannot be split up."""
        number = schema.names.index(self.column)
        if pa.types.is_nested(schema.field(number).type):
            raise FileError("--partition-by needs one URL in each row, not lists")
        if self.bucket is None:
            return schema.remove(number)
        if self.bucket in schema.names:
            raise FileError(
                f"the input already has {listed([self.bucket])}: use --prefix for other names"
            )
        return schema

    def folders(self, column: pa.Array) -> pa.DictionaryArray:
        """Return the name of the folder of each row, for the values of ``column``."""
        if self.bucket is None:
            encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        else:
            encoded = pa.array(
                [None if value is None else value % self.buckets for value in column.to_pylist()],
                pa.int64(),
            ).dictionary_encode()
        names = [self._folder(value) for value in encoded.dictionary.to_pylist()]
        folders = pa.array([*names, self._folder(None)], pa.string())
        indices = pc.fill_null(encoded.indices.cast(pa.int64()), len(names))
        # Two values can have one folder: "" and null.
        return folders.take(indices).dictionary_encode()

    def _folder(self, value: str | int | None) -> str:
        text = b"" if value is None else str(value).encode()
        escaped = _ESCAPED.sub(lambda found: b"%%%02X" % found[0][0], text).decode()
        folder = f"{self.name}={escaped}"
        return folder if text and len(folder) <= _LONGEST else f"{self.name}={NO_VALUE}"


class Part(Protocol):
    """A file in a folder."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write rows."""

    def end_group(self) -> None:
        """Write what is buffered to the file, so that memory is free."""

    def finish(self) -> None:
        """Write everything to the disk, and close the file."""

    def abandon(self) -> None:
        """Close the file after an error."""


class Partitions:
    """Writes rows into the folders below ``path``. ``opened`` opens a new file.

    A folder gets one file, or more if there are more than a hundred folders: then the file that was
    written to least recently is closed.
    """

    def __init__(
        self,
        partitioning: Partitioning,
        place: Place,
        path: Path,
        schema: pa.Schema,
        opened: Callable[[Path, pa.Schema], Part],
    ) -> None:
        self.place = place
        self.path = path
        self.is_finished: bool = False
        self._partitioning = partitioning
        self._number = schema.names.index(partitioning.column)
        self._schema = partitioning.schema(schema)
        self._opened = opened
        self._open: OrderedDict[str, Part] = OrderedDict()
        self._waiting: dict[str, list[pa.RecordBatch]] = {}
        self._rows = self._bytes = self._pieces = self._written = 0
        new_folder(path)

    def write(self, batch: pa.RecordBatch) -> None:
        """Write rows."""
        folders = self._partitioning.folders(batch.column(self._number))
        order = pc.array_sort_indices(folders.indices)
        columns = batch.columns
        if len(self._schema) < len(columns):
            del columns[self._number]
        rows = pa.RecordBatch.from_arrays(columns, schema=self._schema).take(order)
        names = folders.dictionary.to_pylist()
        start = 0
        for each in folders.indices.take(order).value_counts().to_pylist():
            piece = rows.slice(start, each["counts"])
            self._waiting.setdefault(names[each["values"]], []).append(piece)
            start += each["counts"]
            self._pieces += 1
        self._rows += len(rows)
        self._bytes += rows.nbytes
        most = (_MOST_ROWS, _MOST_BYTES, _MOST_PIECES)
        if any(map(ge, (self._rows, self._bytes, self._pieces), most)):
            self._write_waiting()

    def _write_waiting(self) -> None:
        for folder, pieces in self._waiting.items():
            part = self._part(folder)
            for piece in pieces:
                part.write(piece)
            part.end_group()
        self._waiting = {}
        self._rows = self._bytes = self._pieces = 0
        self._written += 1

    def _part(self, folder: str) -> Part:
        """Return the open file in a folder, or a new one."""
        if folder in self._open:
            self._open.move_to_end(folder)
            return self._open[folder]
        if len(self._open) == _MOST_OPEN:
            self._open.popitem(last=False)[1].finish()
        new_folder(self.path / folder)
        path = self.path / folder / f"part-{self._written:05}{EXTENSIONS[self.place.format]}"
        self._open[folder] = self._opened(path, self._schema)
        return self._open[folder]

    def finish(self) -> None:
        """Write everything to the disk."""
        self._write_waiting()
        for part in self._open.values():
            part.finish()
        self.is_finished = True

    def abandon(self) -> None:
        """Close the files after an error."""
        for part in self._open.values():
            part.abandon()

"""What every reader yields: batches of rows, with the URLs and the bases as separate columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import pyarrow as pa

from weburl.column_files.errors import FileError, listed


class Rows(NamedTuple):
    """A batch: the columns to keep, the URLs, and the bases if there is a column of them."""

    kept: pa.RecordBatch
    urls: pa.Array
    bases: pa.Array | None


class Reader(Protocol):
    """A file that is read, from its beginning to its end."""

    schema: pa.Schema
    """The columns to keep."""
    url_type: pa.DataType
    base_type: pa.DataType | None
    """The types of the URLs, and of the bases if there is a column of them."""
    total: int | None
    """How much there is to read, in ``unit``, or None if that is unknown."""
    unit: str
    """"rows" or "B" for bytes."""

    def __iter__(self) -> Iterator[Rows]:
        """Yield the rows. Raises `FileError` if the file does not have the format."""

    def position(self) -> int:
        """Return how much has been read, in ``unit``."""


class Wanted(NamedTuple):
    """The names of the columns of URLs and of bases, which may be None."""

    column: str
    base_column: str | None

    def indices(self, names: list[str], place: object) -> tuple[int, int | None]:
        """Return the indices of the columns in ``names``.

        Raises `FileError` if one is missing or ambiguous.
        """
        url = _index(names, self.column, place)
        base = None if self.base_column is None else _index(names, self.base_column, place)
        return url, base


def _index(names: list[str], name: str, place: object) -> int:
    match names.count(name):
        case 1:
            return names.index(name)
        case 0:
            raise FileError(f"{place} has no column {listed([name])}; it has {listed(names)}")
        case number:
            raise FileError(f"{place} has {number} columns named {listed([name])}")


def rows_of(batch: pa.RecordBatch, indices: tuple[int, int | None]) -> Rows:
    """Return a batch with its URLs and bases, which are the columns at the indices."""
    url, base = indices
    return Rows(batch, batch.column(url), None if base is None else batch.column(base))

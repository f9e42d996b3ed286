"""What every reader gives: batches of rows, with the columns of URLs and of bases apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import pyarrow as pa

from weburl.column_files.errors import FileError, listed


class Rows(NamedTuple):
    """A batch: the columns that are kept, the URLs, and the bases if there is a column of them."""

    kept: pa.RecordBatch
    urls: pa.Array
    bases: pa.Array | None


class Reader(Protocol):
    """A file that is read, from its beginning to its end."""

    schema: pa.Schema
    """The columns that are kept."""
    url_type: pa.DataType
    base_type: pa.DataType | None
    """The types of the URLs, and of the bases if there is a column of them."""
    total: int | None
    """How much there is to read, in ``unit``; None if that is not known."""
    unit: str
    """"rows" or "B" for bytes."""

    def __iter__(self) -> Iterator[Rows]:
        """Yield the rows. Raises `FileError` for what is no such file."""

    def position(self) -> int:
        """Return how much is read, in ``unit``."""


class Wanted(NamedTuple):
    """The columns that are read: of URLs, and of bases or None."""

    column: str
    base_column: str | None

    def indices(self, names: list[str], place: object) -> tuple[int, int | None]:
        """Return where the columns stand among ``names``.

        Raises `FileError` if one is not there, or there are two of its name.
        """
        url = _index(names, self.column, place)
        base = None if self.base_column is None else _index(names, self.base_column, place)
        return url, base


def _index(names: list[str], name: str, place: object) -> int:
    match names.count(name):
        case 1:
            return names.index(name)
        case 0:
            raise FileError(f"{place} has no column '{name}'; it has {listed(names)}")
        case number:
            raise FileError(f"{place} has {number} columns of the name '{name}'")


def rows_of(batch: pa.RecordBatch, indices: tuple[int, int | None]) -> Rows:
    """Return a batch with its URLs and bases, which stand at the indices."""
    url, base = indices
    return Rows(batch, batch.column(url), None if base is None else batch.column(base))

"""What every reader yields: batches of rows, with the URLs and the bases as separate columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.malformed import Malformed


class Rows(NamedTuple):
    """A batch: the columns to keep, the URLs, and the bases if there is a column of them.

    ``malformed``: the malformed lines that were left out, in this batch or just before it.
    """

    kept: pa.RecordBatch
    urls: pa.Array
    bases: pa.Array | None
    malformed: tuple[Malformed, ...] = ()

    def split(self, most: int | None) -> Iterator[Rows]:
        """Yield the rows in batches of at most so many, the first with the malformed lines."""
        if most is None or len(self.urls) <= most:
            yield self
            return
        for start in range(0, len(self.urls), most):
            yield Rows(
                self.kept.slice(start, most),
                self.urls.slice(start, most),
                None if self.bases is None else self.bases.slice(start, most),
                () if start else self.malformed,
            )


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


Names: TypeAlias = tuple[str, ...]
"""The name of a column, and the names of fields of structs inside it."""


class Wanted(NamedTuple):
    """The names of the columns of URLs and of bases, which may be None.

    "page.url" is the column of this name, or the field "url" of the struct "page".
    """

    column: str
    base_column: str | None

    def fields(self, schema: pa.Schema, place: object) -> tuple[Names, Names | None]:
        """Return where the URLs and the bases are in rows of a schema.

        Raises `FileError` if a column is missing or ambiguous.
        """
        url = _names(schema, self.column, place)
        base = None if self.base_column is None else _names(schema, self.base_column, place)
        return url, base


def _names(schema: pa.Schema, name: str, place: object) -> Names:
    match schema.names.count(name):
        case 1:
            return (name,)
        case 0:
            if names := _nested(schema, name):
                return names
            raise FileError(
                f"{place} has no column {listed([name])}; it has {listed(schema.names)}"
            )
        case number:
            raise FileError(f"{place} has {number} columns named {listed([name])}")


def _nested(schema: pa.Schema, name: str) -> Names | None:
    """Return the names of a field of a struct that is written with dots, or None."""
    for first, rest in _splits(name):
        if schema.names.count(first) == 1 and (others := _inside(schema.field(first).type, rest)):
            return first, *others
    return None


def _inside(type: pa.DataType, name: str) -> Names | None:
    """Return the names of a field that a struct, or one inside it, has; None without one."""
    if not pa.types.is_struct(type):
        return None
    if type.get_field_index(name) >= 0:
        return (name,)
    for first, rest in _splits(name):
        if type.get_field_index(first) >= 0 and (others := _inside(type.field(first).type, rest)):
            return first, *others
    return None


def _splits(name: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and after each dot, the last dot first: names can have dots, too."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        yield ".".join(parts[:end]), ".".join(parts[end:])


def type_of(schema: pa.Schema, names: Names) -> pa.DataType:
    """Return the type of the values that `Wanted.fields` has found."""
    first, *others = names
    own = schema.field(first).type
    for other in others:
        own = own.field(other).type
    return own


def rows_of(
    batch: pa.RecordBatch,
    fields: tuple[Names, Names | None],
    malformed: tuple[Malformed, ...] = (),
) -> Rows:
    """Return a batch with its URLs and bases, which `Wanted.fields` has found."""
    url, base = fields
    bases = None if base is None else _values(batch, base)
    return Rows(batch, _values(batch, url), bases, malformed)


def _values(batch: pa.RecordBatch, names: Names) -> pa.Array:
    first, *others = names
    column = batch.column(batch.schema.names.index(first))
    return pc.struct_field(column, others) if others else column

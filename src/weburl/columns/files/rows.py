"""What every reader yields: batches of rows, with the URLs and the bases as separate columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.malformed import Malformed


class InLists(NamedTuple):
    """Where values are that were taken out of lists: the row of each, and which rows are null."""

    rows: pa.Array
    is_null: pa.Array

    def lists(self, values: pa.Array) -> pa.Array:
        """Return values as a list for each row. A dictionary becomes plain values."""
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        counts = Counter(self.rows.to_pylist())
        ends = accumulate((counts[row] for row in range(len(self.is_null))), initial=0)
        offsets = pa.array(ends, pa.int32())
        return pa.ListArray.from_arrays(offsets, values, mask=self.is_null)

    def first(self, errors: pa.Array) -> pa.Array:
        """Return the first error of each row."""
        found: list[str | None] = [None] * len(self.is_null)
        for row, error in zip(self.rows.to_pylist(), errors.to_pylist(), strict=True):
            found[row] = found[row] or error
        return pa.array(found, errors.type)


class Rows(NamedTuple):
    """A batch: the columns to keep, the URLs, and the bases if there is a column of them.

    ``numbers``: of each row in the input. Lines and rows of Parquet are counted from 1. The header
    of CSV is row 1. Of WARC, it is the byte where the record begins.
    ``malformed``: the malformed lines that were left out, in this batch or just before it.
    ``in_lists``: where the URLs are, if they are in lists.
    """

    kept: pa.RecordBatch
    urls: pa.Array
    bases: pa.Array | None
    numbers: Sequence[int]
    malformed: tuple[Malformed, ...] = ()
    in_lists: InLists | None = None

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
                self.numbers[start : start + most],
                () if start else self.malformed,
            )


class Reader(Protocol):
    """A file that is read, from its beginning to its end."""

    schema: pa.Schema
    """The columns to keep."""
    url_type: pa.DataType
    base_type: pa.DataType | None
    """The types of the URLs, and of the bases if there is a column of them."""
    in_lists: bool
    """Whether the URLs are in lists."""
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

    "page.url" is the column of this name, or the field "url" of the struct "page", or of the
    structs in the list "page".
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
    type = _of_values(type)
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


def _is_list(type: pa.DataType) -> bool:
    checks = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(check(type) for check in checks)


def _of_values(type: pa.DataType) -> pa.DataType:
    """Return the type of what is in lists, or another type as it is."""
    while _is_list(type):
        type = type.value_type
    return type


def type_of(schema: pa.Schema, names: Names) -> pa.DataType:
    """Return the type of the values that `Wanted.fields` has found."""
    first, *others = names
    own = _of_values(schema.field(first).type)
    for other in others:
        own = _of_values(own.field(other).type)
    return own


def are_in_lists(schema: pa.Schema, names: Names) -> bool:
    """Return whether the values that `Wanted.fields` has found are in lists."""
    first, *others = names
    types = [schema.field(first).type]
    for other in others:
        types.append(_of_values(types[-1]).field(other).type)
    return any(map(_is_list, types))


def rows_of(
    batch: pa.RecordBatch,
    fields: tuple[Names, Names | None],
    numbers: Sequence[int],
    malformed: tuple[Malformed, ...] = (),
) -> Rows:
    """Return a batch with its URLs and bases, which `Wanted.fields` has found.

    Raises `FileError` if the bases are in other lists than the URLs.
    """
    url, base = fields
    urls, in_lists = _values(batch, url)
    if base is None:
        return Rows(batch, urls, None, numbers, malformed, in_lists)
    bases, of_bases = _values(batch, base)
    if of_bases is not None and (in_lists is None or not in_lists.rows.equals(of_bases.rows)):
        raise FileError(f"{listed(['.'.join(base)])} is in other lists than the URLs")
    if of_bases is None and in_lists is not None:
        bases = bases.take(in_lists.rows)
    return Rows(batch, urls, bases, numbers, malformed, in_lists)


def _values(batch: pa.RecordBatch, names: Names) -> tuple[pa.Array, InLists | None]:
    first, *others = names
    values = batch.column(batch.schema.names.index(first))
    found: InLists | None = None
    for other in (None, *others):
        if other is not None:
            values = pc.struct_field(values, [other])
        while _is_list(values.type):
            rows = pc.list_parent_indices(values)
            is_null = values.is_null() if found is None else found.is_null
            found = InLists(rows if found is None else found.rows.take(rows), is_null)
            values = pc.list_flatten(values)
    return values, found

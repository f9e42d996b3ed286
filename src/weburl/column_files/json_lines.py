"""Readers of JSON lines, which have an object on each line.

If JSON lines are written, too, each line is kept unchanged and the new members are added at its
end. For other formats, the columns and their types come from the first lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NoReturn

import pyarrow as pa

from weburl.column_files.errors import FileError, listed
from weburl.column_files.lines import Lines, lines_of
from weburl.column_files.places import Source
from weburl.column_files.rows import Rows, Wanted, rows_of
from weburl.infra.strings import to_scalar_value_string

LINE: Final = pa.field("line", pa.binary(), metadata={"weburl": "a line of JSON"})
"""The only column of lines that are kept unchanged."""

_NUMBER: Final = object()
_KINDS: Final = {dict: "an object", list: "an array", bool: "true or false"}


class JSONReader:
    """JSON lines that are kept unchanged."""

    unit = "B"
    schema: pa.Schema = pa.schema([LINE])
    url_type: pa.DataType = pa.string()

    def __init__(self, source: Source, wanted: Wanted, added: Collection[str]) -> None:
        """Make the reader. No line may have a member with a name in ``added``."""
        self._place = source.place
        self._wanted = wanted
        self._added = frozenset(added)
        self._source = source
        self.total: int | None = source.size
        self.base_type: pa.DataType | None = None if wanted.base_column is None else pa.string()

    def __iter__(self) -> Iterator[Rows]:
        url, base = self._wanted
        for block in lines_of(self._source.stream, self._place):
            objects = self._objects(block, _unread)
            if block.first == 1:
                self._look_for_columns(objects)
            for number, found in enumerate(objects, block.first):
                if not self._added.isdisjoint(found):
                    names = listed(sorted(self._added.intersection(found)))
                    raise self._error(number, f"already has {names}: use --prefix for other names")
            lines = pa.array(block.lines, pa.binary())
            yield Rows(
                pa.RecordBatch.from_arrays([lines], schema=self.schema),
                self._texts(block.first, objects, url),
                None if base is None else self._texts(block.first, objects, base),
            )

    def _objects(self, block: Lines, number: Callable[[str], Any] | None) -> list[dict[str, Any]]:
        """Return the objects of lines; ``number`` reads numbers, or Python does if it is None."""
        read = json.JSONDecoder(
            parse_float=number, parse_int=number, parse_constant=_refuse_constant
        ).decode
        objects = []
        for row, line in enumerate(block.lines, block.first):
            try:
                found = read(line.decode())
            except UnicodeDecodeError:
                raise self._error(row, "not UTF-8") from None
            except (ValueError, RecursionError):
                raise self._error(row, "not JSON") from None
            if type(found) is not dict:
                raise self._error(row, "not a JSON object")
            objects.append(found)
        return objects

    def _look_for_columns(self, objects: list[dict[str, Any]]) -> None:
        """Raise an error if none of the first lines has a wanted column."""
        for name in filter(None, self._wanted):
            if not any(name in found for found in objects):
                there = listed(list(objects[0]))
                raise FileError(
                    f"{self._place}: the first {len(objects):,} lines have no {listed([name])}; "
                    f"line 1 has {there}"
                )

    def _texts(self, first: int, objects: list[dict[str, Any]], name: str) -> pa.Array:
        texts: list[str | None] = []
        for number, found in enumerate(objects, first):
            text = found.get(name)
            if text is not None and type(text) is not str:
                kind = _KINDS.get(type(text), "a number")
                raise self._error(number, f"{listed([name])} is {kind}, not text")
            texts.append(text)
        try:
            return pa.array(texts, pa.string())
        except UnicodeEncodeError:  # Lone surrogates, which the parser reads as U+FFFD.
            scalar = [None if text is None else to_scalar_value_string(text) for text in texts]
            return pa.array(scalar, pa.string())

    def _error(self, number: int, why: str) -> FileError:
        return FileError(f"{self._place}, line {number:,}: {why}")

    def position(self) -> int:
        return self._source.position()


class JSONTableReader(JSONReader):
    """JSON lines as columns. The first block of lines decides the columns and their types."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted, ())
        place = source.place
        self._blocks = lines_of(source.stream, place)
        first = next(self._blocks, None)
        if first is None:
            raise FileError(f"{place} is empty: the columns are read from the first lines")
        objects = self._objects(first, None)
        self._look_for_columns(objects)
        self._first = self._table(first, objects, None)
        self.schema: pa.Schema = self._first.schema
        self._indices = wanted.indices(self.schema.names, place)
        self.url_type: pa.DataType = self.schema.field(self._indices[0]).type
        base = self._indices[1]
        self.base_type: pa.DataType | None = None if base is None else self.schema.field(base).type

    def __iter__(self) -> Iterator[Rows]:
        yield rows_of(self._first, self._indices)
        columns = pa.struct(list(self.schema))
        names = frozenset(self.schema.names)
        for block in self._blocks:
            objects = self._objects(block, None)
            for number, found in enumerate(objects, block.first):
                if not names.issuperset(found):
                    new = listed(sorted(set(found) - names))
                    raise self._error(number, f"has {new}, which the first lines do not have")
            yield rows_of(self._table(block, objects, columns), self._indices)

    def _table(
        self, block: Lines, objects: list[dict[str, Any]], columns: pa.DataType | None
    ) -> pa.RecordBatch:
        try:
            return pa.RecordBatch.from_struct_array(pa.array(objects, columns))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            last = block.first + len(objects) - 1
            raise FileError(
                f"{self._place}, lines {block.first:,} to {last:,}: the values of a column have "
                "different types or do not fit into columns. Use --to jsonl to keep all lines"
            ) from None


def _unread(_: str) -> object:
    """Return a placeholder for a number: it is not used, and int() refuses very long ones."""
    return _NUMBER


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON but which Python would read."""
    raise ValueError(name)

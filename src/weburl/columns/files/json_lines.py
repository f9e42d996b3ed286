"""Readers of JSON lines, which have an object on each line.

If JSON lines are written, too, each line is kept unchanged and the new members are added at its
end. For other formats, the columns and their types come from the first lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NamedTuple, NoReturn

import pyarrow as pa

from weburl.columns.files.arguments import OnMalformed
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.lines import Lines, lines_of
from weburl.columns.files.malformed import HINT, Malformed
from weburl.columns.files.places import Source
from weburl.columns.files.rows import Rows, Wanted, are_in_lists, rows_of, type_of
from weburl.standard.infra.strings import to_scalar_value_string

LINE: Final = pa.field("line", pa.binary(), metadata={"weburl": "a line of JSON"})
"""The only column of lines that are kept unchanged."""

_NUMBER: Final = object()
_KINDS: Final = {dict: "an object", list: "an array", bool: "true or false"}


class _Found(NamedTuple):
    """The objects of a block by the numbers of their lines, and the malformed lines."""

    objects: dict[int, dict[str, Any]]
    malformed: tuple[Malformed, ...]


class JSONReader:
    """JSON lines that are kept unchanged."""

    unit = "B"
    in_lists = False
    schema: pa.Schema = pa.schema([LINE])
    url_type: pa.DataType = pa.string()

    def __init__(
        self,
        source: Source,
        wanted: Wanted,
        added: Collection[str],
        on_malformed: OnMalformed = "stop",
    ) -> None:
        """Make the reader. No line may have a member with a name in ``added``."""
        self._place = source.place
        self._wanted = wanted
        self._added = frozenset(added)
        self._goes_on = on_malformed != "stop"
        self._source = source
        self.total: int | None = source.size
        self.base_type: pa.DataType | None = None if wanted.base_column is None else pa.string()

    def __iter__(self) -> Iterator[Rows]:
        url, base = self._wanted
        for block in lines_of(self._source.stream, self._place):
            found_in = self._objects(block, _unread)
            objects = found_in.objects
            if block.first == 1:
                self._look_for_columns(found_in)
            for number, found in objects.items():
                if not self._added.isdisjoint(found):
                    names = listed(sorted(self._added.intersection(found)))
                    raise self._error(number, f"already has {names}: use --prefix for other names")
            kept = [block.lines[number - block.first] for number in objects]
            yield Rows(
                pa.RecordBatch.from_arrays([pa.array(kept, pa.binary())], schema=self.schema),
                self._texts(objects, url),
                None if base is None else self._texts(objects, base),
                found_in.malformed,
            )

    def _objects(self, block: Lines, number: Callable[[str], Any] | None) -> _Found:
        """Return the objects of lines; ``number`` reads numbers, or Python does if it is None."""
        read = json.JSONDecoder(
            parse_float=number, parse_int=number, parse_constant=_refuse_constant
        ).decode
        objects = {}
        malformed = []
        for row, line in enumerate(block.lines, block.first):
            found = _object(line, read)
            if not isinstance(found, str):
                objects[row] = found
            elif self._goes_on:
                malformed.append(Malformed(row, found, line))
            else:
                raise self._error(row, f"{found}. {HINT}")
        return _Found(objects, tuple(malformed))

    def _look_for_columns(self, found_in: _Found) -> None:
        """Raise an error if none of the first lines has a wanted column."""
        objects = found_in.objects
        if not objects:
            raise FileError(f"{self._place}: the first lines are not JSON objects")
        for name in filter(None, self._wanted):
            if not any(_has(found, name) for found in objects.values()):
                number, first = next(iter(objects.items()))
                raise FileError(
                    f"{self._place}: the first {len(objects):,} lines have no {listed([name])}; "
                    f"line {number} has {listed(list(first))}"
                )

    def _texts(self, objects: dict[int, dict[str, Any]], name: str) -> pa.Array:
        texts: list[str | None] = []
        for number, found in objects.items():
            text = _value(found, name)
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

    def __init__(self, source: Source, wanted: Wanted, on_malformed: OnMalformed = "stop") -> None:
        super().__init__(source, wanted, (), on_malformed)
        place = source.place
        self._blocks = lines_of(source.stream, place)
        first = next(self._blocks, None)
        if first is None:
            raise FileError(f"{place} is empty: the columns are read from the first lines")
        objects = self._objects(first, None)
        self._look_for_columns(objects)
        self._first = self._table(first, objects, None)
        self.schema: pa.Schema = self._first.schema
        self._fields = url, base = wanted.fields(self.schema, place)
        self.url_type: pa.DataType = type_of(self.schema, url)
        self.in_lists = are_in_lists(self.schema, url)
        self.base_type: pa.DataType | None = None if base is None else type_of(self.schema, base)
        self._malformed = objects.malformed

    def __iter__(self) -> Iterator[Rows]:
        yield rows_of(self._first, self._fields, self._malformed)
        columns = pa.struct(list(self.schema))
        names = frozenset(self.schema.names)
        for block in self._blocks:
            objects = self._objects(block, None)
            for number, found in objects.objects.items():
                if not names.issuperset(found):
                    new = listed(sorted(set(found) - names))
                    raise self._error(number, f"has {new}, which the first lines do not have")
            yield rows_of(self._table(block, objects, columns), self._fields, objects.malformed)

    def _table(self, block: Lines, found: _Found, columns: pa.DataType | None) -> pa.RecordBatch:
        try:
            return pa.RecordBatch.from_struct_array(pa.array(found.objects.values(), columns))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            last = block.first + len(block.lines) - 1
            raise FileError(
                f"{self._place}, lines {block.first:,} to {last:,}: the values of a column have "
                "different types or do not fit into columns. Use --to jsonl to keep all lines"
            ) from None


def _object(line: bytes, read: Callable[[str], Any]) -> dict[str, Any] | str:
    """Return the object of a line, or what is wrong with the line."""
    try:
        found = read(line.decode())
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    return found if type(found) is dict else "not a JSON object"


def _value(found: dict[str, Any], name: str) -> Any:  # noqa: ANN401  # whatever a line has
    """Return a member, or the member inside others that a name with dots means."""
    if name in found or "." not in name:
        return found.get(name)
    value: Any = found
    for part in name.split("."):
        value = value.get(part) if type(value) is dict else None
    return value


def _has(found: dict[str, Any], name: str) -> bool:
    """Return whether an object has a member, or the object that contains it by a name with dots."""
    if name in found:
        return True
    *outer, last = name.split(".")
    for part in outer:
        inner = found.get(part)
        if type(inner) is not dict:
            return False
        found = inner
    return last in found


def _unread(_: str) -> object:
    """Return a placeholder for a number: it is not used, and int() refuses very long ones."""
    return _NUMBER


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON but which Python would read."""
    raise ValueError(name)

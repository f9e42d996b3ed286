"""Readers of JSON lines, which have an object on each line.

If JSON lines are written, too, each line is kept unchanged and the new members are added at its
end. For other formats, the columns and their types come from the first lines.

msgspec reads what it can. It accepts a part of what Python's `json` accepts, and gives the same
values. The other lines are read by `json`, which decides what is malformed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, NoReturn, TypeAlias

import msgspec
import pyarrow as pa

from weburl.columns.files.arguments import OnMalformed
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.lines import Lines, lines_of
from weburl.columns.files.malformed import HINT, Malformed, numbers_without
from weburl.columns.files.places import Source
from weburl.columns.files.rows import Rows, Wanted, are_in_lists, rows_of, type_of
from weburl.standard.infra.strings import to_scalar_value_string

LINE: Final = pa.field("line", pa.binary(), metadata={"weburl": "a line of JSON"})
"""The only column of lines that are kept unchanged."""

_KINDS: Final[dict[type, str]] = {
    dict: "an object",
    list: "an array",
    bool: "true or false",
    str: "text",
}
_NOT_READ: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_Decode: TypeAlias = Callable[[bytes], Any]
_Object: TypeAlias = dict[str, Any]

# No value has this type.
_Refused: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=0)] | msgspec.UnsetType


class _Found(NamedTuple):
    """The objects of a block by the numbers of their lines, and the malformed lines."""

    objects: dict[int, _Object]
    malformed: list[Malformed]


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
        self._names = [name for name in wanted if name is not None]
        self._names_of_lists: set[str] = set()
        self._added = frozenset(added)
        self._goes_on = on_malformed != "stop"
        self._source = source
        self._read = 0
        self.total: int | None = source.size
        self.base_type: pa.DataType | None = None if wanted.base_column is None else pa.string()

    def __iter__(self) -> Iterator[Rows]:
        members = _Members(self._names, self._added)
        for block in self._blocks_of(self._source):
            yield self._rows(block, members)
        yield from self._cut_off(self._rows(Lines(self._read + 1, []), members))

    def _blocks_of(self, source: Source) -> Iterator[Lines]:
        for block in lines_of(source.stream, source.place):
            yield block
            self._read += len(block.lines)

    def _cut_off(self, no_rows: Rows) -> Iterator[Rows]:
        if cut_off := self._source.cut_off(self._read + 1, goes_on=self._goes_on):
            yield no_rows._replace(malformed=cut_off)

    def _rows(self, block: Lines, members: _Members) -> Rows:
        kept: list[bytes] = []
        found: list[msgspec.Struct] = []
        malformed: list[Malformed] = []
        decode = members.decode if _is_utf_8(block.lines) else _refuse
        for number, line in enumerate(block.lines, block.first):
            try:
                found.append(decode(line))
            except _NOT_READ:
                one = self._object(number, line, _json_without_numbers, malformed)
                if one is None:
                    continue
                found.append(members.line(*(_value(one, name) for name in members.names)))
            kept.append(line)
        columns = members.columns(found)
        if block.lines and block.first == 1 and not all(map(any, columns)):
            self._look_for_columns(self._objects(block, _json_without_numbers).objects)
        urls, *bases = map(_array, columns)
        return Rows(
            pa.RecordBatch.from_arrays([pa.array(kept, pa.binary())], schema=self.schema),
            urls,
            bases[0] if bases else None,
            numbers_without(range(block.first, block.first + len(block.lines)), malformed),
            tuple(malformed),
        )

    def _objects(self, block: Lines, read: _Decode) -> _Found:
        """Return the objects of lines; ``read`` reads those that msgspec does not."""
        objects = {}
        malformed: list[Malformed] = []
        for number, line in enumerate(block.lines, block.first):
            found = self._object(number, line, read, malformed)
            if found is not None:
                objects[number] = found
        return _Found(objects, malformed)

    def _object(
        self, number: int, line: bytes, read: _Decode, malformed: list[Malformed]
    ) -> _Object | None:
        """Return the object of a line, or None for a malformed one, unless that is an error."""
        found = _object(line, read)
        why = found if isinstance(found, str) else self._why_not_text(found)
        if why is not None:
            if not self._goes_on:
                raise self._error(number, f"{why}. {HINT}")
            malformed.append(Malformed(number, why, line))
            return None
        assert not isinstance(found, str)
        if not self._added.isdisjoint(found):
            names = listed(sorted(self._added.intersection(found)))
            raise self._error(number, f"already has {names}: use --prefix for other names")
        return found

    def _why_not_text(self, found: _Object) -> str | None:
        """Return which wanted member of an object is not text, or None."""
        for name in self._names:
            value = _value(found, name)
            # Arrow would read a text as the list of its characters.
            own = list if name in self._names_of_lists else str
            if value is not None and type(value) is not own:
                kind = _KINDS.get(type(value), "a number")
                return f"{listed([name])} is {kind}, not {_KINDS[own]}"
        return None

    def _look_for_columns(self, objects: dict[int, _Object]) -> None:
        """Raise an error if none of the first lines has a wanted column."""
        if not objects:
            raise FileError(f"{self._place}: the first lines are not JSON objects")
        for name in self._names:
            if not any(_has(found, name) for found in objects.values()):
                number, first = next(iter(objects.items()))
                raise FileError(
                    f"{self._place}: the first {len(objects):,} lines have no {listed([name])}; "
                    f"line {number} has {listed(list(first))}"
                )

    def _error(self, number: int, why: str) -> FileError:
        return FileError(f"{self._place}, line {number:,}: {why}")

    def position(self) -> int:
        return self._source.position()


class JSONTableReader(JSONReader):
    """JSON lines as columns. The first block of lines decides the columns and their types."""

    def __init__(self, source: Source, wanted: Wanted, on_malformed: OnMalformed = "stop") -> None:
        super().__init__(source, wanted, (), on_malformed)
        place = source.place
        self._blocks = self._blocks_of(source)
        first = next(self._blocks, None)
        if first is None:
            raise FileError(f"{place} is empty: the columns are read from the first lines")
        self._names_of_lists = {name for name in self._names if _has_lists(first.lines, name)}
        found = self._objects(first, _json)
        self._look_for_columns(found.objects)
        table = self._table(first, found, None)
        self.schema: pa.Schema = table.schema
        self._fields = url, base = wanted.fields(self.schema, place)
        self.url_type: pa.DataType = type_of(self.schema, url)
        self.in_lists: bool = are_in_lists(self.schema, url)
        self.base_type: pa.DataType | None = None if base is None else type_of(self.schema, base)
        self._first = rows_of(table, self._fields, list(found.objects), tuple(found.malformed))

    def __iter__(self) -> Iterator[Rows]:
        yield self._first
        columns = pa.struct(list(self.schema))
        names = frozenset(self.schema.names)
        for block in self._blocks:
            found = self._objects(block, _json)
            for number, one in found.objects.items():
                if not names.issuperset(one):
                    new = listed(sorted(set(one) - names))
                    raise self._error(number, f"has {new}, which the first lines do not have")
            batch = self._table(block, found, columns)
            yield rows_of(batch, self._fields, list(found.objects), tuple(found.malformed))
        yield from self._cut_off(rows_of(self._first.kept.slice(0, 0), self._fields, ()))

    def _table(self, block: Lines, found: _Found, columns: pa.DataType | None) -> pa.RecordBatch:
        """Return objects as rows. Those that do not fit are moved to the malformed lines."""
        try:
            return _batch(found.objects.values(), columns)
        except _NOT_FITTING:
            if not self._goes_on:
                last = block.first + len(block.lines) - 1
                raise FileError(
                    f"{self._place}, lines {block.first:,} to {last:,}: the values of a column"
                    f" have different types or do not fit into columns. Use --to jsonl to keep all"
                    f" lines. {HINT}"
                ) from None
        own = _columns_of(list(found.objects.values())) if columns is None else columns
        for number, one in [*found.objects.items()]:
            try:
                pa.array([one], own)
            except _NOT_FITTING:
                why = "a value has another type than in other lines"
                found.malformed.append(Malformed(number, why, block.lines[number - block.first]))
                del found.objects[number]
        found.malformed.sort()
        return _batch(found.objects.values(), own)


_NOT_FITTING: Final = (pa.ArrowException, TypeError, ValueError, OverflowError)


def _batch(objects: Collection[_Object], columns: pa.DataType | None) -> pa.RecordBatch:
    return pa.RecordBatch.from_struct_array(pa.array(objects, columns))


def _columns_of(objects: list[_Object]) -> pa.DataType:
    """Return the columns for objects: each has the type of most of its values."""
    names = dict.fromkeys(name for one in objects for name in one)
    return pa.struct([(name, _type_of([one.get(name) for one in objects])) for name in names])


def _type_of(values: list[Any]) -> pa.DataType:
    there = [value for value in values if value is not None]
    ((most, _),) = Counter(map(type, there)).most_common(1) or [(object, 0)]
    for some in (values, [value for value in there if type(value) is most], there[:1]):
        try:
            return pa.array(some).type
        except _NOT_FITTING:
            continue
    return pa.null()


# --- reading a line -------------------------------------------------------------------------------


class _Members:
    """Reads the wanted members of lines where they are text or null, and skips all others.

    ``decode`` refuses the other lines, and those with a member in ``added``.
    """

    def __init__(self, wanted: list[str], added: frozenset[str]) -> None:
        self.names: Final = list(dict.fromkeys(wanted))
        fields = {f"text{number}": name for number, name in enumerate(self.names)}
        others = {f"added{number}": name for number, name in enumerate(added.difference(wanted))}
        self._fields = [f"text{self.names.index(name)}" for name in wanted]
        self.line: Final = msgspec.defstruct(
            "Line",
            [
                *((field, str | None, None) for field in fields),
                *((field, _Refused, msgspec.UNSET) for field in others),
            ],
            rename=fields | others,
        )
        # A name with a dot can mean a member inside another.
        is_plain = added.isdisjoint(wanted) and not any("." in name for name in wanted)
        self.decode: _Decode = msgspec.json.Decoder(self.line).decode if is_plain else _refuse

    def columns(self, found: list[msgspec.Struct]) -> list[list[str | None]]:
        """Return the texts of each wanted name."""
        return [list(map(attrgetter(field), found)) for field in self._fields]


def _refuse(_: bytes) -> NoReturn:
    raise msgspec.DecodeError


def _json_of(number: Callable[[str], Any] | None) -> _Decode:
    """Return a reader of JSON; ``number`` reads numbers, or Python does if it is None."""
    read = json.JSONDecoder(
        parse_float=number, parse_int=number, parse_constant=_refuse_constant
    ).decode
    return lambda line: read(line.decode())


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON but which Python would read."""
    raise ValueError(name)


_decode: Final = msgspec.json.Decoder().decode
_json: Final = _json_of(None)
_A_NUMBER: Final = object()
# int() refuses very long numbers.
_json_without_numbers: Final = _json_of(lambda _: _A_NUMBER)


def _object(line: bytes, read: _Decode) -> _Object | str:
    """Return the object of a line, or what is wrong with the line."""
    try:
        found = _decode(line)
    except _NOT_READ:
        try:
            found = read(line)
        except UnicodeDecodeError:
            return "not UTF-8"
        except (ValueError, RecursionError):
            return "not JSON"
    return found if type(found) is dict else "not a JSON object"


def _is_utf_8(lines: list[bytes]) -> bool:
    try:
        b"\n".join(lines).decode()
    except UnicodeDecodeError:
        return False
    return True


def _array(texts: Sequence[str | None]) -> pa.Array:
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:  # Lone surrogates, which the parser reads as U+FFFD.
        scalar = [None if text is None else to_scalar_value_string(text) for text in texts]
        return pa.array(scalar, pa.string())


def _has_lists(lines: list[bytes], name: str) -> bool:
    """Return whether a member is a list in more lines than it is text."""
    objects = (_object(line, _json_without_numbers) for line in lines)
    kinds = Counter(type(_value(one, name)) for one in objects if not isinstance(one, str))
    return kinds[list] > kinds[str]


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

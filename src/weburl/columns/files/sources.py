"""Reads rows: each format becomes a table of DuckDB.

DuckDB itself reads Parquet and CSV. The lines of text and JSON, and the records of WARC, are
streamed to it as Arrow, because its reader of lines drops what follows a lone CR.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, TypeAlias

import pyarrow as pa
from duckdb import BinderException, DuckDBPyConnection

from weburl.columns.files.arguments import Format
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.places import Place, is_remote, opened, refuse_compressed

DELIMITERS: Final = {"csv": ",", "tsv": "\t"}
"""What separates the cells of a row."""
MOST_BYTES: Final = 1 << 26
"""How long a line may be."""
MOST_OF_ROW: Final = 1 << 24
"""How long a row of CSV may be."""
_MOST_OF_NAMES: Final = 1 << 22
_LOOKS_LIKE_A_NAME: Final = re.compile(r"(?!\d)[\w .-]{1,60}")
_BLOCK: Final = 1 << 20
_BATCH: Final = 256
_BATCH_BYTES: Final = 1 << 24
REJECTED: Final = {
    "TOO MANY COLUMNS": "another number of cells",
    "MISSING COLUMNS": "another number of cells",
    "UNQUOTED VALUE": "a quotation mark is not closed, or text follows it",
    "LINE SIZE OVER MAXIMUM": "a row is too long",
    "INVALID ENCODING": "not UTF-8",
}
"""What is wrong with a row of CSV, by DuckDB's names."""
_DAMAGED: Final = "the compressed data ends early or is damaged"
_STREAM: Final = "weburl_rows"

Execute: TypeAlias = Callable[[str], list[tuple[Any, ...]]]


def identifier(name: str) -> str:
    """Return a name for SQL. Raises `FileError` for U+0000, which DuckDB cannot read there."""
    return literal(name, '"')


def literal(text: str, quote: str = "'") -> str:
    """Return a string for SQL. Raises `FileError` for U+0000, which DuckDB cannot read there."""
    if "\0" in text:
        raise FileError(f"{listed([text])} has the character U+0000")
    return f"{quote}{text.replace(quote, 2 * quote)}{quote}"


def _pointer(*names: str) -> str:
    """Return a JSON Pointer to a member, or to a member of a member, for SQL."""
    return literal("".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names))


class Source:
    """A file as a table of DuckDB.

    ``types``: the types of the columns, by their names. ``kept``: what SQL computes for each column
    that the output has. ``failure``: what has stopped a stream.
    """

    number = "row_number() OVER ()"
    """What SQL computes for the number of a row."""
    why: str | None = None
    """The column that has what is wrong with a malformed row, if the table has one."""
    leaves_out = False
    """Whether malformed rows are left out of the table that was made last."""
    shown: str | None = None
    """What SQL computes for a URL as people can read it, if that is not the URL."""

    def __init__(self, con: DuckDBPyConnection, execute: Execute, place: Place) -> None:
        """Look at the columns. Raises `FileError` and OSError if the file cannot be read.

        ``execute``: runs a query on the connection, and returns its rows.
        """
        self.place = place
        self.failure: BaseException | None = None
        self._con = con
        self._execute = execute
        self._have({})
        if is_remote(place.path):
            files, _ = opened(place.path)
            protocol = files.protocol if isinstance(files.protocol, str) else files.protocol[0]
            if not con.filesystem_is_registered(protocol):
                con.register_filesystem(files)
        refuse_compressed(place)

    def _have(self, types: dict[str, str]) -> None:
        self.types: dict[str, str] = types
        self.kept: dict[str, str] = {name: identifier(name) for name in types}

    def table(self, *, skips: bool = False) -> str:
        """Return what SQL selects from, for one query.

        ``skips``: whether malformed rows are left out and noted for `malformed`, or stop the query.
        """
        raise NotImplementedError

    def malformed(self) -> str:
        """Return what SQL selects as ``row``, ``why`` and ``text`` of malformed rows."""
        return f"SELECT number AS row, why, NULL AS text FROM {self.table()} WHERE why IS NOT NULL"

    def text(self, name: str) -> tuple[str, str]:
        """Return what SQL computes for the column of this name, and its type.

        "page.url" is a column, or the field "url" of the struct "page". Raises `FileError` if there
        is no such column, or if it is not text.
        """
        first, *fields = [name] if name in self.types else name.split(".")
        value = identifier(first)
        for field in fields:
            value = f"struct_extract({value}, {literal(field)})"
        kind = None
        try:
            if first in self.types:
                ((_, kind, *_),) = self._execute(f"DESCRIBE SELECT {value} FROM {self.table()}")
        except BinderException:  # There is no such field.
            pass
        if kind is None:
            # Without a row of names, the first row has data, which no message may show.
            names = [each for each in self.types if _LOOKS_LIKE_A_NAME.fullmatch(each)]
            has = listed(names) if names else "nothing that looks like a name of a column"
            raise FileError(f"{self.place} has no column {listed([name])}; it has {has}")
        if kind.startswith("ENUM"):
            return f"{value}::VARCHAR", "VARCHAR"
        if kind not in ("VARCHAR", "BLOB"):
            raise FileError(f"{self.place}: {listed([name])} is not text, but {kind}")
        return value, kind


class ParquetSource(Source):
    """A Parquet file."""

    def __init__(self, con: DuckDBPyConnection, execute: Execute, place: Place) -> None:
        super().__init__(con, execute, place)
        described = execute(f"DESCRIBE FROM {self.table()}")
        self._have({name: kind for name, kind, *_ in described})

    def table(self, *, skips: bool = False) -> str:  # noqa: ARG002  # It has no lines.
        return f"read_parquet({literal(self.place.pattern())}, hive_partitioning=false)"


class CSVSource(Source):
    """A CSV file. All cells are text; an empty one is null, and ``""`` an empty string."""

    def __init__(self, con: DuckDBPyConnection, execute: Execute, place: Place) -> None:
        super().__init__(con, execute, place)
        with place.open() as file:
            lines = file.read(_MOST_OF_NAMES).splitlines(keepends=True)
        try:
            rows = csv.reader(
                (line.decode("utf-8-sig") for line in lines), delimiter=DELIMITERS[place.format]
            )
            names = next(rows, None)
        except (UnicodeDecodeError, csv.Error):
            raise FileError(f"{place}: the row of names cannot be read") from None
        if not names:
            raise FileError(f"{place} is empty: the first row has the names of the columns")
        if twice := _equal_names(names):
            raise FileError(f"{place} has more than one column named {listed(twice)}")
        self._have(dict.fromkeys(names, "VARCHAR"))

    def malformed(self) -> str:
        names = " ".join(
            f"WHEN {literal(kind)} THEN {literal(why)}" for kind, why in REJECTED.items()
        )
        return (
            f"SELECT line AS row,"
            f" any_value(CASE error_type {names} ELSE lower(error_type) END) AS why,"
            " any_value(csv_line) AS text FROM reject_errors GROUP BY ALL ORDER BY line"
        )

    def table(self, *, skips: bool = False) -> str:
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in self.types)
        # With only ignore_errors, DuckDB 2.0 drops everything after a malformed row.
        rejects = ", store_rejects=true" if skips else ""
        return (
            f"read_csv({literal(self.place.pattern())}, auto_detect=false,"
            f" columns={{{columns}}}, header=true, quote='\"', escape='\"', nullstr='',"
            f" allow_quoted_nulls=false, delim={literal(DELIMITERS[self.place.format])},"
            f" max_line_size={MOST_OF_ROW}, hive_partitioning=false,"
            f" compression={literal(self.place.compression or 'none')}{rejects})"
        )


def _equal_names(names: list[str]) -> list[str]:
    """Return the names that another one equals for DuckDB, which does not distinguish case."""
    lower = [name.lower() for name in names]
    return sorted({name for name in names if lower.count(name.lower()) > 1})


class _Stream(Source):
    """Rows that are read here. A query opens the file anew."""

    number = "number"
    why: str | None = "why"
    schema: pa.Schema

    def _batches(self, file: IO[bytes]) -> Iterator[pa.RecordBatch]:
        raise NotImplementedError

    def _read(self) -> Iterator[pa.RecordBatch]:
        try:
            with self.place.open() as file:
                yield from self._batches(file)
        except Exception as error:
            self.failure: BaseException | None = error  # DuckDB only keeps its text.
            raise

    def table(self, *, skips: bool = False) -> str:
        self.leaves_out = skips
        self._con.register(_STREAM, pa.RecordBatchReader.from_batches(self.schema, self._read()))
        return _STREAM


class TextSource(_Stream):
    """A URL on each line. Bytes that are not UTF-8 are kept as escapes, and do not parse."""

    schema: pa.Schema = pa.schema(
        [("number", pa.int64()), ("line", pa.binary()), ("why", pa.string())]
    )

    def __init__(self, con: DuckDBPyConnection, execute: Execute, place: Place) -> None:
        super().__init__(con, execute, place)
        self.types: dict[str, str] = {"url": "BLOB"}
        self.shown: str | None = "coalesce(TRY(decode(line)), line::VARCHAR)"
        self.kept: dict[str, str] = {"url": self.shown}

    def text(self, name: str) -> tuple[str, str]:
        if name != "url":
            raise FileError(f"{self.place} has no column {listed([name])}; it has 'url'")
        return "line", "BLOB"

    def _batches(self, file: IO[bytes]) -> Iterator[pa.RecordBatch]:
        number = 1
        rest: bytes | None = b""
        why = None
        while rest is not None:
            try:
                block = file.read(_BLOCK)
            except (OSError, EOFError) as error:
                if getattr(error, "errno", None) is not None:
                    raise
                block, why = b"", _DAMAGED
            lines = (rest + block).split(b"\n")
            rest = lines.pop() if block else None
            if rest is not None and len(rest) > MOST_BYTES:
                raise FileError(f"{self.place}: a line is longer than {MOST_BYTES >> 20} MiB")
            if not block and lines[-1] == b"" and why is None:
                lines.pop()
            if number == 1 and lines:
                lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
            whys: list[str | None] = [None] * len(lines)
            if why is not None:
                whys[-1] = why
            numbers = range(number, number + len(lines))
            texts = [line.removesuffix(b"\r") or None for line in lines]
            yield pa.record_batch([pa.array(numbers), texts, whys], schema=self.schema)
            number += len(lines)


class JSONSource(TextSource):
    """A JSON object on each line."""

    def __init__(
        self,
        con: DuckDBPyConnection,
        execute: Execute,
        place: Place,
        urls: list[str],
        new: list[str],
        written: set[Format],
    ) -> None:
        """Look at the members.

        ``urls``: the names of the members that must be text. ``new``: those that a line must not
        have. ``written``: the formats of the outputs. Only JSON lines need no columns.
        """
        super().__init__(con, execute, place)
        wrong = {
            "an empty line": "line IS NULL",
            "not UTF-8": "text IS NULL",
            "not JSON": "NOT json_valid(text)",
            "not a JSON object": "json_type(text) <> 'OBJECT'",
        }
        for name in urls:
            kind = _of_member("json_type(text, {})", name)
            wrong[f"{listed([name])} is not text"] = f"{kind} NOT IN ('VARCHAR', 'NULL')"
        types = f"json_type(text, [{', '.join(map(_pointer, new))}])"
        wrong["it already has a new member"] = (
            f"len(list_filter({types}, lambda kind: kind IS NOT NULL)) > 0"
        )
        cases = " ".join(f"WHEN {how} THEN {literal(why)}" for why, how in wrong.items())
        self._members = ""
        self._lines = (
            "(SELECT *, CASE WHEN why IS NULL THEN text::JSON END AS json FROM"
            f" (SELECT number, text, CASE WHEN why IS NOT NULL THEN why {cases} END AS why FROM"
            f" (SELECT *, TRY(decode(line)) AS text FROM {_STREAM})))"
        )
        self.shown: str | None = None
        self._have({})
        if written != {"jsonl"}:
            self._find_members(is_text=bool(written & DELIMITERS.keys()))

    def _find_members(self, *, is_text: bool) -> None:
        """Find the members of all lines, and their types."""
        query = f"SELECT json_group_structure(json) FROM {self.table()} WHERE why IS NULL"
        ((found,),) = self._execute(query)
        structure = _typed(json.loads(found or "{}"))
        if not isinstance(structure, dict):  # There are only empty objects.
            structure = {}
        if twice := _equal_names([*structure]):
            raise FileError(f"{self.place} has members that differ only in case: {listed(twice)}")
        self.types: dict[str, str] = dict.fromkeys(structure, "JSON")
        if is_text:
            self.kept: dict[str, str] = {name: f"json ->> {_pointer(name)}" for name in structure}
        elif structure:
            self._members = f", json_transform(json, {literal(json.dumps(structure))}) AS doc"
            self.kept = {name: f"struct_extract(doc, {literal(name)})" for name in structure}

    def table(self, *, skips: bool = False) -> str:
        super().table(skips=skips)
        return f"(SELECT *{self._members} FROM {self._lines})"

    def malformed(self) -> str:
        return f"SELECT number AS row, why, text FROM {self.table()} WHERE why IS NOT NULL"

    def text(self, name: str) -> tuple[str, str]:
        return _of_member("json ->> {}", name), "VARCHAR"


def _of_member(called: str, name: str) -> str:
    """Return a call for a member of this name, or for the member of a member."""
    return f"coalesce({called.format(_pointer(name))}, {called.format(_pointer(*name.split('.')))})"


def _typed(structure: Any) -> Any:  # noqa: ANN401  # JSON
    """Return a structure of DuckDB without types that Parquet does not have."""
    if isinstance(structure, dict):
        return {name: _typed(value) for name, value in structure.items()} or "JSON"
    if isinstance(structure, list):
        return [_typed(value) for value in structure]
    # Parquet has no type for nothing, nor for integers of more than 64 bits.
    return "VARCHAR" if structure in ("NULL", "HUGEINT") else structure


class WARCSource(_Stream):
    """A record on each row, with the byte at which it begins as its number."""

    def __init__(
        self,
        con: DuckDBPyConnection,
        execute: Execute,
        place: Place,
        *,
        has_bodies: bool,
        only_pages: bool,
    ) -> None:
        """Look at the columns. Raises `FileError` without the extra ``warc``.

        ``has_bodies``: whether bodies are kept. ``only_pages``: whether others than HTML are empty.
        """
        super().__init__(con, execute, place)
        from weburl.columns.files import warc  # it needs an extra

        self._rows_of, self._only_pages = warc.rows_of, only_pages
        self.schema: pa.Schema = pa.schema(
            [("number", pa.int64()), ("why", pa.string()), *warc.COLUMNS]
        )
        self._have(dict.fromkeys(warc.COLUMNS.names, ""))
        if not has_bodies:
            del self.kept["body"]

    def _batches(self, file: IO[bytes]) -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        size = 0
        for number, found in self._rows_of(file, only_pages=self._only_pages):
            own = {"why": found} if isinstance(found, str) else found
            rows.append({"number": number, **own})
            size += len(own.get("body", b""))
            if len(rows) == _BATCH or size >= _BATCH_BYTES:
                yield pa.RecordBatch.from_pylist(rows, self.schema)
                rows, size = [], 0
        yield pa.RecordBatch.from_pylist(rows, self.schema)

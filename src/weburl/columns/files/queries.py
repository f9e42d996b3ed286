"""The query for a file: all of its columns, the new ones, and how they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Final

import attrs
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from weburl.columns.duckdb import type_name
from weburl.columns.files.adding import Adding
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.links import AddingLinks
from weburl.columns.files.places import Place
from weburl.columns.files.sources import DELIMITERS, JSONSource, Source, identifier, literal

_FUNCTION: Final = "weburl_added"
_VALUE: Final = "weburl_value"
_NUMBER: Final = "weburl_number"
_BASE: Final = "weburl_base"
_ERROR: Final = "weburl_error"
RESERVED: Final = frozenset({_FUNCTION, _VALUE, _NUMBER})
"""Names that the columns of an input cannot have."""
_FAILED: Final = f"struct_extract({_FUNCTION}, '{_ERROR}')"
_ROW: Final = "row"
_LONGEST_FOLDER: Final = 200  # bytes of a value in the name of a folder
_NESTED: Final = re.compile(r"(STRUCT|MAP|UNION)\(|.*\]$", re.DOTALL)
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+")
_CSV: Final = "FORMAT csv, HEADER true, QUOTE '\"', ESCAPE '\"', NULLSTR '', DELIMITER "
_OPTIONS: Final = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "jsonl": "FORMAT json",
    **{format: f"{_CSV}{literal(delimiter)}" for format, delimiter in DELIMITERS.items()},
}
_LINES: Final = "FORMAT csv, HEADER false, DELIMITER '', QUOTE '', ESCAPE '', NULLSTR ''"
"""The options to write text unchanged."""


@attrs.frozen
class Partitioning:
    """A division of rows into folders.

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
        """The beginning of the names of the folders."""
        return self.bucket or self.column

    @property
    def value(self) -> str:
        """The expression for the folder of a row. It is null for values that are too long, too."""
        column = identifier(self.column)
        if self.bucket is not None:
            return f"({column} % {self.buckets} + {self.buckets}) % {self.buckets}"
        fits = f"strlen(url_encode({column})) <= {_LONGEST_FOLDER}"
        return f"CASE WHEN {column} <> '' AND {fits} THEN {column} END"


@attrs.define
class Summary:
    """The result: the number of rows, and the bad rows and malformed lines by their errors."""

    rows: int = 0
    bad: Counter[str] = attrs.field(factory=Counter)
    malformed: Counter[str] = attrs.field(factory=Counter)


class Function:
    """A function that DuckDB calls for a batch of rows. It counts rows and errors.

    ``counts``: whether it does. ``failure``: what it has raised, of which DuckDB keeps the text.
    """

    NAME: Final = _FUNCTION

    def __init__(
        self, adding: Adding | AddingLinks, summary: Summary, most_bytes: int, *, has_base: bool
    ) -> None:
        """``most_bytes``: how many bytes of URLs it reads before it stops."""
        self._adding = adding
        self._summary = summary
        self._most_bytes = most_bytes
        self._has_base = has_base
        self._lock = Lock()
        self._bytes = 0
        self.values: int = 0
        self.rows: int = 0
        self.counts = True
        self.failure: Exception | None = None

    def register(self, con: DuckDBPyConnection, types: list[str]) -> None:
        """Add it to a connection, for arguments of these types. Raises TypeError for others."""
        empty = [pa.array([], pa.binary() if kind == "BLOB" else pa.string()) for kind in types]
        answer = self._computed(*empty)[0].type
        call: Callable[..., pa.Array]
        if self._has_base:

            def call(urls: pa.ChunkedArray, bases: pa.ChunkedArray) -> pa.Array:
                return self._called(urls, bases)

        else:

            def call(urls: pa.ChunkedArray) -> pa.Array:
                return self._called(urls)

        con.create_function(  # type: ignore[call-overload]  # types given as names
            _FUNCTION, call, types, type_name(answer),
            type="arrow", null_handling="special", side_effects=True,
        )  # fmt: skip

    def _called(self, *columns: pa.ChunkedArray) -> pa.Array:
        try:
            arrays = [column.combine_chunks() for column in columns]
            self._read(sum(array.nbytes for array in arrays))
            answer, errors = self._computed(*arrays)
            if self.counts:
                counts = pc.value_counts(errors.drop_null()).to_pylist()
                with self._lock:
                    self._summary.rows += len(errors)
                    self.rows += len(errors)
                    self.values += len(arrays[0]) - arrays[0].null_count
                    for count in counts:
                        self._summary.bad[count["values"]] += count["counts"]
        except Exception as error:
            self.failure = error
            raise
        return answer

    def _read(self, size: int) -> None:
        with self._lock:
            self._bytes += size
            if self._bytes > self._most_bytes:
                raise TooMuchError

    def _computed(self, *columns: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Return the answers for columns as DuckDB gets them, and the errors."""
        made = self._adding.compute(columns[0], columns[1] if self._has_base else None)
        errors = made.errors.cast(pa.string())
        arrays = [*map(_plain, made.columns.columns), errors]
        names = [*map(_field, range(len(arrays) - 1)), _ERROR]
        answer = pa.StructArray.from_arrays(arrays, names)
        if made.ends is not None:
            answer = pa.ListArray.from_arrays(made.ends, answer)
        return answer, errors


class TooMuchError(Exception):
    """Raised if more is read or written than the limit allows."""


def _plain(array: pa.Array) -> pa.Array:
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    return array.cast(pa.string() if pa.types.is_large_string(kind) else kind)


def _field(number: int) -> str:
    return f"c{number}"


class Query:
    """The SQL for the rows of a source."""

    def __init__(
        self,
        source: Source,
        adding: Adding | AddingLinks,
        column: str,
        base_column: str | None,
        partitioning: Partitioning | None,
    ) -> None:
        """Look at the types of the columns. Raises `FileError` for a column that is not text."""
        self._source = source
        self._adding = adding
        self._partitioning = partitioning
        self._base_column = base_column
        values = [source.text(column), *([] if base_column is None else [source.text(base_column)])]
        self._values = [value for value, _ in values]
        self.types: list[str] = [kind for _, kind in values]
        """The types of the URLs and of the bases."""

    def copy(self, table: str, target: Place, *, only_bad: bool = False) -> str:
        """Return the statement that writes all rows, or the bad ones with errors and numbers.

        ``table``: what the source has opened.
        """
        format = target.format
        is_links = isinstance(self._adding, AddingLinks)
        inner = self._links(table) if is_links else self._rows(table)
        columns = self._columns(only_bad=only_bad)
        is_lines = format == "text"
        if format == "jsonl" and isinstance(self._source, JSONSource) and not is_links:
            columns, is_lines = {"line": _object(columns)}, True
        elif format == "text" and only_bad and not is_links:
            columns = {"url": self._source.shown or _VALUE}
        elif format == "text":
            columns = {name: columns[name] for name in self._adding.column_names}
        elif not is_links:
            columns = {**self._kept(format), **columns}
        shown = ", ".join(f"{value} AS {identifier(name)}" for name, value in columns.items())
        where = f" WHERE {_FAILED} IS NOT NULL" if only_bad else ""
        query = f"SELECT {shown} FROM ({inner}){where}"
        options = _LINES if is_lines else _OPTIONS[format]
        if target.compression is not None:
            options += f", COMPRESSION {target.compression}"
        if self._partitioning is not None and not only_bad:
            own = self._partitioning
            kept = "*" if own.bucket else f"* EXCLUDE ({identifier(own.column)})"
            query = f"SELECT {kept}, {own.value} AS {identifier(own.name)} FROM ({query})"
            options += f", PARTITION_BY ({identifier(own.name)})"
        else:
            options += ", USE_TMP_FILE false"  # It has its own folder, whose size is looked at.
        return f"COPY ({query}) TO {literal(target.path)} ({options})"

    def _rows(self, table: str) -> str:
        """Return the query for the rows with what is computed for them."""
        source = self._source
        values = "".join(f", {value}" for value in self._values)
        return (
            f"SELECT *, {_FUNCTION}({values[2:]}) AS {_FUNCTION}, {self._values[0]} AS {_VALUE},"
            f" {source.number} AS {_NUMBER} FROM {table}{_where(source)}"
        )

    def _links(self, table: str) -> str:
        """Return the query for the links of pages."""
        values = ", ".join(self._values)
        base = f", {self._values[1]} AS {_BASE}" if self._base_column is not None else ""
        return (
            f"SELECT {_NUMBER}{base and f', {_BASE}'}, unnest({_FUNCTION}) AS {_FUNCTION}"
            f" FROM (SELECT row_number() OVER () - 1 AS {_NUMBER}{base},"
            f" {_FUNCTION}({values}) AS {_FUNCTION} FROM {table}{_where(self._source)})"
        )

    def _kept(self, format: str) -> dict[str, str]:
        kept = self._source.kept
        if format not in DELIMITERS:
            return kept
        types = self._source.types
        return {
            name: f"to_json({value})::VARCHAR" if _NESTED.match(types[name]) else value
            for name, value in kept.items()
        }

    def _columns(self, *, only_bad: bool) -> dict[str, str]:
        """Return the new columns."""
        adding = self._adding
        columns = {}
        if isinstance(adding, AddingLinks):
            columns[adding.page_name] = _NUMBER
            if self._base_column is not None:
                columns[self._base_column] = _BASE
        for number, name in enumerate(adding.column_names):
            columns[name] = f"struct_extract({_FUNCTION}, {literal(_field(number))})"
        if only_bad:
            columns.setdefault(adding.error_name, _FAILED)
            if isinstance(adding, Adding):
                columns[f"{adding.prefix}{_ROW}"] = _NUMBER
        return columns


def _where(source: Source) -> str:
    """Return the condition that leaves out malformed rows, or stops at the first."""
    if source.why is None:
        return ""
    if source.leaves_out:
        return f" WHERE {source.why} IS NULL"
    raised = f"error('weburl:' || {source.number} || ':' || {source.why})"
    return f" WHERE CASE WHEN {source.why} IS NULL THEN true ELSE {raised} END"


def _object(columns: dict[str, str]) -> str:
    """Return the line of a JSON object with new members at its end."""
    members = ", ".join(f"{identifier(name)} := {value}" for name, value in columns.items())
    beginning = "rtrim(left(rtrim(text, E' \\t\\r'), -1), E' \\t\\r,')"
    return (
        f"{beginning} || CASE WHEN {beginning} = '{{' THEN '' ELSE ', ' END"
        f" || substr(to_json(struct_pack({members}))::VARCHAR, 2)"
    )

"""The query for a file: all of its columns, the new ones, and how they are written."""

from __future__ import annotations

import re
from argparse import Namespace
from collections import Counter
from threading import Lock
from typing import Final

import attrs
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import DuckDBPyConnection

from weburl.columns.duckdb import type_name
from weburl.columns.files.adding import Columns, Links
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.places import Place
from weburl.columns.files.sources import DELIMITERS, JSONSource, Source, identifier, literal

FUNCTION: Final = "weburl_added"
"""The name of the function that DuckDB calls."""
_VALUE: Final = "weburl_value"
_NUMBER: Final = "weburl_number"
_BASE: Final = "weburl_base"
_ERROR: Final = "weburl_error"
RESERVED: Final = frozenset({FUNCTION, _VALUE, _NUMBER})
"""Names that the columns of an input cannot have."""
_FAILED: Final = f"struct_extract({FUNCTION}, '{_ERROR}')"
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

    def of(self, query: str) -> str:
        """Return the query with the value for the folder of each row, null if it is too long."""
        column = identifier(self.column)
        if self.bucket is not None:
            kept = "*"
            value = f"({column} % {self.buckets} + {self.buckets}) % {self.buckets}"
        else:
            kept = f"* EXCLUDE ({column})"
            fits = f"strlen(url_encode({column})) <= {_LONGEST_FOLDER}"
            value = f"CASE WHEN {column} <> '' AND {fits} THEN {column} END"
        return f"SELECT {kept}, {value} AS {identifier(self.name)} FROM ({query})"


@attrs.frozen
class Job:
    """One run.

    ``files``: the input; or the files of a folder or pattern, each with the path of its output.
    ``base_column``: the column with the base of each URL or the address of each page, if any.
    """

    options: Namespace
    files: list[tuple[Place, str | None]]
    input: Place
    output: Place
    bad: Place | None
    column: str
    base_column: str | None
    adding: Columns | Links
    partitioning: Partitioning | None

    @property
    def new_names(self) -> list[str]:
        """The names of all columns that are new in the output or the file of bad rows."""
        if isinstance(self.adding, Links):
            return []
        names = [*self.adding.column_names]
        if self.partitioning is not None:
            names.append(self.partitioning.name)
        if self.bad is not None:
            names += [self.adding.error_name, self.adding.row_name]
        return [*dict.fromkeys(names)]


@attrs.define
class Summary:
    """The result: the number of rows, and the bad rows and malformed lines by their errors."""

    rows: int = 0
    bad: Counter[str] = attrs.field(factory=Counter)
    malformed: Counter[str] = attrs.field(factory=Counter)


class TooMuchError(Exception):
    """Raised if more is read or written than the limit allows."""


class Function:
    """A function that DuckDB calls for a batch of rows. It counts rows and errors.

    ``counts``: whether it does. ``failure``: what it has raised, of which DuckDB keeps the text.
    """

    def __init__(self, adding: Columns | Links, summary: Summary, most_bytes: int) -> None:
        """``most_bytes``: how many bytes of URLs it reads before it stops."""
        self._adding = adding
        self._summary = summary
        self._most_bytes = most_bytes
        self._lock = Lock()
        self._bytes = 0
        self.values: int = 0
        self.rows: int = 0
        self.counts = True
        self.failure: Exception | None = None

    def register(self, con: DuckDBPyConnection, types: list[str]) -> None:
        """Add it to a connection, for arguments of these types. Raises TypeError for others."""
        empty = [pa.array([], pa.binary() if kind == "BLOB" else pa.string()) for kind in types]
        answer, _ = self._computed(*empty)
        con.create_function(  # type: ignore[call-overload]  # types given as names
            FUNCTION,
            self if len(types) > 1 else lambda urls: self(urls),  # noqa: PLW0108  # it counts
            types,
            type_name(answer.type),
            type="arrow",
            null_handling="special",
            side_effects=True,
        )

    def __call__(self, urls: pa.ChunkedArray, bases: pa.ChunkedArray | None = None) -> pa.Array:
        try:
            columns = [each.combine_chunks() for each in (urls, bases) if each is not None]
            self._read(sum(column.nbytes for column in columns))
            answer, errors = self._computed(*columns)
            counted = pc.value_counts(errors.drop_null()).to_pylist() if self.counts else []
            with self._lock:
                self.rows += len(errors)
                self.values += len(urls) - urls.null_count
                self._summary.rows += len(errors) if self.counts else 0
                self._summary.bad.update({each["values"]: each["counts"] for each in counted})
        except Exception as error:
            self.failure = error
            raise
        return answer

    def _read(self, size: int) -> None:
        with self._lock:
            self._bytes += size
            if self._bytes > self._most_bytes:
                raise TooMuchError

    def _computed(self, urls: pa.Array, bases: pa.Array | None = None) -> tuple[pa.Array, pa.Array]:
        """Return the answers for columns as DuckDB gets them, and the errors."""
        made = self._adding.compute(urls, bases)
        arrays = [*map(_plain, made.columns), _plain(made.errors)]
        names = [*map(_field, range(len(made.columns))), _ERROR]
        answer = pa.StructArray.from_arrays(arrays, names)
        if made.ends is not None:
            answer = pa.ListArray.from_arrays(made.ends, answer)
        return answer, arrays[-1]


def _plain(array: pa.Array) -> pa.Array:
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    return array.cast(pa.string() if pa.types.is_large_string(kind) else kind)


def _field(number: int) -> str:
    return f"c{number}"


class Query:
    """The SQL for the rows of a source."""

    def __init__(self, source: Source, job: Job) -> None:
        """Look at the types of the columns. Raises `FileError` for a column that is not text."""
        self._source = source
        self._adding = job.adding
        self._base_column = job.base_column
        self._partitioning = job.partitioning
        names = (job.column, job.base_column)
        values = [source.text(name) for name in names if name is not None]
        self._values = [value for value, _ in values]
        self.types: list[str] = [kind for _, kind in values]
        """The types of the URLs and of the bases."""

    def copy(self, table: str, target: Place, *, only_bad: bool = False) -> str:
        """Return the statement that writes all rows, or the bad ones with errors and numbers.

        ``table``: what the source has opened.
        """
        format = target.format
        is_links = isinstance(self._adding, Links)
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
        query = f"SELECT {shown} FROM ({self._rows(table)}){where}"
        options = _LINES if is_lines else _OPTIONS[format]
        if target.compression is not None:
            options += f", COMPRESSION {target.compression}"
        if self._partitioning is not None and not only_bad:
            query = self._partitioning.of(query)
            options += f", PARTITION_BY ({identifier(self._partitioning.name)})"
        else:
            options += ", USE_TMP_FILE false"  # It has its own folder, whose size is looked at.
        return f"COPY ({query}) TO {literal(target.path)} ({options})"

    def _rows(self, table: str) -> str:
        """Return the query for the rows with what is computed for them, or for links."""
        source = self._source
        called = f"{FUNCTION}({', '.join(self._values)}) AS {FUNCTION}"
        where = ""
        if source.why is not None and source.leaves_out:
            where = f" WHERE {source.why} IS NULL"
        elif source.why is not None:
            raised = f"error('weburl:' || {source.number} || ':' || {source.why})"
            where = f" WHERE CASE WHEN {source.why} IS NULL THEN true ELSE {raised} END"
        if isinstance(self._adding, Columns):
            return (
                f"SELECT *, {called}, {self._values[0]} AS {_VALUE}, {source.number} AS {_NUMBER}"
                f" FROM {table}{where}"
            )
        base = f", {self._values[1]} AS {_BASE}" if self._base_column is not None else ""
        return (
            f"SELECT * REPLACE (unnest({FUNCTION}) AS {FUNCTION}) FROM"
            f" (SELECT row_number() OVER () - 1 AS {_NUMBER}{base}, {called} FROM {table}{where})"
        )

    def _kept(self, format: str) -> dict[str, str]:
        kept, types = self._source.kept, self._source.types
        if format not in DELIMITERS:
            return kept
        return {
            name: f"to_json({value})::VARCHAR" if _NESTED.match(types[name]) else value
            for name, value in kept.items()
        }

    def _columns(self, *, only_bad: bool) -> dict[str, str]:
        """Return the new columns."""
        adding = self._adding
        columns = {}
        if isinstance(adding, Links):
            columns[adding.page_name] = _NUMBER
            if self._base_column is not None:
                columns[self._base_column] = _BASE
        for number, name in enumerate(adding.column_names):
            columns[name] = f"struct_extract({FUNCTION}, {literal(_field(number))})"
        if only_bad:
            columns.setdefault(adding.error_name, _FAILED)
            if isinstance(adding, Columns):
                columns[adding.row_name] = _NUMBER
        return columns


def _object(columns: dict[str, str]) -> str:
    """Return the line of a JSON object with new members at its end."""
    members = ", ".join(f"{identifier(name)} := {value}" for name, value in columns.items())
    beginning = "rtrim(left(rtrim(text, E' \\t\\r'), -1), E' \\t\\r,')"
    return (
        f"{beginning} || CASE WHEN {beginning} = '{{' THEN '' ELSE ', ' END"
        f" || substr(to_json(struct_pack({members}))::VARCHAR, 2)"
    )

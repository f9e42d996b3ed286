"""Adds columns about URLs to a file, with one statement of DuckDB, and counts the bad URLs.

DuckDB reads and writes the files. The functions in the statement are those of
`weburl.columns.duckdb`. ``python -m weburl columns`` is the only caller.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

import attrs

from weburl.columns.duckdb import register
from weburl.columns.options import SQL_LINK_FIELDS
from weburl.columns.table import FUNCTIONS
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.support.releases import required

with required("duckdb>=1.2", "duckdb"):
    import duckdb

_CSV: Final = (
    "header=true, all_varchar=true, quote='\"', escape='\"', allow_quoted_nulls=false, skip=0"
)
_READERS: Final = {
    "csv": f"read_csv({{}}, delim=',', {_CSV})",
    "tsv": f"read_csv({{}}, delim='\t', {_CSV})",
    "txt": "read_csv({}, auto_detect=false, header=false, columns={{'url': 'VARCHAR'}}, delim='',"
    " quote='', escape='')",
    "jsonl": "read_ndjson({})",
    "ndjson": "read_ndjson({})",
    "parquet": "read_parquet({})",
}
"""What SQL reads from, by the extension of the file."""
_FORMATS: Final = {
    "csv": "FORMAT csv, HEADER",
    "tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    "jsonl": "FORMAT json",
    "ndjson": "FORMAT json",
    "parquet": "FORMAT parquet, COMPRESSION zstd",
}
_COMPRESSED: Final = {".gz": "gzip", ".zst": "zstd"}
_NAME: Final = re.compile(r"(?!\d)[\w .-]{1,60}")
_TEXT: Final = re.compile("VARCHAR|JSON|ENUM")
_GLOB: Final = re.compile(r"[*?\[]")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'", re.DOTALL)
_OF_PYTHON: Final = re.compile(r".*while executing the UDF: \w+: ")
_CTRL_C: Final = re.compile(r".*while executing the UDF: KeyboardInterrupt\b")
_CAUSES: Final = ("Expected Number of", "Value with", "Maximum line", "Invalid unicode")
_RAW_PARTS: Final = ("username", "password", "host_kind")

NAMES: Final = {
    "canonical": "url_canonicalize({})",
    **{
        sql.name.removeprefix("url_"): f"{sql.name}({{}})"
        for function in FUNCTIONS
        for sql in function.sql
        if not sql.others and not function.of_pages
    },
    **{name: f"url_parse({{}}).{name}" for name in _RAW_PARTS},
}
"""The names that ``--add`` accepts, each with what SQL computes for the column."""


class FileError(ValueError):
    """Raised for a file or an argument that is wrong. The message shows no content of a file."""


@attrs.frozen(kw_only=True)
class Job:
    """What to add to which file.

    Args:
        source: the file to read, or a pattern or a URL that DuckDB reads.
        target: the file to write; a folder with ``partition_by``.
        column: the column with the URLs; with ``links``, the one with the addresses of the pages.
        add: the names of the new columns: those of `NAMES`, or of fields of links.
        params: names in the query, each of which becomes a column ``param_NAME``.
        keys: ready rules, or JSON, each of which becomes a column ``key_RULES``.
        key_hashes: the same, for columns ``key_hash_RULES``.
        base: the base URL, or the column with a base for each row.
        links: the column with the HTML of pages, for a row for each link.
        prefix: what the names of new columns begin with.
        partition_by: the new column whose values become folders.
    """

    source: str
    target: str
    column: str
    add: Sequence[str]
    params: Sequence[str] = ()
    keys: Sequence[str] = ()
    key_hashes: Sequence[str] = ()
    base: str | None = None
    links: str | None = None
    prefix: str = ""
    partition_by: str | None = None


class Summary(NamedTuple):
    """How many rows were written, and the names of failures with how often each occurred."""

    rows: int
    bad: Mapping[str, int]


@attrs.frozen
class Statement:
    """The statement for a job, without its beginning and end.

    ``query``: selects all rows with the new columns. ``failures``: selects the name of the failure
    of each row. ``options``: those of ``COPY``.
    """

    query: str
    failures: str
    options: str

    def to(self, target: str) -> str:
        """Return the whole statement."""
        return f"COPY (\n  {self.query}\n) TO {_literal(target)} ({self.options})"


@contextmanager
def opened(*, shows_progress: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """Provide a database in memory with the functions. DuckDB prints its progress bar if asked."""
    with duckdb.connect() as connection:
        connection.execute(f"SET enable_progress_bar = {str(shows_progress).lower()}")
        connection.execute("SET TimeZone = 'UTC'")
        register(connection)
        yield connection


def composed(connection: duckdb.DuckDBPyConnection, job: Job) -> Statement:
    """Return the statement for a job. Raises `FileError` if it would fail."""
    reader = _reader(job.source)
    with _explained(job):
        described = connection.execute(f"DESCRIBE SELECT * FROM {reader}").fetchall()
    types = {name: kind for name, kind, *_ in described}
    column = _text_column(job.column, types)
    if job.links is None:
        value, is_bad = column, "url_error({})"
        if job.base is not None:
            value = f"url_resolve({column}, {_base(job.base, types)})"
            is_bad = f"CASE WHEN {value} IS NULL THEN url_error({{}}) END"
        new = {
            name: (is_bad.format(column) if name == "error" else NAMES[name].format(value))
            for name in _known(job.add, NAMES)
        }
        for prefix, function, arguments in (
            ("param_", "url_search_param", job.params),
            ("key_", "url_key", job.keys),
            ("key_hash_", "url_key_hash", job.key_hashes),
        ):
            for each in arguments:
                new[f"{prefix}{each}"] = f"{function}({value}, {_literal(each)})"
        kept, table, failures = "*", reader, is_bad.format(column)
    else:
        page = f"{_text_column(job.links, types)}, {column}"
        new = {name: f"link.{name}" for name in _known(job.add, SQL_LINK_FIELDS)}
        kept = f"* EXCLUDE ({_identifier(job.links)}, link)"
        table = f"(SELECT *, unnest(html_links({page})) AS link FROM {reader})"
        failures = f"html_links_or_error({page}).error"
    named = {f"{job.prefix}{name}": value for name, value in new.items()}
    _refuse_names(job, types, named)
    added = "".join(f",\n    {value} AS {_identifier(name)}" for name, value in named.items())
    return Statement(
        f"SELECT {kept}{added}\n  FROM {table}",
        f"SELECT {failures} AS error FROM {reader}",
        _options(job, named),
    )


def run(connection: duckdb.DuckDBPyConnection, job: Job, *, overwrite: bool = False) -> Summary:
    """Write the output, which gets its name when it is complete.

    Raises `FileError`; nothing is left of the output then.
    """
    statement = composed(connection, job)
    with _written(job.target, overwrite=overwrite) as target, _explained(job):
        ((rows,),) = connection.execute(statement.to(target)).fetchall()
        counted = connection.execute(
            f"SELECT error, count(*) FROM ({statement.failures}) WHERE error IS NOT NULL"
            " GROUP BY error ORDER BY count(*) DESC, error"
        )
        return Summary(rows, dict(counted.fetchall()))


def _reader(source: str) -> str:
    if not _is_remote(source) and os.path.isdir(source):  # noqa: PTH112  # it may be a bad path
        raise FileError(f"{shown(source)} is a folder: pass a pattern, such as 'folder/*.parquet'")
    extension = _extension(source)[0]
    if extension not in _READERS:
        raise FileError(f"{shown(source)}: the extension must be one of {', '.join(_READERS)}")
    # An existing file is read as named, even if its name looks like a pattern.
    pattern = _GLOB.sub(r"[\g<0>]", source) if os.path.exists(source) else source  # noqa: PTH110
    return _READERS[extension].format(_literal(pattern))


def _options(job: Job, new: Mapping[str, str]) -> str:
    if job.partition_by is None:
        extension, compression = _extension(job.target)
        if extension not in _FORMATS:
            raise FileError(
                f"{shown(job.target)}: the extension must be one of {', '.join(_FORMATS)}"
            )
        packed = f", COMPRESSION {compression}" if compression and extension != "parquet" else ""
        return _FORMATS[extension] + packed
    name = f"{job.prefix}{job.partition_by}"
    if name not in new:
        raise FileError(f"--partition-by takes one of the new columns: {', '.join(new)}")
    return f"{_FORMATS['parquet']}, PARTITION_BY ({_identifier(name)})"


def _extension(path: str) -> tuple[str, str | None]:
    """Return the extension of a path without its dot, and how the file is compressed."""
    stem, last = os.path.splitext(path.partition("?")[0] if _is_remote(path) else path)  # noqa: PTH122
    compression = _COMPRESSED.get(last.lower())
    if compression is not None:
        last = os.path.splitext(stem)[1]  # noqa: PTH122
    return last.lower().removeprefix("."), compression


def _is_remote(path: str) -> bool:
    return "://" in path


def _known(names: Sequence[str], known: Mapping[str, str] | Sequence[str]) -> Sequence[str]:
    if unknown := [name for name in names if name not in known]:
        raise FileError(f"--add does not accept {shown(unknown[0])}, only {', '.join(known)}")
    if twice := [name for name in names if names.count(name) > 1]:
        raise FileError(f"--add has {twice[0]} twice")
    return names


def _text_column(name: str, types: Mapping[str, str]) -> str:
    """Return what SQL computes for the column of this name: a column, or a field of a struct."""
    first, *fields = [name] if name in types else name.split(".")
    kind = types.get(first, "")
    if not kind or (fields and not kind.startswith("STRUCT")):
        # Without a row of names, the first row has data.
        names = ", ".join(shown(each) for each in types if _NAME.fullmatch(each))
        raise FileError(f"there is no column {shown(name)}; there are: {names}")
    if not fields and not _TEXT.match(kind):
        raise FileError(f"the column {shown(name)} is not text, but {kind}")
    return ".".join(map(_identifier, [first, *fields]))


def _base(base: str, types: Mapping[str, str]) -> str:
    return _literal(base) if ":" in base else _text_column(base, types)


def _refuse_names(job: Job, types: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Raise `FileError` for columns that there are already. DuckDB does not distinguish case."""
    there = {name.lower() for name in types if name != job.links}
    if job.links is not None:
        there.add("link")
    if taken := [name for name in new if name.lower() in there]:
        raise FileError(f"there is a column {shown(taken[0])} already: use --prefix")


def _identifier(name: str) -> str:
    return _literal(name, '"')


def _literal(text: str, quote: str = "'") -> str:
    if "\0" in text:
        raise FileError(f"{shown(text)} has the character U+0000, which DuckDB does not accept")
    return f"{quote}{text.replace(quote, 2 * quote)}{quote}"


def shown(text: str) -> str:
    """Return a name as a message shows it."""
    return f"'{printable(masked(text))[:200]}'"


@contextmanager
def _written(target: str, *, overwrite: bool) -> Iterator[str]:
    """Provide the path to write to. At the end, it gets the name ``target``."""
    if _is_remote(target):
        yield target  # An object gets its name when it is complete.
        return
    path = Path(target)
    if path.is_dir() or (path.exists() and not overwrite):
        hint = "remove it first" if path.is_dir() else "use --overwrite"
        raise FileError(f"{shown(target)} already exists: {hint}")
    # Ctrl-C may come as soon as the folder exists, so its name is known before.
    folder = path.parent / f".weburl-{token_hex(4)}"
    try:
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise FileError(f"{shown(target)} cannot be written: {error.strerror}") from None
        yield str(folder / path.name)
        os.replace(folder / path.name, path)  # noqa: PTH105
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _explained(job: Job) -> Iterator[None]:
    """Raise the errors of DuckDB as `FileError`, without what they quote of a file."""
    try:
        yield
    except RuntimeError:  # DuckDB raises it after Ctrl-C.
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        if _CTRL_C.match(str(error)):  # It came while a function in Python ran.
            raise KeyboardInterrupt from None
        known = {job.source, job.target, job.column}
        first, *others = _OF_PYTHON.sub("", str(error)).split("\n")
        causes = [line for line in others if line.startswith(_CAUSES)]
        text = _QUOTED.sub(
            lambda found: found[0] if found[0][1:-1] in known else '"…"', " ".join([first, *causes])
        )
        raise FileError(printable(masked(text))) from None


def progress_is_seen() -> bool:
    """Return whether DuckDB's progress bar, which it prints to standard output, is seen."""
    return sys.stdout is not None and sys.stdout.isatty()

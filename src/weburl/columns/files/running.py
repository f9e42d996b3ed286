"""The one query that adds columns to a file, run by DuckDB, and what its errors mean.

DuckDB's messages may quote what is in a file, so none of them is shown.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

import attrs

from weburl.columns.files.adding import Links
from weburl.columns.files.errors import STOPPED, FileError, listed, reason
from weburl.columns.files.places import Output, Place, is_remote
from weburl.columns.files.queries import (
    FUNCTION,
    RESERVED,
    Function,
    Job,
    Query,
    Summary,
    TooMuchError,
)
from weburl.columns.files.sources import (
    DELIMITERS,
    REJECTED,
    CSVSource,
    JSONSource,
    ParquetSource,
    Source,
    TextSource,
    WARCSource,
    literal,
)
from weburl.standard.infra.releases import required

with required("duckdb", "duckdb"):
    import duckdb

Tell = Callable[["Summary", float], None]
"""What is called with the rows by now, and with how many percent DuckDB reports, or -1."""

_HINT: Final = "--malformed skip leaves such lines out, and --malformed keep writes them to a file"
_LEAST_LIMIT: Final = 1 << 32
_TIMES_INPUT: Final = 1000
_SECONDS: Final = 0.1  # between two looks at a query
_NAMES: Final = {
    "parquet": "Parquet",
    "csv": "CSV",
    "tsv": "TSV",
    "jsonl": "JSON lines",
    "warc": "WARC",
}
_RAISED: Final = re.compile(r"Invalid Input Error: weburl:(\d+):(.*)\Z", re.DOTALL)
_OF_CSV: Final = re.compile(r"CSV Error on Line: (\d+)\n")
_CSV_ERRORS: Final = (
    (re.compile(r"^Expected Number of Columns", re.MULTILINE), REJECTED["TOO MANY COLUMNS"]),
    (re.compile(r"^Value with unterminated quote", re.MULTILINE), REJECTED["UNQUOTED VALUE"]),
    (re.compile(r"^Maximum line size", re.MULTILINE), REJECTED["LINE SIZE OVER MAXIMUM"]),
    (re.compile(r"^Invalid unicode", re.MULTILINE), REJECTED["INVALID ENCODING"]),
)
_ERRNO: Final = re.compile(r'"errno":"(\d+)"')
_OF_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG)


def run(job: Job, tell: Tell, summary: Summary) -> None:
    """Write the outputs, which get their names when all of them are complete.

    Raises `FileError` if this is impossible. Nothing is left then.
    """
    _refuse_places(job)
    with ExitStack() as stack:
        is_dataset = job.files[0][1] is not None

        def output(place: Place, *, is_folder: bool = is_dataset) -> Output:
            made = Output(place, is_folder=is_folder, overwrite=job.options.overwrite)
            stack.callback(made.close)
            made.make()
            return made

        written = output(job.output, is_folder=is_dataset or job.partitioning is not None)
        bad = None if job.bad is None else output(job.bad)
        malformed = None
        if job.bad is not None and job.options.malformed == "keep":
            malformed = output(Place(f"{job.bad.path}.malformed.jsonl", "jsonl"))
        outputs = [each for each in (malformed, bad, written) if each is not None]
        con = stack.enter_context(_connection(job, written.own))
        one = _Run(job, con, tell, summary, outputs)
        for place, name in job.files:
            one.write(
                _spooled(place, written.own) if place.is_stream else place,
                written.target(name),
                None if bad is None else bad.target(name),
                None if malformed is None else malformed.target(name and f"{name}.jsonl"),
            )
        for each in outputs:
            each.put()


def _refuse_places(job: Job) -> None:
    """Raise `FileError` for an input that is missing, and for outputs that would harm it."""
    local = [
        Path(os.path.realpath(place.path))
        for place in (job.input, job.output, job.bad)
        if place is not None and not place.is_stream and not is_remote(place.path)
    ]
    if len(set(local)) < len(local):
        raise FileError("the input, the output and the file of bad rows must be different files")
    for outer in local:
        for inner in local:
            if inner != outer and inner.is_relative_to(outer):
                raise FileError(f"{listed([str(inner)])} is inside {listed([str(outer)])}")
    names = Counter(name for _, name in job.files if name is not None)
    if twice := [name for name, count in names.items() if count > 1]:
        raise FileError(f"{listed(twice, 3)} would be written for more than one file")
    for place, _ in job.files:
        if place.is_stream or is_remote(place.path):
            continue
        if not os.path.lexists(place.path):
            raise FileError(f"{place} does not exist")
        if not Path(place.path).is_file():
            raise FileError(f"{place} is not a regular file; use - for standard input")


@contextmanager
def _connection(job: Job, folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Provide a database in memory, which puts what does not fit into a folder."""
    with duckdb.connect() as con:
        # DuckDB writes its bar to standard output, where the rows may be.
        con.execute("SET enable_progress_bar_print = false")
        con.execute("SET enable_progress_bar = true")
        con.execute("SET autoinstall_known_extensions = false")
        con.execute("SET enable_external_file_cache = false")  # Each file is read once.
        con.execute("SET TimeZone = 'UTC'")
        con.execute(f"SET temp_directory = {literal(str(folder / 'spilled'))}")
        con.execute(f"SET threads = {job.options.threads}")
        try:
            con.execute(f"SET memory_limit = {literal(job.options.memory)}")
        except duckdb.Error:
            raise FileError(
                f"--memory takes a size such as 2GB, not {listed([job.options.memory])}"
            ) from None
        yield con


def _spooled(place: Place, folder: Path) -> Place:
    """Return a file with all that standard input has."""
    if sys.stdin is None:
        raise FileError("standard input is closed")
    path = folder / "input"
    try:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except OSError as error:
        raise FileError(f"standard input cannot be kept: {reason(error)}", STOPPED) from None
    return attrs.evolve(place, path=str(path), shown="standard input")


class _Run:
    """Runs the queries for one file after another."""

    def __init__(
        self,
        job: Job,
        con: duckdb.DuckDBPyConnection,
        tell: Tell,
        summary: Summary,
        outputs: list[Output],
    ) -> None:
        self._job = job
        self._con = con
        self._tell = tell
        self._summary = summary
        self._outputs = outputs
        self._most = 0
        self._failing: list[Source | Function] = []

    def write(
        self, place: Place, output: Place, bad: Place | None, malformed: Place | None
    ) -> None:
        """Write the outputs for a file. Raises `FileError`."""
        self._failing.clear()
        try:
            self._write(place, output, bad, malformed)
        except (TooMuchError, OSError, duckdb.Error) as error:
            # DuckDB only keeps the text of an error of Python.
            failures = (each.failure for each in self._failing)
            raise self._explained(next(filter(None, failures), error), place) from None

    def _write(
        self, place: Place, output: Place, bad: Place | None, malformed: Place | None
    ) -> None:
        job = self._job
        self._most = job.options.max_output or max(_LEAST_LIMIT, _TIMES_INPUT * place.size())
        source = self._source_of(place)
        query = Query(source, job)
        function = Function(job.adding, self._summary, self._most)
        self._failing.append(function)
        with suppress(duckdb.Error):
            self._con.remove_function(FUNCTION)  # of the file before
        try:
            function.register(self._con, query.types)
        except TypeError as error:
            raise FileError(f"{place}: {listed([job.column])} is not text: {error}") from None
        skips = job.options.malformed != "stop"
        self._execute(query.copy(source.table(skips=skips), output))
        if isinstance(source, JSONSource) and function.rows and not function.values:
            raise FileError(f"{place}: no line has text for {listed([job.column])}")
        if skips:
            self._note_malformed(source.malformed(), malformed)
        if bad is not None:
            function.counts = False
            self._execute(query.copy(source.table(skips=skips), bad, only_bad=True))

    def _source_of(self, place: Place) -> Source:
        """Return the rows of a file. Raises `FileError` for columns with names that are taken."""
        job, con, execute = self._job, self._con, self._execute
        is_links = isinstance(job.adding, Links)
        written = {target.format for target in (job.output, job.bad) if target is not None}
        match place.format:
            case "parquet":
                source: Source = ParquetSource(con, execute, place)
            case "csv" | "tsv":
                source = CSVSource(con, execute, place)
            case "text":
                source = TextSource(con, execute, place)
            case "warc":
                has_bodies = written == {"parquet"} and not is_links
                source = WARCSource(con, execute, place, has_bodies=has_bodies, only_pages=is_links)
            case "jsonl":
                urls = [job.column, *filter(None, [job.base_column])]
                written = {"jsonl"} if is_links else written
                source = JSONSource(con, execute, place, urls, job.new_names, written)
        self._failing.append(source)
        if is_links:
            return source
        if reserved := [name for name in source.kept if name.lower() in RESERVED]:
            raise FileError(f"{place} has a column named {listed(reserved)}: rename it")
        lower = {name.lower() for name in job.new_names}
        if there := [name for name in source.kept if name.lower() in lower]:
            raise FileError(f"{place} already has {listed(there)}: use --prefix for other names")
        return source

    def _note_malformed(self, rows: str, target: Place | None) -> None:
        """Count malformed rows, and write them to a file if there is one."""
        self._execute(f"CREATE OR REPLACE TEMP TABLE malformed AS {rows}")
        counted = "SELECT why, count(*) FROM malformed GROUP BY why"
        for why, count in self._execute(counted):
            self._summary.malformed[why] += count
        if target is not None:
            self._execute(f"COPY malformed TO {literal(target.path)} (FORMAT json)")
        for table in ("reject_errors", "reject_scans", "malformed"):
            self._con.execute(f"DROP TABLE IF EXISTS {table}")

    def _execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in a thread, so that it can be looked at and stopped."""
        answers: list[Any] = []

        def work() -> None:
            try:
                answers.append(self._con.execute(statement).fetchall())
            except BaseException as error:  # noqa: BLE001  # it is raised below
                answers.append(error)
            finally:
                ended.set()

        # On Python 3.11, Ctrl-C in `Thread.join` marks a thread as ended that still runs.
        ended = Event()
        Thread(target=work).start()
        pause = _SECONDS
        is_too_much = False
        try:
            while not ended.wait(pause):
                self._tell(self._summary, self._con.query_progress())
                before = monotonic()
                if self._is_too_much():
                    is_too_much = True
                    self._con.interrupt()
                pause = max(_SECONDS, 10 * (monotonic() - before))  # There may be many folders.
        except BaseException:
            self._con.interrupt()
            raise
        finally:
            while not ended.is_set():
                with suppress(KeyboardInterrupt):  # It is being stopped already.
                    ended.wait()
        if is_too_much or self._is_too_much():
            raise TooMuchError
        (answer,) = answers
        if isinstance(answer, BaseException):
            raise answer
        rows: list[tuple[Any, ...]] = answer
        return rows

    def _is_too_much(self) -> bool:
        return any(output.written() > self._most for output in self._outputs)

    def _explained(self, error: BaseException, place: Place) -> BaseException:
        """Return a `FileError` for an error that a file can cause, and others as they are."""
        match error:
            case TooMuchError():
                return FileError(
                    f"{place}: more than {self._most:,} bytes would be written:"
                    " --max-output allows more"
                )
            case OverflowError():
                return FileError(f"{place} cannot be computed: {error}")
            case BrokenPipeError():
                return error
            case OSError():
                return FileError(f"{place} cannot be read: {reason(error)}")
            case duckdb.Error():
                return self._of_duckdb(error, place)
        return error

    def _of_duckdb(self, error: Exception, place: Place) -> FileError:
        """Return what an error of DuckDB means, without its message, which may quote the file."""
        message = str(error)
        if found := _RAISED.match(message):
            unit = "byte" if place.format == "warc" else "line"
            return FileError(f"{place}, {unit} {int(found[1]):,}: {found[2]}. {_HINT}")
        if found := _OF_CSV.search(message):
            whys = [why for pattern, why in _CSV_ERRORS if pattern.search(message)]
            why = whys[0] if whys else "it cannot be read"
            return FileError(f"{place}, line {int(found[1]):,}: {why}. {_HINT}")
        if isinstance(error, duckdb.OutOfMemoryException):
            return FileError(
                f"{place} needs more memory: --memory allows more, and --threads 1 needs less",
                STOPPED,
            )
        if isinstance(error, duckdb.IOException):
            found = _ERRNO.search(message)
            codes = [int(found[1])] if found else [
                code for code in _OF_DISK if message.rstrip().endswith(os.strerror(code))
            ]  # fmt: skip
            if codes:
                return FileError(
                    f"{self._job.output} cannot be written: {os.strerror(codes[0])}", STOPPED
                )
        if place.format in DELIMITERS and "state machine" in message:
            return FileError(
                f"{place} cannot be read: its lines end in different ways, or have a lone CR"
            )
        if "string buffers is" in message:
            return FileError(
                f"{place} cannot be computed: 2,048 rows together have more than 2 GiB of text"
            )
        compressed = "" if place.compression is None else f", compressed by {place.compression}"
        name = _NAMES.get(place.format, place.format)
        return FileError(f"{place} is not {name}{compressed}, or it is damaged")

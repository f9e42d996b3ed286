"""A whole run: reads batches, computes them or takes saved results, and writes them."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import pyarrow as pa

from weburl.columns.files.adding import Added, Adding
from weburl.columns.files.arguments import OnMalformed
from weburl.columns.files.errors import STOPPED, WRONG, FileError, listed
from weburl.columns.files.folders import open_folder, replace_folder
from weburl.columns.files.json_lines import JSONReader, JSONTableReader
from weburl.columns.files.keeping import Keeping, identity_of, partial_of
from weburl.columns.files.malformed import SCHEMA, Malformed, batch_of
from weburl.columns.files.partitions import Partitioning, Partitions
from weburl.columns.files.places import WHOLE_FILES, Place, Source, Target, problem_with
from weburl.columns.files.rows import Reader, Rows, Wanted
from weburl.columns.files.tables import CSVReader, ParquetReader
from weburl.columns.files.text import TextReader
from weburl.columns.files.workers import computing
from weburl.columns.files.writing import writer_of
from weburl.standard.infra.credentials import masked

if TYPE_CHECKING:
    from weburl.columns.files.links import AddingLinks


@attrs.frozen
class Job:
    """What to read, add and write. The bad rows are also written to ``bad``, if it is set.

    ``encoding``: of the input, if it is not UTF-8. ``malformed``: where malformed lines are
    written if ``on_malformed`` is "keep". ``partitioning``: how the output is split up into
    folders; then ``output`` is the folder of them.
    """

    input: Place
    output: Place
    bad: Place | None
    wanted: Wanted
    adding: Adding | AddingLinks
    workers: int = 1
    resume: bool = False
    overwrite: bool = False
    keep_seconds: float = 10.0
    encoding: str | None = None
    on_malformed: OnMalformed = "stop"
    malformed: Place | None = None
    partitioning: Partitioning | None = None

    def outputs(self) -> list[Place]:
        """Return the places that are written."""
        return [place for place in (self.output, self.bad, self.malformed) if place is not None]

    def beside(self) -> list[Path]:
        """Return the paths of the files that are written beside the output."""
        places = (self.bad, self.malformed)
        return [place.path.resolve() for place in places if place is not None and place.path]

    @property
    def can_resume(self) -> bool:
        """Whether the input and the output are files, so that a stopped run can be resumed."""
        return not self.input.is_stream and self.output.path is not None

    def options(self) -> dict[str, Any]:
        """Return the options that must be the same to resume a run, by their names."""
        own = attrs.asdict(self.adding, recurse=False)
        return {
            "--from": self.input.format,
            "--to": self.output.format,
            "--bad": None if self.bad is None else [str(self.bad.path), self.bad.format],
            "--column": self.wanted.column,
            "--base-column": self.wanted.base_column,
            "--add": own["names"],
            "--param": own.get("params"),
            "--key": own.get("keys"),
            "--without": own.get("without"),
            "--no-private": not own.get("private", True),
            "--hosts": own.get("of_hosts", False),
            "--key-hash": own.get("key_hashes"),
            "--kinds": own.get("kinds"),
            "--links": "address" in own,
            "--base": own["base"],
            "--prefix": own["prefix"],
            "--policy": repr(own["policy"]) if own.get("policy") else None,
            "--encoding": self.encoding,
            "--malformed": self.on_malformed,
            "--partition-by": self.partitioning and attrs.astuple(self.partitioning),
        }

    def identity(self) -> dict[str, Any] | None:
        """Return what must be the same to resume a run, or None if that is impossible."""
        if self.input.path is None or not self.can_resume:
            return None
        return identity_of(self.input.path, self.options())


@attrs.define
class Summary:
    """Counts the rows written.

    ``kept``: those computed by an earlier run. ``bad``: the bad rows, by the name of the failure.
    ``malformed``: the malformed lines, which are not rows, by what is wrong with them.
    """

    rows: int = 0
    kept: int = 0
    bad: Counter[str] = attrs.field(factory=Counter, converter=Counter)
    malformed: Counter[str] = attrs.field(factory=Counter, converter=Counter)

    def count(self, errors: pa.Array, malformed: tuple[Malformed, ...]) -> None:
        """Count the rows of a batch, and its malformed lines."""
        # A number of cells is different in each line: count the kind.
        self.malformed.update(_kind(line.why) for line in malformed)
        self.rows += len(errors)
        for each in errors.value_counts().to_pylist():
            if each["values"] is not None:
                self.bad[each["values"]] += each["counts"]

    def add(self, other: Summary) -> None:
        """Add the rows of another file."""
        self.rows += other.rows
        self.kept += other.kept
        self.bad += other.bad
        self.malformed += other.malformed


def _kind(why: str) -> str:
    return "another number of cells" if "cells" in why else why


Tell: TypeAlias = Callable[[Reader, Summary], object]
"""Called after each batch."""


def run(job: Job, tell: Tell, summary: Summary) -> Summary:
    """Do a job, and return its summary. The output gets its name when it is complete.

    Args:
        job: What to do.
        tell: Called after each batch.
        summary: Counts the rows during the run.

    Raises:
        FileError: The job, the input or the disk does not allow it.
    """
    with told("the files cannot be examined", WRONG):
        _refuse_places(job)
    if job.output.path is None:
        _work(job, None, tell, summary)
        return summary
    of_folders = frozenset() if job.partitioning is None else frozenset({"output", "replaced"})
    keeping = Keeping(job.output.path.resolve(), job.keep_seconds, folders=of_folders)
    if not (job.resume and keeping.has_done):
        _refuse_existing(job, keeping.folder)
    with told(f"{job.input} cannot be read", WRONG):
        identity = job.identity()
    try:
        with told(f"{keeping.folder} cannot be written", WRONG):
            keeping.begin(identity, resume=job.resume, overwrite=job.overwrite)
    except BaseException:  # The folder is from another run, so it stays.
        keeping.close()
        raise
    with told(f"{job.output} cannot be written", STOPPED):
        done = keeping.finished(_moves(job, keeping.folder / "output"))
        if done is not None:
            _open(job)
            return Summary(**done)
    try:
        _work(job, keeping, tell, summary)
    except BaseException as error:
        # An error in the input would occur again, so there is nothing to resume.
        if not job.can_resume or (isinstance(error, FileError) and error.status != STOPPED):
            keeping.remove()
        else:
            keeping.close()
        raise
    return summary


def _moves(job: Job, output: Path) -> list[tuple[Path, Path]]:
    """Return the files to rename with their final names. The output is the last one."""
    moves = [(partial_of(path), path) for path in job.beside()]
    if job.output.path is not None:
        moves.append((output, job.output.path.resolve()))
    return moves


def _refuse_places(job: Job) -> None:
    """Raise `FileError` for places that cannot be read or written."""
    places = (job.input, *job.outputs())
    paths = [place.path.resolve() for place in places if place.path is not None]
    if len(set(paths)) < len(paths):
        raise FileError("the input, the output and the file of bad rows must be different files")
    if job.input.path is not None and not job.input.path.exists():
        raise FileError(f"{job.input} does not exist")
    for place in (job.input, *job.outputs()):
        refuse_unfinished(place, job.outputs())
    _refuse_folders(job, paths)
    if job.input.path is not None and job.input.is_stream and job.input.format in WHOLE_FILES:
        name = WHOLE_FILES[job.input.format]
        raise FileError(f"{job.input} is not a file, and {name} cannot be read as a stream")
    for path in job.beside():
        partial = partial_of(path)
        if os.path.lexists(partial) and (problem := problem_with(partial)):
            raise FileError(f"{masked(str(partial))} is in the way: it {problem}")
    for place in job.outputs():
        if place.path is not None and _is_dangling(place.path):
            raise FileError(f"{place} is a link to a file that does not exist")
        if place.path is not None and place.is_stream:
            raise FileError(f"{place} is not a regular file; use - for standard output")


def refuse_unfinished(place: Place, outputs: Iterable[Place]) -> None:
    """Raise `FileError` for a place where unfinished outputs are. A run removes what is there."""
    for output in outputs:
        if place.path is not None and output.path is not None:
            partial = partial_of(output.path.resolve())
            if place.path.resolve().is_relative_to(partial):
                raise FileError(
                    f"{place} is where an unfinished {output.path.name} is kept: rename it"
                )


def _refuse_folders(job: Job, paths: list[Path]) -> None:
    """Raise `FileError` for a folder in place of a file or a file in place of a folder."""
    output = None
    if job.partitioning is not None and job.output.path is not None:
        output = job.output.path.resolve()
        if output.exists() and not output.is_dir():
            raise FileError(f"{job.output} is not a folder")
        if any(path != output and path.is_relative_to(output) for path in paths):
            raise FileError(f"{job.output} contains the input or the file of bad rows")
    for path in paths:
        if path.is_dir() and path != output:
            raise FileError(f"{masked(str(path))} is a folder")
        if not path.parent.is_dir():
            raise FileError(f"{masked(str(path.parent))} is not a folder")


def _is_dangling(path: Path) -> bool:
    """Return whether a path is a link to nothing. Someone else may have chosen its target."""
    return path.is_symlink() and not path.exists()


def _refuse_existing(job: Job, folder: Path) -> None:
    """Raise `FileError` if an output exists, unless it may be replaced.

    ``folder`` is the run's own. If it does not exist, an unfinished file of bad rows is not from
    this run, so it is not overwritten either.
    """
    if job.overwrite:
        return
    for place in job.outputs():
        if place.path is not None and place.path.exists():
            raise FileError(f"{place} already exists: use --overwrite to replace it")
    for path in job.beside():
        partial = partial_of(path)
        if partial.exists() and not folder.exists():
            raise FileError(f"{partial} already exists: use --overwrite to replace it")


def _work(job: Job, keeping: Keeping | None, tell: Tell, summary: Summary) -> None:
    with ExitStack() as stack:
        with told(f"{job.input} cannot be read", WRONG):
            reader = _reader_of(job, stack)
        outputs = _Outputs(job, reader, None if keeping is None else keeping.folder / "output")
        stack.callback(outputs.abandon)
        with told(f"{job.input} cannot be computed", STOPPED):
            for rows, added in _computed(job, reader, keeping, summary, stack):
                errors = outputs.write(rows, added)
                summary.count(errors, rows.malformed)
                tell(reader, summary)
        moves = outputs.finish()
    with told(f"{job.output} cannot be written", STOPPED):
        if keeping is None:
            for here, there in moves:
                here.replace(there)
        else:
            if job.partitioning is not None:
                replace_folder(moves[-1][1], keeping.folder / "replaced")
            keeping.finish(moves, attrs.asdict(summary))
            _open(job)


def _open(job: Job) -> None:
    """Give the folders of the output the permissions of new folders."""
    if job.partitioning is not None and job.output.path is not None:
        open_folder(job.output.path.resolve())


def _reader_of(job: Job, stack: ExitStack) -> Reader:
    if job.input.format == "parquet":
        return ParquetReader(job.input, job.wanted, job.adding.most_bytes)
    if job.input.format == "warc":
        return _warc_reader(job, stack)
    source = Source(job.input, job.encoding)
    stack.callback(source.close)
    match job.input.format:
        case "text":
            return TextReader(source, job.wanted, job.on_malformed)
        case "jsonl":
            written = [place for place in (job.output, job.bad) if place is not None]
            keeps_lines = isinstance(job.adding, Adding)
            if keeps_lines and all(place.format == "jsonl" for place in written):
                return JSONReader(source, job.wanted, _new_names(job), job.on_malformed)
            return JSONTableReader(source, job.wanted, job.on_malformed)
    return CSVReader(source, job.wanted, job.on_malformed)


def _warc_reader(job: Job, stack: ExitStack) -> Reader:
    from weburl.columns.files.warc import WARCReader  # it needs an extra

    assert job.input.path is not None
    file = stack.enter_context(job.input.path.open("rb"))
    is_parquet = all(place.format == "parquet" for place in (job.output, job.bad) if place)
    return WARCReader(
        job.input,
        file,
        job.wanted,
        job.on_malformed,
        with_bodies=is_parquet and isinstance(job.adding, Adding),
        only_pages=not isinstance(job.adding, Adding),
    )


def _computed(
    job: Job, reader: Reader, keeping: Keeping | None, summary: Summary, stack: ExitStack
) -> Iterator[tuple[Rows, Added]]:
    """Yield batches with what is added to them: first saved results, then new ones."""
    batches = _read(job, reader)
    if keeping is None or not job.can_resume:
        compute = stack.enter_context(computing(job.adding, job.workers))
        yield from compute(batches)
        return
    for added in keeping.kept():
        rows = next(batches, None)
        if rows is None or len(rows.urls) != len(added.errors):
            raise FileError(
                f"{keeping.folder} does not match the input: use --overwrite to start again"
            )
        summary.kept += rows.kept.num_rows
        yield rows, added
    # Only now, because workers take a second to start.
    compute = stack.enter_context(computing(job.adding, job.workers))
    for rows, added in compute(batches):
        with told(f"{keeping.folder} cannot be written", STOPPED):
            keeping.keep(added)
        yield rows, added


def _read(job: Job, reader: Reader) -> Iterator[Rows]:
    """Yield the rows of a reader."""
    with told(f"{job.input} cannot be read", STOPPED):
        for rows in reader:
            yield from rows.split(job.adding.most_rows)


@contextmanager
def told(what: str, status: int) -> Iterator[None]:
    """Turn OSError and OverflowError into `FileError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OverflowError as error:
        raise FileError(f"{what}: {error}", WRONG) from None
    except OSError as error:
        raise FileError(f"{what}: {error.strerror or error}", status) from None


class _Outputs:
    """The output, and the files of bad rows and malformed lines. All get their names at the end."""

    def __init__(self, job: Job, reader: Reader, path: Path | None) -> None:
        """Open both. ``path`` is where the output is written until it is complete."""
        self._job = job
        kept = job.adding.kept(reader)
        self._schema = pa.schema([*kept, *_fields(job, reader, kept)], metadata=kept.metadata)
        self._rows = 0
        last = self._schema.names[-1]
        inner = reader.compression() if isinstance(reader, ParquetReader) else None
        self._files: list[_File | Partitions] = []
        if job.partitioning is None or path is None:
            self._files.append(_File(job.output, path, self._schema, inner, last))
        else:
            with told(f"{job.output} cannot be written", STOPPED):
                if path.exists():  # A stopped run has left it.
                    shutil.rmtree(path)
                self._files.append(
                    Partitions(
                        job.partitioning,
                        job.output,
                        path,
                        self._schema,
                        lambda path, schema: _File(job.output, path, schema, inner, last),
                    )
                )
        self._bad_schema = self._schema
        if job.bad is not None:
            assert job.bad.path is not None
            if "error" not in job.adding.names:
                self._bad_schema = self._schema.append(
                    pa.field(job.adding.error_name, job.adding.error_type)
                )
            if job.adding.row_name is not None:
                self._bad_schema = self._bad_schema.append(
                    pa.field(job.adding.row_name, pa.int64())
                )
            bad = partial_of(job.bad.path.resolve())
            column = self._schema.names[0] if job.input.format == "text" else job.wanted.column
            self._files.append(_File(job.bad, bad, self._bad_schema, inner, column))
        if job.malformed is not None:
            assert job.malformed.path is not None
            partial = partial_of(job.malformed.path.resolve())
            self._files.append(_File(job.malformed, partial, SCHEMA, None, ""))

    def write(self, rows: Rows, added: Added) -> pa.Array:
        """Write a batch, and its bad rows to their own file. Return the errors of all rows."""
        columns, errors = self._job.adding.written(rows, added, self._rows)
        self._rows += len(rows.urls)
        self._files[0].write(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        if self._job.malformed is not None and rows.malformed:
            self._files[-1].write(batch_of(rows.malformed))
        if self._job.bad is not None and errors.null_count < len(errors):
            if "error" not in self._job.adding.names:
                columns.append(errors)
            if self._job.adding.row_name is not None:
                columns.append(pa.array(rows.numbers, pa.int64()))
            batch = pa.RecordBatch.from_arrays(columns, schema=self._bad_schema)
            self._files[1].write(batch.filter(errors.is_valid()))
        return errors

    def finish(self) -> list[tuple[Path, Path]]:
        """Write everything to the disk, and return the files to rename with their final names.

        The output is the last one.
        """
        moves = []
        for file in reversed(self._files):
            file.finish()
            if file.path is not None and file.place.path is not None:
                moves.append((file.path, file.place.path.resolve()))
        return moves

    def abandon(self) -> None:
        """Close unfinished files, and remove that of bad rows, which a resumed run writes again."""
        for file in self._files:
            file.abandon()
        for file in self._files[1:]:
            if file.path is not None and not file.is_finished:
                file.path.unlink(missing_ok=True)


def _fields(job: Job, reader: Reader, kept: pa.Schema) -> list[pa.Field]:
    """Return the columns to add. Raises `FileError` if the kept columns have these names."""
    try:
        fields = job.adding.fields(reader)
    except TypeError as error:
        raise FileError(
            f"{job.input}: {listed([job.wanted.column])} is not text: {error}"
        ) from None
    there = [name for name in kept.names if name in _new_names(job)]
    if there:
        raise FileError(f"{job.input} already has {listed(there)}: use --prefix for other names")
    return fields


def _new_names(job: Job) -> set[str]:
    """Return the names of all columns that are new in the output or the file of bad rows."""
    of_bad = () if job.bad is None else (job.adding.error_name, job.adding.row_name)
    return {name for name in (*job.adding.column_names, *of_bad) if name is not None}


class _File:
    """A file to write, whose errors become `FileError`."""

    def __init__(
        self, place: Place, path: Path | None, schema: pa.Schema, inner: str | None, column: str
    ) -> None:
        self.place = place
        self.path = path
        self.is_finished = False
        with self._errors():
            self._target = Target(place, path)
            try:
                self._writer = writer_of(place, self._target.stream, schema, inner, column)
            except BaseException:
                self._target.abandon()
                if path is not None:
                    path.unlink()
                raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with told(f"{self.place} cannot be written", STOPPED):
            try:
                yield
            except pa.ArrowException:  # Its message is dropped, because it may quote a value.
                format = self.place.format
                raise FileError(
                    f"{self.place}: {format} cannot represent a value of the input"
                ) from None

    def write(self, batch: pa.RecordBatch) -> None:
        """Write rows."""
        with self._errors():
            self._writer.write(batch)

    def end_group(self) -> None:
        """Write what is buffered to the file."""
        with self._errors():
            self._writer.end_group()

    def finish(self) -> None:
        """Write what is buffered, to the disk."""
        with self._errors():
            self._writer.finish()
            self._target.finish()
        self.is_finished = True

    def abandon(self) -> None:
        """Close the file."""
        if not self.is_finished:
            self._writer.abandon()
        self._target.abandon()

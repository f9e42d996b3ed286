"""Datasets: a folder, a pattern or remote files as input, and a folder of the same shape as output.

Each file is a run of its own, with its own folder ``.partial``. All of them are below
``OUTPUT.partial``, which only this user can write to, so the rules for files beside an output hold
for each. The folder ``OUTPUT`` gets its name when all files are complete.
"""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from weburl.columns.files.arguments import Format
from weburl.columns.files.errors import STOPPED, WRONG, FileError, listed
from weburl.columns.files.folders import open_folder, replace_folder
from weburl.columns.files.keeping import Keeping, identity_of, partial_of
from weburl.columns.files.places import EXTENSIONS, Place, new_folder, place_of
from weburl.columns.files.remote import Remote, is_url, remote_at
from weburl.columns.files.rows import Reader
from weburl.columns.files.running import Job, Summary, refuse_unfinished, run, told
from weburl.columns.workers import in_order, processes
from weburl.standard.infra.credentials import masked

_HAS_PATTERN: Final = re.compile(r"[*?\[]")
_HIDDEN: Final = ("_", ".")
_FILES: Final = "files"
_BAD: Final = "bad"
_STAGED: Final = "staged"
_STOP: Final = "stop"
_FINISHED: Final = "finished.jsonl"
# What a run puts into its folder. The folders contain files of any names.
_OWN: Final = re.compile(
    rf"lock|stop|finished\.jsonl|(?:run|done)\.(?:json|new)|{_FILES}|{_BAD}|{_STAGED}|replaced-[01]"
)
_FOLDERS: Final = frozenset({_FILES, _BAD, _STAGED, "replaced-0", "replaced-1"})


@attrs.frozen
class InputFile:
    """A file of a dataset.

    ``name``: its path below the dataset, with "/". ``stamp``: changes when the file does.
    ``remote_path``: where it is in the store, or None for a local file.
    """

    name: str
    place: Place
    stamp: str
    size: int
    remote_path: str | None = None


@attrs.frozen
class DatasetJob:
    """What to do with a dataset.

    ``each``: the job for a file, whose places are replaced by those of each file. ``output``: the
    folder to write, or the local folder where unfinished files are if ``upload_to`` is set.
    """

    files: list[InputFile]
    each: Job
    output: Path
    bad: Path | None = None
    remote: Remote | None = None
    upload_to: Remote | None = None

    def name_of(self, file: InputFile) -> str:
        """Return the path of a file's output below the folder."""
        place, own = file.place, self.each.output
        if own.format == place.format:
            return file.name
        extension = EXTENSIONS[own.format]
        stem = file.name.removesuffix("".join(_extensions(file.name)))
        return f"{stem}{extension}"


def _extensions(name: str) -> list[str]:
    """Return the extensions of a file for its format and its compression."""
    suffixes = Path(name).suffixes
    known = {".gz", ".zst", ".bz2"}
    return suffixes[-2:] if suffixes and suffixes[-1].lower() in known else suffixes[-1:]


TellFiles: TypeAlias = Callable[[int, int, int, int, Summary], object]
"""Called with the files that are complete and their number, the bytes read and all bytes."""


def is_dataset(input: str, output: str) -> bool:
    """Return whether the arguments name a dataset: a folder, a pattern or something remote."""
    if is_url(input) or is_url(output):
        return True
    # Not Path.is_dir(), which raises OSError for a name that is too long.
    if os.path.isdir(input):  # noqa: PTH112
        return True
    return _HAS_PATTERN.search(input) is not None and not os.path.exists(input)  # noqa: PTH110


def files_of(input: str, format: str | None) -> tuple[list[InputFile], Remote | None]:
    """Return the files of a dataset in order, and the store if they are remote.

    Names that begin with "_" or "." are left out in folders and patterns, as Spark and Arrow do.
    Raises `FileError` if there are none, or if their formats differ.
    """
    remote = remote_at(input) if is_url(input) else None
    with told(f"{masked(input)} cannot be read", WRONG):
        files = list(_local(input, format) if remote is None else _remote(remote, format))
    if not files:
        raise FileError(f"{masked(input)} has no files")
    formats: list[str] = sorted({file.place.format for file in files})
    if len(formats) > 1:
        raise FileError(
            f"{masked(input)} has files of several formats, {listed(formats)}: use a pattern, "
            "such as '**/*.csv'"
        )
    return files, remote


def _local(input: str, format: str | None) -> Iterator[InputFile]:
    path = Path(input)
    if _HAS_PATTERN.search(input) and not path.exists():
        parts = path.parts
        first = next(number for number, part in enumerate(parts) if _HAS_PATTERN.search(part))
        base = Path(*parts[:first])
        found = map(Path, glob.glob(input, recursive=True))  # noqa: PTH207  # for "**"
        matches = [match for match in found if not _is_hidden(match.relative_to(base).parts)]
    else:
        base = path if path.is_dir() else path.parent
        matches = [path]
    files = {each for match in matches for each in (_below(match) if match.is_dir() else [match])}
    for each in sorted(files):
        status = each.stat()
        stamp = f"{status.st_size} {status.st_mtime_ns}"
        place = place_of(str(each), format, "--from")
        if place.is_stream:
            raise FileError(f"{place} is not a regular file")
        yield InputFile(each.relative_to(base).as_posix(), place, stamp, status.st_size)


def _is_hidden(parts: Iterable[str]) -> bool:
    """Return whether a folder or the file in a path below a dataset is left out."""
    return any(part.startswith(_HIDDEN) for part in parts)


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(_HIDDEN))
        yield from (Path(here, name) for name in names if not name.startswith(_HIDDEN))


def _remote(remote: Remote, format: str | None) -> Iterator[InputFile]:
    for path, name, stamp in remote.found():
        if _is_hidden(name.split("/")):
            continue
        own = place_of(name.rpartition("/")[2], format, "--from")
        place = attrs.evolve(own, name=f"{remote}: {name}")
        size = stamp.partition(" ")[0]
        yield InputFile(name, place, stamp, int(size) if size.isdigit() else 0, path)


def run_dataset(job: DatasetJob, tell: TellFiles, summary: Summary) -> Summary:
    """Do a job, and return its summary. The output gets its name when all files are complete.

    Raises:
        FileError: The job, the input or the disk does not allow it.
    """
    with told("the files cannot be examined", WRONG):
        _refuse(job)
    each = job.each
    keeping = Keeping(job.output.resolve(), each.keep_seconds, own=_OWN, folders=_FOLDERS)
    if not each.overwrite and not (each.resume and keeping.has_done):
        _refuse_existing(job, is_resumed=each.resume and keeping.folder.exists())
    try:
        with told(f"{keeping.folder} cannot be written", WRONG):
            identity = identity_of(None, each.options())
            keeping.begin(identity, resume=each.resume, overwrite=each.overwrite)
    except BaseException:  # The folder is from another run, so it stays.
        keeping.close()
        raise
    with told(f"{masked(str(job.output))} cannot be written", STOPPED):
        done = keeping.finished(_moves(job, keeping.folder))
        if done is not None:
            for _, there in _moves(job, keeping.folder):
                open_folder(there)
            return Summary(**done)
    try:
        _Run(job, keeping, tell, summary).work()
    except BaseException as error:
        # Without a finished file, an error in the input leaves nothing to resume.
        is_wrong = isinstance(error, FileError) and error.status != STOPPED
        if is_wrong and not (keeping.folder / _FINISHED).exists():
            keeping.remove()
        else:
            keeping.close()
        raise
    return summary


def _refuse(job: DatasetJob) -> None:
    """Raise `FileError` for places that cannot be read or written."""
    outputs = [path.resolve() for path in (job.output, job.bad) if path is not None]
    for path in outputs:
        shown = masked(str(path))
        if not path.parent.is_dir():
            raise FileError(f"{masked(str(path.parent))} is not a folder")
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise FileError(f"{shown} is not a folder")
        for file in job.files:
            if file.place.path is not None and file.place.path.resolve().is_relative_to(path):
                raise FileError(f"{shown} contains the input {file.place}")
    own = [Place(path, job.each.output.format) for path in outputs]
    for place in (*(file.place for file in job.files), *own):
        refuse_unfinished(place, own[:1])
    if len(outputs) == 2:
        output, bad = outputs
        if output.is_relative_to(bad) or bad.is_relative_to(output):
            raise FileError("the output and the folder of bad rows must be different folders")
        if output.parent.stat().st_dev != bad.parent.stat().st_dev:
            raise FileError("--bad must be on the same file system as the output")
    names: set[str] = set()
    for name in map(job.name_of, job.files):
        if name in names:
            raise FileError(f"two files of the input would be written to {listed([name])}")
        names.add(name)


def _refuse_existing(job: DatasetJob, *, is_resumed: bool) -> None:
    """Raise `FileError` if an output exists. An upload that was stopped has left some files."""
    for path in (job.output, job.bad):
        if path is not None and path.exists():
            raise FileError(f"{masked(str(path))} already exists: use --overwrite to replace it")
    if job.upload_to is not None and not is_resumed and job.upload_to.names():
        raise FileError(f"{job.upload_to} already exists: use --overwrite to replace it")


def _moves(job: DatasetJob, folder: Path) -> list[tuple[Path, Path]]:
    """Return the folders to rename with their final names. The output is the last one."""
    moves = [] if job.bad is None else [(folder / _BAD, job.bad.resolve())]
    if job.upload_to is None:
        moves.append((folder / _FILES, job.output.resolve()))
    return moves


class _Run:
    """A run of the files of a dataset."""

    def __init__(
        self, job: DatasetJob, keeping: Keeping, tell: TellFiles, summary: Summary
    ) -> None:
        self._job = job
        self._keeping = keeping
        self._folder = keeping.folder
        self._tell = tell
        self._summary = summary
        self._bytes = self._files = 0
        self._number_of = {file.name: number for number, file in enumerate(job.files)}
        self._all_bytes = sum(file.size for file in job.files)

    def work(self) -> None:
        """Write all files that are not complete, and give the folders their names."""
        with told(f"{self._folder} cannot be written", STOPPED):
            (self._folder / _STOP).unlink(missing_ok=True)
            for name in (_FILES, _BAD, _STAGED):
                new_folder(self._folder / name)
            todo = self._todo()
        self._compute(todo)
        with told(f"{masked(str(self._job.output))} cannot be written", STOPPED):
            self._finish()

    def _todo(self) -> list[InputFile]:
        """Return the files that no earlier run has finished, and count those that one has."""
        finished: dict[str, Any] = {}
        with suppress(FileNotFoundError):
            for line in (self._folder / _FINISHED).read_text("utf-8").splitlines():
                with suppress(ValueError):  # The last line may be incomplete.
                    finished.update([json.loads(line)])
        todo = []
        for file in self._job.files:
            stamp, counted = finished.get(file.name, (None, {}))
            if stamp == file.stamp and self._output(file).exists():
                summary = Summary(**counted)
                self._count(file, attrs.evolve(summary, kept=summary.rows))
            else:
                todo.append(file)
        return todo

    def _output(self, file: InputFile) -> Path:
        return self._folder / _FILES / self._job.name_of(file)

    def _count(self, file: InputFile, summary: Summary) -> None:
        self._summary.add(summary)
        self._bytes += file.size
        self._files += 1
        self._told_now()

    def _told_now(self, more: int = 0) -> None:
        files = len(self._job.files)
        self._tell(self._files, files, self._bytes + more, self._all_bytes, self._summary)

    def _compute(self, todo: list[InputFile]) -> None:
        workers = min(self._job.each.workers, len(todo))
        if workers <= 1:
            for file in todo:
                own = self._job_for(file)
                self._end(file, run(own, partial(self._tell_part, file), Summary()))
            return
        try:
            with ExitStack() as stack:
                executor = stack.enter_context(processes(workers))
                stack.callback(self._stop)
                jobs = (partial(_run_file, self._job_for(file), self._folder) for file in todo)
                for file, result in zip(todo, in_order(executor, workers, jobs), strict=True):
                    if isinstance(result, tuple):
                        raise FileError(*result)
                    self._end(file, result)
        except BrokenProcessPool:
            raise FileError(
                "a worker process was killed, perhaps because memory ran out", STOPPED
            ) from None

    def _stop(self) -> None:
        """Tell the workers to stop after their batch."""
        with suppress(OSError):
            (self._folder / _STOP).touch()

    def _tell_part(self, file: InputFile, reader: Reader, _: Summary) -> None:
        if reader.total:
            self._told_now(file.size * reader.position() // reader.total)

    def _job_for(self, file: InputFile) -> Job:
        """Return the job for a file, and remove what an interrupted run left of a finished one."""
        output, each = self._output(file), self._job.each
        place = file.place
        with told(f"{self._folder} cannot be written", STOPPED):
            bad = self._folder / _BAD / output.relative_to(self._folder / _FILES)
            malformed = bad.with_name(f"_{bad.name}.malformed.jsonl")
            for path in (output, bad):
                new_folder(path.parent)
            if not partial_of(output).exists():
                for path in (output, bad, malformed, partial_of(bad), partial_of(malformed)):
                    path.unlink(missing_ok=True)
            if file.remote_path is not None:
                place = self._fetched(file)
        format: Format = each.output.format
        compression = place.compression if format == place.format else None
        return attrs.evolve(
            each,
            input=place,
            output=Place(output, format, compression),
            bad=None if self._job.bad is None else Place(bad, format, compression),
            malformed=None if each.on_malformed != "keep" else Place(malformed, "jsonl"),
            workers=each.workers if len(self._job.files) == 1 else 1,
            resume=True,
            overwrite=False,
        )

    def _fetched(self, file: InputFile) -> Place:
        assert self._job.remote is not None
        assert file.remote_path is not None
        local = self._staged(file)
        self._job.remote.fetch(file.remote_path, local)
        # A resumed run fetches it again: it must be the same by its bytes, not by its time.
        os.utime(local, ns=(0, 0))
        return attrs.evolve(file.place, path=local)

    def _staged(self, file: InputFile) -> Path:
        return self._folder / _STAGED / f"{self._number_of[file.name]:08}"

    def _end(self, file: InputFile, summary: Summary) -> None:
        """Note that a file is complete."""
        line = json.dumps([file.name, [file.stamp, attrs.asdict(attrs.evolve(summary, kept=0))]])
        with told(f"{self._folder} cannot be written", STOPPED):
            self._keeping.note(_FINISHED, line)
            self._staged(file).unlink(missing_ok=True)
        self._count(file, summary)

    def _finish(self) -> None:
        job, folder = self._job, self._folder
        names = [job.name_of(file) for file in job.files]
        self._remove_others(set(names))
        if job.upload_to is not None:
            others = sorted(job.upload_to.names() - {*names, "_SUCCESS"})
            if others:
                raise FileError(f"{job.upload_to} also contains {listed(others)}")
            job.upload_to.upload(folder / _FILES, names)
        moves = _moves(job, folder)
        for number, (_, there) in enumerate(moves):
            replace_folder(there, folder / f"replaced-{number}")
        self._keeping.finish(moves, attrs.asdict(self._summary))
        for _, there in moves:
            open_folder(there)

    def _remove_others(self, names: set[str]) -> None:
        """Remove the outputs of files that are no longer in the input."""
        for root in (self._folder / _FILES, self._folder / _BAD):
            for here, _, found in os.walk(root):
                for name in found:
                    path = Path(here, name)
                    own = path.with_name(
                        name.removeprefix("_").removesuffix(".malformed.jsonl")
                        if name.endswith(".malformed.jsonl") and root.name == _BAD
                        else name
                    )
                    if own.relative_to(root).as_posix() not in names:
                        path.unlink()


def _run_file(job: Job, folder: Path) -> Summary | tuple[str, int]:
    """Run a job in a worker, and return its summary, or the message and status of an error."""

    def tell(_: Reader, __: Summary) -> None:
        if (folder / _STOP).exists():
            raise FileError("stopped", STOPPED)

    try:
        return run(job, tell, Summary())
    except FileError as error:
        return str(error), error.status

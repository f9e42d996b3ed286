"""Keeps what a run has computed, so that it can be resumed after it was stopped.

A resumed run reads the input again from its beginning and writes all rows again, but computes no
row twice. So the output is the same, byte by byte, as that of a single run. The folder
``OUTPUT.partial`` has the output that is being written, the file ``run.json``, which identifies the
run, and pieces. Each piece is an Arrow stream with what was added to some batches. A piece gets its
name when it is complete and on the disk.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from weburl.columns.files.adding import Added, packed, unpacked
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.places import new_file, problem_with, without_links

_IDENTITY: Final = "run.json"
_DONE: Final = "done.json"
_NEW: Final = ".new"
# The names of what a run puts into its folder.
_OWN: Final = re.compile(
    r"lock|output|replaced|(?:run|done)\.(?:json|new)|[0-9]{8}\.(?:arrows|new)"
)
# How many bytes at each end of the input identify it, together with its size and time.
_LOOKED_AT: Final = 1 << 20
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(
    compression="lz4" if pa.Codec.is_available("lz4") else None
)
# The packages that decide the results, and how rows are split into batches.
_PACKAGES: Final = ("django-whatwg-url", "idna", "publicsuffixlist", "pyarrow")


def identity_of(path: Path | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return what must be the same to resume a run: the input, the options, the versions.

    ``path``: the input, or None for a dataset, whose files have identities of their own.
    """
    return {
        **({} if path is None else {"the input": _identity_of_file(path)}),
        **options,
        "the versions of packages": {name: _version(name) for name in _PACKAGES},
    }


def _identity_of_file(path: Path) -> list[object]:
    status = path.stat()
    digest = hashlib.sha256()
    with path.open("rb") as file:
        digest.update(file.read(_LOOKED_AT))
        file.seek(max(0, status.st_size - _LOOKED_AT))
        digest.update(file.read(_LOOKED_AT))
    return [status.st_size, status.st_mtime_ns, digest.hexdigest()]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # a checkout that was not installed
        return None


class Keeping:
    """The folder of a run.

    ``seconds``: how much work a piece contains at least. ``own``: the names that a run uses in its
    folder. ``folders``: those of folders, which may contain anything that belongs to this user.
    """

    def __init__(
        self,
        output: Path,
        seconds: float,
        own: re.Pattern[str] = _OWN,
        folders: frozenset[str] = frozenset(),
    ) -> None:
        self._own = own
        self._folders = folders
        self.folder: Final = partial_of(output)
        self._seconds = seconds
        self._number = 0
        self._stream: Any = None
        self._file: Any = None
        self._begun = 0.0
        self._lock: Any = None

    # --- the folder -------------------------------------------------------------------------------

    def begin(self, identity: dict[str, Any] | None, *, resume: bool, overwrite: bool) -> None:
        """Make the folder, or reuse an existing one.

        ``identity`` is None for a run that cannot be resumed. Raises `FileError` if the folder is
        in use or from another run.
        """
        if os.path.lexists(self.folder):
            self._refuse_others()
        if self.folder.exists() and overwrite and not resume:
            self._take_lock()
            self.remove()
        try:
            self.folder.mkdir(0o700)  # so that no one else can put a file into it
        except FileExistsError:
            if not resume:
                how = "" if identity is None else "--resume to continue it or "
                raise FileError(
                    f"{self.folder} has an unfinished run: use {how}--overwrite to start again"
                ) from None
            self._take_lock()
            self._compare(identity)
        else:
            try:
                self._take_lock()
                _write_whole(self.folder / _IDENTITY, json.dumps(identity))
            except OSError:
                self.remove()
                raise

    def _refuse_others(self) -> None:
        """Raise `FileError` if the folder's name is used by something that no run has made."""
        if self.folder.is_symlink() or not self.folder.is_dir():
            raise FileError(f"{self.folder} is in the way: it is not a folder")
        if problem := problem_with(self.folder):
            raise FileError(f"{self.folder} is in the way: it {problem}")
        there = sorted(self.folder.iterdir())
        others = [path.name for path in there if not self._own.fullmatch(path.name)]
        others += [
            path.name
            for path in there
            if path.is_symlink() or path.is_dir() != (path.name in self._folders)
        ]
        if others:
            raise FileError(f"{self.folder} is in the way: it contains {listed(sorted(others))}")
        for path in (*there, *self._below_folders()):
            if problem := problem_with(path):
                raise FileError(
                    f"{self.folder} is in the way: {listed([path.name])} in it {problem}"
                )

    def _below_folders(self) -> Iterator[Path]:
        """Yield everything inside the folders. Links are not followed."""
        for folder in sorted(self._folders):
            # A run moves what it replaces there, unchanged, and removes it.
            if not folder.startswith("replaced"):
                for here, folders, names in os.walk(self.folder / folder):
                    yield from (Path(here, name) for name in (*folders, *names))

    def _take_lock(self) -> None:
        self._lock = open(self.folder / "lock", "ab", opener=without_links)  # noqa: SIM115
        try:
            _lock(self._lock.fileno())
        except OSError:
            self._lock.close()
            raise FileError(f"{self.folder} is in use by another run") from None

    def _compare(self, identity: dict[str, Any] | None) -> None:
        try:
            known = json.loads((self.folder / _IDENTITY).read_text("utf-8"))
        except FileNotFoundError:
            if not self.has_done:  # That run was stopped before it computed anything.
                _write_whole(self.folder / _IDENTITY, json.dumps(identity))
                return
            known = None  # No run writes that without its identity.
        except ValueError:
            known = None
        if type(known) is not dict:  # That run used a stream, or its file is corrupt.
            raise FileError(
                f"{self.folder} is from a run that cannot be resumed: use --overwrite to start"
                " again"
            )
        # Compare after JSON, which turns tuples into lists.
        own = json.loads(json.dumps(identity)) or {}
        changed = [name for name in own if own[name] != known.get(name)]
        if changed:
            raise FileError(
                f"{self.folder} is from another run, which differs in: {', '.join(changed)}. "
                "Use --overwrite to start again"
            )

    def remove(self) -> None:
        """Remove the folder and everything in it."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Close all files. An unfinished piece is lost."""
        for file in (self._file, self._lock):
            if file is not None:
                with suppress(OSError):  # A full disk, which has been reported already.
                    file.close()

    @property
    def has_done(self) -> bool:
        """Whether the run wrote everything but was stopped before its files got their names."""
        return (self.folder / _DONE).exists()

    # --- pieces -----------------------------------------------------------------------------------

    def kept(self) -> Iterator[Added]:
        """Yield what was computed before, in order."""
        while (path := self._piece()).exists():
            try:
                with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
                    yield from map(unpacked, stream)
            except (pa.ArrowException, OSError):
                raise FileError(f"{path} is corrupt: use --overwrite to start again") from None
            self._number += 1

    def keep(self, added: Added) -> None:
        """Keep what was computed for a batch."""
        batch = packed(added)
        if self._stream is None:
            self._file = new_file(self._piece().with_suffix(_NEW))
            self._stream = pa.ipc.new_stream(self._file, batch.schema, options=_COMPRESSED)
            self._begun = time.monotonic()
        self._stream.write_batch(batch)
        if time.monotonic() - self._begun >= self._seconds:
            self.end_piece()

    def end_piece(self) -> None:
        """Write the unfinished piece to the disk, and give it its name."""
        if self._stream is None:
            return
        self._stream.close()
        self._stream = None
        _sync(self._file)
        path = self._piece()
        path.with_suffix(_NEW).replace(path)
        self._number += 1

    def note(self, name: str, line: str) -> None:
        """Append a line to a file in the folder, and write it to the disk."""
        with open(self.folder / name, "ab", opener=without_links) as file:
            file.write(f"{line}\n".encode())
            _sync(file, close=False)

    def _piece(self) -> Path:
        return self.folder / f"{self._number:08}.arrows"

    # --- the end ----------------------------------------------------------------------------------

    def finish(self, moves: list[tuple[Path, Path]], summary: dict[str, Any]) -> None:
        """Give finished files their names, and remove the folder.

        After a crash in the middle of this, `finished` does the rest.
        """
        _write_whole(self.folder / _DONE, json.dumps({"summary": summary}))
        self._move(moves)

    def finished(self, moves: list[tuple[Path, Path]]) -> dict[str, Any] | None:
        """Rename the files of a run that was stopped in `finish`, and return its summary.

        ``moves`` are those of the job, because a file could name any others. Returns None if the
        run did not get so far.
        """
        try:
            summary = dict(json.loads((self.folder / _DONE).read_text("utf-8"))["summary"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError):
            raise FileError(
                f"{self.folder / _DONE} is corrupt: use --overwrite to start again"
            ) from None
        self._move(moves)
        return summary

    def _move(self, moves: list[tuple[Path, Path]]) -> None:
        for here, there in moves:
            if here.exists():
                here.replace(there)
            _sync_folder(there.parent)
        self.remove()


def partial_of(output: Path) -> Path:
    """Return the path of what is not finished: a folder for the output, a file for bad rows."""
    return output.with_name(f"{output.name}.partial")


def _write_whole(path: Path, text: str) -> None:
    """Write a file atomically: it has all of its text, or it does not exist."""
    new = path.with_suffix(_NEW)
    with new_file(new) as file:
        file.write(text.encode())
        _sync(file, close=False)
    new.replace(path)


def _sync(file: Any, *, close: bool = True) -> None:  # noqa: ANN401  # of text or of bytes
    file.flush()
    os.fsync(file.fileno())
    if close:
        file.close()


def _sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, on systems that support it."""
    if sys.platform != "win32":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _lock(number: int) -> None:
    """Lock a file until this process ends. Raises OSError if another process has the lock."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)

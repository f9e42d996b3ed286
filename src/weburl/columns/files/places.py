"""The place of a file: its path, its format and its compression, and how it is opened."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, cast

import attrs
import pyarrow as pa

from weburl.columns.files.arguments import Format
from weburl.columns.files.decoding import decoded
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.malformed import HINT, Malformed
from weburl.columns.files.unpacking import CUT_OFF, Unpacked, WholeLines
from weburl.standard.infra.credentials import masked

DELIMITERS: Final = {"csv": ",", "tsv": "\t"}
"""What separates the cells of a row."""

WHOLE_FILES: Final[dict[Format, str]] = {"parquet": "Parquet", "warc": "WARC"}
"""The names of the formats that cannot be read as a stream."""

STANDARD_STREAM: Final = "-"

_FORMAT_OF: Final[dict[str, Format]] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "text",
    ".warc": "warc",
    ".wat": "warc",
    ".wet": "warc",
}
EXTENSIONS: Final[dict[Format, str]] = {
    "parquet": ".parquet",
    "csv": ".csv",
    "tsv": ".tsv",
    "jsonl": ".jsonl",
    "text": ".txt",
}
"""The extension of new files in each format."""
_COMPRESSION_OF: Final = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
# What compressed files begin with.
_COMPRESSED: Final = re.compile(rb"(\x1F\x8B\x08)|(\x28\xB5\x2F\xFD)|(BZh[1-9]1AY&SY)")
_COMPRESSORS: Final = (("gzip", ".gz"), ("zstd", ".zst"), ("bzip2", ".bz2"))


@attrs.frozen
class Place:
    """A file, or a standard stream if ``path`` is None.

    ``name``: what messages call it instead of its path.
    """

    path: Path | None
    format: Format
    compression: str | None = None
    name: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it has no size and cannot be read again: a standard stream, a pipe, a device."""
        if self.path is None:
            return True
        try:
            mode = self.path.stat().st_mode
        except OSError:  # It does not exist (yet).
            return False
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))

    def __str__(self) -> str:
        if self.name is not None:
            return masked(self.name)
        return "standard input or output" if self.path is None else masked(str(self.path))


def place_of(name: str, format: str | None, option: str | None) -> Place:
    """Return the place that an argument names.

    Args:
        name: A path, or "-" for a standard stream.
        format: The format, or None to use the extension.
        option: The option that sets the format, for messages, or None.

    Raises:
        FileError: The format is unknown or not possible there.
    """
    own = cast("Format | None", format)
    if name == STANDARD_STREAM:
        if own is None:
            how = "name a file" if option is None else f"set its format with {option}"
            raise FileError(f"'-' has no extension: {how}")
        if own in WHOLE_FILES:
            name = WHOLE_FILES[own]
            raise FileError(f"{name} cannot be read or written as a stream: name a file")
        return Place(None, own)
    path = Path(name)
    if "://" in name and not path.parent.exists():
        raise FileError("the input and the output are files on this machine, not URLs")
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = _COMPRESSION_OF.get(suffixes.pop()) if _is_compressed(suffixes) else None
    own = own or (_FORMAT_OF.get(suffixes[-1]) if suffixes else None)
    if own is None:
        known = ", ".join(_FORMAT_OF)
        how = "" if option is None else f", or set its format with {option}"
        raise FileError(f"{listed([name])} needs one of the extensions {known}{how}")
    if own == "warc" and option != "--from":
        raise FileError("a WARC file can only be read")
    if own == "warc" and compression not in (None, "gzip"):
        raise FileError(f"{listed([name])}: the records of a WARC file can only have gzip")
    if own == "parquet" and compression is not None:
        raise FileError(
            f"{listed([name])}: Parquet has its own compression: leave out {path.suffix}"
        )
    return Place(path, own, compression)


def _is_compressed(suffixes: list[str]) -> bool:
    return bool(suffixes) and suffixes[-1] in _COMPRESSION_OF


def without_links(path: str, flags: int) -> int:
    """Open a file: the ``opener`` of `open`. Raises OSError if the path is a link.

    Someone else may have put a link to another file there.
    """
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def problem_with(path: Path) -> str | None:
    """Return why a file or folder beside an output cannot be from an earlier run, or None.

    Other users may write into the same folder. A file with two names is also one of them. On
    Windows, only links and special files are recognised.
    """
    status = path.lstat()
    is_folder = stat.S_ISDIR(status.st_mode)
    if not is_folder and not stat.S_ISREG(status.st_mode):
        return "is a link or a special file"
    if sys.platform == "win32":
        return None
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if is_folder:
        # What is inside is safe from others, whatever its own mode is.
        return "can be written by other users" if status.st_mode & 0o022 else None
    return "has another name elsewhere" if status.st_nlink > 1 else None


def new_file(path: Path) -> IO[bytes]:
    """Make a file and open it for writing. A file of this name is removed, not written to.

    Raises OSError if the name is taken again at once.
    """
    path.unlink(missing_ok=True)
    return open(path, "xb", opener=without_links)


def new_folder(path: Path) -> None:
    """Make a folder, and those above it, that only this user can use. It may exist.

    Raises OSError if something else has the name.
    """
    if path.is_symlink() or not path.is_dir():
        if not path.parent.is_dir():
            new_folder(path.parent)
        path.mkdir(0o700)


class Source:
    """The decompressed bytes of a place, and how much of the file has been read."""

    def __init__(self, place: Place, encoding: str | None = None) -> None:
        """Open a place. ``encoding``: of its text, if it is not UTF-8."""
        if place.path is None:
            if sys.stdin is None:
                raise FileError("standard input is closed")
            self._raw: IO[bytes] = sys.stdin.buffer
            self.size: int | None = None
        else:
            self._raw = place.path.open("rb")
            self.size = None if place.is_stream else place.path.stat().st_size
        self.place = place
        self.stream: IO[bytes] = self._raw
        self._lines: WholeLines | None = None
        unpacked = None
        if place.compression is not None:
            unpacked = Unpacked(self._raw, place.compression)
            self.stream = io.BufferedReader(unpacked)
        else:
            self._refuse_compressed()
        if encoding is not None:
            self.stream = decoded(self.stream, encoding, place)
        if unpacked is not None:
            self._lines = WholeLines(self.stream, unpacked)
            self.stream = io.BufferedReader(self._lines)

    def cut_off(self, row: int, *, goes_on: bool) -> tuple[Malformed, ...]:
        """Return the line in which compressed data ended too early, if it did.

        ``row``: its number, after all others. Raises `FileError` unless the run goes on.
        """
        if self._lines is None or self._lines.rest is None:
            return ()
        if not goes_on:
            raise FileError(f"{self.place}, row or line {row:,}: {CUT_OFF}. {HINT}")
        return (Malformed(row, CUT_OFF, self._lines.rest),)

    def _refuse_compressed(self) -> None:
        """Raise `FileError` for compressed bytes without the extension that says so."""
        if not isinstance(self._raw, io.BufferedReader):
            return
        if found := _COMPRESSED.match(self._raw.peek(16)):
            program, suffix = _COMPRESSORS[(found.lastindex or 1) - 1]
            how = (
                f"decompress it first, as in '{program} -dc |'"
                if self.place.path is None
                else f"its name must end in {suffix}"
            )
            self.close()
            raise FileError(f"{self.place} is compressed by {program}: {how}")

    def position(self) -> int:
        """Return how many bytes of the file have been read; 0 for a stream."""
        return 0 if self.size is None else self._raw.tell()

    def close(self) -> None:
        """Close the file. A standard stream stays open."""
        if self.place.path is not None:
            self._raw.close()


class Target:
    """Writes compressed bytes to a place. They are on the disk after `finish`."""

    def __init__(self, place: Place, path: Path | None) -> None:
        """Open ``path``, or standard output if it is None, with the compression of ``place``."""
        self._own = path is not None
        if path is None and sys.stdout is None:
            raise FileError("standard output is closed")
        # With PYTHONUNBUFFERED, Python's own stream may write only a part of the data.
        self._raw: IO[bytes] = (
            os.fdopen(sys.stdout.fileno(), "wb", closefd=False) if path is None else new_file(path)
        )
        self.stream: IO[bytes] = self._raw
        if place.compression is not None:
            # Closing it closes the file below, which finish() still needs open for fsync().
            below = os.fdopen(os.dup(self._raw.fileno()), "wb")
            self.stream = pa.CompressedOutputStream(pa.PythonFile(below, "w"), place.compression)

    def finish(self) -> None:
        """Flush everything, to the disk if it is a file, and close it."""
        if self.stream is not self._raw:
            self.stream.close()
        self._raw.flush()
        if self._own:
            os.fsync(self._raw.fileno())
        self._raw.close()

    def abandon(self) -> None:
        """Close without finishing, after an error. Errors here would hide that one."""
        with suppress(OSError, ValueError):
            self._raw.close()

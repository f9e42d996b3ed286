"""The place of a file: its path, its format and its compression, and how it is opened."""

from __future__ import annotations

import io
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias, cast

import attrs
import pyarrow as pa

from weburl.column_files.errors import FileError, listed
from weburl.infra.credentials import masked

Format: TypeAlias = Literal["parquet", "csv", "tsv", "jsonl", "text"]
FORMATS: Final[tuple[Format, ...]] = ("parquet", "csv", "tsv", "jsonl", "text")
"""The names of the formats that ``--from`` and ``--to`` accept."""

DELIMITERS: Final = {"csv": ",", "tsv": "\t"}
"""What separates the cells of a row."""

STANDARD_STREAM: Final = "-"

_FORMAT_OF: Final[dict[str, Format]] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "text",
}
_COMPRESSION_OF: Final = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}


@attrs.frozen
class Place:
    """A file, or a standard stream if ``path`` is None."""

    path: Path | None
    format: Format
    compression: str | None = None

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
        if own == "parquet":
            raise FileError("Parquet cannot be read or written as a stream: name a file")
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
    if own == "parquet" and compression is not None:
        raise FileError(
            f"{listed([name])}: Parquet has its own compression: leave out {path.suffix}"
        )
    return Place(path, own, compression)


def _is_compressed(suffixes: list[str]) -> bool:
    return bool(suffixes) and suffixes[-1] in _COMPRESSION_OF


def without_links(path: str, flags: int) -> int:
    """Open a file as `open` wants it of its ``opener``. Raises OSError if the path is a link.

    Someone else may have put a link to another file there.
    """
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


class Source:
    """The decompressed bytes of a place, and how much of the file has been read."""

    def __init__(self, place: Place) -> None:
        if place.path is None:
            self._raw: IO[bytes] = sys.stdin.buffer
            self.size: int | None = None
        else:
            self._raw = place.path.open("rb")
            self.size = None if place.is_stream else place.path.stat().st_size
        self.place = place
        self.stream: IO[bytes] = self._raw
        if place.compression is not None:
            unpacked = pa.CompressedInputStream(pa.PythonFile(self._raw, "r"), place.compression)
            self.stream = cast("IO[bytes]", io.BufferedReader(unpacked))

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
        # With PYTHONUNBUFFERED, Python's own stream may write only a part of the data.
        self._raw: IO[bytes] = (
            os.fdopen(sys.stdout.fileno(), "wb", closefd=False)
            if path is None
            else open(path, "wb", opener=without_links)  # noqa: SIM115
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

"""Where a file is and what is in it: its path, its format by its name, and how it is compressed."""

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

from weburl.column_files.errors import FileError

Format: TypeAlias = Literal["parquet", "csv", "tsv", "jsonl", "text"]
FORMATS: Final[tuple[Format, ...]] = ("parquet", "csv", "tsv", "jsonl", "text")
"""The names of the formats, as ``--from`` and ``--to`` take them."""

DELIMITERS: Final = {"csv": ",", "tsv": "\t"}
"""What stands between the cells of a row."""

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
    """A file, or a standard stream where ``path`` is None."""

    path: Path | None
    format: Format
    compression: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it has no size and no second beginning: a standard stream, a pipe, a device."""
        if self.path is None:
            return True
        try:
            mode = self.path.stat().st_mode
        except OSError:  # it is not there, or not yet
            return False
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))

    def __str__(self) -> str:
        return "standard input or output" if self.path is None else str(self.path)


def place_of(name: str, format: str | None, option: str) -> Place:
    """Return the place that an argument names; ``format`` overrides what its extension says.

    ``option`` is what would name the format. Raises `FileError` if nothing does, and for a format
    that cannot stand there.
    """
    own = cast("Format | None", format)
    if name == STANDARD_STREAM:
        if own is None:
            raise FileError(f"'-' has no extension: {option} says which format it has")
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
        raise FileError(f"'{name}' has none of the extensions {known}: {option} says its format")
    if own == "parquet" and compression is not None:
        raise FileError(f"'{name}': Parquet is compressed inside: leave out {path.suffix}")
    return Place(path, own, compression)


def _is_compressed(suffixes: list[str]) -> bool:
    return bool(suffixes) and suffixes[-1] in _COMPRESSION_OF


class Source:
    """The bytes of a place that is read, decompressed, and how much of the file they took."""

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
        """Return how many bytes of the file are read; 0 for a stream."""
        return 0 if self.size is None else self._raw.tell()

    def close(self) -> None:
        """Close the file. A standard stream stays open."""
        if self.place.path is not None:
            self._raw.close()


class Target:
    """The bytes of a place that is written, compressed; they are on the disk after `finish`."""

    def __init__(self, place: Place, path: Path | None) -> None:
        """Open ``path``, or standard output if it is None, for what ``place`` says."""
        self._own = path is not None
        # Where PYTHONUNBUFFERED is set, Python's own stream may write a part of what it is given.
        self._raw: IO[bytes] = (
            os.fdopen(sys.stdout.fileno(), "wb", closefd=False) if path is None else path.open("wb")
        )
        self.stream: IO[bytes] = self._raw
        if place.compression is not None:
            # Its end closes what is below, which has to be open to be brought to the disk.
            below = os.fdopen(os.dup(self._raw.fileno()), "wb")
            self.stream = pa.CompressedOutputStream(pa.PythonFile(below, "w"), place.compression)

    def finish(self) -> None:
        """Write all that waits, to the disk if it is a file, and close that."""
        if self.stream is not self._raw:
            self.stream.close()
        self._raw.flush()
        if self._own:
            os.fsync(self._raw.fileno())
        self._raw.close()

    def abandon(self) -> None:
        """Close what is not finished. There was an error before, which is told in place of this."""
        with suppress(OSError, ValueError):
            self._raw.close()

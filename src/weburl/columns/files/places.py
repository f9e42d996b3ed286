"""The places of files: formats by their names, folders and patterns, and how an output is put in.

An output is written inside a new folder beside its place, which only this user can use, and gets
its name when it is complete.
"""

from __future__ import annotations

import glob
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, Final, cast

import attrs
import pyarrow as pa

from weburl.columns.files.arguments import Format
from weburl.columns.files.errors import STOPPED, FileError, listed, reason
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.releases import required
from weburl.standard.infra.strings import to_scalar_value_string

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
_EXTENSIONS: Final[dict[Format, str]] = {
    "parquet": ".parquet",
    "csv": ".csv",
    "tsv": ".tsv",
    "jsonl": ".jsonl",
    "text": ".txt",
}
_COMPRESSION_OF: Final = {".gz": "gzip", ".zst": "zstd"}
# What compressed files begin with.
_COMPRESSED: Final = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_WILD: Final = re.compile(r"[*?[]")


@attrs.frozen
class Place:
    """A file, or a standard stream if ``path`` is "-".

    ``shown``: what messages call it instead of its path.
    """

    path: str
    format: Format
    compression: str | None = None
    shown: str | None = None

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input or output."""
        return self.path == STANDARD_STREAM

    def __str__(self) -> str:
        if self.is_stream:
            return "standard input or output"
        return masked(self.shown or self.path)

    def pattern(self) -> str:
        """Return the path as DuckDB reads it, in which ``*``, ``?`` and ``[`` are escaped."""
        path = self.path if is_remote(self.path) else os.path.abspath(self.path)  # noqa: PTH100
        return _WILD.sub(lambda found: f"[{found[0]}]", path)

    def open(self) -> IO[bytes]:
        """Open it and decompress what is read. Raises OSError."""
        raw: Any
        if is_remote(self.path):
            files, path = opened(self.path)
            raw = files.open(path, "rb")
        else:
            raw = Path(self.path).open("rb")  # noqa: SIM115  # the caller closes it
        if self.compression is None or self.format == "warc":
            return cast("IO[bytes]", raw)
        return cast(
            "IO[bytes]", pa.CompressedInputStream(pa.PythonFile(raw, "r"), self.compression)
        )

    def size(self) -> int:
        """Return the number of bytes. Raises OSError."""
        if is_remote(self.path):
            files, path = opened(self.path)
            return int(files.size(path) or 0)
        return os.path.getsize(self.path)  # noqa: PTH202


def place_of(name: str, format: str | None, option: str | None) -> Place:
    """Return the place that an argument names.

    Args:
        name: A path, a URL that fsspec opens, or "-" for a standard stream.
        format: The format, or None to use the extension.
        option: The option that sets the format, for messages, or None.

    Raises:
        FileError: The format is unknown or not possible there.
    """
    if name != to_scalar_value_string(name):
        raise FileError(f"{listed([to_scalar_value_string(name)])}: the name is not UTF-8")
    extension, last = _extensions(name)
    own = cast("Format | None", format) or _FORMAT_OF.get(extension.lower())
    if name == STANDARD_STREAM and own is None:
        how = "name a file" if option is None else f"set its format with {option}"
        raise FileError(f"'-' has no extension: {how}")
    if own is None:
        how = "" if option is None else f", or set its format with {option}"
        raise FileError(
            f"{listed([name])} needs one of the extensions {', '.join(_FORMAT_OF)}{how}"
        )
    if own == "warc" and option != "--from":
        raise FileError("a WARC file can only be read")
    if own == "warc" and last.lower() == ".zst":
        raise FileError(f"{listed([name])}: the records of a WARC file can only have gzip")
    if own == "parquet" and last:
        raise FileError(f"{listed([name])}: Parquet has its own compression: leave out {last}")
    return Place(name, own, _COMPRESSION_OF.get(last.lower()))


def _extensions(name: str) -> tuple[str, str]:
    """Return the extensions of a name for its format and for its compression, or ""."""
    *_, before, last = ["", "", *Path(name).suffixes]
    return (before, last) if last.lower() in _COMPRESSION_OF else (last, "")


def refuse_compressed(place: Place) -> None:
    """Raise `FileError` for compressed text without the extension for it, and OSError."""
    with place.open() as file:
        start = file.read(4)
    for magic, suffix in _COMPRESSED.items():
        if place.compression is None and start.startswith(magic):
            how = f"its name must end in {suffix}" if place.shown is None else "decompress it first"
            raise FileError(f"{place} is compressed: {how}")


# --- folders, patterns and other machines ---------------------------------------------------------


def is_remote(name: str) -> bool:
    """Return whether a name is a URL that fsspec opens."""
    return _SCHEME.match(name) is not None


def opened(name: str) -> tuple[Any, str]:
    """Return what fsspec opens a URL with, and the path there. Raises `FileError` if it cannot."""
    scheme = name.partition("://")[0]
    if scheme.lower() in ("http", "https"):
        raise FileError("files on the web are not read: download them first")
    try:
        with required("fsspec", "fsspec"):
            from fsspec.core import url_to_fs
    except ImportError as error:
        raise FileError(f"{scheme}://: {error}") from None
    try:
        files, path = url_to_fs(name)
    except (ImportError, ValueError) as error:
        raise FileError(f"fsspec cannot open {scheme}://: {masked(str(error))}") from None
    return files, str(path)


def is_dataset(name: str) -> bool:
    """Return whether an input is a folder or a pattern, so that its output is a folder."""
    if name == STANDARD_STREAM:
        return False
    if is_remote(name):
        files, remote = opened(name)
        return _WILD.search(remote) is not None or bool(files.isdir(remote))
    path = Path(name)
    return path.is_dir() or (_WILD.search(name) is not None and not os.path.lexists(path))


def files_of(name: str, format: str | None) -> list[tuple[Place, str]]:
    """Return the files of a folder or of a pattern, with their paths inside the folder.

    Names that begin with ``_`` or ``.`` are left out. Raises `FileError` without any file, and for
    a file of an unknown format.
    """
    if is_remote(name):
        files, pattern = opened(name)
        found = files.glob(pattern) if _WILD.search(pattern) else files.find(pattern)
        paths = {path: files.unstrip_protocol(path) for path in found if not files.isdir(path)}
    else:
        pattern = name
        names = glob.glob(name, recursive=True) if _WILD.search(name) else [name]  # noqa: PTH207
        paths = {str(path): str(path) for each in names for path in below(Path(each))}
    root = pattern
    if wild := _WILD.search(pattern):
        root = pattern[: wild.start()].rpartition("/")[0] or ("/" if pattern[0] == "/" else ".")
    inside = {path: os.path.relpath(path, root) for path in paths}
    kept = [
        path
        for path in sorted(paths)
        if not any(part[0] in "_." for part in Path(inside[path]).parts)
    ]
    if not kept:
        raise FileError(f"{listed([name])}: there is no file")
    return [(place_of(paths[path], format, "--from"), inside[path]) for path in kept]


def below(path: Path) -> list[Path]:
    """Return a file, or all files below a folder."""
    if path.is_dir():
        return [each for each in path.rglob("*") if each.is_file()]
    return [path] if path.is_file() else []


def name_in(format: Format, inside: str) -> str:
    """Return the path of an output in its folder: the path of its input with another extension.

    An output in the format of its input has the same name, and is compressed in the same way.
    """
    extension, compression = _extensions(inside)
    known = _FORMAT_OF.get(extension.lower())
    if known == format:
        return inside
    return inside.removesuffix(f"{extension}{compression}" if known else "") + _EXTENSIONS[format]


# --- where outputs are put ------------------------------------------------------------------------


class Output:
    """A file or folder that is written beside its place, and gets its name by `put`."""

    def __init__(self, place: Place, *, is_folder: bool = False, overwrite: bool) -> None:
        """Check the place. Raises `FileError` if nothing may be written there."""
        self._place = place
        self._is_folder = is_folder
        self._overwrite = overwrite
        self._target: Path | None = None
        if is_remote(place.path):
            files, remote = opened(place.path)
            try:
                if not overwrite and files.exists(remote):
                    raise FileError(f"{self} already exists: use --overwrite to replace it")
            except OSError as error:
                raise FileError(f"{self} cannot be read: {reason(error)}") from None
        elif not place.is_stream:
            self._target = Path(os.path.realpath(place.path))
            self._refuse(self._target)
        beside = self._target or Path(tempfile.gettempdir(), "weburl")
        self.own: Path = beside.with_name(f".{beside.name[:100]}.{secrets.token_hex(8)}")
        """A folder that only this user can use."""
        self._path = self.own / "output"

    def __str__(self) -> str:
        return "standard output" if self._place.is_stream else str(self._place)

    def make(self) -> None:
        """Make the folder to write into. Raises `FileError` if the place cannot be written.

        Let `close` be called in any case, also if a signal ends this method after the folder is
        made.
        """
        try:
            self.own.mkdir(mode=0o700)
        except OSError as error:
            raise FileError(f"{self} cannot be written: {reason(error)}", STOPPED) from None

    def target(self, inside: str | None) -> Place:
        """Return where to write the output, or the file of this name in its folder."""
        if inside is None:
            return attrs.evolve(self._place, path=str(self._path))
        path = self._path / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        compression = _COMPRESSION_OF.get(path.suffix.lower())
        return attrs.evolve(self._place, path=str(path), compression=compression)

    def _refuse(self, path: Path) -> None:
        if Path(self._place.path).is_symlink() and not path.exists():
            raise FileError(f"{self} is a link to a file that does not exist")
        if not path.parent.is_dir():
            raise FileError(f"{masked(str(path.parent))} is not a folder")
        if not path.exists():
            return
        if path.is_dir() != self._is_folder:
            raise FileError(f"{self} is {'not ' if self._is_folder else ''}a folder")
        if not stat.S_ISREG(path.stat().st_mode) and not self._is_folder:
            raise FileError(f"{self} is not a regular file; use - for standard output")
        if not self._overwrite:
            raise FileError(f"{self} already exists: use --overwrite to replace it")
        if self._is_folder:
            others = [str(each) for each in below(path) if each.suffix not in _OF_DATA]
            if others:
                raise FileError(f"{self} has files that are not data: {listed(others, 3)}")

    def written(self) -> int:
        """Return how many bytes are written by now."""
        return sum(path.stat().st_size for path in below(self._path))

    def put(self) -> None:
        """Give the complete output its name.

        Raises `FileError` if it cannot be written, and if another program has taken the name, and
        BrokenPipeError.
        """
        try:
            self._put()
        except BrokenPipeError:
            raise
        except FileExistsError:
            raise FileError(f"{self} was made by another program meanwhile", STOPPED) from None
        except OSError as error:
            raise FileError(f"{self} cannot be written: {reason(error)}", STOPPED) from None

    def _put(self) -> None:
        if self._place.is_stream:
            if sys.stdout is None:
                raise FileError("standard output is closed", STOPPED)
            with self._path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        elif self._target is None:
            files, path = opened(self._place.path)
            files.put(str(self._path), path, recursive=self._is_folder)
        elif self._is_folder:
            if self._target.exists():
                self._target.rename(self.own / "replaced")
            self._path.rename(self._target)
        else:
            with self._path.open("rb+") as file:
                os.fsync(file.fileno())
            if not self._overwrite:
                self._target.open("xb").close()  # Another run may have made it by now.
            self._path.replace(self._target)

    def close(self) -> None:
        """Remove what is not put in its place."""
        shutil.rmtree(self.own, ignore_errors=True)


_OF_DATA: Final = frozenset([*_FORMAT_OF, *_COMPRESSION_OF])

"""Files that are not on this machine, by fsspec: ``s3://``, ``gs://``, ``hdfs://``, ``memory://``.

Files are copied as a whole: an input to a local file before it is read, and an output when the
whole dataset is complete. So everything else works with local files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Final

import attrs

from weburl.columns.files.errors import STOPPED, WRONG, FileError
from weburl.standard.infra.credentials import masked

# HTTP is not among them: it cannot list files, and a URL there may lead to any server.
_URL: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]+(?:::[a-z0-9+.:/-]+)?://", re.IGNORECASE)
_HAS_PATTERN: Final = re.compile(r"[*?\[]")
_STAMPS: Final = ("mtime", "LastModified", "last_modified", "updated", "created", "ETag", "etag")
_SUCCESS: Final = "_SUCCESS"


def is_url(name: str) -> bool:
    """Return whether an argument names something for fsspec."""
    return _URL.match(name) is not None


# The file systems whose folders at the top are buckets.
_WITH_BUCKETS: Final = frozenset({"s3", "s3a", "gs", "gcs"})


@attrs.frozen
class Remote:
    """A file, a folder or a pattern of files. Methods raise `FileError` if the store does."""

    url: str
    _files: Any
    _root: str

    def __str__(self) -> str:
        return masked(self.url)

    def found(self) -> Iterator[tuple[str, str, str]]:
        """Yield the path of each file, its path below the dataset, and a text of its version."""
        with _told(f"{self} cannot be read", WRONG):
            if _HAS_PATTERN.search(self._root):
                base = str(PurePosixPath(*_without_pattern(PurePosixPath(self._root).parts)))
                matches = [str(each) for each in self._files.glob(self._root)]
                paths = sorted({path for match in matches for path in self._files.find(match)})
            elif self._files.isfile(self._root):
                base, paths = str(PurePosixPath(self._root).parent), [self._root]
            else:
                base, paths = self._root, sorted(self._files.find(self._root))
            for path in paths:
                info = self._files.info(path)
                stamp = [str(info.get(name)) for name in ("size", *_STAMPS) if name in info]
                below = path.removeprefix(base.rstrip("/")).lstrip("/")
                yield path, _checked(below), " ".join(stamp)

    def fetch(self, path: str, local: Path) -> None:
        """Copy one of the files to a local one."""
        with _told(f"{self} cannot be read", STOPPED):
            self._files.get_file(path, str(local))

    def names(self) -> set[str]:
        """Return the paths of the files that are there, below the folder."""
        with _told(f"{self} cannot be read", WRONG):
            if not self._files.exists(self._root):
                self._require_bucket()
                return set()
            start = self._root.rstrip("/")
            return {str(path).removeprefix(start).lstrip("/") for path in self._files.find(start)}

    def _require_bucket(self) -> None:
        """Raise `FileError` if the bucket does not exist: writing would make one of this name."""
        own = self._files.protocol
        bucket = self._root.strip("/").partition("/")[0]
        if _WITH_BUCKETS.isdisjoint([own] if isinstance(own, str) else own):
            return
        if not self._files.exists(bucket):
            raise FileError(f"{self} cannot be written: there is no bucket {bucket!r}")

    def upload(self, folder: Path, names: list[str]) -> None:
        """Copy files to the store, and at the end an empty file ``_SUCCESS``."""
        root = self._root.rstrip("/")
        with _told(f"{self} cannot be written", STOPPED):
            for name in names:
                target = f"{root}/{name}"
                self._files.makedirs(target.rpartition("/")[0], exist_ok=True)
                self._files.put_file(str(folder / name), target)
            self._files.pipe_file(f"{root}/{_SUCCESS}", b"")


def remote_at(url: str) -> Remote:
    """Return what a URL names. Raises `FileError` if fsspec or what it needs is not installed."""
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError:
        raise FileError(
            "files that are not on this machine need the extra: pip install 'weburl[fsspec]'"
        ) from None
    what = f"{masked(url)} cannot be opened"
    with _told(what, WRONG):
        try:
            files, root = url_to_fs(url)
        except ImportError as error:  # Its message only says what to install.
            raise FileError(f"{what}: {error}") from None
    return Remote(url, files, str(root))


def _without_pattern(parts: tuple[str, ...]) -> list[str]:
    """Return the parts of a path before the first one with a pattern, or the last one."""
    first = next(index for index, part in enumerate(parts) if _HAS_PATTERN.search(part))
    return list(parts[:first])


def _checked(name: str) -> str:
    """Return the path of a remote file, which becomes the path of a local one.

    Raises `FileError` if it would leave the folder: another user may have chosen it.
    """
    parts = name.split("/")
    if not name or any(part in ("", ".", "..") or re.search(r"[\\:\0]", part) for part in parts):
        raise FileError(f"{masked(name)!r} cannot be the name of a local file")
    return name


@contextmanager
def _told(what: str, status: int) -> Iterator[None]:
    """Turn the errors of a store into `FileError`. Their messages may contain credentials."""
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"{what}: it does not exist", status) from None
    except Exception as error:  # noqa: BLE001  # each store has errors of its own
        raise FileError(f"{what}: {type(error).__name__}", status) from None

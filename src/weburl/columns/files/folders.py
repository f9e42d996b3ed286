"""Folders as outputs: what may be replaced, and their permissions at the end."""

from __future__ import annotations

import os
from pathlib import Path

from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.places import EXTENSIONS
from weburl.standard.infra.credentials import masked


def replace_folder(folder: Path, there: Path) -> None:
    """Move a folder that is replaced out of the way, if it exists.

    Raises `FileError` if it contains anything but data.
    """
    if not folder.exists():
        return
    known = tuple(EXTENSIONS.values())
    for here, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(here, name)
            is_data = any(extension in name.lower() for extension in known)
            if path.is_symlink() or (name in names and not is_data and name != "_SUCCESS"):
                raise FileError(
                    f"{masked(str(folder))} contains {listed([name])}, which is not a data file, "
                    "so it is not replaced"
                )
    folder.replace(there)


def open_folder(folder: Path) -> None:
    """Give a folder that was private, and those inside, the permissions of new folders."""
    probe = folder / f".{os.getpid()}.new"
    probe.mkdir()
    mode = probe.stat().st_mode & 0o777
    probe.rmdir()
    for here, _, _ in os.walk(folder):
        Path(here).chmod(mode)

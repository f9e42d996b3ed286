"""What a person is told when a file cannot be read or written, and the exit statuses."""

from __future__ import annotations

from typing import Final

from weburl.infra.credentials import masked

DONE: Final = 0
BAD_ROWS: Final = 1
"""All is written, but there are bad rows, and ``--strict`` was given."""
WRONG: Final = 2
"""The arguments or the input are wrong: the same command would fail again."""
STOPPED: Final = 3
"""The run ended early for a reason outside of it: a full disk, a closed pipe, a killed worker."""


class FileError(Exception):
    """Why a run cannot begin or go on. The message holds nothing of the file's rows.

    ``status`` is the exit status: `WRONG`, `STOPPED`, or 128 and the number of a signal.
    """

    def __init__(self, message: str, status: int = WRONG) -> None:
        super().__init__(message)
        self.status: Final = status


def listed(names: list[str], most: int = 20) -> str:
    """Return names for a message, in quotation marks, not more than ``most``.

    In a file without a header, they are what stands in its first row: so passwords are masked.
    """
    shown = ", ".join(f"'{masked(name)}'" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"

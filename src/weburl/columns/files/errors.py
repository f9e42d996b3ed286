"""The error for a file that cannot be read or written, and the exit statuses."""

from __future__ import annotations

from typing import Final

from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable_lines

DONE: Final = 0
BAD_ROWS: Final = 1
"""Everything is written, but there are bad rows, and ``--strict`` was given."""
WRONG: Final = 2
"""The arguments or the input are wrong: the same command would fail again."""
STOPPED: Final = 3
"""The run ended early for an external reason: a full disk, a closed pipe, a killed worker."""

_LONGEST: Final = 100  # characters of a name in a message


class FileError(Exception):
    """Raised if a run cannot start or continue. The message shows nothing of the file's rows.

    It shows no controls either, which names of columns and files may have.
    ``status`` is the exit status: `WRONG`, `STOPPED`, or 128 plus the number of a signal.
    """

    def __init__(self, message: str, status: int = WRONG) -> None:
        super().__init__(printable_lines(message))
        self.status: Final = status


def reason(error: OSError) -> str:
    """Return why a file cannot be read or written. Other libraries may put anything into `args`."""
    return error.strerror if error.errno is not None and error.strerror else type(error).__name__


def listed(names: list[str], most: int = 20) -> str:
    """Return at most ``most`` names for a message, in quotation marks.

    Passwords are masked: in a file without a header, the names are the values of its first row.
    For the same reason, only the beginning of a long name is shown.
    """
    shown = ", ".join(f"'{_beginning(masked(name))}'" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"


def _beginning(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"

"""Writes records to standard output, and complaints to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from weburl.command_line.statuses import STOPPED, CommandError
from weburl.command_line.terminal import Paint, Progress, is_terminal


class Output:
    """Standard output for records, with the same end for each."""

    def __init__(self, *, null: bool = False) -> None:
        self._end = "\0" if null else "\n"
        self.paint: Paint = Paint(sys.stdout)
        self.is_terminal: bool = is_terminal(sys.stdout)

    def write(self, records: Iterable[str]) -> None:
        """Write records. Raises `CommandError` if the disk is full, and BrokenPipeError."""
        text = "".join([f"{record}{self._end}" for record in records])
        if text:
            put_out(text)


def put_out(text: str | bytes) -> None:
    """Write text or bytes to standard output, with what was printed before.

    Raises `CommandError` if the disk is full, and BrokenPipeError.
    """
    if sys.stdout is None:  # It was closed before the program began.
        return
    try:
        if isinstance(text, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(text)
        else:
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"cannot write the output: {error.strerror}", STOPPED) from None


class Complaints:
    """Standard error for what is wrong with the input, each with its place."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._paint = Paint(sys.stderr)
        self.count: int = 0

    def add(self, place: str, message: str) -> None:
        """Print a complaint. ``place``: such as "line 3", or ""."""
        self.count += 1
        if self._progress is not None:
            self._progress.clear()
        if sys.stderr is not None:
            shown = f"{self._paint.bold(place)}: {message}" if place else message
            print(shown, file=sys.stderr)

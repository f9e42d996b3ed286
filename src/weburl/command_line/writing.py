"""Writes records to standard output, and complaints to standard error, in colours on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import Final, TextIO

from weburl.command_line.statuses import STOPPED, CommandError

_NAME_OF_ERROR: Final = re.compile(r"^( *)([A-Za-z0-9-]+)(?=: )", re.ASCII | re.MULTILINE)
_CARETS: Final = re.compile(r"^( +)(\^+)$", re.MULTILINE)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    return stream is not None and stream.isatty()


class Paint:
    """Colours for a stream. They are off unless it is a terminal, and off with ``NO_COLOR``."""

    def __init__(self, stream: TextIO | None) -> None:
        self.is_on: bool = (
            is_terminal(stream)
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
            and sys.platform != "win32"  # older consoles there show the codes
        )

    def bold(self, text: str) -> str:
        """Return the text in bold, if colours are on."""
        return self._painted("1", text)

    def red(self, text: str) -> str:
        """Return the text in red, if colours are on."""
        return self._painted("31", text)

    def report(self, text: str) -> str:
        """Return a report with the names of errors and the carets in red, if colours are on."""
        if not self.is_on:
            return text
        first, _, rest = text.partition("\n")
        for pattern in (_NAME_OF_ERROR, _CARETS):
            rest = pattern.sub(lambda found: found[1] + self.red(found[2]), rest)
        return f"{self.bold(first)}\n{rest}"

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.is_on else text


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

    def __init__(self) -> None:
        self._paint = Paint(sys.stderr)
        self.count: int = 0

    def add(self, place: str, message: str) -> None:
        """Print a complaint. ``place``: such as "line 3", or ""."""
        self.count += 1
        if sys.stderr is not None:
            shown = f"{self._paint.bold(place)}: {message}" if place else message
            print(shown, file=sys.stderr)

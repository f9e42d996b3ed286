"""Colours and progress, which only a terminal shows."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import Final, TextIO

_QUIET_SECONDS: Final = 2.0
"""How long a command runs before it shows progress."""
_BETWEEN: Final = 0.25
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


class Progress:
    """A line on standard error that shows the progress of a command, if that is a terminal.

    It is not shown if the output or the input is one, too, because the lines there show it.
    """

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._shows = (
            is_terminal(sys.stderr) and not is_terminal(sys.stdout) and not is_terminal(sys.stdin)
        )
        self._next = time.monotonic() + _QUIET_SECONDS
        self._width = 0

    def tell(self, position: int, count: int) -> None:
        """Show how many bytes and how many URLs were read, if it is time."""
        if not self._shows or (now := time.monotonic()) < self._next:
            return
        self._next = now + _BETWEEN
        share = f", {min(position / self._total, 1):.0%}" if self._total else ""
        text = f"{count:,} URLs{share}"
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Remove the line, so that something else can be written there."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0

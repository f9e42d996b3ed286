"""The exit statuses of all commands, and the error that ends a command with one."""

from __future__ import annotations

from typing import Final

from weburl.standard.infra.explanations import printable_lines

DONE: Final = 0
BAD: Final = 1
USAGE: Final = 2
STOPPED: Final = 3
INTERRUPTED: Final = 130  # as shells report Ctrl-C

IN_WORDS: Final = (
    "Exit status: 0 if all is well, 1 if a URL is bad, 2 if the arguments or the files are wrong, "
    "3 if the output cannot be written, 130 after Ctrl-C."
)


class CommandError(Exception):
    """Ends a command: the message for standard error, and the exit status."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(printable_lines(message))
        self.status = status

"""A parser of command-line arguments whose errors show no usernames and passwords, and values."""

from __future__ import annotations

import argparse
from typing import Final, NamedTuple, Never

from weburl.standard.infra.credentials import masked

_FILES: Final = frozenset({"FILE", "INPUT", "OUTPUT", "FOLDER"})


class Option(NamedTuple):
    """An option, or an argument that is not one, as a shell completes it.

    ``flags``: how it is written, such as "--base"; empty for an argument that is not an option.
    ``repeats``: whether there may be more than one value.
    """

    flags: tuple[str, ...]
    help: str
    metavar: str
    choices: tuple[str, ...]
    takes_value: bool
    repeats: bool

    @property
    def takes_file(self) -> bool:
        """Whether the value is the name of a file or a folder."""
        return self.metavar in _FILES


class ArgumentParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` that masks credentials in its errors, which quote arguments."""

    def error(self, message: str) -> Never:
        """Print a message and the usage to standard error, and exit with 2."""
        super().error(masked(message))

    def options(self) -> list[Option]:
        """Return all options and arguments."""
        return [
            Option(
                tuple(action.option_strings),
                (action.help or "").replace("%%", "%"),
                action.metavar if isinstance(action.metavar, str) else "",
                tuple(map(str, action.choices or ())),
                action.nargs != 0,
                action.nargs in ("*", "+"),
            )
            for action in self._actions
        ]


def text_of(path: str) -> str:
    """Return the text of a file in UTF-8, without a byte order mark.

    Raises `OSError` if it cannot be read, and `ValueError` if it is not UTF-8.
    """
    with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123  # as the user wrote it
        return file.read()


def comma_separated(text: str) -> list[str]:
    """Return the values in a list, which may be none."""
    return [each.strip() for each in text.split(",") if each.strip()]


def some_comma_separated(text: str) -> list[str]:
    """Return the values in a list. Raises `argparse.ArgumentTypeError` if it is empty."""
    found = comma_separated(text)
    if not found:
        raise argparse.ArgumentTypeError("the list is empty")
    return found

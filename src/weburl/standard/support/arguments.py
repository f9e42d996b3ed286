"""A parser of command-line arguments whose errors show no usernames and passwords."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, Final, Never

from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable_lines

_GIVEN: Final = "_given"


class _Once(argparse.Action):
    """Stores the value of an option, or of an argument. An option may be given only once.

    The last of two lists of refused hosts would otherwise replace the first without a word.
    """

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Store the value. Raises `argparse.ArgumentError` for a second one."""
        if option_string is not None:
            given: set[str] = vars(namespace).setdefault(_GIVEN, set())
            if self.dest in given:
                raise argparse.ArgumentError(self, "may be given only once")
            given.add(self.dest)
        setattr(namespace, self.dest, values)


class ArgumentParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` that accepts no abbreviations and no option with two values.

    Its errors mask credentials in the arguments that they quote.
    """

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  # the arguments of argparse
        super().__init__(**options, allow_abbrev=False)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def error(self, message: str) -> Never:
        """Print a message and the usage to standard error, and exit with 2."""
        super().error(printable_lines(masked(message)))


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

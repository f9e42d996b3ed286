"""The parser of arguments, and the options that commands share. Each is written once, here."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final, Never

from weburl.command_line.statuses import IN_WORDS, CommandError
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable_lines, quoted
from weburl.standard.infra.schemes import normalized_scheme
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

PROGRAM: Final = "weburl"
WIDTH: Final = 79
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


def parser_of(command: str, description: str, example: str, *, bad: str = "") -> ArgumentParser:
    """Return the parser of a command with its help, and no options yet.

    ``bad``: what the exit status 1 means for this command, if it is not that a URL is bad.
    """
    statuses = IN_WORDS.replace("a URL is bad", bad) if bad else IN_WORDS
    return ArgumentParser(
        prog=f"{PROGRAM} {command}".rstrip(),
        description=fill(description, WIDTH),
        epilog=f"Example:\n  {example}\n\n{fill(statuses, WIDTH)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_url_options(parser: ArgumentParser, *, assumes: bool = True) -> ArgumentParser:
    """Add what every command has that takes URLs, and return the parser.

    ``assumes``: whether a scheme can be assumed, which a base excludes.
    """
    parser.add_argument(
        "urls",
        metavar="URL",
        nargs="*",
        help="a URL; without one, URLs are read from standard input, one on each line",
    )
    parser.add_argument(
        "--file",
        metavar="FILE",
        dest="files",
        action="append",
        default=[],
        help="read URLs from this file, one on each line; - is standard input; may be repeated",
    )
    before = parser.add_mutually_exclusive_group()
    add_base(before)
    if assumes:
        before.add_argument(
            "--assume-scheme",
            metavar="SCHEME",
            type=_scheme,
            help="the scheme to put before text without one, such as https",
        )
    add_output_options(parser)
    return parser


def add_base(parser: argparse._ActionsContainer) -> None:
    """Add ``--base``."""
    parser.add_argument("--base", metavar="B", help="the base URL, for relative URLs")


def add_output_options(parser: ArgumentParser) -> None:
    """Add how records are separated and written."""
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each URL")
    parser.add_argument(
        "--null",
        action="store_true",
        help="end each URL with NUL instead of a line break, in and out",
    )


def base_of(options: argparse.Namespace) -> URLRecord | None:
    """Return the base URL, or None. Raises `CommandError` if it cannot be parsed."""
    if options.base is None:
        return None
    try:
        return parse(options.base)
    except URLParseError as error:
        raise CommandError(explained(error)) from None


def _scheme(text: str) -> str:
    found = normalized_scheme(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a scheme, such as https")
    return found


def explained(error: URLParseError) -> str:
    """Return the standard's name for an error, and its message with the place in the text."""
    return str(error) if error.type is None else f"{error.type.value}: {error}"


def in_one_line(error: URLParseError, text: str) -> str:
    """Return the standard's name for an error, its message, and the text without credentials."""
    kind = "" if error.type is None else f"{error.type.value}: "
    return f"{kind}{error.reason} {quoted(text)}"


def cannot_read(path: str, error: OSError) -> CommandError:
    """Return the error for a file that cannot be read."""
    hint = ". weburl fetches nothing: save the page first" if "://" in path else ""
    name = masked(path) or "''"
    return CommandError(f"cannot read {name}: {error.strerror}{hint}")


def comma_separated(text: str) -> list[str]:
    """Return the values in a list. Raises `argparse.ArgumentTypeError` if it is empty."""
    found = [each.strip() for each in text.split(",") if each.strip()]
    if not found:
        raise argparse.ArgumentTypeError("the list is empty")
    return found

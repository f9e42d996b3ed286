"""The command line: ``python -m weburl URL``, ``… check``, ``… history`` and ``… match``.

It reads URLs from the arguments or from standard input, and prints what the library says of them.
``python -m weburl view`` serves the viewer, and ``python -m weburl columns`` adds columns to files.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from weburl.patterns.errors import URLPatternError
from weburl.standard.infra.arguments import ArgumentParser
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.url.api import check, parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import Report, URLParseError, errors_as_json

_COMMANDS = ("check", "history", "match")
_OTHER_COMMANDS = ("columns", "view")
_VALID, _PARSES, _FAILS = range(3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on ``arguments``, or on those of the program; return the exit status.

    Returns:
        0 if every URL parses, 1 if one does not, and 2 for wrong usage. With ``check``, 0 if every
        URL is without errors, 1 if all parse but some have errors, and 2 if one does not parse.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)  # reads any bytes, prints any text
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["view"]:
        # Imported only here, because the other commands do not need the viewer.
        from weburl.viewer.server import argument_parser, serve

        return serve(argument_parser().parse_args(words[1:]).port)
    if words[:1] == ["columns"]:
        return _columns(words[1:])
    command = words.pop(0) if words and words[0] in _COMMANDS else None
    hint = None if command else _hint(words)
    try:
        options = _argument_parser(command).parse_args(words)
    except SystemExit as wrong:
        if hint is not None and wrong.code:
            print(hint, file=sys.stderr)
        raise
    try:
        run = _runner(command, options)
    except URLParseError as error:
        _print_error(error)
        return 2
    except URLPatternError as error:
        print(error, file=sys.stderr)
        return 2
    # Standard input may be None: a program can run without one.
    urls: Iterable[str] = options.urls or _lines(sys.stdin or ())
    try:
        status = max(map(run, urls), default=0)
        if sys.stdout is not None:  # None if it was closed before the program began
            sys.stdout.flush()
        if hint is not None and status:
            print(hint, file=sys.stderr)
    except BrokenPipeError:
        # The reader closed the pipe. Without this, the interpreter would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _columns(words: list[str]) -> int:
    from weburl.columns.files.arguments import argument_parser

    options = argument_parser().parse_args(words)
    try:
        from weburl.columns.files.command import columns_command
    except ImportError as error:
        if error.name not in ("pyarrow", "tqdm"):
            raise
        need = "python -m weburl columns needs pyarrow: pip install 'weburl[columns]'"
        print(need, file=sys.stderr)
        return 2
    return columns_command(options)


def _hint(words: Sequence[str]) -> str | None:
    """Return a question for people who have misspelt a command, or None."""
    first = words[0] if words else ""
    if not re.fullmatch("[a-z]+", first):
        return None
    close = get_close_matches(first, (*_COMMANDS, *_OTHER_COMMANDS), 1, cutoff=0.75)
    return f"Did you mean 'python -m weburl {close[0]}'?" if close else None


def _lines(stream: Iterable[str]) -> Iterator[str]:
    for at, line in enumerate(stream):
        # Some programs write a byte order mark at the start of a text file.
        yield (line if at else line.removeprefix("\ufeff")).rstrip("\r\n")


def _runner(command: str | None, options: argparse.Namespace) -> Callable[[str], int]:
    """Return the function to call with each URL. Raises `URLParseError` for a wrong base."""
    if command == "history":
        # Imported only here, because the other commands do not need the older rules.
        from weburl.history.command import show_history

        return partial(show_history, base=options.base, as_json=options.json)
    base = None if options.base is None else parse(options.base)
    if command == "match":
        from weburl.patterns.match_command import show_match
        from weburl.patterns.pattern import URLPattern

        pattern = URLPattern(options.pattern, base)
        return partial(show_match, pattern=pattern, base=base, as_json=options.json)
    if command == "check":
        return partial(_check, base=base, as_json=options.json)
    return partial(_parse, base=base, as_json=options.json or len(options.urls) != 1)


def _argument_parser(command: str | None) -> ArgumentParser:
    if command == "history":
        from weburl.history.command import argument_parser

        parser = argument_parser()
    elif command == "match":
        from weburl.patterns.match_command import argument_parser

        parser = argument_parser()
    elif command == "check":
        parser = ArgumentParser(
            prog="python -m weburl check",
            description="Show everything that is wrong with URLs. Exit status: 0 if every URL is "
            "valid, 1 if all can be parsed but some have errors, 2 if one cannot be parsed.",
        )
    else:
        parser = ArgumentParser(
            prog="python -m weburl",
            description="Show the parts of a URL as a browser reads it. With several URLs, or "
            "from standard input, print one line of JSON for each. Exit status: 0 if every URL "
            "can be parsed, 1 if one cannot, 2 if the arguments or the base are wrong.",
            epilog="'python -m weburl check URL…' shows everything that is wrong with URLs, "
            "'python -m weburl history URL…' shows how older rules read them, and 'python -m "
            "weburl match PATTERN URL…' matches them against a pattern. 'python -m weburl view' "
            "shows URLs in a browser, and 'python -m weburl columns' adds columns to files. "
            "Write './check' for a URL that is one of these words.",
        )
    parser.add_argument(
        "urls",
        metavar="URL",
        nargs="*",
        help="a URL; without one, URLs are read from standard input, one on each line",
    )
    parser.add_argument("--base", metavar="B", help="the base URL, for relative URLs")
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each URL")
    return parser


def _parse(url: str, base: URLRecord | None, as_json: bool) -> int:
    try:
        record = parse(url, base)
    except URLParseError as error:
        _print_error(error)
        return 1
    components = {name: _plain(getattr(record, name)) for name in URLRecord.__match_args__}
    shown = {"href": record.href, **components, "origin": record.origin}
    if as_json:
        print(json.dumps(shown))
    else:
        for name, value in (shown | {"path": record.path_text}).items():
            print(f"{name:<10}{_cell(value)}".rstrip())
    return 0


def _plain(value: object) -> object:
    """Return a component as a value for `json.dumps`."""
    if value is None or isinstance(value, int | str):
        return value
    return list(value) if isinstance(value, tuple) else str(value)


def _cell(value: object) -> str:
    """Return a component as the table shows it: a dash for None, and "" for an empty one."""
    return "-" if value is None else str(value) or '""'


def _check(url: str, base: URLRecord | None, as_json: bool) -> int:
    report = check(url, base)
    if as_json:
        print(json.dumps(_report_as_json(report)))
    else:
        record = report.record
        outcome = "cannot be parsed" if record is None else f"parses as {record.redacted()}"
        print(f"{printable(masked(url))}\n  {outcome}; {_count(report)}")
        if report.errors:
            print("\n".join(f"  {line}" for line in str(report).splitlines()))
    if report.record is None:
        return _FAILS
    return _VALID if report.is_valid_url_string and not report.error_count else _PARSES


def _count(report: Report) -> str:
    match report.error_count:
        case 0 if not report.is_valid_url_string:
            return "no validation errors, but it has a lone surrogate"
        case 0:
            return "no validation errors"
        case 1:
            return "one validation error"
        case count:
            return f"{count} validation errors"


def _report_as_json(report: Report) -> dict[str, Any]:
    return {
        "input": report.input,
        "href": None if report.record is None else report.record.href,
        "is_valid_url_string": report.is_valid_url_string,
        "error_count": report.error_count,
        "errors": errors_as_json(report),
    }


def _print_error(error: URLParseError) -> None:
    kind = "" if error.type is None else f"{error.type.value}: "
    print(f"{kind}{error}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

"""Finds the command that the words name, sets up the streams, and runs it."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr
from importlib import import_module
from textwrap import fill
from types import ModuleType
from typing import Final, NoReturn

from weburl import COMPILED, __version__
from weburl.command_line.arguments import PROGRAM, WIDTH, ArgumentParser
from weburl.command_line.statuses import DONE, IN_WORDS, INTERRUPTED, STOPPED, CommandError
from weburl.command_line.writing import is_terminal, put_out

COMMANDS: Final = {
    "parse": "show the parts of URLs; the word may be left out",
    "check": "show everything that is wrong with URLs",
    "canonicalize": "print URLs in canonical form",
    "links": "print the links in HTML, Markdown and text",
    "allowed": "print the URLs that a policy allows",
    "columns": "add columns to a Parquet, CSV, JSON lines or text file",
    "view": "show URLs in a browser",
    "help": "show this help, or that of a command",
}
"""The commands, and what each does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on ``arguments``, or on ``sys.argv``. Returns the exit status.

    The statuses are listed in `statuses`.
    """
    with ExitStack() as stack:
        if sys.stderr is None:
            # What is printed to None is written to standard output, where it would be data.
            nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123
            stack.enter_context(redirect_stderr(nowhere))
        return _main(list(sys.argv[1:] if arguments is None else arguments))


def _main(words: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # prints any text
    try:
        try:
            return _run(words)
        except SystemExit:
            put_out("")  # argparse has printed the help
            raise
    except CommandError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        _discard_output()
        return error.status
    except BrokenPipeError:
        _discard_output()
        return STOPPED
    except KeyboardInterrupt:
        _discard_output()
        return INTERRUPTED


def _run(words: list[str]) -> int:
    hint = None
    name = words.pop(0) if words and words[0] in COMMANDS else None
    if name is None:
        if words == ["--version"]:
            build = "compiled" if COMPILED else "interpreted"
            put_out(f"{PROGRAM} {__version__} ({build})\n")
            return DONE
        if words in (["--help"], ["-h"]) or (not words and is_terminal(sys.stdin)):
            _help([])
        hint = _hint(words)
    elif name == "help":
        _help(words)
    command = loaded(name or "parse")
    parser = command.argument_parser()
    if name is None:
        parser.prog = PROGRAM
    try:
        # Options may be between the URLs, except after "--", which argparse forgets then.
        options = parser.parse_args(words) if "--" in words else parser.parse_intermixed_args(words)
        status: int = command.run(options)
    except SystemExit as wrong:
        if hint is not None and wrong.code:
            print(hint, file=sys.stderr)
        raise
    if hint is not None and status:
        print(hint, file=sys.stderr)
    return status


def loaded(name: str) -> ModuleType:
    """Return the module of a command. It is imported only now, because the others need not be."""
    return import_module(f"weburl.command_line.{name}")


def _help(words: list[str]) -> NoReturn:
    """Print the help of a command, or of all, and end the program."""
    parser = ArgumentParser(prog=f"{PROGRAM} help", description="Show the help of a command.")
    parser.add_argument("command", metavar="COMMAND", nargs="?", choices=COMMANDS)
    name = parser.parse_args(words).command
    if name is None or name == "help":
        put_out(f"{_overview()}\n")
    else:
        put_out(loaded(name).argument_parser().format_help())
    raise SystemExit(DONE)


def _overview() -> str:
    width = max(map(len, COMMANDS)) + 2
    return "\n".join(
        [
            f"usage: {PROGRAM} COMMAND …",
            f"       {PROGRAM} URL …",
            f"       {PROGRAM} --version",
            "",
            "URLs as browsers read them.",
            "",
            "Commands:",
            *(f"  {name:<{width}}{text}" for name, text in COMMANDS.items()),
            "",
            "Examples:",
            f"  {PROGRAM} 'HTTPS://Example.com:443/a/../b'",
            f"  {PROGRAM} canonicalize --unique < urls.txt",
            f"  {PROGRAM} links notes.md",
            "",
            f"'{PROGRAM} help COMMAND' shows the options of a command. Write './check' for a URL",
            "that is one of these words.",
            "",
            fill(IN_WORDS, WIDTH),
        ]
    )


def _hint(words: Sequence[str]) -> str | None:
    """Return a question for people who have misspelt a command, or None."""
    first = words[0] if words else ""
    if not re.fullmatch("[a-z]+", first):
        return None
    from difflib import get_close_matches

    close = get_close_matches(first, COMMANDS, 1, cutoff=0.75)
    return f"Did you mean '{PROGRAM} {close[0]}'?" if close else None


def _discard_output() -> None:
    """Keep the interpreter from writing the rest at exit, which would fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return  # it is closed, or not a file

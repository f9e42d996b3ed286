"""``python -m weburl columns``: options in, a summary and an exit status out.

The progress and the summary are printed to standard error, because standard output may be the rows.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import attrs

from weburl.columns.files.adding import Columns, Links
from weburl.columns.files.arguments import OF_BUCKETS, PROGRAM, Format
from weburl.columns.files.errors import BAD_ROWS, DONE, STOPPED, FileError, listed, reason
from weburl.columns.files.places import Place, files_of, is_dataset, name_in, place_of
from weburl.columns.files.queries import Job, Partitioning, Summary
from weburl.columns.files.running import run
from weburl.standard.infra.errors import ValidationErrorType
from weburl.standard.url.api import parse
from weburl.standard.url.report import URLParseError

# The formats whose columns have names of ours.
_COLUMNS: Final[dict[Format, str]] = {"text": "url", "warc": "url"}
_CLEARED: Final = "\r\x1b[K"
_NO_SCHEME: Final = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL.value


def columns_command(options: argparse.Namespace) -> int:
    """Run the command with what `argument_parser` has read, and return the exit status."""
    summary = Summary()
    noted: list[int] = []
    is_shown = not options.quiet and sys.stderr.isatty()
    try:
        with _stopping_on_term(noted):
            run(_job(options), _show if is_shown else _show_nothing, summary)
    except FileError as error:
        return _told(error)
    except BrokenPipeError:
        # The reader of the output has stopped; keep the interpreter from failing again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STOPPED
    except OSError as error:  # of a folder that cannot be listed
        return _told(FileError(f"{listed([options.input])} cannot be read: {reason(error)}"))
    except KeyboardInterrupt:
        return _told(FileError("stopped", 128 + (noted[0] if noted else signal.SIGINT)))
    if not options.quiet:
        print(_CLEARED if is_shown else "", "\n".join(_lines(summary)), sep="", file=sys.stderr)
        if _may_be_hosts(options, summary):
            print(
                "No row has a scheme: use --hosts if they are hosts, such as www.example.com, or "
                "--base if they are relative URLs.",
                file=sys.stderr,
            )
    return BAD_ROWS if options.strict and (summary.bad or summary.malformed) else DONE


def _told(error: FileError) -> int:
    """Print an error, and return its exit status."""
    print(f"{PROGRAM}: {error}", file=sys.stderr)
    return error.status


def _show(summary: Summary, percent: float) -> None:
    """Show the progress on a line of the terminal, which is written again and again."""
    of_all = f", {percent:.0f}%" if percent >= 0 else ""
    print(f"{_CLEARED}{summary.rows:,} rows{of_all}", end="", file=sys.stderr, flush=True)


def _show_nothing(_summary: Summary, _percent: float) -> None:
    pass


def _job(options: argparse.Namespace) -> Job:
    """Return the job for the arguments. Raises `FileError` if they contradict each other."""
    files, source, target, bad = _places(options)
    if bad is not None and bad.is_stream:
        raise FileError("--bad takes a file")
    if options.malformed == "keep" and bad is None:
        raise FileError("--malformed keep needs --bad FILE")
    if options.malformed != "stop" and source.format == "parquet":
        raise FileError("--malformed is for text: a Parquet file has no lines")
    by = options.partition_by
    if (by == OF_BUCKETS) != (options.buckets is not None):
        raise FileError(f"--partition-by {OF_BUCKETS} and --buckets need each other")
    column = _COLUMNS.get(source.format) if options.column is None else options.column
    base, base_column = _bases(options)
    if options.links is not None:
        column = options.links
        if source.format == "warc" and base is None:
            base_column = base_column or _COLUMNS["warc"]
        adding: Columns | Links = Links(options, base, base_column)
    elif column is None:
        raise FileError("use --column to name the column with the URLs")
    else:
        adding = Columns(options, base)
    if target.format == "text" and len(adding.column_names) != 1:
        raise FileError("plain text has only one column: name one with --add")
    partitioning = None
    if by == OF_BUCKETS:
        # A key may have a name that begins in the same way, but comes before.
        start = f"{options.prefix}{by}_"
        *_, hashed = (name for name in adding.column_names if name.startswith(start))
        partitioning = Partitioning(hashed, f"{options.prefix}bucket", options.buckets)
    elif by is not None:
        partitioning = Partitioning(f"{options.prefix}{by}")
        if target.format == "text":
            raise FileError(
                "plain text has only one column, so --partition-by leaves none: use --to"
            )
    return Job(options, files, source, target, bad, column, base_column, adding, partitioning)


def _places(
    options: argparse.Namespace,
) -> tuple[list[tuple[Place, str | None]], Place, Place, Place | None]:
    """Return the files to read, the input, the output and the place of bad rows."""
    to = options.output_format
    if is_dataset(options.input):
        if options.partition_by is not None:
            raise FileError("--partition-by reads one file, not a folder")
        if "-" in (options.output, options.bad):
            raise FileError("the output of a folder or pattern is a folder")
        found = files_of(options.input, options.input_format)
        source = attrs.evolve(found[0][0], path=options.input)
        to = to or ("parquet" if source.format == "warc" else source.format)
        files: list[tuple[Place, str | None]] = [(each, name_in(to, name)) for each, name in found]
        bad = None if options.bad is None else Place(options.bad, to)
        return files, source, Place(options.output, to), bad
    source = place_of(options.input, options.input_format, "--from")
    if options.partition_by is not None:
        if options.output == "-":
            raise FileError("--partition-by writes a folder: name one")
        target = Place(options.output, to or "parquet")
    else:
        if options.output == "-" and source.format not in ("parquet", "warc"):
            to = to or source.format
        target = place_of(options.output, to, "--to")
    bad = None if options.bad is None else place_of(options.bad, None, None)
    return [(source, None)], source, target, bad


def _bases(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """Return the base of all rows, or the name of the column with the base of each."""
    if options.base is None:
        return None, None
    try:
        parse(options.base)
    except URLParseError as error:
        if error.type != ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL or "/" in options.base:
            raise FileError(f"--base: {error}") from None
        return None, options.base
    return options.base, None


@contextmanager
def _stopping_on_term(noted: list[int]) -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, and append its number to ``noted``."""

    def stop(number: int, _: FrameType | None) -> None:
        noted.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _may_be_hosts(options: argparse.Namespace, summary: Summary) -> bool:
    """Return whether all rows failed because they have no scheme, and none was expected."""
    if options.hosts or options.base is not None:
        return False
    return summary.rows > 0 and summary.bad[_NO_SCHEME] == summary.rows


def _lines(summary: Summary) -> Iterator[str]:
    yield f"{summary.rows:,} rows, {sum(summary.bad.values()):,} of them bad"
    yield from _counted(summary.bad)
    if summary.malformed:
        lines = sum(summary.malformed.values())
        yield f"{lines:,} malformed lines, which are not in the output"
        yield from _counted(summary.malformed)


def _counted(errors: Counter[str]) -> Iterator[str]:
    for name, count in sorted(errors.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:,} {name}"

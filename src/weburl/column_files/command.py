"""``python -m weburl columns``: arguments in, a summary and an exit status out.

The progress and the summary go to standard error, because standard output may be the rows.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final, Never

from tqdm import tqdm

from weburl.api import parse
from weburl.column_files.adding import NAMES, Adding
from weburl.column_files.errors import BAD_ROWS, DONE, STOPPED, FileError
from weburl.column_files.places import FORMATS, place_of
from weburl.column_files.rows import Reader, Wanted
from weburl.column_files.running import Job, Summary, run
from weburl.column_files.text import COLUMN
from weburl.infra.arguments import ArgumentParser
from weburl.infra.strings import to_scalar_value_string
from weburl.keys import READY
from weburl.validation.report import URLParseError

_PROGRAM: Final = "python -m weburl columns"
_DEFAULT_ADD: Final = "canonical,error"


def columns_command(arguments: Sequence[str]) -> int:
    """Run the command with the arguments after ``columns``, and return the exit status."""
    options = _argument_parser().parse_args(arguments)
    summary = Summary()
    noted: list[int] = []
    try:
        job = _job(options)
    except FileError as error:
        return _told(error)
    try:
        with _stopping_on_term(noted), _bar(quiet=options.quiet) as bar:
            summary = run(job, bar.tell, summary)
    except FileError as error:
        return _told(error, may_go_on=error.status == STOPPED and job.can_resume)
    except BrokenPipeError:
        # The reader of the output has stopped; keep the interpreter from failing again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STOPPED
    except KeyboardInterrupt:
        status = 128 + (noted[0] if noted else signal.SIGINT)
        return _told(FileError("stopped", status), may_go_on=job.can_resume)
    if not options.quiet:
        print("\n".join(_lines(summary)), file=sys.stderr)
    return BAD_ROWS if options.strict and summary.bad else DONE


def _told(error: FileError, *, may_go_on: bool = False) -> int:
    """Print an error, and return its exit status."""
    print(f"{_PROGRAM}: {error}", file=sys.stderr)
    if may_go_on:
        print(
            "What was computed is kept: repeat the command with --resume to continue.",
            file=sys.stderr,
        )
    return error.status


def _job(options: argparse.Namespace) -> Job:
    """Return the job for the arguments. Raises `FileError` if they contradict each other."""
    source = place_of(options.input, options.input_format, "--from")
    to = options.output_format
    if options.output == "-" and to is None and source.format != "parquet":
        to = source.format
    target = place_of(options.output, to, "--to")
    bad = None if options.bad is None else place_of(options.bad, None, None)
    if bad is not None and bad.path is None:
        raise FileError("--bad takes a file")
    if options.column is None and source.format != "text":
        raise FileError("use --column to name the column with the URLs")
    if options.base is not None and options.base_column is not None:
        raise FileError("--base and --base-column cannot be combined")
    if options.base is not None:
        try:
            parse(options.base)
        except URLParseError as error:
            raise FileError(f"--base: {error}") from None
    params = tuple(options.param)
    keys = tuple(options.key)
    for name in (options.column, options.base_column, options.prefix, *params):
        # Python turns bytes of the command line that are not UTF-8 into lone surrogates.
        if name is not None and to_scalar_value_string(name) != name:
            raise FileError("the names of columns must be UTF-8")
    add = options.add if options.add is not None else "" if params or keys else _DEFAULT_ADD
    names = tuple(name.strip() for name in add.split(",") if name.strip())
    adding = Adding(names, params, options.base, options.prefix, keys)
    if not adding.column_names:
        raise FileError(f"--add is empty; it accepts {', '.join(NAMES)}")
    if target.format == "text" and len(adding.column_names) != 1:
        raise FileError("plain text has only one column: name one with --add")
    job = Job(
        source,
        target,
        bad,
        Wanted(options.column or COLUMN, options.base_column),
        adding,
        options.workers,
        options.resume,
        options.overwrite,
        options.keep_seconds,
    )
    if job.resume and not job.can_resume:
        raise FileError("--resume needs files: a stream cannot be read again")
    return job


class _Bar:
    """The progress bar. It is made with the first batch, when the total is known."""

    def __init__(self, *, quiet: bool) -> None:
        self._hidden = True if quiet else None  # None: shown only on a terminal
        self._bar: tqdm[Never] | None = None

    def tell(self, reader: Reader, summary: Summary) -> None:
        """Show the progress of a run."""
        if self._bar is None:
            self._bar = tqdm(
                total=reader.total,
                unit=reader.unit if reader.unit == "B" else f" {reader.unit}",
                unit_scale=True,
                disable=self._hidden,
            )
        if reader.unit == "B":
            self._bar.set_postfix_str(f"{summary.rows:,} rows", refresh=False)
        self._bar.update(reader.position() - self._bar.n)

    def close(self) -> None:
        """Keep the bar as it is, and go to the next line."""
        if self._bar is not None:
            self._bar.close()


@contextmanager
def _bar(*, quiet: bool) -> Iterator[_Bar]:
    bar = _Bar(quiet=quiet)
    try:
        yield bar
    finally:
        bar.close()


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


def _lines(summary: Summary) -> Iterator[str]:
    bad = sum(summary.bad.values())
    yield f"{summary.rows:,} rows, {bad:,} of them bad"
    for name, count in sorted(summary.bad.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:,} {name}"
    if summary.kept:
        yield f"{summary.kept:,} rows were computed by an earlier run"


def _argument_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Add columns about URLs to a file. All rows and columns of the input stay. "
        "If a URL cannot be parsed, the new columns are empty, and 'error' says why.",
        epilog="The extension sets the format: .parquet, .csv, .tsv, .jsonl and .txt (one URL on "
        "each line). All except Parquet may end in .gz, .zst or .bz2. Exit status: 0 if "
        "everything is written, 1 with --strict if there are bad rows, 2 if the arguments or the "
        "input are wrong, 3 if the run was stopped, for example by a full disk, 130 after Ctrl-C.",
    )
    parser.add_argument("input", metavar="INPUT", help="the file to read; - for standard input")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write; - for standard output")
    parser.add_argument(
        "--column", metavar="NAME", help="the column with the URLs; not needed for plain text"
    )
    parser.add_argument(
        "--add",
        metavar="NAMES",
        help=f"what to add, separated by commas: {', '.join(NAMES)} (default: {_DEFAULT_ADD})",
    )
    parser.add_argument(
        "--param",
        metavar="NAME",
        action="append",
        default=[],
        help="add the value of this name in the query, as param_NAME; may be repeated",
    )
    parser.add_argument(
        "--key",
        metavar="RULES",
        action="append",
        default=[],
        help=f"add the key by these rules, as key_RULES: {', '.join(READY)}; may be repeated",
    )
    parser.add_argument("--base", metavar="URL", help="the base URL, for relative URLs")
    parser.add_argument("--base-column", metavar="NAME", help="the column with a base for each row")
    parser.add_argument(
        "--prefix", metavar="TEXT", default="", help="what the names of new columns begin with"
    )
    parser.add_argument(
        "--from", dest="input_format", choices=FORMATS, help="the format of the input"
    )
    parser.add_argument(
        "--to", dest="output_format", choices=FORMATS, help="the format of the output"
    )
    parser.add_argument(
        "--bad", metavar="FILE", help="write the rows that cannot be parsed to this file, too"
    )
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there are bad rows")
    parser.add_argument(
        "--workers", metavar="N", type=_workers, default=1, help="compute with N workers"
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue a run that was stopped, if there is one"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace the output, and discard a stopped run"
    )
    parser.add_argument(
        "--keep-seconds",
        metavar="S",
        type=_seconds,
        default=10.0,
        help="how often to save what is computed, for --resume (default: every 10 seconds)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    return parser


def _workers(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 256:
        raise argparse.ArgumentTypeError("must be a number from 1 to 256")
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 86_400:
        raise argparse.ArgumentTypeError("must be a number of seconds from 0 to 86400")
    return number

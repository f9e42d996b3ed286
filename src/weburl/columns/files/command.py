"""``python -m weburl columns``: options in, a summary and an exit status out.

The progress and the summary are printed to standard error, because standard output may be the rows.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, cast

import attrs

from weburl.columns.files.adding import Adding
from weburl.columns.files.arguments import (
    DEFAULT_ADD,
    DEFAULT_LINKS,
    NAMES,
    NAMES_OF_HOSTS,
    OF_BUCKETS,
    PROGRAM,
    Format,
)
from weburl.columns.files.errors import BAD_ROWS, DONE, STOPPED, FileError, listed, reason
from weburl.columns.files.places import Place, files_of, is_dataset, place_of
from weburl.columns.files.policy import policy_of
from weburl.columns.files.queries import Partitioning, Summary
from weburl.columns.files.running import Job, run
from weburl.columns.table import LINK_FIELDS, LinkField
from weburl.keys import RULE_NAMES
from weburl.standard.infra.arguments import comma_separated, text_of
from weburl.standard.infra.errors import ValidationErrorType
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.url.api import parse
from weburl.standard.url.report import URLParseError

if TYPE_CHECKING:
    from weburl.columns.files.links import AddingLinks

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
    if is_dataset(options.input):
        files = files_of(options.input, options.input_format)
        source = attrs.evolve(files[0][0], path=options.input)
        target, bad = _folders(options, source)
    else:
        files = None
        source = place_of(options.input, options.input_format, "--from")
        to = options.output_format
        if options.output == "-" and to is None and source.format != "parquet":
            to = source.format
        if options.partition_by is None:
            target = place_of(options.output, to, "--to")
        elif options.output == "-":
            raise FileError("--partition-by writes a folder: name one")
        else:
            target = Place(options.output, options.output_format or "parquet")
        bad = None if options.bad is None else place_of(options.bad, None, None)
    _refuse_options(options, source, bad)
    column = options.column if options.links is None else options.links
    base, base_column = _bases(options)
    adding: Adding | AddingLinks
    if options.links is None:
        adding = _adding(options, base)
    else:
        if source.format == "warc" and base is None:
            base_column = base_column or _COLUMNS["warc"]
        adding = _adding_links(options, base, base_column)
    if target.format == "text" and len(adding.column_names) != 1:
        raise FileError("plain text has only one column: name one with --add")
    partitioning = _partitioning(options, adding)
    if target.format == "text" and partitioning is not None and partitioning.bucket is None:
        raise FileError("plain text has only one column, so --partition-by leaves none: use --to")
    return Job(
        source,
        files,
        target,
        bad,
        _COLUMNS[source.format] if column is None else column,
        base_column,
        adding,
        options.malformed,
        partitioning,
        options.overwrite,
        options.threads,
        options.memory,
        options.max_output,
    )


def _refuse_options(options: argparse.Namespace, source: Place, bad: Place | None) -> None:
    """Raise `FileError` for options that the input or each other do not have."""
    if bad is not None and bad.is_stream:
        raise FileError("--bad takes a file")
    if options.malformed == "keep" and bad is None:
        raise FileError("--malformed keep needs --bad FILE")
    if options.malformed != "stop" and source.format == "parquet":
        raise FileError("--malformed is for text: a Parquet file has no lines")
    if options.column is None and options.links is None and source.format not in _COLUMNS:
        raise FileError("use --column to name the column with the URLs")


def _folders(options: argparse.Namespace, first: Place) -> tuple[Place, Place | None]:
    """Return the output and the place of bad rows for a folder or pattern."""
    if options.partition_by is not None:
        raise FileError("--partition-by reads one file, not a folder")
    if "-" in (options.output, options.bad):
        raise FileError("the output of a folder or pattern is a folder")
    format = options.output_format or ("parquet" if first.format == "warc" else first.format)
    places = (
        None if name is None else Place(name, format) for name in (options.output, options.bad)
    )
    target, bad = places
    assert target is not None
    return target, bad


def _partitioning(options: argparse.Namespace, adding: Adding | AddingLinks) -> Partitioning | None:
    by, buckets, prefix = options.partition_by, options.buckets, options.prefix
    if (by == OF_BUCKETS) != (buckets is not None):
        raise FileError(f"--partition-by {OF_BUCKETS} and --buckets need each other")
    if by is None:
        return None
    if buckets is None:
        return Partitioning(f"{prefix}{by}")
    (column,) = (name for name in adding.column_names if name.startswith(f"{prefix}{by}_"))
    return Partitioning(column, f"{prefix}bucket", buckets)


def _bases(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """Return the base of all rows, or the name of the column with the base of each."""
    if options.base is None:
        return None, options.base_column
    if options.base_column is not None:
        raise FileError("--base and --base-column cannot be combined")
    try:
        parse(options.base)
    except URLParseError as error:
        if error.type != ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL or "/" in options.base:
            raise FileError(f"--base: {error}") from None
        return None, options.base
    return options.base, None


def _adding_links(
    options: argparse.Namespace, base: str | None, base_column: str | None
) -> AddingLinks:
    """Return what links have. Raises `FileError` if the arguments contradict each other."""
    others = (
        "column param key key_hash policy refused_hosts_file without hosts no_private partition_by"
    )
    for name in others.split():
        if getattr(options, name):
            name = f"--{name.replace('_', '-')}"  # noqa: PLW2901
            raise FileError(f"--links cannot be combined with {name}")
    if base is None and base_column is None:
        raise FileError("--links needs --base: the column with the addresses, or one URL for all")
    from weburl.columns.files.links import AddingLinks  # it needs the extra "html"

    # It refuses other names.
    names = cast(
        "tuple[LinkField, ...]", _names(options.add if options.add is not None else DEFAULT_LINKS)
    )
    if not names:
        raise FileError(f"--add is empty; it accepts {', '.join(LINK_FIELDS)}")
    kinds = None if options.kinds is None else tuple(options.kinds)
    return AddingLinks(names, kinds, base, options.prefix, base_column)


def _names(add: str) -> tuple[str, ...]:
    """Return the names of ``--add``, which may be none."""
    return tuple(comma_separated(add))


def _adding(options: argparse.Namespace, base: str | None) -> Adding:
    """Return what to add. Raises `FileError` if the arguments contradict each other."""
    if options.kinds is not None:
        raise FileError("--kinds is for --links")
    params = tuple(options.param)
    keys = tuple(_rules(given, "--key") for given in options.key)
    hashes = tuple(_rules(given, "--key-hash") for given in options.key_hash)
    others = (params, keys, hashes, options.base, options.base_column, options.without)
    if options.hosts and (any(others) or options.partition_by == OF_BUCKETS):
        raise FileError(
            "--hosts cannot be combined with --param, --key, --key-hash, --without, --base,"
            f" --base-column and --partition-by {OF_BUCKETS}"
        )
    for name in (options.column, options.base_column, options.prefix, *params):
        # Python turns bytes of the command line that are not UTF-8 into lone surrogates.
        if name is not None and to_scalar_value_string(name) != name:
            raise FileError("the names of columns must be UTF-8")
    add = options.add if options.add is not None else DEFAULT_ADD
    if options.add is None and (params or keys or hashes or options.without):
        add = ""
    names = _names(add)
    if options.partition_by == OF_BUCKETS:
        hashes = hashes or ("page",)
        if len(hashes) > 1:
            raise FileError(f"--partition-by {OF_BUCKETS} needs one --key-hash")
    elif options.partition_by is not None and options.partition_by not in names:
        names = (*names, options.partition_by)
    adding = Adding(
        names,
        params,
        base,
        options.prefix,
        keys,
        options.hosts,
        options.without,
        not options.no_private,
        policy_of(options.policy, options.refused_hosts_file),
        hashes,
    )
    if not adding.column_names:
        accepted = NAMES_OF_HOSTS if options.hosts else NAMES
        raise FileError(f"--add is empty; it accepts {', '.join(accepted)}")
    return adding


def _rules(given: str, option: str) -> str:
    """Return the name of ready rules, or JSON: itself, or what is in the file of that name."""
    if given in RULE_NAMES or given.lstrip().startswith("{"):
        return given
    try:
        return text_of(given)
    except (OSError, ValueError):
        raise FileError(
            f"{option} does not accept {listed([given])}; it accepts {', '.join(RULE_NAMES)}, JSON"
            " of rules, and a file of it"
        ) from None


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
    if options.hosts or options.base is not None or options.base_column is not None:
        return False
    return summary.rows > 0 and summary.bad[_NO_SCHEME] == summary.rows


def _lines(summary: Summary) -> Iterator[str]:
    bad = sum(summary.bad.values())
    yield f"{summary.rows:,} rows, {bad:,} of them bad"
    for name, count in sorted(summary.bad.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:,} {name}"
    if summary.malformed:
        lines = sum(summary.malformed.values())
        yield f"{lines:,} malformed lines, which are not in the output"
        for name, count in sorted(summary.malformed.items(), key=lambda item: (-item[1], item[0])):
            yield f"  {count:,} {name}"

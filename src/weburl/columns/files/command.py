"""``python -m weburl columns``: options in, a summary and an exit status out.

The progress and the summary go to standard error, because standard output may be the rows.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, Never, cast

import attrs
from tqdm import tqdm

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
from weburl.columns.files.datasets import DatasetJob, files_of, is_dataset, run_dataset
from weburl.columns.files.errors import BAD_ROWS, DONE, STOPPED, FileError, listed
from weburl.columns.files.partitions import Partitioning
from weburl.columns.files.places import EXTENSIONS, Place, place_of
from weburl.columns.files.policy import policy_of
from weburl.columns.files.remote import is_url, remote_at
from weburl.columns.files.rows import Reader, Wanted
from weburl.columns.files.running import Job, Summary, run
from weburl.columns.files.text import COLUMN
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
_COLUMNS: Final[dict[Format, str]] = {"text": COLUMN, "warc": "url"}
_NO_SCHEME: Final = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL.value


def columns_command(options: argparse.Namespace) -> int:
    """Run the command with what `argument_parser` has read, and return the exit status."""
    summary = Summary()
    noted: list[int] = []
    try:
        if is_dataset(options.input, options.output):
            dataset = _dataset(options)
            can_resume = True
        else:
            dataset = None
            job = _job(options)
            can_resume = job.can_resume
    except FileError as error:
        return _told(error)
    try:
        with _stopping_on_term(noted), _bar(quiet=options.quiet) as bar:
            if dataset is not None:
                summary = run_dataset(dataset, bar.tell_files, summary)
            else:
                summary = run(job, bar.tell, summary)
    except FileError as error:
        return _told(error, may_go_on=error.status == STOPPED and can_resume)
    except BrokenPipeError:
        # The reader of the output has stopped; keep the interpreter from failing again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STOPPED
    except KeyboardInterrupt:
        status = 128 + (noted[0] if noted else signal.SIGINT)
        return _told(FileError("stopped", status), may_go_on=can_resume)
    if not options.quiet:
        print("\n".join(_lines(summary)), file=sys.stderr)
        if _may_be_hosts(options, summary):
            print(
                "No row has a scheme: use --hosts if they are hosts, such as www.example.com, or "
                "--base if they are relative URLs.",
                file=sys.stderr,
            )
    return BAD_ROWS if options.strict and (summary.bad or summary.malformed) else DONE


def _told(error: FileError, *, may_go_on: bool = False) -> int:
    """Print an error, and return its exit status."""
    print(f"{PROGRAM}: {error}", file=sys.stderr)
    if may_go_on:
        print(
            "What was computed is kept: repeat the command with --resume to continue.",
            file=sys.stderr,
        )
    return error.status


def _job(options: argparse.Namespace) -> Job:
    """Return the job for the arguments. Raises `FileError` if they contradict each other."""
    if options.work is not None:
        raise FileError("--work is for an output that is a URL")
    source = place_of(options.input, options.input_format, "--from")
    to = options.output_format
    if options.output == "-" and to is None and source.format != "parquet":
        to = source.format
    if options.partition_by is None:
        target = place_of(options.output, to, "--to")
    elif options.output == "-":
        raise FileError("--partition-by writes a folder: name one")
    else:
        target = Place(Path(options.output), options.output_format or "parquet")
    bad = None if options.bad is None else place_of(options.bad, None, None)
    if bad is not None and bad.path is None:
        raise FileError("--bad takes a file")
    malformed = None
    if options.malformed == "keep":
        if bad is None or bad.path is None:
            raise FileError("--malformed keep needs --bad FILE")
        malformed = Place(bad.path.with_name(f"{bad.path.name}.malformed.jsonl"), "jsonl")
    job = _of_places(options, source, target, bad, malformed)
    if job.resume and not job.can_resume:
        raise FileError("--resume needs files: a stream cannot be read again")
    return job


def _dataset(options: argparse.Namespace) -> DatasetJob:
    """Return the job for a dataset. Raises `FileError` if the arguments contradict each other."""
    upload_to = remote_at(options.output) if is_url(options.output) else None
    if (upload_to is None) != (options.work is None):
        raise FileError("a remote output needs --work FOLDER, and a local one does not use it")
    if options.partition_by is not None:
        raise FileError("--partition-by reads one file, not a dataset")
    if "-" in (options.output, options.bad):
        raise FileError("the output of a dataset is a folder")
    if options.malformed == "keep" and options.bad is None:
        raise FileError("--malformed keep needs --bad FOLDER")
    files, remote = files_of(options.input, options.input_format)
    first = files[0].place
    is_written = first.format in EXTENSIONS
    own = cast("Format", options.output_format or (first.format if is_written else "parquet"))
    output = Path(options.output if upload_to is None else options.work)
    bad = None if options.bad is None else Path(options.bad)
    job = _of_places(
        options,
        attrs.evolve(first, path=Path(files[0].name)),
        Place(output, own),
        None if bad is None else Place(bad, own),
        None,
    )
    return DatasetJob(files, job, output, bad, remote, upload_to)


def _of_places(
    options: argparse.Namespace,
    source: Place,
    target: Place,
    bad: Place | None,
    malformed: Place | None,
) -> Job:
    column = options.column if options.links is None else options.links
    if column is None and source.format not in _COLUMNS:
        raise FileError("use --column to name the column with the URLs")
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
    job = Job(
        source,
        target,
        bad,
        Wanted(_COLUMNS[source.format] if column is None else column, base_column),
        adding,
        options.workers,
        options.resume,
        options.overwrite,
        options.keep_seconds,
        _encoding(options.encoding),
        options.malformed,
        malformed,
        partitioning,
    )
    _refuse_other_formats(job)
    return job


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


def _encoding(label: str | None) -> str | None:
    """Return the encoding that a label means, or None for UTF-8."""
    if label is None:
        return None
    from weburl.standard.infra.encodings import get_encoding  # large tables

    try:
        encoding = get_encoding(to_scalar_value_string(label))
    except ValueError:
        raise FileError(
            f"--encoding does not know {listed([to_scalar_value_string(label)])}"
        ) from None
    return None if encoding == "utf-8" else encoding


def _refuse_other_formats(job: Job) -> None:
    """Raise `FileError` for options that the format of the input does not have."""
    if job.encoding is not None and job.input.format == "parquet":
        raise FileError("--encoding is for text: Parquet is always UTF-8")
    if job.encoding is not None and job.input.format == "warc":
        raise FileError("--encoding is for text: the pages of a WARC file declare theirs")
    if job.on_malformed != "stop" and job.input.format == "parquet":
        raise FileError("--malformed is for text: a Parquet file has no lines")


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

    def tell_files(
        self, files: int, of_files: int, read: int, of_bytes: int, summary: Summary
    ) -> None:
        """Show the progress of a dataset."""
        if self._bar is None:
            self._bar = tqdm(total=of_bytes, unit="B", unit_scale=True, disable=self._hidden)
        shown = f"{files:,} of {of_files:,} files, {summary.rows:,} rows"
        self._bar.set_postfix_str(shown, refresh=False)
        self._bar.update(read - self._bar.n)

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
    if summary.kept:
        yield f"{summary.kept:,} rows were computed by an earlier run"

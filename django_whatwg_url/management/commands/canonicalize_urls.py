"""`manage.py canonicalize_urls app.Model.field`: write the URLs of a column in canonical form."""

from __future__ import annotations

import os
import signal
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, models
from django.utils.module_loading import import_string
from tqdm import tqdm

from django_whatwg_url.canonicalizing.choices import (
    DEFAULT_BATCH_SIZE,
    AfterChange,
    OnDuplicate,
    Options,
    Shard,
)
from django_whatwg_url.canonicalizing.loading import load_back
from django_whatwg_url.canonicalizing.reading import Outcome
from django_whatwg_url.canonicalizing.report import Report, derived_warning, undo_command
from django_whatwg_url.canonicalizing.run import Canonicalization, text_column
from django_whatwg_url.canonicalizing.undoing import Left, undo
from django_whatwg_url.management.columns import named_column, require_database
from django_whatwg_url.management.database_errors import command_error
from django_whatwg_url.recomputing import Following, following

_OWNER_ONLY: Final = 0o600
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    """Handles options, the progress bar, signals and the report. `canonicalizing` does the work."""

    help = (
        "Rewrite the URLs in a text column in canonical form, in batches, and report what happened "
        "to each row. You can stop the command at any time and run it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("column", metavar="app_label.Model.field", help="any text column")
        add("--dry-run", action="store_true", help="report what would change, but change nothing")
        add("--database", default=DEFAULT_DB_ALIAS, help="alias of the database")
        add("--batch-size", type=int, default=DEFAULT_BATCH_SIZE, help="rows per transaction")
        add("--shard", default="1/1", metavar="I/N", help="part I of N, for N workers at once")
        add("--report", metavar="FILE", help='one line of JSON per row, "-" for standard output')
        add("--assume-scheme", metavar="SCHEME", help="the scheme for text without one")
        add("--max-length", type=int, help="of the canonical form; default: that of the field")
        add(
            "--unique-with",
            nargs="*",
            action="extend",
            metavar="FIELD",
            help=(
                "other fields that make two rows with the same URL the same, in addition to the "
                "unique constraints; without a name: the URL by itself does"
            ),
        )
        add(
            "--on-duplicate",
            default="report",
            metavar="CHOICE",
            help=f"{', '.join(OnDuplicate)}, or the import path of a function",
        )
        places = "report, keep, null, delete, column:NAME or file:PATH"
        add("--on-invalid", default="report", metavar="CHOICE", help=f"not a URL: {places}")
        add("--on-too-long", default="report", metavar="CHOICE", help=f"too long: {places}")
        add("--on-empty", default="report", metavar="CHOICE", help="report, keep or null")
        add(
            "--on-not-allowed",
            default="report",
            metavar="CHOICE",
            help=f"a URL that the field refuses: {places}",
        )
        add(
            "--allowed-schemes",
            nargs="+",
            metavar="SCHEME",
            help='others count as refused; "*" for all; default: those of the field, or http https',
        )
        add("--policy", metavar="PATH", help="import path of a policy; default: that of the field")
        add("--age-field", metavar="FIELD", help="sorts rows by age; default: the primary key")
        add("--keep-original", metavar="FIELD", help="a column that keeps the old spelling")
        add(
            "--call",
            metavar="METHOD",
            help=(
                "call this method of each changed row, such as save, or the function with this "
                "import path with a list of the rows, in the transaction of the batch"
            ),
        )
        add(
            "--removed",
            metavar="FILE",
            help=(
                "a new file, or a directory, for rows that are removed or changed, as they were; "
                "default: a new file in the current directory"
            ),
        )
        add("--undo", metavar="FILE", help="only undo the run that has written this file")
        add("--load", metavar="FILE", help="only load back what was moved to this file")

    def handle(
        self,
        *,
        column: str,
        database: str,
        shard: str,
        report: str | None,
        on_duplicate: str,
        load: str | None,
        call: str | None,
        verbosity: int,
        **named: Any,
    ) -> None:
        require_database(database)
        model, name = named_column(column)
        with ExitStack() as stack:
            try:
                called = None if call is None else _called(call, model)
                follower = following(model, name, database, called)
                if load is not None:
                    self._load(load, model, name, database, follower)
                    return
                if named["undo"] is not None:
                    self._undo(named["undo"], model, name, database, report, follower)
                    return
                options = Options(
                    shard=Shard.named(shard),
                    on_duplicate=_choice(on_duplicate),
                    after_change=follower,
                    **{key: value for key, value in named.items() if key in _OPTIONS},
                )
                lines = None if report is None else stack.enter_context(self._opened(report))
                self._canonicalize(model, name, database, options, called, lines, verbosity)
            except (ValueError, OSError, ImproperlyConfigured) as error:
                raise CommandError(str(error)) from None
            except DatabaseError as error:
                raise command_error(error)  # noqa: B904  # it says itself what its cause is

    def _canonicalize(
        self,
        model: type[models.Model],
        name: str,
        database: str,
        options: Options,
        called: AfterChange | None,
        lines: Any,
        verbosity: int,
    ) -> None:
        counted = Report(lines)
        started = time.perf_counter()
        with _noting_signals() as noted, ExitStack() as stack:
            run = Canonicalization(
                model,
                name,
                database,
                options,
                counted,
                progress=lambda rows: bar.update(rows),  # noqa: PLW0108  # it is made later
                is_stopped=lambda: bool(noted),
            )
            total = None if verbosity < 1 or options.shard.count > 1 else run.table.count()
            # disable=None hides the bar if the output is not a terminal.
            bar = stack.enter_context(
                tqdm(total=total, unit=" rows", disable=None if verbosity > 0 else True)
            )
            derived = run.derived_columns() if called is None else []
            finished = run.run()
        seconds = time.perf_counter() - started
        if verbosity > 0:
            # If the lines go to standard output, the table must not be mixed with them.
            out = self.stderr if lines is self.stdout else self.stdout
            label = f"{model._meta.label}.{name}"
            out.write("\n".join(_summary(label, counted, seconds, options)))
            if run.undo_file is not None:
                out.write(f"What was there before is in {run.undo_file}. To undo it:")
                out.write(undo_command(label, run.undo_file, database))
            if derived and counted.counts[Outcome.CHANGED]:
                self.stderr.write(f"Warning: {derived_warning(derived)} Use --call.")
            self._warn_of_refused(options.after_change)
        if not finished:
            raise CommandError(
                "Stopped after a batch. Run the command again for the rest.",
                returncode=128 + noted[0],
            )

    def _undo(
        self,
        path: str,
        model: type[models.Model],
        name: str,
        database: str,
        report: str | None,
        follower: Following | None,
    ) -> None:
        owner, field = text_column(model, name)
        with ExitStack() as stack:
            lines = None if report is None else stack.enter_context(self._opened(report))

            def tell(left: Left) -> None:
                if lines is not None:
                    lines.write(f"{left.line()}\n")

            done = undo(path, owner, field, database, tell=tell, after_change=follower)
        out = self.stderr if lines is self.stdout else self.stdout
        out.write(
            f"{done.undone:,} changes undone, {done.there:,} not needed, {done.changed_since:,} "
            f"changed since, {done.refused:,} refused, {done.others:,} lines for another database "
            "or not readable."
        )
        if report is None and (done.changed_since or done.refused):
            out.write("--report FILE lists what was not undone.")
        self._warn_of_refused(follower)

    def _load(
        self,
        path: str,
        model: type[models.Model],
        name: str,
        database: str,
        follower: Following | None,
    ) -> None:
        owner, field = text_column(model, name)
        loaded = load_back(path, owner, field, database, after_change=follower)
        self.stdout.write(
            f"{loaded.loaded:,} loaded, {loaded.there:,} not needed, {loaded.refused:,} refused, "
            f"{loaded.others:,} lines for other columns or not readable."
        )
        self._warn_of_refused(follower)

    def _warn_of_refused(self, follower: AfterChange | None) -> None:
        if isinstance(follower, Following) and (warning := follower.warning()):
            self.stderr.write(f"Warning: {warning}")

    @contextmanager
    def _opened(self, path: str) -> Iterator[Any]:
        if path == "-":
            yield self.stdout
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(path, flags, _OWNER_ONLY), "w", encoding="utf-8") as file:
            yield file


_OPTIONS: Final = {
    "age_field", "allowed_schemes", "assume_scheme", "batch_size", "dry_run", "keep_original",
    "max_length", "on_empty", "on_invalid", "on_not_allowed", "on_too_long", "policy", "removed",
    "unique_with",
}  # fmt: skip


def _choice(name: str) -> Any:
    if "." not in name:
        return name
    try:
        return import_string(name)
    except ImportError as error:
        raise ValueError(f"on_duplicate: {error}") from error


def _called(name: str, model: type[models.Model]) -> AfterChange:
    """Return a function that calls a method of each row, or the function with an import path."""
    if "." in name:
        try:
            function: AfterChange = import_string(name)
        except ImportError as error:
            raise ValueError(f"--call: {error}") from error
        return function
    if not callable(getattr(model, name, None)):
        raise CommandError(f"--call: {model._meta.label} has no method {name!r}")

    def call_each(rows: Sequence[Any]) -> None:
        for row in rows:
            getattr(row, name)()

    return call_each


@contextmanager
def _noting_signals() -> Iterator[list[int]]:
    """Record the first SIGINT or SIGTERM in a list. A second one has its usual effect."""
    noted: list[int] = []
    if current_thread() is not main_thread():
        yield noted
        return

    def note(number: int, _frame: FrameType | None) -> None:
        noted.append(number)
        signal.signal(number, before[number])

    before: dict[int, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number in _SIGNALS:
            signal.signal(number, note)
        yield noted
    finally:
        for restored, handler in before.items():
            signal.signal(restored, handler)


def _summary(label: str, report: Report, seconds: float, options: Options) -> Iterator[str]:
    """Yield the lines of the summary."""
    rate = report.total / seconds if seconds else 0.0
    dry = ", nothing changed" if options.dry_run else ""
    yield f"{label}: {report.total:,} rows in {seconds:.1f} s, {rate:,.0f} per second{dry}"
    yield from report.table()
    examples = list(report.examples())
    if examples:
        yield "For example (--report FILE lists them all):"
        yield from examples
    if report.refused:
        yield "You can still save the rows whose URL the field would refuse. To remove these URLs,"
        yield "see --on-not-allowed."
    yield ""

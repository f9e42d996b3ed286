"""`manage.py canonicalize_urls LABEL …`: rewrite the URLs of columns in canonical form."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

import attrs
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db import models, router
from django.utils.module_loading import import_string
from tqdm import tqdm

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.management.base import DatabaseCommand
from django_whatwg_url.rows import journal
from django_whatwg_url.rows.options import DEFAULT_BATCH_SIZE, Disposal, OnDuplicate, Options
from django_whatwg_url.rows.recompute import Followers, models_labelled
from django_whatwg_url.rows.report import Report, undo_command
from django_whatwg_url.rows.run import Column, canonicalize, column_named, label_of, text_column
from django_whatwg_url.rows.undo import Left, undo
from django_whatwg_url.rules.messages import presentable

_OWNER_ONLY: Final = 0o600
_SHOWN: Final = 20
_BROKEN_PIPE: Final = 141  # as a shell reports SIGPIPE
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Command(DatabaseCommand):
    """Handles options, the progress bar, signals and reports. `rows` does the rest."""

    help = (
        "Rewrite the URLs in text columns in canonical form, in batches, and report what happened "
        "to each row. You can stop the command at any time and run it again, and undo each run."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "labels",
            nargs="*",
            metavar="app_label[.Model[.field]]",
            help="text columns; for a model or an app, all its columns of URLs",
        )
        add = parser.add_argument_group("choose what to read").add_argument
        add("--dry-run", action="store_true", help="report what would change, but change nothing")
        add("--report", metavar="FILE", help="a new file with one line of JSON per row, or -")
        add("--batch-size", type=int, default=DEFAULT_BATCH_SIZE, help="rows per transaction")
        add("--assume-scheme", metavar="SCHEME", help="the scheme for text without one")
        add(
            "--schemes",
            nargs="+",
            metavar="SCHEME",
            help='allowed schemes, or "*" for all; default: as in the field, or http https',
        )
        add(
            "--policy",
            metavar="NAME",
            help="name or import path of a policy; default: as in the field",
        )
        add = parser.add_argument_group("decide what happens to rows").add_argument
        add(
            "--unique-with",
            nargs="*",
            action="extend",
            metavar="FIELD",
            help=(
                "rows with the same URL are duplicates if these fields are equal too, in addition "
                "to the unique constraints; without a name: only the URL counts"
            ),
        )
        add(
            "--on-duplicate",
            default="report",
            metavar="CHOICE",
            help=f"{', '.join(OnDuplicate)}, or the import path of a function",
        )
        places = ", ".join(Disposal)
        for name, what in (
            ("--on-invalid", "not a URL"),
            ("--on-too-long", "too long"),
            ("--on-empty", "an empty string"),
            ("--on-not-allowed", "a URL that the field refuses"),
        ):
            add(name, default="report", metavar="CHOICE", help=f"{what}: {places}")
        add = parser.add_argument_group("undo, instead of a run").add_argument
        add("--runs", action="store_true", help="list the runs, the newest first")
        add("--undo", nargs="+", metavar="RUN", help="undo runs, the newest first")
        add("--forget", nargs="+", metavar="RUN", help="delete the records of runs")
        add("--older-than", type=int, metavar="DAYS", help="forget runs at least this old")

    def run(self, **named: Any) -> None:
        try:
            self._handle(**named)
        except BrokenPipeError:
            # Standard output leads to a program that has ended, such as `head`. Python would report
            # the error again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(_BROKEN_PIPE) from None
        except (ValueError, OSError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from None

    def _handle(
        self,
        *,
        labels: Sequence[str],
        database: str,
        report: str | None,
        on_duplicate: str,
        verbosity: int,
        **named: Any,
    ) -> None:
        actions = [
            name for name in ("runs", "undo", "forget", "older_than", "dry_run")
            if named[name] not in (None, False)
        ]  # fmt: skip
        if len(actions) > 1:
            chosen = " and --".join(actions).replace("_", "-")
            raise CommandError(f"Choose one of --{chosen}.")
        columns = _columns(labels, database)
        follow = Followers(database)
        with ExitStack() as stack:
            match actions:
                case ["runs" | "undo" | "forget" | "older_than" as action]:
                    found = self._chosen(action, named[action], database, columns)
                    if action == "runs":
                        for line in journal.lines(database, found):
                            self.stdout.write(line)
                    elif action == "undo":
                        lines = stack.enter_context(self._opened(report))
                        self._undo(found, database, lines, follow)
                    else:
                        journal.forget(database, [run.pk for run in found])
                        self.stdout.write(f"{len(found):,} runs forgotten.")
                    return
            if not columns:
                raise CommandError("Name columns, models or apps.")
            options = Options(
                on_duplicate=_choice(on_duplicate),
                **{key: value for key, value in named.items() if key in attrs.fields_dict(Options)},
            )
            lines = stack.enter_context(self._opened(report))
            self._canonicalize(columns, database, options, follow, lines, verbosity)

    def _canonicalize(
        self,
        columns: Sequence[Column],
        database: str,
        options: Options,
        follow: Followers,
        lines: Any,
        verbosity: int,
    ) -> None:
        counted = Report(lines)
        labels = [label_of(column) for column in columns]
        run = journal.Journal(database, "canonicalize_urls", labels, options)
        started = time.perf_counter()
        total = None
        if verbosity > 0:
            owners: list[Any] = [text_column(*column)[0] for column in columns]
            total = sum(models.QuerySet(owner).using(database).count() for owner in owners)
        # disable=None hides the bar if the output is not a terminal.
        bar = tqdm(total=total, unit=" rows", disable=None if verbosity > 0 else True)
        with _noting_signals() as noted, bar:
            reached_the_end = canonicalize(
                columns, database, options, counted, run, follow,
                progress=bar.update, is_stopped=lambda: bool(noted),
            )  # fmt: skip
        seconds = time.perf_counter() - started
        if verbosity > 0:
            # If standard output contains the JSON lines, print the table to standard error.
            out = self.stderr if lines is self.stdout else self.stdout
            out.write("\n".join(_summary(", ".join(labels), counted, seconds, options)))
            if run.number is not None:
                out.write(f"This is run {run.number}. To undo it:")
                out.write(undo_command(run.number, database))
                out.write(journal.size(database))
            self._warn_of_refused(follow)
        if not reached_the_end:
            raise CommandError(
                "Stopped after a batch. Run the command again for the rest.",
                returncode=128 + noted[0],
            )

    def _chosen(
        self, action: str, numbers: Any, database: str, columns: Sequence[Column]
    ) -> list[Any]:
        """Return the runs that an action applies to, the newest first."""
        if action == "older_than" and int(numbers) < 0:
            raise ValueError("--older-than must be 0 or more days.")
        found = journal.runs(database, older_than=numbers if action == "older_than" else None)
        if columns:
            labels = {label_of(column) for column in columns}
            found = [run for run in found if labels & {*run.columns.split(", ")}]
        if action in {"runs", "older_than"}:
            return found
        wanted = set(map(str, numbers if isinstance(numbers, list | tuple) else [numbers]))
        if missing := sorted(wanted - {str(run.pk) for run in found}):
            raise ValueError(f"There is no run {', '.join(missing)}. --runs lists them all.")
        return [run for run in found if str(run.pk) in wanted]

    def _undo(self, runs: Sequence[Any], database: str, lines: Any, follow: Followers) -> None:
        out = self.stderr if lines is self.stdout else self.stdout
        for run in runs:
            left: list[Left] = []
            count = 0

            def tell(found: Left, left: list[Left] = left) -> None:
                nonlocal count
                count += 1
                if len(left) < _SHOWN:
                    left.append(found)
                if lines is not None:
                    lines.write(f"{json.dumps(found.shown())}\n")

            done = undo(run.pk, database, tell=tell, follow=follow)
            out.write(
                f"Run {run.pk}: {done.undone:,} changes undone, {done.there:,} not needed, "
                f"{done.changed_since:,} changed since, {done.refused:,} refused."
            )
            for each in left:
                key = ", ".join(map(str, each.shown()["key"].values()))
                out.write(f"  {each.model} {presentable(key)}: {each.reason}")
            if count > len(left):
                out.write(f"  … and {count - len(left):,} more. --report FILE lists them all.")
            if count:
                out.write("What was not undone is still recorded. Undo the run again after a fix.")
        self._warn_of_refused(follow)

    def _warn_of_refused(self, follow: Followers) -> None:
        for warning in follow.warnings():
            self.stderr.write(f"Warning: {warning}")

    @contextmanager
    def _opened(self, path: str | None) -> Iterator[Any]:
        """Open a file that does not exist yet. Only its owner can read it."""
        if path is None or path == "-":
            yield path and self.stdout
            return
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        except FileExistsError:
            raise ValueError(
                f"--report: {path} exists already. A report never overwrites a file."
            ) from None
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file


def _columns(labels: Sequence[str], database: str) -> list[Column]:
    """Return the columns that labels of columns, models and apps name. Raises CommandError.

    The columns of a model or an app are each `URLField` and each `CanonicalURLField`.
    """
    found: dict[Column, None] = {}
    for label in labels:
        if label.count(".") > 1:
            found[column_named(label)] = None
            continue
        try:
            named = models_labelled([label])
        except LookupError as error:
            raise CommandError(str(error)) from error
        columns = [
            (model, field.name)
            for model in named
            if model._meta.managed and not model._meta.proxy
            if router.allow_migrate_model(database, model)
            for field in model._meta.local_concrete_fields
            if isinstance(field, models.URLField | CanonicalURLField)
        ]
        if not columns:
            raise CommandError(f"{label} has no columns of URLs. Write app_label.Model.field.")
        found |= dict.fromkeys(columns)
    return [*found]


def _choice(name: str) -> Any:
    if "." not in name:
        return name
    try:
        return import_string(name)
    except ImportError as error:
        raise ValueError(f"on_duplicate: {error}") from error


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

"""`manage.py update_url_keys`: recompute the keys of URLs with the current rules."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Count, QuerySet, Sum
from tqdm import tqdm

from django_whatwg_url.recomputing import (
    BATCH_SIZE,
    batches,
    fields_of,
    models_labelled,
    recompute,
)
from django_whatwg_url.url_keys import URLKeyField

_EXAMPLES: Final = 10


class Command(BaseCommand):
    """Goes through the rows in batches. Each batch is a transaction. You can run it again."""

    help = (
        "Recompute the keys of all URLKeyFields, and store those that differ. Run it after adding "
        "such a column to a table with rows, after a change of its rules, and after raw SQL. It "
        "never removes a row."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "labels",
            nargs="*",
            metavar="app_label[.Model]",
            help="an app or a model to update; default: all",
        )
        parser.add_argument(
            "--database", default=DEFAULT_DB_ALIAS, help="alias of the database to update"
        )
        parser.add_argument(
            "--batch-size",
            type=int,
            default=BATCH_SIZE,
            help="how many rows to update in one transaction",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only count the rows that would change"
        )

    def handle(
        self,
        *,
        labels: list[str],
        database: str,
        batch_size: int,
        dry_run: bool,
        verbosity: int,
        **_options: object,
    ) -> None:
        if database not in connections:
            raise CommandError(f"There is no database {database!r} in DATABASES.")
        if batch_size < 1:
            raise CommandError("--batch-size must be at least 1.")
        try:
            fields = fields_of(models_labelled(labels), URLKeyField, database)
        except LookupError as error:
            raise CommandError(str(error)) from error
        refused: list[str] = []
        for field in fields:
            try:
                refused += self._update(field, database, batch_size, dry_run, verbosity)
            except ValueError as error:  # The rules are unknown.
                raise CommandError(f"{_name(field)}: {error}") from error
            except DatabaseError as error:
                # The messages of the error and of its cause may quote a text with its password.
                raise CommandError(f"Database error: {type(error).__name__}.") from None
        if not fields and verbosity > 0:
            self.stdout.write("There is no URLKeyField.")
        if refused:
            raise CommandError("\n".join(refused))

    def _update(
        self, field: URLKeyField, database: str, batch_size: int, dry_run: bool, verbosity: int
    ) -> list[str]:
        """Update one column, print what happened, and return a sentence if rows were refused."""
        shown = verbosity > 0
        if shown:
            before = _shared(field, database)
        run = _Run(field, database, batch_size, dry_run, shown)
        run.go_through()
        # A row may have waited for another one to lose its key.
        while run.refused and run.stored_now:
            run.go_through()
        if shown:
            done = "would be stored" if dry_run else "stored"
            self.stdout.write(f"{_name(field)}: {run.read:,} rows read, {run.stored:,} keys {done}")
            if not dry_run:
                self.stdout.write(_now_equal(field, before, _shared(field, database)))
        if not run.refused:
            return []
        return [_refusal(field, run)]


class _Run:
    """One column: the totals, and the passes over its rows."""

    def __init__(
        self, field: URLKeyField, database: str, batch_size: int, dry_run: bool, shown: bool
    ) -> None:
        self._field = field
        self._database = database
        self._batch_size = batch_size
        self._dry_run = dry_run
        self._shown = shown
        self.read = self.stored = self.stored_now = self.refused = 0
        self.examples: list[Any] = []

    def go_through(self) -> None:
        """Read all rows, and store the keys that differ."""
        self.read = self.stored_now = self.refused = 0
        self.examples = []
        rows: Any = QuerySet(self._field.model).using(self._database)
        # disable=None hides the bar if the output is not a terminal.
        with tqdm(
            total=rows.count() if self._shown else None,
            unit=" rows",
            disable=None if self._shown else True,
        ) as bar:
            for batch in batches(self._field, self._database, self._batch_size):
                result = recompute(self._field, batch, self._database, dry_run=self._dry_run)
                self.read += len(batch)
                self.stored_now += result.stored
                self.refused += len(result.refused)
                self.examples += result.refused[: _EXAMPLES - len(self.examples)]
                bar.update(len(batch))
        self.stored += self.stored_now


def _refusal(field: URLKeyField, run: _Run) -> str:
    examples = ", ".join(map(str, run.examples))
    more = ", …" if run.refused > len(run.examples) else ""
    return (
        f"{_name(field)}: {run.refused:,} rows keep their old key, because a constraint does not "
        f"allow a second row with the new one. Primary keys: {examples}{more}. To see which rows "
        f"are the same page, run: manage.py url_duplicates {_name(field)}"
    )


def _shared(field: URLKeyField, database: str) -> tuple[int, int]:
    """Return how many keys several rows have, and how many rows these are."""
    rows: Any = QuerySet(field.model).using(database).filter(**{f"{field.name}__isnull": False})
    groups = rows.values(field.name).annotate(members=Count("pk")).filter(members__gt=1)
    found = groups.order_by().aggregate(groups=Count("*"), rows=Sum("members"))
    return found["groups"], found["rows"] or 0


def _now_equal(field: URLKeyField, before: tuple[int, int], now: tuple[int, int]) -> str:
    if now == (0, 0):
        return f"{_name(field)}: every row has a key of its own."
    return (
        f"{_name(field)}: {now[1]:,} rows share {now[0]:,} keys. Before, {before[1]:,} rows shared "
        f"{before[0]:,}. To see them, run: manage.py url_duplicates {_name(field)}"
    )


def _name(field: URLKeyField) -> str:
    return f"{field.model._meta.label}.{field.name}"

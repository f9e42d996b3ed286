"""`manage.py update_url_keys`: recompute the keys of URLs with the current rules."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import CommandError
from django.db import DatabaseError
from django.db.models import Count, QuerySet, Sum
from tqdm import tqdm

from django_whatwg_url.management.database_errors import command_error
from django_whatwg_url.management.recomputing import RecomputingCommand, name_of
from django_whatwg_url.messages import manage_py
from django_whatwg_url.recomputing import batches, recompute
from django_whatwg_url.url_keys import URLKeyField

_EXAMPLES: Final = 10


class Command(RecomputingCommand[URLKeyField]):
    """Recomputes each URLKeyField."""

    kind = URLKeyField
    noun = "key"

    help = (
        "Recompute the keys of all URLKeyFields, and store those that differ. Run it after adding "
        "such a column to a table with rows, after a change of its rules, and after raw SQL. It "
        "never removes a row."
    )

    def update(self, fields: list[URLKeyField]) -> None:
        refused: list[str] = []
        for field in fields:
            try:
                refused += self._update(field)
            except ValueError as error:  # The rules are unknown.
                raise CommandError(f"{name_of(field)}: {error}") from error
            except DatabaseError as error:
                raise command_error(error)  # noqa: B904  # it says itself what its cause is
        if not fields and self.verbosity > 0:
            self.stdout.write("There is no URLKeyField.")
        if refused:
            raise CommandError("\n".join(refused))

    def _update(self, field: URLKeyField) -> list[str]:
        """Update one column, print what happened, and return a sentence if rows were refused."""
        shown, database, dry_run = self.verbosity > 0, self.database, self.dry_run
        if shown:
            before = _shared(field, database)
        run = _Run(field, database, self.batch_size, dry_run, shown)
        run.go_through()
        # A row may have waited for another one to lose its key.
        while run.refused and run.stored_now:
            run.go_through()
        if shown:
            done = "would be stored" if dry_run else "stored"
            self.stdout.write(
                f"{name_of(field)}: {run.read:,} rows read, {run.stored:,} keys {done}"
            )
            if not dry_run:
                self.stdout.write(_now_equal(field, before, _shared(field, database), database))
        if not run.refused:
            return []
        return [_refusal(field, run, database)]


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


def _refusal(field: URLKeyField, run: _Run, database: str) -> str:
    examples = ", ".join(map(str, run.examples))
    more = ", …" if run.refused > len(run.examples) else ""
    return (
        f"{name_of(field)}: {run.refused:,} rows keep their old key, because a constraint does not "
        f"allow a second row with the new one. Primary keys: {examples}{more}. To see which rows "
        f"are the same page, run: {manage_py('url_duplicates', name_of(field), alias=database)}"
    )


def _shared(field: URLKeyField, database: str) -> tuple[int, int]:
    """Return how many keys several rows have, and how many rows these are."""
    rows: Any = QuerySet(field.model).using(database).filter(**{f"{field.name}__isnull": False})
    groups = rows.values(field.name).annotate(members=Count("pk")).filter(members__gt=1)
    found = groups.order_by().aggregate(groups=Count("*"), rows=Sum("members"))
    return found["groups"], found["rows"] or 0


def _now_equal(
    field: URLKeyField, before: tuple[int, int], now: tuple[int, int], database: str
) -> str:
    name = name_of(field)
    if now == (0, 0):
        return f"{name}: every row has a key of its own."
    keys = "key" if now[0] == 1 else "keys"
    return (
        f"{name}: {now[1]:,} rows share {now[0]:,} {keys}. Before, {before[1]:,} rows shared "
        f"{before[0]:,}. To see them, run: {manage_py('url_duplicates', name, alias=database)}"
    )

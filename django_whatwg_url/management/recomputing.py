"""The base of the commands that recompute a companion column: their options and their errors."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Generic, TypeVar

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS

from django_whatwg_url.canonicalizing.recomputing import (
    BATCH_SIZE,
    batches,
    fields_of,
    models_labelled,
    recompute,
)
from django_whatwg_url.companions.base import Companion
from django_whatwg_url.management.columns import require_database

_CompanionT = TypeVar("_CompanionT", bound=Companion)


class RecomputingCommand(BaseCommand, Generic[_CompanionT]):
    """Goes through the rows in batches. Each batch is a transaction. You can run it again."""

    kind: type[_CompanionT]
    """The class of the columns that the command recomputes."""
    noun: str
    """What one of their values is called."""
    database: str
    batch_size: int
    dry_run: bool
    verbosity: int

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

    def handle(self, *, labels: list[str], database: str, batch_size: int, **options: Any) -> None:
        require_database(database)
        if batch_size < 1:
            raise CommandError("--batch-size must be at least 1.")
        try:
            fields = fields_of(models_labelled(labels), self.kind, database)
        except LookupError as error:
            raise CommandError(str(error)) from error
        self.database, self.batch_size = database, batch_size
        self.dry_run, self.verbosity = options["dry_run"], options["verbosity"]
        self.update(fields)

    def update(self, fields: list[_CompanionT]) -> None:
        """Recompute the columns, and print what happened. Raises CommandError."""
        total = sum(map(self._update_column, fields))
        if self.verbosity > 0:
            done = "would be stored" if self.dry_run else "stored"
            self.stdout.write(
                f"{total:,} {done}." if fields else f"There is no {self.kind.__name__}."
            )

    def _update_column(self, field: _CompanionT) -> int:
        """Recompute one column, print what happened, and return how many values differed."""
        read = changed = 0
        for rows in batches(field, self.database, self.batch_size):
            read += len(rows)
            result = recompute(field, rows, self.database, dry_run=self.dry_run)
            if result.refused:
                raise CommandError(
                    f"{name_of(field)}: a constraint does not allow the {self.noun} of the row "
                    f"with the primary key {result.refused[0]}."
                )
            changed += result.stored
            if self.verbosity > 1:
                self.stdout.write(f"{name_of(field)}: {read:,} rows so far, {changed:,} differ")
        if self.verbosity > 0:
            self.stdout.write(f"{name_of(field)}: {read:,} rows read, {changed:,} differ")
        return changed


def name_of(field: Companion) -> str:
    """Return what the commands call a column: ``app_label.Model.field``."""
    return f"{field.model._meta.label}.{field.name}"

"""`manage.py update_registrable_domains`: recompute registrable domains with the current list."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections

from django_whatwg_url.companions import RegistrableDomainField
from django_whatwg_url.recomputing import (
    BATCH_SIZE,
    batches,
    fields_of,
    models_labelled,
    recompute,
)


class Command(BaseCommand):
    """Goes through the rows in batches. Each batch is a transaction. You can run it again."""

    help = (
        "Recompute the domains of all RegistrableDomainFields, and store those that differ. Run it "
        "after a new edition of the Public Suffix List, after update() and bulk_update(), and "
        "after adding such a column to a table with rows."
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
            fields = fields_of(models_labelled(labels), RegistrableDomainField, database)
        except LookupError as error:
            raise CommandError(str(error)) from error
        total = 0
        for field in fields:
            read = changed = 0
            for rows in batches(field, database, batch_size):
                read += len(rows)
                result = recompute(field, rows, database, dry_run=dry_run)
                if result.refused:
                    raise CommandError(
                        f"{_name(field)}: a constraint does not allow the domain of the row with "
                        f"the primary key {result.refused[0]}."
                    )
                changed += result.stored
                if verbosity > 1:
                    self.stdout.write(f"{_name(field)}: {read:,} rows so far, {changed:,} differ")
            total += changed
            if verbosity > 0:
                self.stdout.write(f"{_name(field)}: {read:,} rows read, {changed:,} differ")
        if verbosity > 0:
            self.stdout.write(_conclusion(fields, total, dry_run=dry_run))


def _name(field: RegistrableDomainField) -> str:
    return f"{field.model._meta.label}.{field.name}"


def _conclusion(fields: list[RegistrableDomainField], total: int, *, dry_run: bool) -> str:
    if not fields:
        return "There is no RegistrableDomainField."
    return f"{total:,} would be stored." if dry_run else f"{total:,} stored."

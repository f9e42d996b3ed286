"""`manage.py update_registrable_domains`: recompute registrable domains with the current list."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connections, models, router, transaction

from django_whatwg_url.canonicalizing.table import Table
from django_whatwg_url.companions import (
    RegistrableDomainField,
    companions_of,
    registrable_domain,
)

BATCH_SIZE: Final = 1000


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
        fields = [
            field
            for model in _models(labels)
            if router.allow_migrate_model(database, model)
            for field in companions_of(model)
            if field.model is model
        ]
        total = 0
        for field in fields:
            read = changed = 0
            for rows in _batches(field, database, batch_size):
                read += len(rows)
                changed += _update(field, rows, database, batch_size, dry_run=dry_run)
                if verbosity > 1:
                    self.stdout.write(f"{_name(field)}: {read:,} rows so far, {changed:,} differ")
            total += changed
            if verbosity > 0:
                self.stdout.write(f"{_name(field)}: {read:,} rows read, {changed:,} differ")
        if verbosity > 0:
            self.stdout.write(_conclusion(fields, total, dry_run=dry_run))


def _models(labels: Iterable[str]) -> list[type[models.Model]]:
    """Return the models with these labels, or all models if there are no labels.

    ``labels``: names of apps or models. Raises CommandError for an unknown name.
    """
    if not labels:
        return apps.get_models(include_auto_created=True)
    named: dict[type[models.Model], None] = {}
    for label in labels:
        try:
            if "." in label:
                named[apps.get_model(label)] = None
            else:
                app = apps.get_app_config(label)
                named |= dict.fromkeys(app.get_models(include_auto_created=True))
        except LookupError as error:
            raise CommandError(str(error)) from error
    return list(named)


def _batches(
    field: RegistrableDomainField, database: str, size: int
) -> Iterator[list[models.Model]]:
    """Yield the rows of ``field``'s table in batches, with only the key, the URL and the domain."""
    # A plain QuerySet: the model's own manager could leave rows out, and so could its ordering.
    rows: Any = models.QuerySet(field.model).using(database).order_by("pk")
    rows = rows.only(field.from_field, field.name)
    batch = list(rows[:size])
    while batch:
        yield batch
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:size])


def _update(
    field: RegistrableDomainField,
    rows: list[models.Model],
    database: str,
    size: int,
    *,
    dry_run: bool,
) -> int:
    """Store the domains that differ, except in a dry run, and return how many there are."""
    if dry_run:
        return len(_differing(field, rows))
    if not _differing(field, rows):
        return 0
    table: Any = models.QuerySet(field.model).using(database)
    with transaction.atomic(using=database):
        # Read the rows again under lock, if the database supports that. A URL that has changed
        # since must not get the domain of the old URL.
        locked = table.select_for_update().only(field.from_field, field.name)
        rows = list(locked.filter(pk__in=[row.pk for row in rows]))
        differing = _differing(field, rows)
        _store(field, differing, database, size)
    return len(differing)


def _store(
    field: RegistrableDomainField, rows: list[models.Model], database: str, size: int
) -> None:
    """Write the domains of locked rows."""
    key: Any = field.model._meta.pk
    if key.column is None:
        # `Table` does not support a primary key of several columns.
        table: Any = models.QuerySet(field.model).using(database)
        table.bulk_update(rows, [field.name], batch_size=size)
        return
    # bulk_update() took 60 times as long: it builds an expression for each row, and the database
    # compares each row with all of them.
    Table(field.model, database).write(
        [field],
        [
            (key.get_db_prep_value(row.pk, connections[database]), getattr(row, field.attname))
            for row in rows
        ],
    )


def _differing(field: RegistrableDomainField, rows: list[models.Model]) -> list[models.Model]:
    """Set the correct domain on each of ``rows``, and return the rows that had a different one."""
    differing = []
    for row in rows:
        domain = registrable_domain(getattr(row, field.from_field))
        if getattr(row, field.attname) != domain:
            setattr(row, field.attname, domain)
            differing.append(row)
    return differing


def _name(field: RegistrableDomainField) -> str:
    return f"{field.model._meta.label}.{field.name}"


def _conclusion(fields: list[RegistrableDomainField], total: int, *, dry_run: bool) -> str:
    if not fields:
        return "There is no RegistrableDomainField."
    return f"{total:,} would be stored." if dry_run else f"{total:,} stored."

"""Recomputes the values of companion columns in existing rows, in batches.

A batch with changes is one transaction, so a run can be stopped at any time and repeated. Rows are
read again under lock before they are written. The commands are in `management`. `Following` does
the same for the rows that a run of ``canonicalize_urls`` has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import attrs
from django.apps import apps
from django.db import IntegrityError, connections, models, transaction

from django_whatwg_url.beside.base import Companion, companions_of
from django_whatwg_url.rows.table import Table

BATCH_SIZE: Final = 1000


def models_labelled(labels: Iterable[str]) -> list[type[models.Model]]:
    """Return the models with these labels, or all models if there are no labels.

    ``labels``: names of apps or models. Raises LookupError for an unknown name, and for a label
    with more than one dot, such as the label of a column.
    """
    if not labels:
        return apps.get_models(include_auto_created=True)
    named: dict[type[models.Model], None] = {}
    for label in labels:
        if label.count(".") > 1:
            raise LookupError(f"{label!r} is not an app or a model. Write app_label.Model.")
        if "." in label:
            named[apps.get_model(label)] = None
        else:
            app = apps.get_app_config(label)
            named |= dict.fromkeys(app.get_models(include_auto_created=True))
    return list(named)


@attrs.frozen
class Recomputed:
    """The result of recomputing a batch or a table.

    ``stored``: how many values were stored, or would be without ``dry_run``. ``refused``: the
    primary keys of rows that keep their old value, because a unique constraint does not allow the
    new one. ``read``: how many rows were read.
    """

    stored: int = 0
    refused: tuple[Any, ...] = ()
    read: int = 0


def recompute(
    field: Companion, rows: list[models.Model], database: str, *, dry_run: bool = False
) -> Recomputed:
    """Store the computed value in each row of a batch that has a different one."""
    found = differing(field, rows)
    if dry_run or not found:
        return Recomputed(len(found))
    stored, refused = 0, list[Any]()
    with suppress(IntegrityError):
        return Recomputed(_store_locked(field, found, database))
    # Write them one by one, except those that a constraint does not allow.
    for row in found:
        try:
            stored += _store_locked(field, [row], database)
        except IntegrityError:
            refused.append(row.pk)
    return Recomputed(stored, tuple(refused))


def recompute_all(
    field: Companion,
    database: str,
    size: int = BATCH_SIZE,
    *,
    dry_run: bool = False,
    progress: Callable[[int], object] = lambda _rows: None,
) -> Recomputed:
    """Store the computed value in all rows that have a different one, in batches of ``size``.

    If a unique value still belongs to another row, the row is tried again in another pass, when the
    other row may have a new value. ``progress``: called with the number of rows of each batch.
    """
    # Use a plain QuerySet, because the model's own manager might filter out rows.
    table: Any = models.QuerySet(field.model).using(database).order_by("pk")
    table = table.only(field.from_field, field.name)
    stored = 0
    while True:
        read, stored_now, refused, left = 0, 0, list[Any](), table
        while rows := list(left[:size]):
            left = table.filter(pk__gt=rows[-1].pk)
            done = recompute(field, rows, database, dry_run=dry_run)
            stored_now += done.stored
            refused += done.refused
            read += len(rows)
            progress(len(rows))
        stored += stored_now
        if not refused or not stored_now:
            return Recomputed(stored, tuple(refused), read)


@attrs.define
class Following:
    """Updates the companions of a URL in rows whose URL was written.

    It is an `AfterChange`: call it with the rows of a batch, in its transaction. ``alias``: the
    alias of their database. ``refused``: how many values a constraint has not allowed so far. Their
    rows keep the old values.
    """

    fields: Sequence[Companion]
    alias: str
    refused: int = 0

    def __call__(self, rows: Sequence[Any]) -> None:
        for field in self.fields:
            # The rules in an old migration may not exist any more. W022 reports rows that differ.
            with suppress(ValueError):
                result = recompute(field, [*rows], self.alias)
                self.refused += len(result.refused)


@attrs.define
class Followers:
    """Gives each column the `Following` of its companions, or None. It is a `Follow`."""

    alias: str
    _found: dict[tuple[type[models.Model], str], Following | None] = attrs.Factory(dict)

    def __call__(self, model: type[models.Model], name: str) -> Following | None:
        column = model, name
        if column not in self._found:
            fields = [each for each in companions_of(model, Companion) if each.from_field == name]
            self._found[column] = Following(fields, self.alias) if fields else None
        return self._found[column]

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each column with values that a constraint refused."""
        for found in self._found.values():
            if found is not None and found.refused:
                names = ", ".join(field.name for field in found.fields)
                count = found.refused
                rows = "1 row keeps its" if count == 1 else f"{count:,} rows keep their"
                yield (
                    f"{rows} old value of {names}, because a constraint does not allow a second "
                    "row with the new one."
                )


def differing(field: Companion, rows: Iterable[models.Model]) -> list[models.Model]:
    """Set the computed value on each of ``rows``, and return the rows that had a different one."""
    found = []
    for row in rows:
        value = field.as_stored(field.computed(row))
        # getattr() may compute the value, so read the stored one.
        if vars(row)[field.attname] != value:
            setattr(row, field.attname, value)
            found.append(row)
    return found


def _store_locked(field: Companion, rows: list[models.Model], database: str) -> int:
    """Write the values of rows in one transaction, and return how many differed.

    ``rows``: rows that `differing` has returned, which have the new values.
    """
    table: Any = models.QuerySet(field.model).using(database)
    known = {row.pk: vars(row) for row in rows}
    with transaction.atomic(using=database):
        # Read the rows again under lock, if the database supports that. A URL that has changed
        # since must not get the value of the old URL.
        locked = table.select_for_update().only(field.from_field, field.name)
        same, changed = list[models.Model](), list[models.Model]()
        for row in locked.filter(pk__in=[*known]):
            before = known[row.pk]
            if vars(row)[field.from_field] != before[field.from_field]:
                changed.append(row)
            elif vars(row)[field.attname] != before[field.attname]:
                setattr(row, field.attname, before[field.attname])
                same.append(row)
        found = [*same, *differing(field, changed)]
        _store(field, found, database)
    return len(found)


def _store(field: Companion, rows: list[models.Model], database: str) -> None:
    """Write the values of locked rows."""
    key: Any = field.model._meta.pk
    if key.column is None:
        # `Table` does not support a primary key of several columns.
        table: Any = models.QuerySet(field.model).using(database)
        table.bulk_update(rows, [field.name], batch_size=BATCH_SIZE)
        return
    # bulk_update() took 60 times as long. It builds an expression for each row, and the database
    # compares each row with all of them.
    writable = Table(field.model, database)
    writable.write(
        [field],
        [
            (key.get_db_prep_value(row.pk, connections[database]), vars(row)[field.attname])
            for row in rows
        ],
    )
    writable.check_constraints()

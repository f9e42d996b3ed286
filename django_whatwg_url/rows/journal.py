"""Records the changes of a run in two tables of the same database, so that it can be undone.

Each change is recorded in the transaction that makes it. So a change that is rolled back leaves
nothing to undo. `undo` reads the tables. A migration of this app creates them in each database.
They contain whole URLs, including passwords, so they have no permissions and are not in the admin.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, count, repeat
from typing import Any, ClassVar, Final

import attrs
from django.db import connections, models, transaction

from django_whatwg_url.rows import database_rules
from django_whatwg_url.rows.options import Options
from django_whatwg_url.rows.table import Table, key_fields
from django_whatwg_url.rules.messages import manage_py

MOMENT: Final = "%Y-%m-%dT%H:%M:%S.%fZ"
_BITS: Final = 64  # of the largest number in a database
_BYTES_OF_A_CHANGE: Final = 260
APP_LABEL: Final = "django_whatwg_url"
FIRST_MIGRATION: Final = (APP_LABEL, "0001_initial")


class Run(models.Model):  # noqa: DJ008  # It is never shown.
    """A run. ``started`` and ``undone`` are in UTC. ``undone`` may be empty."""

    objects: ClassVar[models.Manager[Run]]

    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    started: models.CharField[str, str] = models.CharField(max_length=30)
    source: models.CharField[str, str] = models.CharField(max_length=200)
    columns: models.TextField[str, str] = models.TextField()
    options: models.TextField[str, str] = models.TextField()
    summary: models.TextField[str, str] = models.TextField(default="")
    undone: models.CharField[str, str] = models.CharField(max_length=30, default="")

    class Meta:
        app_label: ClassVar[str] = APP_LABEL
        default_permissions: ClassVar[tuple[()]] = ()


class Change(models.Model):  # noqa: DJ008
    """A changed row, or a removed row if ``after`` is NULL. The newest has the highest key.

    Changes with the same ``unit`` belong to one removed row and its references. ``run`` is not a
    foreign key, so that a change takes no lock on its run.
    """

    objects: ClassVar[models.Manager[Change]]

    id: models.BigAutoField[int, int] = models.BigAutoField(primary_key=True)
    run: models.BigIntegerField[int, int] = models.BigIntegerField()
    unit: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True)
    model: models.CharField[str, str] = models.CharField(max_length=200)
    key: models.TextField[str, str] = models.TextField()
    before: models.TextField[str, str] = models.TextField()
    after: models.TextField[str | None, str | None] = models.TextField(null=True)  # noqa: DJ001  # a removed row has no values after it

    class Meta:
        app_label: ClassVar[str] = APP_LABEL
        default_permissions: ClassVar[tuple[()]] = ()
        indexes: ClassVar[tuple[models.Index, ...]] = (
            models.Index(fields=["run", "id"], name="whatwg_url_change_run"),
            models.Index(fields=["run", "unit"], name="whatwg_url_change_unit"),
        )


def require_tables(alias: str) -> None:
    """Raise ValueError if a database does not have the tables. The message says what to do."""
    found = set(connections[alias].introspection.table_names())
    if {Run._meta.db_table, Change._meta.db_table} <= found:
        return
    migrate = manage_py("migrate", APP_LABEL, alias=alias)
    raise ValueError(
        f"The tables {Run._meta.db_table} and {Change._meta.db_table}, which keep what a run "
        f"changes, are missing. Nothing was changed. Run: {migrate}. A migration with "
        f"CanonicalizeURLs needs {FIRST_MIGRATION} in its dependencies."
    )


# Values.


def encoded(value: Any) -> Any:
    """Return a database's value as a value that JSON can represent."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return {"hex": bytes(value).hex()}
    if isinstance(value, timedelta):  # Its text could also be the time of a day.
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    return str(value)


def to_json(values: Mapping[str, Any]) -> str:
    """Return values of the database as text for a column of the journal."""
    return json.dumps({name: encoded(value) for name, value in values.items()})


def from_json(text: str) -> dict[str, Any]:
    """Return the values in a column of the journal. Raises ValueError if no run wrote it."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004  # it is the text that is wrong
    for name, value in found.items():
        if isinstance(value, dict):  # See `encoded`.
            ((kind, inner),) = value.items()
            found[name] = bytes.fromhex(inner) if kind == "hex" else timedelta(*inner)
        elif isinstance(value, int) and value.bit_length() > _BITS:
            raise ValueError("too large a number")
    return found


def damaged(number: int) -> str:
    """Return the message for a change in the journal that no run has recorded."""
    return f"The change {number} in the journal is damaged. Nothing was changed."


@attrs.frozen
class Entry:
    """A change, with the database's values by the name of each column. See `Change`."""

    id: int
    unit: int | None
    model: str
    key: Mapping[str, Any]
    before: dict[str, Any]
    after: dict[str, Any] | None

    @classmethod
    def read(cls, row: Sequence[Any]) -> Entry:
        """Return the change in a row of the table. Raises ValueError if it is damaged."""
        number, unit, model, *texts = row
        try:
            key, before, after = (None if text is None else from_json(text) for text in texts)
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            raise ValueError(damaged(number)) from None
        if not key or not before:
            raise ValueError(damaged(number))
        return cls(number, unit, model, key, before, after)


Changed = tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any] | None]
"""The values that identify a row, and the values of some columns before and after a change."""


@attrs.define
class Journal:
    """Records the changes of a run over one or more columns.

    ``source``: what started the run. ``columns``: the labels of the columns. ``number``: the number
    of the run, once it is stored.
    """

    alias: str
    _source: str
    _columns: Sequence[str]
    _options: Options
    _units: Iterator[int] = attrs.field(init=False, factory=lambda: count(1))
    number: int | None = attrs.field(init=False, default=None)

    def prepare(self) -> None:
        """Store the run, before its first change. Raises ValueError if there are no tables."""
        if self.number is None:
            require_tables(self.alias)
            run = Run.objects.using(self.alias).create(
                started=f"{datetime.now(UTC):{MOMENT}}",
                source=self._source,
                columns=", ".join(self._columns),
                options=json.dumps(self._options.named(), default=str),
            )  # fmt: skip
            self.number = run.pk

    def finish(self, summary: str) -> None:
        """Store the summary of the run, or forget a run that has changed nothing."""
        if self.number is None:
            return
        run = Run.objects.using(self.alias).filter(pk=self.number)
        if Change.objects.using(self.alias).filter(run=self.number).exists():
            run.update(summary=summary)
        else:
            run.delete()
            self.number = None

    def unit(self) -> int:
        """Return a new number for changes that belong together."""
        return next(self._units)

    def changed(
        self,
        model: type[models.Model],
        changes: Iterable[Changed],
        units: Iterable[int] | None = None,
    ) -> None:
        """Record changes to the rows of a model, within their transaction.

        ``units``: the unit of each change, or None.
        """
        if self.number is None:
            raise RuntimeError("a change was made before prepare()")
        label = model._meta.label_lower
        each_unit = iter(units or ())
        rows = [
            (
                self.number, next(each_unit, None), label, to_json(key), to_json(before),
                None if after is None else to_json(after),
            )
            for key, before, after in changes
        ]  # fmt: skip
        columns = ["run", "unit", "model", "key", "before", "after"]
        Table(Change, self.alias).insert_rows(columns, rows)

    def removed(
        self, model: type[models.Model], keys: Sequence[Mapping[str, Any]], units: Sequence[int]
    ) -> None:
        """Record rows of a table that are about to be removed."""
        found = snapshots(model, self.alias, keys)
        if None in found:
            raise ValueError(f"A row of {model._meta.label} cannot be recorded, so it stays.")
        rows = [(key, row or {}, None) for key, row in zip(keys, found, strict=True)]
        self.changed(model, rows, units)

    def removed_with_parents(self, model: Any, keys: Mapping[Any, int]) -> None:
        """Record rows that are about to be removed, with their parents by multi-table inheritance.

        ``keys``: the unit of each key.
        """
        column = model._meta.pk.column
        self.removed(model, [{column: key} for key in keys], [*keys.values()])
        for parent, link in model._meta.parents.items():
            if link is not None:
                links = Table(model, self.alias).rows(keys, [link.column])
                self.removed_with_parents(parent, {links[key][0]: keys[key] for key in links})

    def deleted(self, instances: Sequence[Any]) -> None:
        """Record rows that are deleted or set to NULL if Django deletes these instances.

        This includes rows that a rule of the database affects, such as `DB_CASCADE`.

        Raises ProtectedError or RestrictedError if Django would refuse.
        """
        collector = database_rules.Collector(self.alias)
        collector.collect(instances)
        collector.sort()
        connection = connections[self.alias]
        unit = self.unit()
        field: Any
        updated: Any
        for (field, value), updated in collector.field_updates.items():
            changes = [
                (
                    _prepared(each, key_fields(each), connection),
                    _prepared(each, [field], connection),
                    {field.column: value},
                )
                for each in chain.from_iterable(updated)
            ]
            self.changed(field.model, changes, repeat(unit))
        deleted: list[Any] = [*chain(*collector.fast_deletes, *collector.data.values())]
        for model, change in database_rules.changes(deleted, self.alias):
            self.changed(model, [change], [unit])
        by_model: dict[Any, list[Any]] = {}
        for each in deleted:
            by_model.setdefault(each._meta.concrete_model, []).append(each)
        for model, some in by_model.items():
            keys = [_prepared(each, key_fields(each), connection) for each in some]
            self.removed(model, keys, [unit] * len(keys))


def _prepared(instance: Any, fields: Sequence[Any], connection: Any) -> dict[str, Any]:
    """Return the values of an instance, by the name of each column."""
    return {
        field.column: field.get_db_prep_value(getattr(instance, field.attname), connection)
        for field in fields
    }


def snapshots(
    model: type[models.Model], alias: str, keys: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any] | None]:
    """Return the whole row for each primary key, or None if there is no such row."""
    fields: Any = model._meta.local_concrete_fields
    columns = [field.column for field in fields if not getattr(field, "generated", False)]
    table = Table(model, alias)
    names = [field.column for field in key_fields(model)]
    if len(names) > 1:
        return [next(iter(table.exact(columns, key)), None) for key in keys]
    wanted = [key[names[0]] for key in keys]
    found = table.exact_rows(columns, wanted)
    return [found.get(str(key)) for key in wanted]


# The list of runs.


def forget(alias: str, numbers: Collection[int]) -> None:
    """Delete runs with all their changes. They cannot be undone any more."""
    with transaction.atomic(using=alias):
        Change.objects.using(alias).filter(run__in=numbers).delete()
        Run.objects.using(alias).filter(pk__in=numbers).delete()


def runs(alias: str, *, older_than: int | None = None) -> list[Any]:
    """Return the runs, the newest first. ``older_than``: only runs at least this many days old.

    Raises ValueError if there are no tables.
    """
    require_tables(alias)
    found = Run.objects.using(alias).order_by("-pk")
    if older_than is not None:
        moment = datetime.now(UTC) - timedelta(days=older_than)
        found = found.filter(started__lte=f"{moment:{MOMENT}}")
    return list(found)


def size(alias: str) -> str:
    """Return a sentence about how many changes the journal has, and how large it is."""
    changes = Change.objects.using(alias).count()
    megabytes = changes * _BYTES_OF_A_CHANGE // 1_000_000
    large = f"about {megabytes:,} MB" if megabytes else "less than 1 MB"
    return (
        f"The journal has {changes:,} changes, {large}. --forget and --older-than make it smaller."
    )


def lines(alias: str, found: Sequence[Any]) -> Iterator[str]:
    """Yield a line for each run, which begins with its number."""
    changes = Change.objects.using(alias).filter(run__in=[run.pk for run in found])
    counted = {
        row["run"]: row
        for row in changes.values("run").annotate(
            all=models.Count("pk"), removed=models.Count("pk", filter=models.Q(after=None))
        )
    }
    for run in found:
        row = counted.get(run.pk, {"all": 0, "removed": 0})
        state = run.summary or "interrupted"
        if run.undone:
            state = f"undone {_minute(run.undone)}" if not row["all"] else "undone in part"
        yield (
            f"{run.pk}  {_minute(run.started)}  {run.source}  {run.columns}: {state}; "
            f"{row['all'] - row['removed']:,} changes and {row['removed']:,} removed rows to undo"
        )


def _minute(moment: str) -> str:
    return f"{moment[:10]} {moment[11:16]} UTC"

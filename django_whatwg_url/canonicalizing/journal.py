"""Records the changes of a run in two tables of the same database, so that it can be undone.

Each change is recorded in the transaction that makes it. So a change that is rolled back leaves
nothing to undo. `undoing` reads the tables. They do not belong to an app or a migration. The first
run that needs them creates them. They contain whole URLs, including passwords.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, count, repeat
from typing import Any, Final

import attrs
from django.apps.registry import Apps
from django.db import DatabaseError, connections, models, transaction

from django_whatwg_url.canonicalizing import database_rules
from django_whatwg_url.canonicalizing.choices import Options
from django_whatwg_url.canonicalizing.table import Table

MOMENT: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


@cache
def tables() -> tuple[Any, Any]:
    """Return the models of the two tables: for runs, and for changes.

    They have their own registry, like the model of Django's MigrationRecorder.
    """
    registry = Apps()

    class Run(models.Model):  # noqa: DJ008  # It is never shown.
        """A run. ``started`` and ``undone`` are in UTC. ``undone`` may be empty."""

        id = models.BigAutoField(primary_key=True)
        started = models.CharField(max_length=30)
        source = models.CharField(max_length=200)
        columns = models.TextField()
        options = models.TextField()
        summary = models.TextField(default="")
        undone = models.CharField(max_length=30, default="")

        class Meta:
            apps = registry
            app_label = "django_whatwg_url"
            db_table = "django_whatwg_url_run"

    class Change(models.Model):  # noqa: DJ008
        """A changed row, or a removed row if ``after`` is NULL. The newest has the highest key.

        Changes with the same ``unit`` belong to one removed row and its references. ``aside``: the
        name of the column whose text was put aside, and is only here.
        """

        id = models.BigAutoField(primary_key=True)
        run = models.BigIntegerField()
        unit = models.BigIntegerField(null=True)
        model = models.CharField(max_length=200)
        key = models.TextField()
        before = models.TextField()
        after = models.TextField(null=True)  # noqa: DJ001  # a removed row has no values after it
        aside = models.CharField(max_length=200, default="")

        class Meta:
            apps = registry
            app_label = "django_whatwg_url"
            db_table = "django_whatwg_url_change"
            # CREATE TABLE also creates this index, so no other privilege is needed.
            constraints = (
                models.UniqueConstraint(
                    fields=["run", "unit", "id"], name="django_whatwg_url_change_run"
                ),
            )

    return Run, Change


def are_there(alias: str) -> bool:
    """Return whether a database has the tables."""
    found = set(connections[alias].introspection.table_names())
    return all(model._meta.db_table in found for model in tables())


def create(alias: str) -> None:
    """Create the tables if a database does not have them.

    Raises ValueError if that is not allowed. The message says what to do.
    """
    if are_there(alias):
        return
    connection = connections[alias]
    # Do not enter the editor, which is not possible within a transaction on SQLite.
    editor: Any = connection.schema_editor()
    names = set(connection.introspection.table_names())
    can_roll_back = connection.features.can_rollback_ddl
    try:
        with transaction.atomic(using=alias) if can_roll_back else nullcontext():
            for model in tables():
                if model._meta.db_table not in names:
                    sql, params = editor.table_sql(model)
                    editor.execute(sql, params or None)
    except DatabaseError as error:
        if are_there(alias):
            return  # Another run has just created them.
        raise ValueError(_refused(alias, error)) from None


def _refused(alias: str, error: DatabaseError) -> str:
    connection: Any = connections[alias]
    names = " and ".join(model._meta.db_table for model in tables())
    advice = ""
    if isinstance(error, transaction.TransactionManagementError):
        advice = " This database cannot do it within a transaction. Start the run outside of one."
    elif connection.vendor in {"postgresql", "mysql"}:
        where, who = (
            ("current_schema()", "current_user")
            if connection.vendor == "postgresql"
            else ("DATABASE()", "CURRENT_USER()")
        )
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {where}, {who}")
            place, user = cursor.fetchone()
        on = f"SCHEMA {place}" if connection.vendor == "postgresql" else f"{place}.*"
        advice = f" Grant it: GRANT CREATE ON {on} TO {user}"
    return (
        f"The tables {names}, which keep what a run changes, cannot be created "
        f"({type(error).__name__}). Nothing was changed, because the run could not be undone."
        f"{advice} To do without a way back, write --no-undo in the command, or undo=False in a "
        "migration."
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


def decoded(value: Any) -> Any:
    """Return the database's value for a value that `encoded` has returned."""
    if isinstance(value, dict):
        ((kind, inner),) = value.items()
        return bytes.fromhex(inner) if kind == "hex" else timedelta(*inner)
    return value


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps({name: encoded(value) for name, value in values.items()})


def _values(text: str) -> dict[str, Any]:
    return {name: decoded(value) for name, value in json.loads(text).items()}


def key_fields(model: Any) -> list[Any]:
    """Return the fields of the primary key of a model. There may be several."""
    return [*(getattr(model._meta, "pk_fields", None) or [model._meta.pk])]


def table_of(model: type[models.Model], alias: str) -> Table:
    """Return the table of a model that may have a primary key of several columns."""
    return Table(model, alias, key=key_fields(model)[0])


def stored_columns(model: type[models.Model]) -> list[str]:
    """Return the columns of a model's table that can be written."""
    fields: Any = model._meta.local_concrete_fields
    return [field.column for field in fields if not getattr(field, "generated", False)]


def key_of_instance(instance: Any, connection: Any) -> dict[str, Any]:
    """Return the primary key of an instance, by the name of each column."""
    return {
        field.column: field.get_db_prep_value(getattr(instance, field.attname), connection)
        for field in key_fields(instance)
    }


@attrs.frozen
class Entry:
    """A change, with the database's values by the name of each column. See `tables`."""

    id: int
    unit: int | None
    model: str
    key: Mapping[str, Any]
    before: dict[str, Any]
    after: dict[str, Any] | None
    aside: str = ""

    @classmethod
    def read(cls, row: Sequence[Any]) -> Entry:
        """Return the change in a row of the table."""
        number, unit, model, key, before, after, aside = row
        values = (_values(key), _values(before), None if after is None else _values(after))
        return cls(number, unit, model, *values, aside)


Changed = tuple[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any] | None]
"""The values that identify a row, and the values of some columns before and after a change."""


class Journal:
    """Records the changes of a run over one or more columns.

    ``source``: what started the run. ``columns``: the labels of the columns. With
    ``options.undo`` false, nothing is recorded.
    """

    def __init__(self, alias: str, source: str, columns: Sequence[str], options: Options) -> None:
        self.alias = alias
        self._source = source
        self._columns = columns
        self._options = options
        self._records = options.undo and not options.dry_run
        self._units = count(1)
        self.number: int | None = None

    def prepare(self) -> None:
        """Store the run, before the transaction of its first change begins. See `create`."""
        if self.number is None and self._records:
            create(self.alias)
            run = tables()[0].objects.using(self.alias).create(
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
        run, change = (model.objects.using(self.alias) for model in tables())
        if change.filter(run=self.number).exists():
            run.filter(pk=self.number).update(summary=summary)
        else:
            run.filter(pk=self.number).delete()
            self.number = None

    def unit(self) -> int:
        """Return a new number for changes that belong together."""
        return next(self._units)

    def changed(
        self,
        model: type[models.Model],
        changes: Iterable[Changed],
        units: Iterable[int] | None = None,
        aside: str = "",
    ) -> None:
        """Record changes to the rows of a model, within their transaction.

        ``units``: the unit of each change, or None. ``aside``: see `tables`.
        """
        if not self._records:
            return
        if self.number is None:
            raise RuntimeError("a change was made before prepare()")
        label = model._meta.label_lower
        each_unit = iter(units or ())
        rows = [
            (
                self.number, next(each_unit, None), label, _json(key), _json(before),
                None if after is None else _json(after), aside,
            )
            for key, before, after in changes
        ]  # fmt: skip
        columns = ["run", "unit", "model", "key", "before", "after", "aside"]
        Table(tables()[1], self.alias).insert_rows(columns, rows)

    def removed(
        self, model: type[models.Model], keys: Sequence[Mapping[str, Any]], units: Sequence[int]
    ) -> None:
        """Record rows of a table that are about to be removed."""
        if not self._records:
            return
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
            if link is not None and self._records:
                links = Table(model, self.alias).rows(keys, [link.column])
                self.removed_with_parents(parent, {links[key][0]: keys[key] for key in links})

    def deletion(self, instances: Sequence[Any]) -> None:
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
            self.changed(
                field.model,
                [
                    (
                        key_of_instance(each, connection),
                        {field.column: _prepared(each, field, connection)},
                        {field.column: value},
                    )
                    for each in chain.from_iterable(updated)
                ],
                repeat(unit),
            )
        deleted: list[Any] = [*chain(*collector.fast_deletes, *collector.data.values())]
        for change in database_rules.changes(deleted, self.alias):
            both = {change.column: change.before}, {change.column: change.after}
            self.changed(change.model, [(change.key, *both)], [unit])
        by_model: dict[Any, list[Any]] = {}
        for each in deleted:
            by_model.setdefault(each._meta.concrete_model, []).append(each)
        for model, some in by_model.items():
            keys = [key_of_instance(each, connection) for each in some]
            self.removed(model, keys, [unit] * len(keys))


def _prepared(instance: Any, field: Any, connection: Any) -> Any:
    return field.get_db_prep_value(getattr(instance, field.attname), connection)


def snapshots(
    model: type[models.Model], alias: str, keys: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any] | None]:
    """Return the whole row for each primary key, or None if there is no such row."""
    table, columns = table_of(model, alias), stored_columns(model)
    names = [field.column for field in key_fields(model)]
    if len(names) > 1:
        return [next(iter(table.exact(columns, key)), None) for key in keys]
    wanted = [key[names[0]] for key in keys]
    found = table.exact_rows(columns, wanted)
    return [found.get(str(key)) for key in wanted]


# The list of runs.


def forget(alias: str, numbers: Collection[int]) -> None:
    """Delete runs with all their changes. They cannot be undone any more."""
    run, change = (model.objects.using(alias) for model in tables())
    with transaction.atomic(using=alias):
        change.filter(run__in=numbers).delete()
        run.filter(pk__in=numbers).delete()


def runs(alias: str, *, older_than: int | None = None) -> list[Any]:
    """Return the runs, the newest first. ``older_than``: only runs at least this many days old."""
    if not are_there(alias):
        return []
    found = tables()[0].objects.using(alias).order_by("-pk")
    if older_than is not None:
        moment = datetime.now(UTC) - timedelta(days=older_than)
        found = found.filter(started__lte=f"{moment:{MOMENT}}")
    return list(found)


def lines(alias: str, found: Sequence[Any]) -> Iterator[str]:
    """Yield a line for each run, which begins with its number."""
    changes = tables()[1].objects.using(alias).filter(run__in=[run.pk for run in found])
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

"""Undoes a run from the `journal`, beginning with its last change.

A row that was changed since the run is not changed. A removed row is restored only if its key is
free, and only together with all its references. Changes that were undone are removed from the
journal in the same transaction. So an undo that was interrupted, or that could not restore
everything, can be run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain, groupby
from typing import Any, Final

import attrs
from django.apps import apps as installed_apps
from django.db import DatabaseError, IntegrityError, connections, models, transaction

from django_whatwg_url.beside.written import written_column
from django_whatwg_url.rows.journal import MOMENT, Entry, Run, damaged, encoded, snapshots
from django_whatwg_url.rows.journal import Change as JournalEntry
from django_whatwg_url.rows.options import Follow
from django_whatwg_url.rows.references import references_to
from django_whatwg_url.rows.report import masked
from django_whatwg_url.rows.table import Table, key_fields, key_of
from django_whatwg_url.rows.writing import Change, Writer, name_of_refusal

_BATCH_SIZE: Final = 500
_COLUMNS: Final = ["id", "unit", "model", "key", "before", "after"]
_LOST: Final = "the row that it belonged to was not restored"
_CHANGED: Final = "it has been changed since the run"
_REMOVED: Final = "the row has been removed"


@attrs.define
class Undone:
    """How many changes were undone, were not needed, and were not undone."""

    undone: int = 0
    there: int = 0
    changed_since: int = 0
    refused: int = 0


@attrs.frozen
class Left:
    """A change that was not undone: the model and the key of its row, and the reason."""

    model: str
    key: Mapping[str, Any]
    reason: str

    def shown(self) -> dict[str, Any]:
        """Return the change without passwords, as values that JSON can represent."""
        key = {
            name: masked(v) if isinstance(v, str) else encoded(v) for name, v in self.key.items()
        }
        return {"model": self.model, "key": key, "reason": self.reason}


class _LeftError(Exception):
    """Raised if a removed row cannot be restored, or not together with others."""

    def __init__(self, entry: Entry, reason: str = "") -> None:
        self.entry = entry
        self.reason = reason


def undo(
    number: int,
    alias: str,
    *,
    tell: Callable[[Left], object] = lambda _left: None,
    follow: Follow = lambda _model, _name: None,
) -> Undone:
    """Undo a run, and return how many changes were undone.

    Args:
        number: The number of the run.
        alias: The alias of the database.
        tell: Called with each change that was not undone.
        follow: Returns a function to call with the rows of each batch whose URL was written.

    Raises:
        ValueError: The models or the database lack a table or a column, or the journal has a change
            that the run cannot have made. Nothing was changed.
    """
    undoing = _Undoing(number, alias, tell, follow)
    undoing.require_columns()
    for page in undoing.pages():
        with undoing.changes.transaction():
            # The lock makes two undos of the same run wait for each other.
            Table(Run, alias).rows([number], [], lock=True)
            undoing.undo([Entry.read(row) for row in page])
    now = f"{datetime.now(UTC):{MOMENT}}"
    Run.objects.using(alias).filter(pk=number).update(undone=now)
    return undoing.result


@attrs.define(slots=False)
class _Undoing:
    """The undo of one run, and its result so far.

    ``lost``: the keys and unique values of removed rows that were not restored. Other rows may
    refer to them. ``finished``: the units that need no more work. ``writers``: by model and
    columns.
    """

    number: int
    alias: str
    tell: Callable[[Left], object]
    follow: Follow
    result: Undone = attrs.Factory(Undone)
    lost: set[tuple[str, str, str]] = attrs.Factory(set)
    finished: set[int] = attrs.Factory(set)
    writers: dict[tuple[Any, ...], Writer] = attrs.Factory(dict)

    @cached_property
    def changes(self) -> Table:
        """The table of the journal."""
        return Table(JournalEntry, self.alias)

    def pages(self) -> Iterator[Any]:
        """Yield querysets of the values of changes, the last change first."""
        found = JournalEntry.objects.using(self.alias).filter(run=self.number)
        ends = found.aggregate(first=models.Min("pk", default=0), last=models.Max("pk", default=-1))
        # PostgreSQL would read and sort all changes for each LIMIT, as long as it has not analyzed
        # the table.
        for end in range(ends["last"], ends["first"] - 1, -_BATCH_SIZE):
            page = found.filter(pk__gt=end - _BATCH_SIZE, pk__lte=end)
            yield page.order_by("-pk").values_list(*_COLUMNS)

    def units(self, numbers: Sequence[int]) -> list[list[Entry]]:
        """Return the changes of units, the last one first in each, in the order of ``numbers``."""
        # For a list of units, or in the order of the keys, PostgreSQL would read all changes of the
        # run, as long as it has not analyzed the table.
        between = min(numbers, default=0), max(numbers, default=0)
        found = JournalEntry.objects.using(self.alias).filter(run=self.number, unit__range=between)
        units: dict[int | None, list[Entry]] = {number: [] for number in numbers}
        for row in sorted(found.values_list(*_COLUMNS), reverse=True):
            if row[1] in units:
                units[row[1]].append(Entry.read(row))
        return [*units.values()]

    def require_columns(self) -> None:
        """Raise ValueError if a model or its table lacks a column, before anything is written.

        Likewise for a change of a model that does not refer to a model of the run.
        """
        needed: dict[str, set[str]] = {}
        for entry in map(Entry.read, chain.from_iterable(self.pages())):
            if entry.after is not None and not {*entry.after} <= {*entry.before}:
                raise ValueError(damaged(entry.id))
            needed.setdefault(entry.model, set()).update(entry.key, entry.before)
        if others := sorted(needed.keys() - self._models_that_may_change()):
            raise ValueError(
                f"The journal has changes of {', '.join(others)}, which the run cannot have made. "
                "Nothing was changed."
            )
        connection = connections[self.alias]
        missing: list[str] = []
        with connection.cursor() as cursor:
            names = {table.name for table in connection.introspection.get_table_list(cursor)}
            for label, columns in needed.items():
                try:
                    model = installed_apps.get_model(label)
                except LookupError:
                    missing.append(f"model {label}")
                    continue
                table = model._meta.db_table
                described: Any = (
                    connection.introspection.get_table_description(cursor, table)
                    if table in names
                    else ()
                )
                there = {column.name for column in described}
                fields: Any = model._meta.local_concrete_fields
                known = {field.column for field in fields}
                wanted = columns | (known if label in self._own_models() else set())
                missing += [f"{table}.{name}" for name in sorted(wanted - (there & known))]
        if missing:
            raise ValueError(
                f"The models or the database have no {', '.join(missing)}. Undo the rows before "
                "you undo migrations, with the code that has made the run, or migrate first. "
                "Nothing was changed."
            )

    def _models_that_may_change(self) -> set[str]:
        """Return the labels of the models of the run, and of all that refer to them.

        Models that do not exist any more are included, because they are reported as missing.
        """
        found, models_left = self._own_models(), list[Any]()
        for label in found:
            with suppress(LookupError):
                models_left.append(installed_apps.get_model(label))
        generic = {
            model._meta.label_lower
            for model in installed_apps.get_models()
            if any(hasattr(field, "ct_field") for field in model._meta.private_fields)
        }
        while models_left:
            model = models_left.pop()
            related = [*model._meta.parents] + [
                relation.related_model
                for relation in model._meta.get_fields(include_hidden=True)
                if relation.auto_created and not relation.concrete
            ]
            models_left += [each for each in related if each._meta.label_lower not in found]
            found.update(each._meta.label_lower for each in related)
        unknown = JournalEntry.objects.using(self.alias).filter(run=self.number)
        labels = {*unknown.values_list("model", flat=True).distinct()}
        known = {model._meta.label_lower for model in installed_apps.get_models(True)}
        return found | generic | (labels - known)

    def _own_models(self) -> set[str]:
        return {model.lower() for model, _dot, _name in self.columns}

    @cached_property
    def columns(self) -> list[tuple[str, str, str]]:
        """The columns of the run: the label of the model, a dot, and the name of the field."""
        run = Run.objects.using(self.alias).get(pk=self.number)
        return [label.rpartition(".") for label in run.columns.split(", ")]

    def undo(self, entries: Sequence[Entry]) -> None:
        """Undo changes. The last change of the run is the first of ``entries``."""
        for in_units, some in groupby(entries, key=lambda entry: entry.unit is not None):
            if in_units:
                found = dict.fromkeys(entry.unit for entry in some if entry.unit is not None)
                numbers = [number for number in found if number not in self.finished]
                self.finished.update(numbers)
                units = self.units(numbers)
                if not self._restore_at_once(units):
                    for unit in units:
                        self._restore(unit)
            else:
                for batch in _batches(some):
                    self._write_back(batch)

    def _done(self, entries: Iterable[Entry]) -> None:
        """Remove changes that were undone from the journal."""
        self.changes.delete([entry.id for entry in entries])

    # Changed rows.

    def _write_back(self, entries: Sequence[Entry]) -> None:
        model = _model(entries[0])
        (key_column, *others) = entries[0].key
        names = [*entries[0].before]
        fields = [_field(model, name) for name in names]
        table = Table(model, self.alias)
        writer = self._writer(model, *names)
        after = [
            key_of((each.after or {}).get(key_column, each.key[key_column])) for each in entries
        ]
        stored = table.rows(after, [*names, *others], lock=True)
        changes: dict[Any, tuple[Change, Entry]] = {}
        done: list[Entry] = []
        for key, entry in zip(after, entries, strict=True):
            now = [encoded(value) for value in stored.get(key, ())]
            before, since, rest = (
                [encoded(values[name]) for name in some]
                for values, some in (
                    (entry.before, names), (entry.after or {}, names), (entry.key, others)
                )
            )  # fmt: skip
            if self._is_lost(model, entry.key):
                self._leave(entry, _LOST)
            elif key not in stored:
                if fields[0].primary_key and table.rows([entry.key[key_column]], []):
                    done.append(entry)  # The URL is the key, and was not changed.
                    self.result.there += 1
                else:
                    self._leave(entry, _REMOVED)
            elif now == since + rest:
                values = [entry.before[name] for name in names]
                changes[key] = Change(key, stored[key][0], values[0], *values[1:]), entry
            elif now == before + rest:
                done.append(entry)
                self.result.there += 1
            else:
                self._leave(entry, _CHANGED)
        refused = {
            change.pk: error
            for change, error in writer.write([change for change, _entry in changes.values()])
        }
        for key, error in refused.items():
            self._refuse(changes.pop(key)[1], error)
        self.result.undone += len(changes)
        self._done([*done, *(entry for _change, entry in changes.values())])
        function = self.follow(model, fields[0].name)
        if function is not None and changes:
            is_key = fields[0].primary_key
            keys = [change.new if is_key else change.pk for change, _entry in changes.values()]
            function([*models.QuerySet(model).using(self.alias).filter(pk__in=keys)])

    def _writer(self, model: type[models.Model], *names: str) -> Writer:
        if (model, names) not in self.writers:
            references = references_to(model, self.alias, installed_apps)
            field, original = [*(_field(model, name) for name in names), None][:2]
            table = Table(model, self.alias)
            self.writers[model, names] = Writer(table, field, original, references)
        return self.writers[model, names]

    # Removed rows, with their references.

    def _restore_at_once(self, units: Sequence[Sequence[Entry]]) -> bool:
        """Undo units with few statements, and return whether that was possible.

        If anything differs from what the run left, nothing is changed. Then each unit is restored
        by itself.
        """
        entries = [entry for unit in units for entry in unit]
        changes = [entry for entry in entries if entry.after is not None]
        if self.lost or not all(entry.after for entry in changes):
            return False
        try:
            with self.changes.transaction():
                removed = _grouped(entry for entry in entries if entry.after is None)
                for rows in removed:
                    self._insert_at_once(rows)
                for rows in removed:
                    self._require_targets(rows)
                for some in _grouped(changes):
                    self._change_back_at_once(some)
                self.changes.check_constraints()
                self._done(entries)
        except (_LeftError, DatabaseError):
            if transaction.get_rollback(self.alias):
                raise  # The savepoint is gone too, as on a full disk, so the batch cannot go on.
            return False
        self.result.undone += len(entries)
        return True

    def _insert_at_once(self, rows: Sequence[Entry]) -> None:
        """Insert rows of one model whose keys are free. Raises `_LeftError`."""
        model = _model(rows[0])
        (column, *others) = rows[0].key
        keys = [entry.key[column] for entry in rows]
        if others or Table(model, self.alias).rows(keys, []):
            raise _LeftError(rows[0])
        self._insert_rows(rows)

    def _insert_rows(self, rows: Sequence[Entry]) -> None:
        # They may refer to rows that are inserted later. See `_require_targets`.
        with connections[self.alias].constraint_checks_disabled():
            Table(_model(rows[0]), self.alias).insert_rows(
                [*rows[0].before], [[*entry.before.values()] for entry in rows]
            )

    def _require_targets(self, rows: Sequence[Entry]) -> None:
        """Raise `_LeftError` if a row that one of these rows refers to has been removed."""
        # SQLite would check this only at the end of the whole transaction, and MySQL never would.
        for field in _model(rows[0])._meta.local_concrete_fields:
            restored = (entry.before for entry in rows if entry.after is None)
            values = {before.get(str(field.column)) for before in restored} - {None}
            if values and getattr(field, "db_constraint", False):
                target: Any = field.target_field  # type: ignore[attr-defined]  # a foreign key
                found = Table(target.model, self.alias, key=target).rows(values, [])
                if len(found) != len(values):
                    reason = f"the row that its {field.name!r} refers to is gone"
                    raise _LeftError(rows[0], reason)

    def _change_back_at_once(self, entries: Sequence[Entry]) -> None:
        """Restore columns of rows that hold what the run wrote. Raises `_LeftError`."""
        model, names = _model(entries[0]), [*entries[0].before]
        table = Table(model, self.alias)
        (column, *others) = entries[0].key
        keys = [key_of(entry.key[column]) for entry in entries]
        if others or len(set(keys)) < len(keys):
            raise _LeftError(entries[0])
        stored = table.rows(keys, names, lock=True)
        for key, entry in zip(keys, entries, strict=True):
            now = [encoded(value) for value in stored.get(key, ())]
            if now != [encoded((entry.after or {})[name]) for name in names]:
                raise _LeftError(entries[0])
        values = [(key, *entry.before.values()) for key, entry in zip(keys, entries, strict=True)]
        table.write([_field(model, name) for name in names], values)

    def _restore(self, entries: Sequence[Entry]) -> None:
        """Undo the changes of a unit, the last one first. All rows are restored, or none."""
        rows = [entry for entry in entries if entry.after is None or not entry.after]
        result, left = attrs.evolve(self.result), list[tuple[Entry, str]]()
        current = entries[0]
        table = self.changes
        try:
            with table.transaction():
                for current in rows:
                    if self._insert(current, entries):
                        result.undone += 1
                    else:
                        result.there += 1
                for current in rows:
                    self._require_targets([current])
                for current in entries:
                    if current not in rows:
                        reason = self._change_back(current, result)
                        left += [(current, reason)] if reason else []
                table.check_constraints()
                self._settle(entries, rows, left)
        except _LeftError as error:
            self._lose(rows)
            self._leave(error.entry, error.reason, len(entries))
        except DatabaseError as error:
            if transaction.get_rollback(self.alias):
                raise  # The savepoint is gone too, as on a full disk, so the batch cannot go on.
            self._lose(rows)
            self._refuse(current, error, len(entries))
        else:
            self.result = result
            for entry, reason in left:
                self._leave(entry, reason)

    def _insert(self, entry: Entry, entries: Sequence[Entry]) -> bool:
        """Insert a row unless it exists, and return whether it did not. Raises `_LeftError`."""
        model = _model(entry)
        if self._is_lost(model, entry.key) or self._refers_to_lost(model, entry.before):
            raise _LeftError(entry, _LOST)
        (now,) = snapshots(model, self.alias, [entry.key])
        if now is None:
            if entry.after is not None:
                raise _LeftError(entry, _REMOVED)
            self._insert_rows([entry])
            return True
        # The row may exist because an earlier undo restored it. That undo may also have changed the
        # columns that the run wrote.
        moved = {n for each in entries if each.model == entry.model for n in each.after or ()}
        own = {
            n for n in now if entry.after is not None and (n in moved or n in self._written(model))
        }
        compared = [name for name in entry.before if name not in own]
        if any(encoded(now.get(name)) != encoded(entry.before[name]) for name in compared):
            raise _LeftError(entry, "another row has its key")
        return False

    def _written(self, model: type[models.Model]) -> set[str]:
        """Return the columns of a model that the run was asked to write."""
        names = {name for label, _dot, name in self.columns if label == model._meta.label}
        fields: Any = [f for f in model._meta.local_concrete_fields if f.name in names]
        return {each.column for field in fields for each in (field, written_column(field)) if each}

    def _change_back(self, entry: Entry, result: Undone) -> str:
        """Restore columns of a row, and return "", or the reason why they cannot be restored."""
        model = _model(entry)
        if self._is_lost(model, entry.key):
            return _LOST
        table = Table(model, self.alias)
        if table.update_where(entry.before, {**entry.key, **(entry.after or {})}):
            result.undone += 1
            return ""
        if table.exact([], {**entry.key, **entry.before}):
            result.there += 1
            return ""
        return _CHANGED if table.exact([], entry.key) else _REMOVED

    def _settle(
        self, entries: Sequence[Entry], rows: Sequence[Entry], left: Sequence[tuple[Entry, str]]
    ) -> None:
        """Remove undone changes from the journal, but keep restored rows that others need."""
        kept = {entry.id for entry, _reason in left}
        if kept:
            field = JournalEntry._meta.get_field("after")
            self.changes.write([field], [(entry.id, "{}") for entry in rows])
            kept.update(entry.id for entry in rows)
        self._done([entry for entry in entries if entry.id not in kept])

    # Changes that cannot be undone.

    def _lose(self, rows: Iterable[Entry]) -> None:
        for entry in rows:
            fields: Any = _model(entry)._meta.local_concrete_fields
            for field in fields:
                value = entry.key.get(field.column, entry.before.get(field.column))
                if (field.primary_key or field.unique) and value is not None:
                    self.lost.add((entry.model, field.column, str(value)))

    def _is_lost(self, model: type[models.Model], key: Mapping[str, Any]) -> bool:
        first = key_fields(model)[0].column
        return (model._meta.label_lower, first, str(key[first])) in self.lost

    def _refers_to_lost(self, model: type[models.Model], row: Mapping[str, Any]) -> bool:
        if not self.lost:
            return False
        fields: Any = model._meta.local_concrete_fields
        return any(
            (target.model._meta.label_lower, target.column, str(row.get(field.column))) in self.lost
            for field in fields
            if field.remote_field is not None
            for target in [field.target_field]
        )

    def _leave(self, entry: Entry, reason: str, count: int = 1) -> None:
        self.result.changed_since += count
        self.tell(Left(entry.model, entry.key, reason))

    def _refuse(self, entry: Entry, error: Exception, count: int = 1) -> None:
        reason = f"the database refused it ({name_of_refusal(error)})"
        if isinstance(error, IntegrityError):
            name = name_of_refusal(error)
            reason = f"a constraint does not allow it, because of another row perhaps ({name})"
        self.result.refused += count
        self.tell(Left(entry.model, entry.key, reason))


def _grouped(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return lists of changes to the same columns of the same model."""
    groups: dict[Any, list[Entry]] = {}
    for entry in entries:
        kind = entry.model, tuple(entry.key), tuple(entry.before), tuple(entry.after or ())
        groups.setdefault(kind, []).append(entry)
    return [*groups.values()]


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield batches of changes to the same columns. No batch contains a row twice."""
    batch: list[Entry] = []
    keys: set[Any] = set()
    kind: Any = None
    for entry in entries:
        now = entry.model, tuple(entry.before), tuple(entry.key)
        key = next(iter(entry.key.values()))
        if batch and (now != kind or key in keys):
            yield batch
            batch, keys = [], set()
        kind = now
        keys.add(key)
        batch.append(entry)
    if batch:
        yield batch


def _model(entry: Entry) -> type[models.Model]:
    found: type[models.Model] = installed_apps.get_model(entry.model)
    return found


def _field(model: type[models.Model], column: str) -> Any:
    fields: Any = model._meta.local_concrete_fields
    return next(field for field in fields if field.column == column)

"""Undoes a run from the `journal`, beginning with its last change, and loads corrected text.

A row that was changed since the run is not changed. A removed row is restored only if its key is
free, and only together with all its references. Changes that were undone are removed from the
journal in the same transaction. So an undo that was interrupted, or that could not restore
everything, can be run again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import IO, Any, Final

import attrs
from django.apps import apps as installed_apps
from django.db import DatabaseError, IntegrityError, connections, models, transaction

from django_whatwg_url.canonicalizing.choices import AfterChange, Follow, Options
from django_whatwg_url.canonicalizing.foreign_keys import references_to
from django_whatwg_url.canonicalizing.journal import (
    MOMENT,
    Entry,
    are_there,
    encoded,
    key_fields,
    snapshots,
    table_of,
    tables,
)
from django_whatwg_url.canonicalizing.reading import Outcome, Reader, reader
from django_whatwg_url.canonicalizing.report import masked
from django_whatwg_url.canonicalizing.table import Table, key_of
from django_whatwg_url.canonicalizing.writing import Change, Writer, name_of_refusal

_BATCH_SIZE: Final = 500
_LOADED_AT_ONCE: Final = 5_000
_LONGEST_LINE: Final = 1 << 24  # characters
_COLUMNS: Final = ["id", "unit", "model", "key", "before", "after", "aside"]
_LOST: Final = "the row that it belonged to was not restored"
_CHANGED: Final = "it has been changed since the run"


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
    """Raised if a removed row cannot be restored."""

    def __init__(self, entry: Entry, reason: str) -> None:
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
        ValueError: The models or the database lack a table or a column. Nothing was changed.
    """
    undoing = _Undoing(number, alias, tell, follow)
    undoing.require_columns()
    before = None
    while True:
        with undoing.changes.transaction():
            # The lock makes two undos of the same run wait for each other.
            Table(tables()[0], alias).rows([number], [], lock=True)
            entries = undoing.page(before)
            if not entries:
                break
            undoing.undo(entries)
        before = entries[-1].id
    now = f"{datetime.now(UTC):{MOMENT}}"
    tables()[0].objects.using(alias).filter(pk=number).update(undone=now)
    return undoing.result


@attrs.define
class _Undoing:
    """The undo of one run, and its result so far.

    ``lost``: the keys and unique values of removed rows that were not restored. Other rows may
    refer to them.
    """

    number: int
    alias: str
    tell: Callable[[Left], object]
    follow: Follow
    result: Undone = attrs.Factory(Undone)
    lost: set[tuple[str, str, str]] = attrs.Factory(set)
    finished: set[int] = attrs.Factory(set)

    @property
    def changes(self) -> Table:
        """The table of the journal."""
        return Table(tables()[1], self.alias)

    def page(self, before: int | None) -> list[Entry]:
        """Return the next changes, the last one first."""
        found = tables()[1].objects.using(self.alias).filter(run=self.number).order_by("-pk")
        if before is not None:
            found = found.filter(pk__lt=before)
        return [Entry.read(row) for row in found.values_list(*_COLUMNS)[:_BATCH_SIZE]]

    def unit(self, number: int) -> list[Entry]:
        """Return the changes of a unit, the last one first."""
        found = tables()[1].objects.using(self.alias).filter(run=self.number, unit=number)
        return [Entry.read(row) for row in found.order_by("-pk").values_list(*_COLUMNS)]

    def require_columns(self) -> None:
        """Raise ValueError if a model or its table lacks a column, before anything is written."""
        needed: dict[str, set[str]] = {}
        before = None
        while entries := self.page(before):
            for entry in entries:
                needed.setdefault(entry.model, set()).update(entry.key, entry.before)
            before = entries[-1].id
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

    def _own_models(self) -> set[str]:
        columns = tables()[0].objects.using(self.alias).values_list("columns", flat=True)
        labels = columns.get(pk=self.number).split(", ")
        return {label.rpartition(".")[0].lower() for label in labels}

    def undo(self, entries: Sequence[Entry]) -> None:
        """Undo changes. The last change of the run is the first of ``entries``."""
        for in_units, some in groupby(entries, key=lambda entry: entry.unit is not None):
            if in_units:
                for unit in dict.fromkeys(entry.unit for entry in some):
                    if unit is not None and unit not in self.finished:
                        self.finished.add(unit)
                        self._restore(self.unit(unit))
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
        references = references_to(model, self.alias, installed_apps)
        writer = Writer(table, fields[0], fields[1] if len(fields) > 1 else None, references)
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
                    self._leave(entry, "the row has been removed")
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

    # Removed rows, with their references.

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
                    self._refer(current)
                    self._require_targets(current)
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
                raise _LeftError(entry, "the row has been removed")
            row = {**entry.before, **dict.fromkeys(self._references(entry))}
            table_of(model, self.alias).insert_rows([*row], [[*row.values()]])
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
        found = tables()[0].objects.using(self.alias).get(pk=self.number)
        names = {
            label.rpartition(".")[2]
            for label in found.columns.split(", ")
            if label.rpartition(".")[0] == model._meta.label
        }
        names |= {str(json.loads(found.options).get("keep_original"))}
        fields: Any = model._meta.local_concrete_fields
        return {field.column for field in fields if field.name in names}

    def _references(self, entry: Entry) -> dict[str, Any]:
        """Return the references to write after the other rows of the unit have been inserted.

        There are none on databases that can check references at the end of a transaction.
        """
        if connections[self.alias].features.can_defer_constraint_checks:
            return {}
        fields: Any = _model(entry)._meta.local_concrete_fields
        columns = [each.column for each in fields if each.remote_field is not None and each.null]
        return {name: entry.before[name] for name in columns if entry.before.get(name) is not None}

    def _refer(self, entry: Entry) -> None:
        """Write the references that `_insert` left out."""
        if entry.after is None and (references := self._references(entry)):
            table_of(_model(entry), self.alias).update_where(references, entry.key)

    def _require_targets(self, entry: Entry) -> None:
        """Raise `_LeftError` if a row that a restored row refers to has been removed."""
        # SQLite would check this only at the end of the whole transaction.
        model = _model(entry)
        for field in model._meta.local_concrete_fields:
            value = entry.before.get(str(field.column))
            if entry.after is None and value is not None and getattr(field, "db_constraint", False):
                target: Any = field.target_field  # type: ignore[attr-defined]  # a foreign key
                if not Table(target.model, self.alias, key=target).rows([value], []):
                    raise _LeftError(entry, f"the row that its {field.name!r} refers to is gone")

    def _change_back(self, entry: Entry, result: Undone) -> str:
        """Restore columns of a row, and return "", or the reason why they cannot be restored."""
        model = _model(entry)
        if self._is_lost(model, entry.key):
            return _LOST
        table = table_of(model, self.alias)
        if table.update_where(entry.before, {**entry.key, **(entry.after or {})}):
            result.undone += 1
            return ""
        if table.exact([], {**entry.key, **entry.before}):
            result.there += 1
            return ""
        return _CHANGED

    def _settle(
        self, entries: Sequence[Entry], rows: Sequence[Entry], left: Sequence[tuple[Entry, str]]
    ) -> None:
        """Remove undone changes from the journal, but keep restored rows that others need."""
        kept = {entry.id for entry, _reason in left}
        if kept:
            field = tables()[1]._meta.get_field("after")
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
        self.result.refused += count
        self.tell(Left(entry.model, entry.key, _refusal(error)))


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


def _refusal(error: Exception) -> str:
    """Return why the database has refused a row."""
    name = name_of_refusal(error)
    if isinstance(error, IntegrityError):
        return f"a constraint does not allow it, because of another row perhaps ({name})"
    return f"the database refused it ({name})"


def _model(entry: Entry) -> type[models.Model]:
    found: type[models.Model] = installed_apps.get_model(entry.model)
    return found


def _field(model: type[models.Model], column: str) -> Any:
    fields: Any = model._meta.local_concrete_fields
    return next(field for field in fields if field.column == column)


# Text that was put aside.


def columns_with_text_aside(alias: str) -> list[tuple[type[models.Model], str]]:
    """Return the columns with text that was put aside."""
    if not are_there(alias):
        return []
    rows = tables()[1].objects.using(alias).exclude(aside="").order_by("model", "aside")
    found = []
    for label, column in rows.values_list("model", "aside").distinct():
        with suppress(LookupError):
            model = installed_apps.get_model(label)
            found += [(model, f.name) for f in model._meta.local_fields if f.column == column]
    return found


def put_aside(model: type[models.Model], field: Any, alias: str) -> Iterator[Entry]:
    """Yield the changes that have put the text of a column aside, in the order of their numbers."""
    found = tables()[1].objects.using(alias).order_by("pk")
    found = found.filter(model=model._meta.label_lower, aside=field.column)
    last = 0
    while rows := list(found.filter(pk__gt=last).values_list(*_COLUMNS)[:_BATCH_SIZE]):
        yield from map(Entry.read, rows)
        last = rows[-1][0]


def key_shown(entry: Entry) -> Any:
    """Return the primary key of a row that was put aside, as in the file for `load`."""
    key = next(iter(entry.key.values()))
    return key.hex() if isinstance(key, bytes) else key


@attrs.define
class Loaded:
    """The result of loading a file. ``loaded``: how many rows got their text.

    ``unknown``: how many rows of the file were not put aside. ``refused``: the keys of the others,
    which are still aside, and the reasons.
    """

    loaded: int = 0
    unknown: int = 0
    refused: list[tuple[Any, str]] = attrs.Factory(list)


def load(
    path: str,
    model: type[models.Model],
    field: Any,
    alias: str,
    read: Reader,
    *,
    after_change: AfterChange | None = None,
) -> Loaded:
    """Store the URLs in a file in rows whose text was put aside, in canonical form.

    A row that has got a URL since is not changed.

    Args:
        path: A file of JSON lines or CSV with ``pk`` and ``text``, and nothing else.
        model: The model whose table has the column.
        field: The field of the column.
        alias: The alias of the database.
        read: Classifies text for the column.
        after_change: Called with the rows of each batch that got a text, in its transaction.

    Raises:
        OSError: The file cannot be read.
        ValueError: A line of the file is not as described. Nothing was changed.
    """
    for _line in lines_of(path):
        pass
    loaded = Loaded()
    batch: dict[str, str] = {}
    for pk, text in lines_of(path):
        batch[str(pk)] = text
        if len(batch) == _LOADED_AT_ONCE:
            _load(batch, model, field, alias, read, after_change, loaded)
    _load(batch, model, field, alias, read, after_change, loaded)
    return loaded


def _load(
    texts: dict[str, str],
    model: type[models.Model],
    field: Any,
    alias: str,
    read: Reader,
    after_change: AfterChange | None,
    loaded: Loaded,
) -> None:
    """Store texts by the keys of their rows, and remove them from ``texts``."""
    table, changes = Table(model, alias), Table(tables()[1], alias)
    writer = Writer(table, field, None, references_to(model, alias, installed_apps))
    entry_fields = [tables()[1]._meta.get_field(name) for name in ("after", "aside")]
    with table.transaction():
        entries = {}
        for entry in put_aside(model, field, alias) if texts else ():
            if str(key_shown(entry)) in texts:
                key = next(iter(entry.key.values()))
                entries[key_of(key)] = entry, read(texts[str(key_shown(entry))])
        others = [*next(iter(entries.values()))[0].key][1:] if entries else []
        stored = table.rows([*entries], [field.column, *others], lock=True)
        chosen = []
        for key, (entry, reading) in entries.items():
            expected = [None, *(encoded(entry.key.get(name)) for name in others)]
            if reading.outcome not in {Outcome.CHANGED, Outcome.UNCHANGED}:
                reason = reading.reason or str(reading.outcome)
                loaded.refused.append((key_shown(entry), reason))
            elif [encoded(value) for value in stored.get(key, ())] != expected:
                loaded.refused.append((key_shown(entry), "the row has been changed or removed"))
            else:
                chosen.append(Change(key, None, reading.href))
        refused = {change.pk: error for change, error in writer.write(chosen)}
        for key, error in refused.items():
            loaded.refused.append((key_shown(entries[key][0]), _refusal(error)))
        written = [change for change in chosen if change.pk not in refused]
        # An undo of the run still restores the text from before the run.
        changes.write(
            entry_fields,
            [
                (
                    entries[change.pk][0].id,
                    json.dumps({field.column: change.new}),
                    "",
                )
                for change in written
            ],
        )
        if after_change is not None and written:
            rows: Any = models.QuerySet(model).using(alias)
            after_change([*rows.filter(pk__in=[change.pk for change in written])])
    loaded.loaded += len(written)
    loaded.unknown += len(texts) - len({str(key_shown(entry)) for entry, _ in entries.values()})
    texts.clear()


def lines_of(path: str) -> Iterator[tuple[int | str, str]]:
    """Yield the key and the text of each line of a file. Raises OSError or ValueError."""
    with open(path, encoding="utf-8-sig", newline="") as file:  # noqa: PTH123  # a path as typed
        try:
            first = file.readline(_LONGEST_LINE)
            file.seek(0)
            yield from (
                _csv_lines(file) if not first.startswith("{") and first else _json_lines(file)
            )
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not UTF-8.") from None
        except _LineError as error:
            raise ValueError(f"{path}, line {error}. Nothing was changed.") from None


class _LineError(Exception):
    """Raised for a line that cannot be read. The message begins with its number."""


def _json_lines(file: IO[str]) -> Iterator[tuple[int | str, str]]:
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        value: Any = None
        with suppress(ValueError, RecursionError):
            value = json.loads(line, object_pairs_hook=_without_repeats)
        if not line.strip():
            continue
        if not isinstance(value, dict) or set(value) != {"pk", "text"}:
            raise _LineError(f"{number}: not a JSON object with only “pk” and “text”")
        pk, text = value["pk"], value["text"]
        if isinstance(pk, bool) or not isinstance(pk, int | str) or not isinstance(text, str):
            raise _LineError(f"{number}: “pk” must be a number or a string, “text” a string")
        yield pk, text


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is repeated")
    return found


def _csv_lines(file: IO[str]) -> Iterator[tuple[str, str]]:
    rows = csv.reader(file, strict=True)
    try:
        header = next(rows, [])
        if sorted(header) != ["pk", "text"]:
            raise _LineError("1: neither a JSON object nor a CSV header with “pk” and “text”")
        for row in rows:
            if len(row) != len(header):
                raise _LineError(f"{rows.line_num}: not two fields")
            values = dict(zip(header, row, strict=True))
            yield values["pk"], values["text"]
    except csv.Error as error:
        raise _LineError(f"{rows.line_num}: {error}") from None


# Spellings that a column has kept.


def restore_originals(
    model: type[models.Model],
    field: Any,
    kept: Any,
    alias: str,
    options: Options,
    after_change: AfterChange | None = None,
) -> int:
    """Restore kept spellings, empty the column that kept them, and return how many there were.

    A row whose URL has changed since is not changed. ``kept``: the field of the column with the
    spellings. ``after_change``: called with the rows of each batch whose URL was written, in its
    transaction.
    """
    table = Table(model, alias)
    read = reader(options, None)
    empty = None if kept.null else ""
    references: list[Any] = references_to(model, alias, model._meta.apps)
    writer = Writer(table, field, kept, references)
    restored = 0
    for page in table.pages([field.column, kept.column], options.batch_size):
        keys = [pk for pk, _text, spelling in page if spelling]
        if not keys:
            continue
        with table.transaction():
            rows = table.rows(keys, [field.column, kept.column], lock=True)
            changes = [
                Change(pk, text, spelling, empty)
                for pk, (text, spelling) in rows.items()
                if spelling and (text is None or read(spelling).href == text)
            ]
            refused = {change.pk for change, _error in writer.write(changes)}
            written = [change for change in changes if change.pk not in refused]
            restored += len(written)
            if after_change is not None and written:
                now = [each.new if field.primary_key else each.pk for each in written]
                after_change([*models.QuerySet(model).using(alias).filter(pk__in=now)])
    return restored

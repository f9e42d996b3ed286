"""Undoes a run from the files that it has written, beginning with its last change.

A row or a column that has been changed since the run stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import merge
from pathlib import Path
from typing import Any, Final

import attrs
from django.apps import apps as installed_apps
from django.db import DatabaseError, connections, models

from django_whatwg_url.canonicalizing.choices import AfterChange
from django_whatwg_url.canonicalizing.journal import (
    changes_path,
    key_fields,
    plain,
    removed_path,
    restored,
    table_of,
)
from django_whatwg_url.canonicalizing.references import references_to
from django_whatwg_url.canonicalizing.report import masked
from django_whatwg_url.canonicalizing.table import Key, Table, key_of
from django_whatwg_url.canonicalizing.writing import Change, Writer

_BATCH_SIZE: Final = 500
_BLOCK: Final = 1 << 16  # bytes
_MOST_WAITING: Final = 10_000
_LOST: Final = "the row that it referred to was not restored"


@attrs.define
class Undone:
    """How many changes were undone, were not needed, and were not undone.

    ``others``: how many lines are incomplete, or belong to another database or to no model.
    """

    undone: int = 0
    there: int = 0
    changed_since: int = 0
    refused: int = 0
    others: int = 0


@attrs.frozen
class Left:
    """A change that was not undone: the model and the key of its row, and the reason."""

    model: str
    key: Mapping[str, Any]
    reason: str

    def line(self) -> str:
        """Return it as a line of JSON, without passwords."""
        key = {
            name: masked(value) if isinstance(value, str) else value
            for name, value in self.key.items()
        }
        return json.dumps({"model": self.model, "key": key, "reason": self.reason})


@attrs.frozen
class _Waiting:
    """A removed row that the database refused by itself, and its line with the key."""

    table: Table
    row: Mapping[str, Any]
    line: Mapping[str, Any]
    error: DatabaseError

    def is_inserted(self) -> bool:
        """Insert the row, and return whether the database has taken it."""
        try:
            with self.table.transaction():
                self.table.insert({**self.row, **dict.fromkeys(self._references())})
        except DatabaseError:
            return False
        return True

    def refer(self) -> None:
        """Write the references that were left out."""
        if references := self._references():
            self.table.update_where(references, self.line["key"])

    def _references(self) -> dict[str, Any]:
        """Return the columns to write when the other rows are there.

        Most databases check references at the end of a transaction, so nothing is left out there.
        """
        if self.table.connection.features.can_defer_constraint_checks:
            return {}
        fields: Any = self.table.model._meta.local_concrete_fields
        columns = [each.column for each in fields if each.remote_field is not None and each.null]
        return {name: self.row[name] for name in columns if self.row.get(name) is not None}


@attrs.define
class _Undoing:
    """The tables that are written, and what happened so far."""

    model: type[models.Model]
    field: Any
    alias: str
    tell: Callable[[Left], object]
    after_change: AfterChange | None = None
    result: Undone = attrs.Factory(Undone)
    lost: set[Any] = attrs.Factory(set)
    waiting: list[_Waiting] = attrs.Factory(list)

    def undo(self, lines: Sequence[dict[str, Any]]) -> None:
        """Undo lines of one kind and one model, of which no two have the same row."""
        if "columns" not in lines[0]:
            for line in lines:
                self._insert(line)
            return
        self.insert_waiting()
        if self._is_own(lines[0]):
            self._write_back(lines)
        else:
            for line in lines:
                self._refer_back(line)

    def _is_own(self, line: Mapping[str, Any]) -> bool:
        is_model = line["model"] == self.model._meta.label_lower
        return is_model and self.field.column in line["columns"]

    # Texts of the column, and of the column that has kept or taken them.

    def _write_back(self, lines: Sequence[dict[str, Any]]) -> None:
        (key_column,) = lines[0]["key"]
        url, *others = lines[0]["columns"]
        other = next((self._named(self.model, name) for name in others), None)
        table = Table(self.model, self.alias)
        writer = Writer(table, self.field, other, references_to(self.model, self.alias, _apps))
        after = [
            key_of(restored(line["columns"].get(key_column, (0, line["key"][key_column]))[1]))
            for line in lines
        ]
        with table.transaction():
            stored = table.rows(after, [url, *others], lock=True)
            changes: dict[Key, tuple[Change, dict[str, Any]]] = {}
            for key, line in zip(after, lines, strict=True):
                values = {name: line["columns"][name] for name in (url, *others)}
                now = None if key not in stored else [plain(value) for value in stored[key]]
                if now == [both[1] for both in values.values()]:
                    before = [restored(both[0]) for both in values.values()]
                    change = Change(key, stored[key][0], before[0], *before[1:])
                    changes[key] = change, line
                elif now == [both[0] for both in values.values()]:
                    self.result.there += 1
                elif now is None and restored(line["key"][key_column]) in table.rows(
                    [restored(line["key"][key_column])], []
                ):
                    self.result.there += 1  # The URL is the key, and was not changed.
                else:
                    self._leave(line, "the row has been removed" if now is None else "")
            refused = writer.write([change for change, _line in changes.values()])
            self._call_after_change(
                {
                    change.new if self.field.primary_key else key
                    for key, (change, _) in changes.items()
                }
                - {change.pk for change, _error in refused}
            )
        for change, error in refused:
            self._refuse(changes[change.pk][1], error)
        self.result.undone += len(changes) - len(refused)

    def _call_after_change(self, keys: Collection[Key]) -> None:
        if self.after_change is not None and keys:
            rows: Any = models.QuerySet(self.model).using(self.alias)
            self.after_change([*rows.filter(pk__in=keys)])

    # Rows.

    def _insert(self, line: dict[str, Any]) -> None:
        row = {name: restored(value) for name, value in line.get("run", line)["row"].items()}
        model = _model(line)
        table = table_of(model, self.alias)
        key = {field.column: row[field.column] for field in key_fields(model)}
        if "of" in line or len(self.waiting) >= _MOST_WAITING:
            self.insert_waiting()
        if self._is_lost(line):
            self._leave({**line, "key": key}, _LOST)
            return
        try:
            with table.transaction():
                found = table.where([*row], key, lock=True)
                if not found:
                    table.insert(row)
                    table.check_constraints()
        except DatabaseError as error:
            line = {**line, "key": key}
            self.waiting.append(_Waiting(table, row, line, error.with_traceback(None)))
            return
        if not found:
            self.result.undone += 1
        elif [plain(value) for value in found[0]] == [plain(value) for value in row.values()]:
            self.result.there += 1
        else:
            self.lost.add((line["model"], *key.values()))
            self._leave({**line, "key": key}, "another row has its key")

    def insert_waiting(self) -> None:
        """Insert the rows that were refused, at once, because they may refer to each other."""
        waiting, self.waiting = self.waiting, []
        refused = waiting
        if len(waiting) > 1:
            there: list[_Waiting] = []
            left: list[_Waiting] = []
            table = waiting[0].table
            try:
                with table.transaction():
                    for each in waiting:
                        (there if each.is_inserted() else left).append(each)
                    for each in there:
                        each.refer()
                    table.check_constraints()
            except DatabaseError:
                pass  # A reference leads nowhere, so all of them stay away.
            else:
                self.result.undone += len(there)
                refused = left
        for each in refused:
            self.lost.add((each.line["model"], *each.line["key"].values()))
            self._refuse(each.line, each.error)

    # References, and other columns of other tables.

    def _refer_back(self, line: dict[str, Any]) -> None:
        model = _model(line)
        table = table_of(model, self.alias)
        columns = {
            name: [restored(value) for value in both] for name, both in line["columns"].items()
        }
        key = {name: restored(value) for name, value in line["key"].items()}
        before = {name: both[0] for name, both in columns.items()}
        after = {name: both[1] for name, both in columns.items()}
        if self._is_lost(line):
            self._leave(line, _LOST)
            return
        try:
            with table.transaction():
                number = table.update_where(before, {**key, **after})
                table.check_constraints()
                is_there = not number and bool(table.where([], {**key, **before}))
        except DatabaseError as error:
            self._refuse(line, error)
            return
        if number:
            self.result.undone += 1
        elif is_there:
            self.result.there += 1
        else:
            self._leave(line)

    # What is left.

    def _is_lost(self, line: Mapping[str, Any]) -> bool:
        """Return whether the row that a reference belonged to could not be restored."""
        return (self.model._meta.label_lower, line.get("of")) in self.lost

    def _leave(self, line: Mapping[str, Any], reason: str = "") -> None:
        self.result.changed_since += 1
        self.tell(Left(line["model"], line["key"], reason or "it has been changed since the run"))

    def _refuse(self, line: Mapping[str, Any], error: Exception) -> None:
        # Do not show the database's own message, because it quotes texts with passwords.
        self.result.refused += 1
        reason = f"the database refused it ({type(error).__name__})"
        self.tell(Left(line["model"], line["key"], reason))

    @staticmethod
    def _named(model: type[models.Model], column: str) -> Any:
        fields: Any = model._meta.local_concrete_fields
        return next(field for field in fields if field.column == column)


_apps: Any = installed_apps


def undo(
    path: str,
    model: type[models.Model],
    field: Any,
    alias: str,
    *,
    tell: Callable[[Left], object] = lambda _left: None,
    after_change: AfterChange | None = None,
) -> Undone:
    """Undo a run, and return how many changes were undone.

    Args:
        path: The path of the file with the rows that the run has removed. The file with the other
            changes is next to it. One of the two may be missing.
        model: The model whose table has the column.
        field: The field of the column.
        alias: The alias of the database.
        tell: Called with each change that was not undone.
        after_change: Called with the rows of each batch whose URL was written, in its transaction.

    Raises:
        OSError: Neither file can be read.
        ValueError: A table lacks a column that the files or the model have. Nothing was changed.
    """
    removed = removed_path(Path(path))
    paths = [each for each in (removed, changes_path(removed)) if each.exists()] or [removed]
    _require_columns(paths, model, alias)
    undoing = _Undoing(model, field, alias, tell, after_change)
    streams = [_lines(each, alias, undoing.result) for each in paths]
    for batch in _batches(merge(*streams, key=_number, reverse=True)):
        undoing.undo(batch)
    undoing.insert_waiting()
    return undoing.result


def _require_columns(paths: Sequence[Path], model: type[models.Model], alias: str) -> None:
    """Raise ValueError if the database lacks a column, before anything is written."""
    own: Any = model._meta.local_concrete_fields
    needed: dict[type[models.Model], set[str]] = {
        model: {field.column for field in own if field.column}
    }
    for path in paths:
        for line in _lines(path, alias, Undone()):
            row = line.get("run", line).get("row", {})
            names = {*row, *line.get("columns", ()), *line.get("key", ())}
            needed.setdefault(_model(line), set()).update(names)
    connection = connections[alias]
    missing = []
    with connection.cursor() as cursor:
        tables = {table.name for table in connection.introspection.get_table_list(cursor)}
        for kind, names in needed.items():
            name = kind._meta.db_table
            described: Any = (
                connection.introspection.get_table_description(cursor, name)
                if name in tables
                else ()
            )
            there = {column.name for column in described}
            missing += [f"{name}.{column}" for column in sorted(names - there)]
    if missing:
        raise ValueError(
            f"The database has no {', '.join(missing)}. Undo the rows before you undo migrations,"
            f" with the code that has written the file, or migrate first. Nothing was changed."
        )


def _number(line: Mapping[str, Any]) -> int:
    number: int = line.get("run", line)["n"]
    return number


def _lines(path: Path, alias: str, result: Undone) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file, beginning with the last."""
    for text in _reversed_lines(path):
        try:
            line = json.loads(text)
            is_ours = line.get("run", line)["database"] == alias
            installed_apps.get_model(line["model"])
        except (ValueError, TypeError, KeyError, AttributeError, LookupError):
            is_ours = False
        if is_ours:
            yield line
        else:
            result.others += 1


def _reversed_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file that are not empty, beginning with the last."""
    with path.open("rb") as file:
        position = file.seek(0, 2)
        pieces: list[bytes] = []  # of one line, beginning with its end
        while position:
            size = min(_BLOCK, position)
            position -= size
            file.seek(position)
            first, *lines = file.read(size).split(b"\n")
            while lines:
                pieces.append(lines.pop())
                if line := b"".join(reversed(pieces)):
                    yield line
                pieces = []
            pieces.append(first)
        if line := b"".join(reversed(pieces)):
            yield line


def _batches(lines: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield lines of the same kind, in batches in which no row comes twice."""
    batch: list[dict[str, Any]] = []
    kind: Any = None
    keys: set[str] = set()
    for line in lines:
        now = line["model"], tuple(line.get("columns", ())) if "columns" in line else None
        key = json.dumps(line.get("key") or line.get("run", line)["row"])
        if batch and (now != kind or key in keys or len(batch) == _BATCH_SIZE):
            yield batch
            batch, keys = [], set()
        kind = now
        keys.add(key)
        batch.append(line)
    if batch:
        yield batch


def _model(line: Mapping[str, Any]) -> type[models.Model]:
    found: type[models.Model] = installed_apps.get_model(line["model"])
    return found

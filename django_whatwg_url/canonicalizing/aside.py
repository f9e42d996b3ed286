"""Removes text that should not stay from its column, or moves it to another column or to a file.

A file can be loaded back. It contains the original texts, including passwords, so only its owner
may read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs
from django.db import IntegrityError, models
from django.db.models.deletion import ProtectedError, RestrictedError

from django_whatwg_url.canonicalizing.choices import Disposal, Disposing, Options
from django_whatwg_url.canonicalizing.database_rules import fields_with_rules, referring
from django_whatwg_url.canonicalizing.journal import Journal, stored_columns
from django_whatwg_url.canonicalizing.reading import Outcome, Reading
from django_whatwg_url.canonicalizing.references import Reference
from django_whatwg_url.canonicalizing.report import Row
from django_whatwg_url.canonicalizing.table import Key, Table

_OWNER_ONLY: Final = 0o600
_DONE: Final = {
    Disposal.REPORT: "reported",
    Disposal.KEEP: "kept",
    Disposal.NULL: "set to NULL",
    Disposal.DELETE: "deleted",
    Disposal.COLUMN: "moved to a column",
    Disposal.FILE: "moved to a file",
}


def append_lines(path: str, lines: Iterable[str]) -> None:
    """Append lines to a file, and return only when they are on the disk.

    The rows are changed after that, so no text can be lost. The file is created if it does not
    exist, and only its owner can read it.
    """
    data = "".join(f"{line}\n" for line in lines).encode("ascii")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, _OWNER_ONLY)
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, _OWNER_ONLY)
        size = file.seek(0, os.SEEK_END)
        # A run was killed while writing the last line. Its row was not changed, so keep the line
        # apart from the new ones.
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        while data:
            data = data[file.write(data) or 0 :]
        os.fsync(descriptor)


class Asides:
    """Applies the choices to text that should not stay, within the caller's transaction."""

    def __init__(
        self,
        table: Table,
        field: Any,
        options: Options,
        references: Sequence[Reference],
        journal: Journal,
    ) -> None:
        self._journal = journal
        self._table = table
        self._field = field
        self._references = references
        self._rules_of_the_database = fields_with_rules(table.model)
        self._choices: Mapping[Outcome, Disposing] = {
            Outcome.UNPARSABLE: options.on_invalid,
            Outcome.TOO_LONG: options.on_too_long,
            Outcome.EMPTY: options.on_empty,
            Outcome.NOT_ALLOWED: options.on_not_allowed,
        }
        self._dry_run = options.dry_run
        meta: Any = table.model._meta
        for choice in self._choices.values():
            if choice.disposal in {Disposal.NULL, Disposal.COLUMN} and not field.null:
                raise ValueError(
                    f"{choice.disposal}: {field.name!r} cannot be NULL. Set null=True on it first."
                )
            if choice.disposal is Disposal.FILE and not field.null and meta.parents:
                raise ValueError(
                    f"file: the rows of {meta.label} are spread over several tables, and "
                    f"{field.name!r} cannot be NULL. Set null=True on it first."
                )
        self.columns: dict[str, Any] = {
            choice.place: meta.get_field(choice.place)
            for choice in self._choices.values()
            if choice.disposal is Disposal.COLUMN
        }
        if field.name in self.columns:
            raise ValueError(f"column:{field.name} is the column of the URLs. Name another one.")

    def choice(self, outcome: Outcome) -> Disposing:
        """Return the choice for text with this outcome."""
        return self._choices[outcome]

    def dispose(self, rows: Sequence[tuple[Key, Any, Reading]]) -> list[Row]:
        """Apply the choices to locked rows, and return what happened to each."""
        answer: list[Row] = []
        for outcome, choice in self._choices.items():
            some = [row for row in rows if row[2].outcome is outcome]
            if some:
                answer += self._dispose(some, choice)
        return answer

    def _dispose(self, rows: Sequence[tuple[Key, Any, Reading]], choice: Disposing) -> list[Row]:
        if choice.disposal is Disposal.COLUMN:
            reasons = self._without_room(rows, self.columns[choice.place])
            left = [
                attrs.evolve(
                    _row(row, "reported"), reason=f"{row[2].reason} {reasons[row[0]]}".strip()
                )
                for row in rows
                if row[0] in reasons
            ]
            if left:
                rows = [row for row in rows if row[0] not in reasons]
                return [*left, *(self._dispose(rows, choice) if rows else [])]
        done = _DONE[choice.disposal]
        if self._dry_run and not choice.leaves_the_row:
            return [_row(row, f"to be {done}") for row in rows]
        match choice.disposal:
            case Disposal.NULL:
                self._record(rows)
                self._table.write([self._field], [(pk, None) for pk, _text, _reading in rows])
            case Disposal.COLUMN:
                fields = [self._field, self.columns[choice.place]]
                self._record(rows, self.columns[choice.place])
                values = [(pk, None, text) for pk, text, _reading in rows]
                self._table.write(fields, values)
            case Disposal.DELETE:
                return [self._delete(row, done) for row in rows]
            case Disposal.FILE:
                return self._move_to_file(rows, choice.place, done)
        cleared = not choice.leaves_the_row
        return [attrs.evolve(_row(row, done), cleared=cleared) for row in rows]

    def _without_room(self, rows: Sequence[tuple[Key, Any, Reading]], place: Any) -> dict[Key, str]:
        """Return the keys of rows whose text cannot move to the column of ``place``, and why."""
        stored = self._table.rows([row[0] for row in rows], [place.column])
        limit = place.max_length
        reasons = {}
        for pk, text, _reading in rows:
            if stored.get(pk, (None,))[0] not in {None, "", text}:
                reasons[pk] = f"{place.name!r} holds other text."
            elif limit is not None and len(text) > limit:
                reasons[pk] = f"It is too long for {place.name!r}."
        return reasons

    def _record(self, rows: Sequence[tuple[Key, Any, Reading]], place: Any = None) -> None:
        """Record that the texts become NULL, or move to the column of ``place``."""
        names = [] if place is None else [place.column]
        stored = self._table.rows([row[0] for row in rows], names) if names else {}
        key: Any = self._table.model._meta.pk
        for pk, text, _reading in rows:
            columns = {self._field.column: [text, None]}
            columns |= {name: [stored[pk][0], text] for name in names}
            self._journal.changed(self._table.model, {key.column: pk}, columns)

    def _delete(self, row: tuple[Key, Any, Reading], done: str) -> Row:
        try:
            with self._table.transaction():
                self._refuse_references([row[0]])
                self._record_deletion(row)
                self._delete_instances([row[0]])
                self._table.check_constraints()
        except (IntegrityError, ProtectedError, RestrictedError) as error:
            return attrs.evolve(
                _row(row, "reported"),
                reason=f"{row[2].reason} It cannot be deleted ({type(error).__name__}).".strip(),
            )
        return attrs.evolve(_row(row, done), removed=True)

    def _refuse_references(self, keys: Sequence[Key]) -> None:
        """Make other transactions wait that would add references which the database deletes."""
        if self._rules_of_the_database:
            self._table.rows(keys, [], lock=True, refuse_references=True)

    def _referring(self, keys: Sequence[Key]) -> dict[Key, str]:
        table = self._table
        return referring(self._rules_of_the_database, table.model, table.alias, keys)

    def _record_deletion(self, row: tuple[Key, Any, Reading]) -> None:
        if self._field.primary_key:
            # Only the row is recorded and deleted, so the database must not delete more.
            for label in self._referring([row[0]]).values():
                raise IntegrityError(f"{label} refers to the row")
            texts = {row[0]: row[1]}
            self._journal.removed(self._journal.removals(self._table, texts, self._field))
            return
        rows: Any = models.QuerySet(self._table.model).using(self._table.alias)
        self._journal.record_deletion([*rows.filter(pk=row[0])], self._table.alias)

    def _delete_instances(self, keys: Sequence[Key]) -> None:
        if self._field.primary_key:
            self._table.delete(keys)
        else:
            rows: Any = models.QuerySet(self._table.model).using(self._table.alias)
            rows.filter(pk__in=list(keys)).delete()

    def _move_to_file(
        self, rows: Sequence[tuple[Key, Any, Reading]], path: str, done: str
    ) -> list[Row]:
        """Write the texts to the file, then set the column to NULL or delete the rows."""
        if self._field.null:
            lines = (self._line(pk, text) for pk, text, _reading in rows)
            append_lines(path, lines)
            self._record(rows)
            self._table.write([self._field], [(pk, None) for pk, _text, _reading in rows])
            return [attrs.evolve(_row(row, done), cleared=True) for row in rows]
        keys = [row[0] for row in rows]
        self._refuse_references(keys)
        pointed_at = self._pointed_at(keys) | self._referring(keys)
        moved = [row for row in rows if row[0] not in pointed_at]
        whole = {pk: self._serialized(pk) for pk, _text, _reading in moved}
        append_lines(path, (self._line(pk, text, whole[pk]) for pk, text, _reading in moved))
        if moved:
            texts = {row[0]: row[1] for row in moved}
            self._journal.removed(self._journal.removals(self._table, texts, self._field))
            self._delete_instances([row[0] for row in moved])
        answer = [attrs.evolve(_row(row, done), removed=True) for row in moved]
        for row in rows:
            if row[0] in pointed_at:
                reason = f"{row[2].reason} {pointed_at[row[0]]} refers to it.".strip()
                answer.append(attrs.evolve(_row(row, "reported"), reason=reason))
        return answer

    def _pointed_at(self, keys: Sequence[Key]) -> dict[Key, str]:
        found: dict[Key, str] = {}
        for reference in self._references:
            values: dict[Any, Key] = {reference.held(key): key for key in keys}
            values.pop(None, None)
            if not reference.target.primary_key:
                stored = self._table.rows(keys, [reference.target.column])
                values = {row[0]: key for key, row in stored.items() if row[0] is not None}
            for key, number in reference.count(values).items() if values else ():
                if number:
                    found[key] = reference.label
        return found

    def _line(self, pk: Key, text: Any, row: Mapping[str, Any] | None = None) -> str:
        meta = self._table.model._meta
        line = {"model": meta.label, "field": self._field.name, "pk": _plain(pk), "text": text}
        return json.dumps(line if row is None else line | {"row": row}, default=str)

    def _serialized(self, pk: Key) -> dict[str, Any]:
        """Return the values of a whole row in the database, by the names of the columns."""
        columns = stored_columns(self._table.model)
        ((values),) = self._table.rows([pk], columns).values()
        return {name: _plain(value) for name, value in zip(columns, values, strict=True)}


def _row(row: tuple[Key, Any, Reading], done: str) -> Row:
    pk, text, reading = row
    return Row(
        pk=pk, outcome=reading.outcome, text=text, error=reading.error, reason=reading.reason,
        done=done,
    )  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {"hex": bytes(value).hex()}
    return value

"""Removes text that is not a URL, or that the field refuses, as the options say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from django.db import IntegrityError, models
from django.db.models import ProtectedError, RestrictedError

from django_whatwg_url.rows.database_rules import fields_with_rules, referring
from django_whatwg_url.rows.journal import Journal
from django_whatwg_url.rows.options import Disposal, Options
from django_whatwg_url.rows.reading import Outcome, Reading
from django_whatwg_url.rows.references import Reference
from django_whatwg_url.rows.report import Row
from django_whatwg_url.rows.table import Key, Table

_DONE: Final = {
    Disposal.REPORT: "reported",
    Disposal.KEEP: "kept",
    Disposal.NULL: "set to NULL",
    Disposal.DELETE: "deleted",
}


_Bad = tuple[Key, Any, Reading]
_Others = Mapping[Key, Mapping[str, Any]]


class Disposer:
    """Applies the choices to unwanted text, within the caller's transaction."""

    def __init__(
        self,
        table: Table,
        field: Any,
        options: Options,
        references: Sequence[Reference],
        journal: Journal,
    ) -> None:
        self._journal = journal
        self._incoming = [reference for reference in references if reference.target is field]
        self._table = table
        self._field = field
        self._rules_of_the_database = fields_with_rules(table.model)
        self._choices: Mapping[Outcome, Disposal] = {
            Outcome.UNPARSABLE: options.on_invalid,
            Outcome.TOO_LONG: options.on_too_long,
            Outcome.EMPTY: options.on_empty,
            Outcome.NOT_ALLOWED: options.on_not_allowed,
        }
        self._dry_run = options.dry_run
        for choice in self._choices.values():
            if choice is Disposal.NULL and not field.null:
                raise ValueError(f"null: {field.name!r} cannot be NULL. Set null=True on it first.")

    def dispose(self, rows: Sequence[_Bad], others: _Others) -> list[Row]:
        """Apply the choices to locked rows, and return what happened to each.

        ``others``: by key, values of other columns that an undo also compares.
        """
        answer: list[Row] = []
        for outcome, choice in self._choices.items():
            some = [row for row in rows if row[2].outcome is outcome]
            if some:
                answer += self._dispose(some, choice, others)
        return answer

    def _dispose(self, rows: Sequence[_Bad], choice: Disposal, others: _Others) -> list[Row]:
        if choice is Disposal.NULL:
            reasons = self._referred_to(rows)
            left = [
                attrs.evolve(
                    _row(row, "reported"), reason=f"{row[2].reason} {reasons[row[0]]}".strip()
                )
                for row in rows
                if row[0] in reasons
            ]
            if left:
                rows = [row for row in rows if row[0] not in reasons]
                return [*left, *(self._dispose(rows, choice, others) if rows else [])]
        done = _DONE[choice]
        if self._dry_run and not choice.leaves_the_row:
            return [_row(row, f"to be {done}") for row in rows]
        if choice is Disposal.DELETE:
            return [self._delete(row, done) for row in rows]
        if choice is Disposal.NULL:
            self._record(rows, others)
            self._table.write([self._field], [(pk, None) for pk, _text, _reading in rows])
        cleared = not choice.leaves_the_row
        return [attrs.evolve(_row(row, done), cleared=cleared) for row in rows]

    def _referred_to(self, rows: Sequence[_Bad]) -> dict[Key, str]:
        """Return the keys of rows whose text a foreign key refers to, each with a sentence."""
        keys = {text: pk for pk, text, _reading in rows}
        return {
            pk: f"{reference.label} refers to it."
            for reference in self._incoming
            for pk in reference.count(keys)
        }

    def _record(self, rows: Sequence[_Bad], others: _Others) -> None:
        """Record that the text of rows becomes NULL."""
        name = self._field.column
        key: Any = self._table.model._meta.pk
        changes = [
            ({key.column: pk, **others[pk]}, {name: text}, {name: None})
            for pk, text, _reading in rows
        ]
        self._journal.changed(self._table.model, changes)

    def _delete(self, row: _Bad, done: str) -> Row:
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
        """Block other transactions from adding references that the database would delete."""
        if self._rules_of_the_database:
            self._table.rows(keys, [], lock=True, refuse_references=True)

    def _referring(self, keys: Sequence[Key]) -> dict[Key, str]:
        table = self._table
        return referring(self._rules_of_the_database, table.model, table.alias, keys)

    def _record_deletion(self, row: _Bad) -> None:
        if self._field.primary_key:
            # Only the row is recorded and deleted, so the database must not delete more. SQLite
            # would look at other references only at the end of the batch.
            keys = {row[0]: row[0]}
            referring = [each for each in self._incoming if each.content_types is None]
            if self._referring([row[0]]) or any(each.count(keys) for each in referring):
                raise IntegrityError("something refers to the row")
            self._journal.removed_with_parents(self._table.model, {row[0]: self._journal.unit()})
            return
        rows: Any = models.QuerySet(self._table.model).using(self._table.alias)
        self._journal.deleted([*rows.filter(pk=row[0])])

    def _delete_instances(self, keys: Sequence[Key]) -> None:
        if self._field.primary_key:
            self._table.delete(keys)
        else:
            rows: Any = models.QuerySet(self._table.model).using(self._table.alias)
            rows.filter(pk__in=list(keys)).delete()


def _row(row: _Bad, done: str) -> Row:
    pk, text, reading = row
    return Row(
        pk=pk, outcome=reading.outcome, text=text, error=reading.error, reason=reading.reason,
        done=done,
    )  # fmt: skip

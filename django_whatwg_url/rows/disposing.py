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


_Bad = tuple[Key, Any, Reading, Mapping[str, Any]]
"""A row's key, its text, why it is unwanted, and values of columns that an undo compares too."""


@attrs.define(slots=False)
class Disposer:
    """Applies the choices to unwanted text, within the caller's transaction."""

    _table: Table
    _field: Any
    _options: Options
    _references: Sequence[Reference]
    _journal: Journal

    def __attrs_post_init__(self) -> None:
        options, field = self._options, self._field
        self._incoming = [each for each in self._references if each.target is field]
        self._rules_of_the_database = fields_with_rules(self._table.model)
        self.choices: Mapping[Outcome, Disposal] = {
            Outcome.UNPARSABLE: options.on_invalid,
            Outcome.TOO_LONG: options.on_too_long,
            Outcome.EMPTY: options.on_empty,
            Outcome.NOT_ALLOWED: options.on_not_allowed,
        }
        if Disposal.NULL in self.choices.values() and not field.null:
            raise ValueError(f"null: {field.name!r} cannot be NULL. Set null=True on it first.")

    def dispose(self, rows: Sequence[_Bad]) -> list[Row]:
        """Apply the choices to locked rows, and return what happened to each."""
        answer: list[Row] = []
        for outcome, choice in self.choices.items():
            some = [row for row in rows if row[2].outcome is outcome]
            if some:
                answer += self._dispose(some, choice)
        return answer

    def _dispose(self, rows: Sequence[_Bad], choice: Disposal) -> list[Row]:
        done, left = _DONE[choice], list[Row]()
        if choice is Disposal.NULL:
            keys = {text: pk for pk, text, *_rest in rows}
            # The foreign key would refer to nothing.
            reasons = {
                pk: f"{reference.label} refers to it."
                for reference in self._incoming
                for pk in reference.count(keys)
            }
            left = [_row(row, "reported", reasons[row[0]]) for row in rows if row[0] in reasons]
            rows = [row for row in rows if row[0] not in reasons]
        if self._options.dry_run and not choice.leaves_the_row:
            return [*left, *(_row(row, f"to be {done}") for row in rows)]
        if choice is Disposal.DELETE:
            return [self._delete(row, done) for row in rows]
        if choice is Disposal.NULL:
            name, pk = self._field.column, self._table.model._meta.pk.column
            changes = [
                ({pk: key, **others}, {name: text}, {name: None})
                for key, text, _reading, others in rows
            ]
            self._journal.changed(self._table.model, changes)
            self._table.write([self._field], [(row[0], None) for row in rows])
        cleared = not choice.leaves_the_row
        return [*left, *(attrs.evolve(_row(row, done), cleared=cleared) for row in rows)]

    def _delete(self, row: _Bad, done: str) -> Row:
        table, pk = self._table, row[0]
        try:
            with table.transaction():
                if self._rules_of_the_database:
                    # The database would delete references that other transactions add now.
                    table.rows([pk], [], lock=True, refuse_references=True)
                if self._field.primary_key:
                    self._delete_only(pk)
                else:
                    instance: Any = models.QuerySet(table.model).using(table.alias).filter(pk=pk)
                    self._journal.deleted([*instance])
                    instance.delete()
                table.check_constraints()
        except (IntegrityError, ProtectedError, RestrictedError) as error:
            return refused(row, error)
        return attrs.evolve(_row(row, done), removed=True)

    def _delete_only(self, pk: Key) -> None:
        """Delete a row that nothing refers to, whose key is the URL.

        A queryset would make the key canonical, and not find the row.
        """
        table = self._table
        # SQLite would look at references only at the end of the batch.
        incoming = [each for each in self._incoming if each.content_types is None]
        if referring(self._rules_of_the_database, table.model, table.alias, [pk]) or any(
            each.count({pk: pk}) for each in incoming
        ):
            raise IntegrityError("something refers to the row")
        self._journal.removed_with_parents(table.model, {pk: self._journal.unit()})
        table.delete([pk])


def refused(row: _Bad, error: Exception) -> Row:
    """Return what happened to a row that the database, or Django, does not delete."""
    return _row(row, "reported", f"It cannot be deleted ({type(error).__name__}).")


def _row(row: _Bad, done: str, also: str = "") -> Row:
    pk, text, reading, _others = row
    return Row(
        pk=pk, outcome=reading.outcome, text=text, error=reading.error, done=done,
        reason=f"{reading.reason} {also}".strip(),
    )  # fmt: skip

"""Writes changed text to its rows, and to references that contain the text.

If the database refuses a row, the others are still written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from typing import Any, Final, NamedTuple

import attrs
from django.db import DataError, IntegrityError

from django_whatwg_url.rows.journal import Journal
from django_whatwg_url.rows.references import Reference
from django_whatwg_url.rows.table import Key, Table

_REFERENCES: Final = """
SELECT table_name, column_name FROM information_schema.key_column_usage
WHERE referenced_table_schema = DATABASE() AND referenced_table_name = %s
AND referenced_column_name = %s
"""


class Change(NamedTuple):
    """A change to one row: its key, the old text and the new text.

    ``original``, ``original_before``: the new and the old value of the other column. ``where``:
    values of other columns that an undo also compares, such as the owner.
    """

    pk: Key
    old: Any
    new: str | None
    original: Any = None
    original_before: Any = None
    where: Mapping[str, Any] | None = None


def name_of_refusal(error: Exception) -> str:
    """Return the constraint that refused a row, or the class of the error.

    The database's own message quotes the text with its password.
    """
    diagnosis = getattr(error.__cause__, "diag", None)
    return getattr(diagnosis, "constraint_name", None) or type(error).__name__


@attrs.define(slots=False)
class Writer:
    """Writes changes to a column.

    ``original``: the field of another column that is also written, or None. ``references``: the
    references to its rows. ``journal``: records the changes, or None.
    """

    _table: Table
    _field: Any
    _original: Any
    _references: Sequence[Reference]
    _journal: Journal | None = None

    def __attrs_post_init__(self) -> None:
        self._incoming = [each for each in self._references if each.target is self._field]
        self._fields = [each for each in (self._field, self._original) if each is not None]

    def write(self, changes: Sequence[Change]) -> list[tuple[Change, Exception]]:
        """Write all changes that the database accepts, and return the others with their errors.

        Call it within a transaction in which the rows are locked.
        """
        if not changes:
            return []
        try:
            with self._table.transaction():
                self._record(changes)
                self._write(changes)
                self._table.check_constraints()
        except (IntegrityError, DataError) as error:
            if len(changes) == 1:
                return [(changes[0], error)]
        else:
            return []
        half = len(changes) // 2
        return [*self.write(changes[:half]), *self.write(changes[half:])]

    def _record(self, changes: Sequence[Change]) -> None:
        if self._journal is None:
            return
        pk: Any = self._table.model._meta.pk
        columns = [each.column for each in self._fields]
        self._journal.changed(
            self._table.model,
            [
                (
                    {pk.column: each.pk, **(each.where or {})},
                    dict(zip(columns, (each.old, each.original_before), strict=False)),
                    dict(zip(columns, (each.new, each.original), strict=False)),
                )
                for each in changes
            ],
        )

    @cached_property
    def _writes_all_references(self) -> bool:
        """Whether this is MySQL, and every foreign key to the column is written too."""
        if self._table.vendor != "mysql":
            return False
        found = self._table.fetch(
            _REFERENCES, [self._table.model._meta.db_table, self._field.column]
        )
        written = {(each.table.model._meta.db_table, each.field.column) for each in self._incoming}
        return {*found} <= written

    def _write(self, changes: Sequence[Change]) -> None:
        with ExitStack() as stack:
            if self._incoming and self._writes_all_references:
                # MySQL checks constraints after each statement, but there is one for each table.
                stack.enter_context(self._table.connection.constraint_checks_disabled())
            values = ((each.pk, each.new, each.original) for each in changes)
            self._table.write(self._fields, [row[: 1 + len(self._fields)] for row in values])
            moves = [(change.old, change.new) for change in changes]
            for reference in self._incoming:
                reference.table.write([reference.field], moves, *reference.where())

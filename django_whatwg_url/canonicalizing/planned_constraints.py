"""Finds unique constraints that a migration plan adds to a column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs
from django.db import models
from django.db.migrations import operations as django_operations


@attrs.define
class _Column:
    """A column during a plan: the names of its model and field at this point.

    ``original_names``: maps the current name of each renamed field of the model to its first name.
    """

    app_label: str
    model_name: str
    name: str
    original_names: dict[str, str] = attrs.Factory(dict)

    def original(self, name: str) -> str:
        """Return the first name of a field."""
        return self.original_names.get(name, name)

    def rename(self, old: str, new: str) -> None:
        """Apply the renaming of a field."""
        self.original_names[new] = self.original_names.pop(old, old)
        if old == self.name:
            self.name = new


def flattened(operations: Iterable[Any]) -> Iterator[Any]:
    """Yield operations, including operations inside `SeparateDatabaseAndState`."""
    for operation in operations:
        if isinstance(operation, django_operations.SeparateDatabaseAndState):
            yield from flattened(operation.database_operations)
            yield from flattened(operation.state_operations)
        else:
            yield operation


def planned_constraints(
    app_label: str,
    model_name: str,
    name: str,
    following: Iterable[tuple[str, Any]],
    is_last: Callable[[Any, str, str], bool] = lambda *_arguments: False,
) -> list[models.UniqueConstraint]:
    """Return the unique constraints that contain the column, with the current names of fields.

    Args:
        app_label: The app of the model.
        model_name: The name of the model.
        name: The name of the column's field.
        following: The later operations, each with the label of its app.
        is_last: Called with each operation and the names of the model and of the field at that
            point. The search ends at the operation for which it returns True.
    """
    column = _Column(app_label, model_name.lower(), name)
    found: list[models.UniqueConstraint] = []
    for label, operation in following:
        if label != column.app_label:
            continue
        if is_last(operation, column.model_name, column.name):
            break
        found += _added_by(operation, column)
    return found


def _added_by(operation: Any, column: _Column) -> Iterator[models.UniqueConstraint]:
    if isinstance(operation, django_operations.RenameModel):
        if operation.old_name_lower == column.model_name:
            column.model_name = operation.new_name_lower
        return
    together = isinstance(operation, django_operations.AlterUniqueTogether)
    model_name = getattr(operation, "name_lower" if together else "model_name_lower", None)
    if model_name != column.model_name:
        return
    match operation:
        case django_operations.RenameField():
            column.rename(operation.old_name, operation.new_name)
        case django_operations.AlterField():
            if operation.name == column.name and operation.field.unique:
                yield _constraint(column, [column.name])
        case django_operations.AlterUniqueTogether():
            for names in operation.option_value or ():
                if column.name in names:
                    yield _constraint(column, names)
        case django_operations.AddConstraint():
            constraint = operation.constraint
            if isinstance(constraint, models.UniqueConstraint) and column.name in constraint.fields:
                yield _constraint(
                    column, constraint.fields, constraint.condition, constraint.nulls_distinct
                )


def _constraint(
    column: _Column,
    names: Iterable[str],
    condition: models.Q | None = None,
    nulls_distinct: bool | None = None,
) -> models.UniqueConstraint:
    return models.UniqueConstraint(
        fields=[column.original(name) for name in names],
        name="unnamed",
        condition=condition,
        nulls_distinct=nulls_distinct,
    )

"""Replaces operations in a migration plan just before ``manage.py migrate`` runs it.

Django sends the plan with a signal first. Its content types app uses the same signal to add
operations. The migration files are not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.migrations import Migration
from django.db.migrations.operations import AlterField, RenameField, SeparateDatabaseAndState

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import AlterURLField, RenameURLField


def replace_operations(plan: Sequence[tuple[Migration, bool]] = (), **_kwargs: object) -> None:
    """Replace Django's operations on URL fields in ``plan`` with those of `operations`.

    This is a receiver of ``pre_migrate``. Django calls it once for each app, always with the same
    plan.
    """
    migration: Any
    for migration, _backwards in plan:
        migration.operations = [*map(_replaced, migration.operations)]


def _replaced(operation: Any) -> Any:
    # A subclass is left alone: its author may have changed what the operation does.
    kind = type(operation)
    if kind is AlterField and isinstance(operation.field, CanonicalURLField):
        return AlterURLField(**operation.deconstruct()[2])
    if kind is RenameField:
        return RenameURLField(**operation.deconstruct()[2])
    if kind is SeparateDatabaseAndState:
        operation.database_operations = [*map(_replaced, operation.database_operations)]
        operation.state_operations = [*map(_replaced, operation.state_operations)]
    return operation

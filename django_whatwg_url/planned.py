"""What ``manage.py migrate`` runs in the place of what makemigrations writes.

Django sends the plan before it runs it, and content types put operations of their own into it in
the same way. The files of the migrations are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.migrations import Migration
from django.db.migrations.operations import AlterField, RenameField, SeparateDatabaseAndState

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import AlterURLField, RenameURLField


def replace_operations(plan: Sequence[tuple[Migration, bool]] = (), **_kwargs: object) -> None:
    """Let plain operations on URL fields do what those of `operations` do.

    Receives ``pre_migrate``, once for each app, with the same plan each time.
    """
    migration: Any
    for migration, _backwards in plan:
        migration.operations = [*map(_replaced, migration.operations)]


def _replaced(operation: Any) -> Any:
    # Only Django's own: a subclass has its reasons.
    kind = type(operation)
    if kind is AlterField and isinstance(operation.field, CanonicalURLField):
        return AlterURLField(**operation.deconstruct()[2])
    if kind is RenameField:
        return RenameURLField(**operation.deconstruct()[2])
    if kind is SeparateDatabaseAndState:
        operation.database_operations = [*map(_replaced, operation.database_operations)]
        operation.state_operations = [*map(_replaced, operation.state_operations)]
    return operation

"""Prepares a migration plan just before ``manage.py migrate`` runs it.

It replaces some operations, and tells others what comes after them.

Django sends the plan with a signal first. Its content types app uses the same signal to add
operations. The migration files are not changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.migrations import Migration
from django.db.migrations.operations import (
    AddConstraint,
    AlterField,
    RenameField,
    SeparateDatabaseAndState,
)
from django.db.models import UniqueConstraint

from django_whatwg_url.canonicalizing.planned_constraints import flattened
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import (
    AlterURLField,
    CanonicalizeURLs,
    RenameURLField,
    refuse_duplicates,
)

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState


class _AddConstraint(AddConstraint):
    """Add a constraint as AddConstraint does, but say which rows break it, if it is on URLs."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        constraint: Any = self.constraint
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            for name in constraint.fields:
                field = model._meta.get_field(name)
                if isinstance(field, CanonicalURLField):
                    refuse_duplicates(schema_editor, model, field, constraint)
        super().database_forwards(app_label, schema_editor, from_state, to_state)


def replace_operations(
    plan: Sequence[tuple[Migration, bool]] = (),
    verbosity: int = 0,
    stdout: Any = None,
    **_kwargs: object,
) -> None:
    """Replace Django's operations on URL fields in ``plan`` with those of `operations`.

    Each `CanonicalizeURLs` learns which operations come after it, and where to print its summary:
    on ``stdout``, if ``verbosity`` is at least 1.

    This is a receiver of ``pre_migrate``. Django calls it once for each app, always with the same
    plan.
    """
    migration: Any
    for migration, _backwards in plan:
        migration.operations = [*map(_replaced, migration.operations)]
    operations = [
        (migration.app_label, operation)
        for migration, backwards in plan
        if not backwards
        for operation in flattened(migration.operations)
    ]

    def tell(line: str) -> None:
        if verbosity >= 1:
            (stdout or sys.stdout).write(f"{line}\n")

    for number, (_label, operation) in enumerate(operations, start=1):
        if isinstance(operation, CanonicalizeURLs):
            operation.announce(operations[number:], tell)


def _replaced(operation: Any) -> Any:
    # A subclass is left alone: its author may have changed what the operation does.
    kind = type(operation)
    if kind is AlterField and isinstance(operation.field, CanonicalURLField):
        return AlterURLField(**operation.deconstruct()[2])
    if kind is AddConstraint and isinstance(operation.constraint, UniqueConstraint):
        return _AddConstraint(**operation.deconstruct()[2])
    if kind is RenameField:
        return RenameURLField(**operation.deconstruct()[2])
    if kind is SeparateDatabaseAndState:
        operation.database_operations = [*map(_replaced, operation.database_operations)]
        operation.state_operations = [*map(_replaced, operation.state_operations)]
    return operation

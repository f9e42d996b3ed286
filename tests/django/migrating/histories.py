"""A history of migrations: written to files as makemigrations writes them, and run on a database.

Nothing here is a test.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, models
from django.db.migrations import Migration
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.questioner import MigrationQuestioner
from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.writer import MigrationWriter

LABEL = "historyapp"


class _Answers(MigrationQuestioner):
    """What people answer to makemigrations: that a field has a new name, and no default."""

    def ask_rename(self, *_what: Any) -> bool:
        return True

    def ask_not_null_alteration(self, *_what: Any) -> Any:
        return models.NOT_PROVIDED


class History:
    """The migrations of the app, as files in a package of their own.

    ``directory``: an empty one, whose name is that of the package and can be imported.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.names: list[str] = []
        (directory / "__init__.py").write_text("")

    def make(
        self,
        fields: dict[str, models.Field[Any, Any]],
        *,
        first: Sequence[Any] = (),
        atomic: bool = True,
        **options: Any,
    ) -> list[Any]:
        """Write the migration that leads to a model with these fields, and return its operations.

        ``first``: operations to run before those that makemigrations finds. ``options``: those of
        the model's Meta.
        """
        before = self._loader().project_state(self._last())
        after = ProjectState()
        columns = [("id", models.BigAutoField(primary_key=True)), *fields.items()]
        after.add_model(ModelState(LABEL, "Page", columns, options))
        questioner = _Answers()
        detector: Any = MigrationAutodetector(before, after, questioner)
        found = [
            operation
            for migration in detector._detect_changes().get(LABEL, [])
            for operation in migration.operations
        ]
        self.write([*first, *found], atomic=atomic)
        return found

    def write(self, operations: Iterable[Any], *, atomic: bool = True) -> None:
        """Write a migration with these operations."""
        migration: Any = Migration(f"{len(self.names) + 1:04}", LABEL)
        migration.operations = list(operations)
        migration.dependencies = [last] if (last := self._last()) else []
        migration.initial = not self.names or None
        text = MigrationWriter(migration, include_header=False).as_string()
        if not atomic:
            text = text.replace(
                "class Migration(migrations.Migration):\n",
                "class Migration(migrations.Migration):\n\n    atomic = False\n",
            )
        (self.directory / f"{migration.name}.py").write_text(text)
        importlib.invalidate_caches()
        self.names.append(migration.name)

    def migrate(self, number: int | None = None) -> None:
        """Go to a migration, forwards or backwards: 0 is before the first, None is the last."""
        number = len(self.names) if number is None else number
        targets = [(LABEL, self.names[number - 1] if number else None)]
        executor = MigrationExecutor(connection)
        # Without the models of most apps, whose rendering takes most of the time.
        executor.loader.unmigrated_apps.clear()
        applied = executor.loader.applied_migrations
        for key in [key for key in applied if key[0] not in (LABEL, "contenttypes")]:
            del applied[key]
        plan = executor.migration_plan(targets)
        executor.migrate(targets, plan=plan)

    def model(self, number: int | None = None) -> Any:
        """Return the model as a migration leaves it, by default the last."""
        key = (LABEL, self.names[number - 1]) if number else self._last()
        return self._loader().project_state(key).apps.get_model(LABEL, "Page")

    def _loader(self) -> MigrationLoader:
        loader = MigrationLoader(connection)
        loader.unmigrated_apps.clear()
        return loader

    def _last(self) -> tuple[str, str] | None:
        return (LABEL, self.names[-1]) if self.names else None


def indexed_columns(model: Any) -> list[tuple[tuple[str, ...], bool]]:
    """Return the columns of each index that the database has on a table, and whether it is unique.

    None stands for an expression.
    """
    if connection.vendor == "sqlite":
        return _indexed_columns_on_sqlite(model._meta.db_table)
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    return sorted(
        (tuple(map(str, index["columns"])), bool(index["unique"]))
        for index in found.values()
        if (index["index"] or index["unique"]) and not index["primary_key"]
    )


def _indexed_columns_on_sqlite(table: str) -> list[tuple[tuple[str, ...], bool]]:
    """Return the same from SQLite itself: Django parses the SQL of the table, which is slow."""
    quoted = connection.ops.quote_name
    found = []
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA index_list({quoted(table)})")
        for _, name, unique, origin, _ in cursor.fetchall():
            if origin != "pk":
                cursor.execute(f"PRAGMA index_info({quoted(name)})")
                columns = tuple(str(column) for _, _, column in cursor.fetchall())
                found.append((columns, bool(unique)))
    return sorted(found)


@contextmanager
def created_from(model: Any) -> Iterator[None]:
    """Make the table of a model as if there had been no other before it."""
    with connection.schema_editor() as editor:
        editor.create_model(model)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(model)

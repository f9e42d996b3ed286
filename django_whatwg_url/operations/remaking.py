"""Drops generated columns before a change to the column they read, and recreates them afterwards.

PostgreSQL refuses to change the type of a column while a generated column reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.apps.registry import Apps
from django.db import models, transaction
from django.db.models import F, Q

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Selects the database's definitions of the indexes and constraints that use a column. An index that
# belongs to a constraint is left out, because the constraint recreates it.
_DEFINITIONS = """
SELECT DISTINCT pg_get_indexdef(i.indexrelid)
FROM pg_index i
JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass(%s)
  AND i.indrelid = d.refobjid AND a.attname = ANY(%s)
  AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid
                  AND c.conrelid = i.indrelid)
UNION ALL
SELECT DISTINCT format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', c.conrelid::regclass, c.conname,
                       pg_get_constraintdef(c.oid))
FROM pg_constraint c
JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
WHERE c.conrelid = to_regclass(%s) AND a.attname = ANY(%s)
ORDER BY 1
"""


@contextmanager
def generated_columns_remade(
    editor: BaseDatabaseSchemaEditor,
    before: type[models.Model],
    after: type[models.Model],
    name: str,
) -> Iterator[None]:
    """Drop the generated columns that read the field ``name``, and recreate them on exit.

    Does nothing if the database can change the column directly. Indexes and constraints of the
    generated columns are recreated from the database's own definitions, even if they were created
    by hand. If anything else depends on such a column, for example a view, the database refuses.

    Args:
        editor: The schema editor of the migration.
        before: The model before the change.
        after: The model after the change.
        name: The name of the field that changes.
    """
    if not _is_refused(editor, before._meta.get_field(name), after._meta.get_field(name)):
        yield
        return
    columns = [field for field in after._meta.local_fields if reads(field, name)]
    old_names = [
        field.column for field in before._meta.local_fields if reads(field, name) and field.column
    ]
    quote = editor.quote_name
    table = quote(before._meta.db_table)
    # This is atomic even if the migration is not, because a failure must not lose a column.
    with transaction.atomic(editor.connection.alias):
        definitions = _definitions(editor, table, old_names)
        for column in old_names:
            # CASCADE would silently drop a view that uses the column.
            editor.execute(f"ALTER TABLE {table} DROP COLUMN {quote(column)}")
        yield
        for field in columns:
            bare = _without_indexes(after, field)
            bare_field: Any = bare._meta.get_field(field.name)
            editor.add_field(bare, bare_field)
        # The definitions contain the old name of the column.
        was, becomes = (_column(editor, model, name) for model in (before, after))
        with _renamed(editor, table, becomes, was):
            for definition in definitions:
                editor.execute(definition, params=None)


@contextmanager
def _renamed(
    editor: BaseDatabaseSchemaEditor, table: str, column: str, other: str
) -> Iterator[None]:
    """Rename a column, and restore its name on exit."""
    if column == other:
        yield
        return
    editor.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {other}")
    yield
    editor.execute(f"ALTER TABLE {table} RENAME COLUMN {other} TO {column}")


def _is_refused(editor: BaseDatabaseSchemaEditor, old: Any, new: Any) -> bool:
    connection = editor.connection
    if connection.vendor != "postgresql":
        return False
    was, becomes = (field.db_parameters(connection) for field in (old, new))
    # Django repeats the type of the column if it has a comment.
    return old.db_comment != new.db_comment or any(
        was.get(key) != becomes.get(key) for key in ("type", "collation")
    )


def _without_indexes(model: type[models.Model], field: Any) -> type[models.Model]:
    """Return a model of the same table whose generated column ``field`` has no indexes.

    The database's definitions recreate the indexes. The model has the columns that the expression
    reads, and does not belong to an app.
    """
    names = {*names_in(field.expression)}
    columns = {each.name: each.clone() for each in model._meta.local_fields if each.name in names}
    _name, _path, args, kwargs = field.deconstruct()
    columns[field.name] = type(field)(*args, **{**kwargs, "unique": False, "db_index": False})
    options = model._meta
    meta = {"apps": Apps(), "app_label": options.app_label, "db_table": options.db_table}
    attributes = {"__module__": __name__, "Meta": type("Meta", (), meta), **columns}
    return type(model.__name__, (models.Model,), attributes)


def _column(editor: BaseDatabaseSchemaEditor, model: type[models.Model], name: str) -> str:
    field: Any = model._meta.get_field(name)
    return editor.quote_name(field.column)


def reads(field: Any, name: str) -> bool:
    """Return whether a field is a generated column that reads the field ``name``."""
    return field.generated and name in names_in(field.expression)


def names_in(expression: Any) -> Iterator[str]:
    """Yield the names of the fields that an expression or a condition reads."""
    if isinstance(expression, F):
        name: str = expression.name  # type: ignore[attr-defined]
        yield name.partition("__")[0]
    elif isinstance(expression, Q):
        for child in expression.children:
            if isinstance(child, tuple):
                yield child[0].partition("__")[0]
                yield from names_in(child[1])
            else:
                yield from names_in(child)
    elif hasattr(expression, "get_source_expressions"):
        for source in expression.get_source_expressions():
            yield from names_in(source)


def _definitions(editor: BaseDatabaseSchemaEditor, table: str, columns: list[str]) -> list[str]:
    with editor.connection.cursor() as cursor:
        cursor.execute(_DEFINITIONS, [table, columns] * 2)
        return [definition for (definition,) in cursor.fetchall()]

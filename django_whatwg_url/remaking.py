"""Generated columns that are taken away and made again around a change of the column they read.

PostgreSQL refuses to change the type of a column while a generated column reads it. For
`operations`, which is what migrations name.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Q

if TYPE_CHECKING:
    from django.db import models
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# What the database itself says of the indexes and constraints that a column takes part in. An
# index that a constraint has made comes with the constraint.
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
    """Take away the generated columns that read the field ``name``, and make them again behind.

    Does nothing where the database can change the column as it is. ``before`` and ``after``: the
    model as it is and as it becomes. Indexes and constraints of the columns are made again from
    what the database says of them, so those made by hand come back too. Whatever else needs such a
    column, as a view does, makes the database refuse.
    """
    if not _is_refused(editor, before._meta.get_field(name), after._meta.get_field(name)):
        yield
        return
    columns = [field for field in after._meta.local_fields if _reads(field, name)]
    old_names = [
        field.column for field in before._meta.local_fields if _reads(field, name) and field.column
    ]
    quote = editor.quote_name
    table = quote(before._meta.db_table)
    # One transaction, also in a migration that is not.
    with transaction.atomic(editor.connection.alias):
        definitions = _definitions(editor, table, old_names)
        for column in old_names:
            # Without CASCADE, which would take a view with it.
            editor.execute(f"ALTER TABLE {table} DROP COLUMN {quote(column)}")
        yield
        for field in columns:
            # Its indexes are among the definitions.
            bare: Any = copy.copy(field)
            bare._unique = bare.db_index = False  # noqa: SLF001
            editor.add_field(after, bare)
        # The definitions name the column as it was.
        was, becomes = (_column(editor, model, name) for model in (before, after))
        with _renamed(editor, table, becomes, was):
            for definition in definitions:
                editor.execute(definition, params=None)


@contextmanager
def _renamed(
    editor: BaseDatabaseSchemaEditor, table: str, column: str, other: str
) -> Iterator[None]:
    """Give a column another name for a while."""
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
    # With a comment Django repeats the type.
    return old.db_comment != new.db_comment or any(
        was.get(key) != becomes.get(key) for key in ("type", "collation")
    )


def _column(editor: BaseDatabaseSchemaEditor, model: type[models.Model], name: str) -> str:
    field: Any = model._meta.get_field(name)
    return editor.quote_name(field.column)


def _reads(field: Any, name: str) -> bool:
    return field.generated and name in _names_in(field.expression)


def _names_in(expression: Any) -> Iterator[str]:
    if isinstance(expression, F):
        name: str = expression.name  # type: ignore[attr-defined]
        yield name.partition("__")[0]
    elif isinstance(expression, Q):
        for child in expression.children:
            if isinstance(child, tuple):
                yield child[0].partition("__")[0]
                yield from _names_in(child[1])
            else:
                yield from _names_in(child)
    elif hasattr(expression, "get_source_expressions"):
        for source in expression.get_source_expressions():
            yield from _names_in(source)


def _definitions(editor: BaseDatabaseSchemaEditor, table: str, columns: list[str]) -> list[str]:
    with editor.connection.cursor() as cursor:
        cursor.execute(_DEFINITIONS, [table, columns] * 2)
        return [definition for (definition,) in cursor.fetchall()]

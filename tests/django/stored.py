"""What tests need to look behind the ORM's back: the text that a column really holds."""

# The names come from models.

from __future__ import annotations

from typing import Any

from django.db import connection, models


def stored_text(instance: models.Model, field_name: str = "url") -> Any:
    """Return the column's text in the row of ``instance``."""
    return stored_texts(type(instance), field_name, pk=instance.pk)[0]


def stored_texts(
    model: type[models.Model], field_name: str = "url", *, pk: Any = None
) -> list[Any]:
    """Return the column's text of all rows, or of one, in the order of their keys."""
    column, table, key = _names(model, field_name)
    sql = f"SELECT {column} FROM {table}"
    with connection.cursor() as cursor:
        if pk is None:
            cursor.execute(f"{sql} ORDER BY {key}")
        else:
            cursor.execute(f"{sql} WHERE {key} = %s", [pk])
        return [text for (text,) in cursor.fetchall()]


def store_text(instance: models.Model, text: str | None, field_name: str = "url") -> None:
    """Write ``text`` into the row of ``instance``, as other software might."""
    column, table, key = _names(type(instance), field_name)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {column} = %s WHERE {key} = %s", [text, instance.pk])


def column_field(model: type[models.Model], name: str = "url") -> models.Field[Any, Any]:
    """Return the field of a model's column."""
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field


def _names(model: type[models.Model], field_name: str) -> tuple[str, str, str]:
    meta = model._meta
    quote = connection.ops.quote_name
    column = column_field(model, field_name).column
    key = meta.pk.column
    assert column is not None
    assert key is not None
    return quote(column), quote(meta.db_table), quote(key)

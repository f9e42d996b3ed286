"""Finds rows that a new unique constraint on a URL column would refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import models

from django_whatwg_url.canonicalizing.report import masked
from django_whatwg_url.canonicalizing.table import Table

_EXAMPLES: Final = 3
_KEYS: Final = 5
_BYTEWISE: Final = {
    "mysql": "BINARY {}",
    "postgresql": '{} COLLATE "C"',
    "sqlite": "{} COLLATE BINARY",
}


def describe_duplicates(
    model: type[models.Model],
    field: Any,
    constraint: models.UniqueConstraint,
    alias: str,
) -> str:
    """Return a sentence that names rows with the same URL, or "" if there are none.

    Texts are compared byte by byte, as in the column of a `CanonicalURLField`.

    Args:
        model: The model, with the columns as they are now.
        field: Its field with the URL.
        constraint: The constraint, without expressions.
        alias: The alias of the database.
    """
    table = Table(model, alias)
    others: list[Any] = [
        model._meta.get_field(name) for name in constraint.fields if name != field.name
    ]
    groups, count = _groups(table, field, others, constraint)
    if not count:
        return ""
    examples = []
    for url, *values in groups:
        found = {other.column: value for other, value in zip(others, values, strict=True)}
        keys = [row[0] for row in table.where([_key(model)], {**found, field.column: url})]
        named = [f"{other.name} {masked(found[other.column])}" for other in others]
        shown = ", ".join(masked(key) for key in keys[:_KEYS])
        more = ", …" if len(keys) > _KEYS else ""
        examples.append(f"{', '.join([masked(url), *named])}: rows {shown}{more}")
    columns = ", ".join(constraint.fields)
    return (
        f"{model._meta.label}: ({columns}) cannot be unique yet, because {count:,} of its values "
        f"are in several rows. For example: {'; '.join(examples)}."
    )


def _groups(
    table: Table, field: Any, others: Sequence[Any], constraint: models.UniqueConstraint
) -> tuple[list[Any], int]:
    """Return a few of the values that several rows have, and how many there are."""
    quote = table.connection.ops.quote_name
    url = _BYTEWISE.get(table.vendor, "{}").format(quote(field.column))
    columns = [url, *(quote(other.column) for other in others)]
    wheres = [f"{quote(field.column)} IS NOT NULL"]
    if constraint.nulls_distinct is not False:
        wheres += [f"{quote(other.column)} IS NOT NULL" for other in others]
    params: Sequence[Any] = ()
    if constraint.condition is not None:
        rows: Any = models.QuerySet(table.model).using(table.alias).filter(constraint.condition)
        inner, params = rows.order_by().values("pk").query.get_compiler(table.alias).as_sql()
        wheres.append(f"{table.key} IN ({inner})")
    names = ", ".join(columns)
    sql = (
        f"SELECT MIN({quote(field.column)}) AS url, {', '.join(['COUNT(*) AS n', *columns[1:]])} "
        f"FROM {table.name} WHERE {' AND '.join(wheres)} GROUP BY {names} HAVING COUNT(*) > 1"
    )
    found = table.fetch(f"{sql} LIMIT {_EXAMPLES}", list(params) or None)
    if not found:
        return [], 0
    ((count,),) = table.fetch(f"SELECT COUNT(*) FROM ({sql}) AS duplicated", list(params) or None)
    return [(url, *values) for url, _number, *values in found], int(count)


def _key(model: type[models.Model]) -> str:
    key: Any = model._meta.pk
    column: str = key.column
    return column

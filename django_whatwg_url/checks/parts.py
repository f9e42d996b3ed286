"""System checks of indexes, constraints and generated columns that a database would silently skip.

The URL field calls `check_parts`. This module registers nothing with Django.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from django.core import checks
from django.db import connections, models, router
from django.db.models import F

from django_whatwg_url.functions import URLPart, generated_part, holds_part


class ModelField(Protocol):
    """The attributes of the field that say where it is."""

    name: Any
    model: Any


def check_parts(field: ModelField, databases: Iterable[str] | None) -> list[checks.CheckMessage]:
    """Return the messages about indexes, constraints and generated columns of a URL's parts.

    ``databases``: the aliases of the databases to check, as Django passes them. With None, no
    database is checked.
    """
    model: type[models.Model] = field.model
    messages: list[checks.CheckMessage] = [*_check_columns(field, model)]
    for alias in databases or ():
        connection: Any = connections[alias]
        if (
            router.allow_migrate_model(alias, model)
            and not connection.features.supports_expression_indexes
        ):
            messages += _check_expressions(field, model, connection.display_name)
    return messages


def _check_columns(field: ModelField, model: type[models.Model]) -> Iterator[checks.CheckMessage]:
    for column in model._meta.local_fields:
        part = generated_part(column, field.name)
        if part is not None and not holds_part(column, part):
            yield checks.Warning(
                f"Queries on {field.name}__{part.part} do not use this column, because its "
                "output_field may compare text differently.",
                hint=f"Write {_recipe(field, part.part, column.name)}.",
                obj=column,
                id="django_whatwg_url.W010",
            )


def _check_expressions(
    field: ModelField, model: type[models.Model], database: str
) -> Iterator[checks.CheckMessage]:
    options = model._meta
    indexed = {
        type(generated_part(column, field.name))
        for column in options.local_fields
        if _is_indexed(column, model)
    }
    for index in options.indexes:
        missing = [p for p in _parts_in(index.expressions, field.name) if type(p) not in indexed]
        if missing:
            yield checks.Warning(
                f"{database} does not support indexes on expressions, so it will not create "
                f"{index.name!r}.",
                hint=f"Add {_recipes(field, missing, 'db_index')}. Queries will use the column.",
                obj=model,
                id="django_whatwg_url.W011",
            )
    for constraint in options.constraints:
        parts = _parts_in(getattr(constraint, "expressions", ()), field.name)
        if isinstance(constraint, models.UniqueConstraint) and parts:
            yield checks.Warning(
                f"{database} does not support unique constraints on expressions, so it will not "
                f"enforce {constraint.name!r}.",
                hint=(
                    f"Add {_recipes(field, parts)}, and use these columns in the constraint's "
                    "fields."
                ),
                obj=model,
                id="django_whatwg_url.W012",
            )


def _is_indexed(column: Any, model: type[models.Model]) -> bool:
    options = model._meta
    starts = [index.fields[0].removeprefix("-") for index in options.indexes if index.fields]
    starts += [
        constraint.fields[0]
        for constraint in options.constraints
        if isinstance(constraint, models.UniqueConstraint) and constraint.fields
    ]
    return bool(column.db_index or column.unique or column.name in starts)


def _parts_in(expressions: Iterable[Any], name: str) -> list[URLPart]:
    """Return the parts of the URL field ``name`` that occur in expressions."""
    found: list[URLPart] = []
    for expression in expressions:
        if isinstance(expression, URLPart) and expression.get_source_expressions() == [F(name)]:
            found.append(expression)
        elif hasattr(expression, "get_source_expressions"):
            found += _parts_in(expression.get_source_expressions(), name)
    return found


def _recipes(field: ModelField, parts: list[URLPart], *options: str) -> str:
    return " and ".join(_recipe(field, part.part, part.part, *options) for part in parts)


def _recipe(field: ModelField, part: str, column: str, *options: str) -> str:
    extra = "".join(f", {option}=True" for option in options)
    return f"{column} = GeneratedURLPartField({field.name!r}, part={part!r}{extra})"

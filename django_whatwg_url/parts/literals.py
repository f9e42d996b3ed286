"""Prepares the literals inside an expression that is stored. Python knows no other values in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models.expressions import Case, ExpressionWrapper, Value, When
from django.db.models.functions import Cast, Coalesce

if TYPE_CHECKING:
    from django.db import models


def with_literals_of(field: models.Field[Any, Any], expression: object) -> object:
    """Return ``expression``, changed so that ``field`` prepares the literals that it may return.

    For example, ``Value("HTTP://EXAMPLE.com")`` by itself, or as a branch of the expression that
    ``bulk_update()`` builds. Text that the database computes is not changed.
    """
    if isinstance(expression, Value):
        literal = expression.copy()
        literal.output_field = field
        return literal
    if isinstance(expression, (Case, When, Coalesce, Cast, ExpressionWrapper)):
        sources: list[Any] = list(expression.get_source_expressions())
        first = 1 if isinstance(expression, When) else 0  # Skip the condition, it is not a value.
        sources[first:] = [with_literals_of(field, source) for source in sources[first:]]
        expression = expression.copy()
        expression.set_source_expressions(sources)
    return expression

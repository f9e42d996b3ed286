"""The literals inside an expression that is stored: the only values in it that Python knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models.expressions import Case, ExpressionWrapper, Value, When
from django.db.models.functions import Cast, Coalesce

if TYPE_CHECKING:
    from django.db import models


def with_literals_of(field: models.Field[Any, Any], expression: object) -> object:
    """Return ``expression`` with ``field`` preparing the literals that it may evaluate to.

    Those are all that Python can see of the value: ``Value("HTTP://EXAMPLE.com")``, alone or
    as a branch of what ``bulk_update()`` makes. Text that the database puts together is its own.
    """
    if isinstance(expression, Value):
        literal = expression.copy()
        literal.output_field = field
        return literal
    if isinstance(expression, (Case, When, Coalesce, Cast, ExpressionWrapper)):
        sources: list[Any] = list(expression.get_source_expressions())
        first = 1 if isinstance(expression, When) else 0  # A condition is no value.
        sources[first:] = [with_literals_of(field, source) for source in sources[first:]]
        expression = expression.copy()
        expression.set_source_expressions(sources)
    return expression

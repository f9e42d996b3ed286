"""Distinguishes expressions that return text from those that return a URL, and finds literals.

Django gives the results of ``Lower("url")``, ``Max("url")`` and ``Coalesce("url", "other")`` the
type of the argument. But the first is text, and only the others are URLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import FieldError
from django.db.models import Aggregate, Subquery
from django.db.models.expressions import Case, Col, ExpressionWrapper, Ref, Value, When, Window
from django.db.models.functions import (
    Cast,
    Coalesce,
    Collate,
    FirstValue,
    Greatest,
    Lag,
    LastValue,
    Lead,
    Least,
    NthValue,
    NullIf,
)
from django.db.models.sql import Query

from django_whatwg_url.column.values import to_url
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db import models
    from django.db.models.sql.compiler import _AsSqlType

# These return the value of one of their arguments, or of the first one.
_CHOOSE_ANY: Final = (Coalesce, Greatest, Least)
_CHOOSE_FIRST: Final = (
    *(Aggregate, Collate, ExpressionWrapper, NullIf, Window),
    *(FirstValue, Lag, LastValue, Lead, NthValue),
)


def is_computed_text(expression: Any) -> bool:
    """Return whether the value of an expression is text, even if its type is one of our fields.

    It is text if a function computed it, or if the expression may also return the value of a column
    whose operands are text. It is a URL if you gave the expression a URL field as ``output_field``.
    """
    if isinstance(expression, Value):
        text = expression.value
        return isinstance(text, str) and not isinstance(to_url(text), URLRecord)
    field = None
    with suppress(FieldError, AttributeError):  # It has none, or several that differ.
        field = expression.output_field
    field = getattr(field, "base_field", field)  # of an array
    if not getattr(field, "converts_operands", False):
        return True
    if isinstance(expression, Col) or not getattr(field, "has_column", False):
        return False
    chosen = _chosen_by(expression)
    return chosen is None or any(map(is_computed_text, chosen))


def is_ascii(expression: Any) -> bool:
    """Return whether the text of an expression comes only from ASCII columns and ASCII literals."""
    if isinstance(expression, Col):
        return bool(getattr(expression.output_field, "holds_ascii", False))
    if isinstance(expression, Value):
        return not isinstance(expression.value, str) or expression.value.isascii()
    if hasattr(expression, "part") or not hasattr(expression, "get_source_expressions"):
        return True
    sources = _chosen_by(expression)
    if sources is None:
        sources = expression.get_source_expressions()
    return all(is_ascii(source) for source in sources if source is not None)


def _chosen_by(expression: Any) -> Sequence[Any] | None:
    """Return the expressions whose values this one may return unchanged, or None."""
    if isinstance(expression, Case):
        return [*(case.result for case in expression.cases), expression.default]
    if isinstance(expression, When):
        return [expression.result]
    if isinstance(expression, Ref):
        return expression.get_source_expressions()
    if isinstance(expression, (Subquery, Query)):
        query = expression if isinstance(expression, Query) else expression.query
        return [*query.select, *query.annotation_select.values()][:1]
    sources: list[Any] = []
    if isinstance(expression, (*_CHOOSE_ANY, *_CHOOSE_FIRST)):
        sources = expression.get_source_expressions()
    if isinstance(expression, _CHOOSE_FIRST):
        return sources[:1]
    return sources or None


def joined(terms: Sequence[_AsSqlType], operator: str) -> _AsSqlType:
    """Return the SQL of ``terms`` joined by AND or OR."""
    if len(terms) == 1:
        return terms[0]
    sql = f" {operator} ".join(sql for sql, _ in terms)
    return f"({sql})", tuple(param for _, params in terms for param in params)


def class_in(namespace: dict[str, Any], prefix: str, *bases: type, **attributes: Any) -> Any:
    """Return a class with these bases, and add it to a module, so that queries can be pickled.

    ``namespace``: ``globals()`` of the module. ``prefix``: comes before the name of the last base
    in the name of the class.
    """
    name = f"{prefix}{bases[-1].__name__}"
    namespace[name] = type(name, bases, {"__module__": namespace["__name__"], **attributes})
    return namespace[name]


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

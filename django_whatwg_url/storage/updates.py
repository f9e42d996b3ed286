"""Makes every UPDATE that writes one column also write a second column, which follows the first.

`QuerySet.update()`, `bulk_update()` and ``save(update_fields=[…])`` do not ask a field for its
value, unless the field is among those that they write. But the compiler asks each field that it
writes for its placeholder, and passes itself. There, the second column is added to the statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import Case, F, Subquery, Value, When
from django.db.models.expressions import Col, RawSQL
from django.db.models.functions import Cast
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLUpdateCompiler

from django_whatwg_url.storage.values import is_expression

_FOLLOWERS: Final = "_names_of_followers"


def follow_updates(source: Any, follower: Any, follow: Callable[[object], object]) -> None:
    """Write ``follower`` in each UPDATE that writes ``source`` without it.

    A value that only the database knows gives NULL: the right value is not known, and the old one
    would be wrong.

    Args:
        source: A field of a model.
        follower: Another field of the same model.
        follow: Returns the value of ``follower`` for a value of ``source``.
    """
    vars(source).setdefault(_FOLLOWERS, set()).add(follower.name)
    own = getattr(source, "get_placeholder", None)
    own_sql = getattr(source, "get_placeholder_sql", None)

    def get_placeholder(value: object, compiler: Any, connection: Any) -> Any:
        if isinstance(compiler, SQLUpdateCompiler):
            _add_follower(compiler, source, follower, follow)
        return "%s" if own is None else own(value, compiler, connection)

    def get_placeholder_sql(value: object, compiler: Any, connection: Any) -> Any:
        if isinstance(compiler, SQLUpdateCompiler):
            _add_follower(compiler, source, follower, follow)
        if own_sql is not None:
            return own_sql(value, compiler, connection)
        return compiler.compile(value) if hasattr(value, "as_sql") else ("%s", (value,))

    source.get_placeholder = get_placeholder  # Django before 6.1 calls this one.
    source.get_placeholder_sql = get_placeholder_sql


def _add_follower(
    compiler: Any, source: Any, follower: Any, follow: Callable[[object], object]
) -> None:
    query = compiler.query
    written = {field: (model, value) for field, model, value in query.values}
    # The placeholder of a literal inside an expression comes here too. Then `follower` is there.
    if source in written and follower not in written:
        model, value = written[source]
        followed = _followed(value, source, follower, follow)
        # MySQL and MariaDB evaluate a condition again, with what they have written by then.
        names = {field.name for field in written} | vars(source)[_FOLLOWERS]
        if compiler.connection.vendor == "mysql" and _may_change(value, names):
            followed = None
        # The compiler is in a loop over this list, and comes to the new item last.
        query.values.append((follower, model, followed))


def _followed(value: Any, source: Any, follower: Any, follow: Callable[[object], object]) -> object:
    """Return the value to write for ``follower``, which may be an expression too."""
    if not is_expression(value):
        return follow(value)
    match value:
        case Cast() if value.output_field == source:  # bulk_update() on PostgreSQL
            (inner,) = value.get_source_expressions()
            return _followed(inner, source, follower, follow)
        case Case():  # bulk_update()
            whens = [
                When(case.condition, then=_literal(case.result, source, follower, follow))
                for case in value.cases
            ]
            default = _literal(value.default, source, follower, follow)
            return Case(*whens, default=default, output_field=follower)
    return _literal(value, source, follower, follow)


def _may_change(value: Any, written: set[str]) -> bool:
    """Return whether ``value`` is a choice by one of the columns ``written``, or may be."""
    return isinstance(value, Case) and any(_reads(case.condition, written) for case in value.cases)


def _reads(expression: Any, written: set[str]) -> bool:
    match expression:
        case Col():
            # A generated column follows what it is computed from.
            return expression.target.name in written or hasattr(expression.target, "expression")
        case Subquery() | Query() | RawSQL():
            return True
    inner: Any = [*getattr(expression, "get_source_expressions", list)()]
    operand = getattr(expression, "rhs", None)
    if isinstance(operand, (list, tuple)):  # These are not among the source expressions.
        inner += operand
    return any(_reads(each, written) for each in inner)


def _literal(value: Any, source: Any, follower: Any, follow: Callable[[object], object]) -> Any:
    if isinstance(value, Col) and value.target == source:
        return F(follower.name)  # The URL stays the same.
    known = follow(value.value) if isinstance(value, Value) else None
    return Value(known, output_field=follower)

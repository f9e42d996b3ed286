"""Comparisons that are false, and not unknown, for a URL without the part that they compare.

So ``exclude()`` is the opposite of ``filter()``. A left side that may be missing has a method
``presence_sql``, as the expressions in `functions` have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import FullResultSet

from django_whatwg_url.query.generics import LookupMixin

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


class PresentMixin(LookupMixin):
    """Makes a comparison false instead of unknown if the URL does not have the part."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        try:
            comparison = super().as_sql(compiler, connection)
        except FullResultSet:  # The comparison is true for any number, but not for NULL.
            sql, params = self.process_lhs(compiler, connection)
            return f"{sql} IS NOT NULL", params
        comparison = with_presence(self.lhs, comparison, compiler, connection)
        if is_expression(self.rhs):
            comparison = self._with_operand(comparison, compiler, connection)
        return comparison

    def _with_operand(
        self, comparison: _AsSqlType, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        """Return ``comparison``, changed so that it is false if the operand is NULL."""
        sql: Any
        sql, params = self.process_rhs(compiler, connection)
        operands = [sql] if isinstance(sql, str) else sql  # A range has two.
        present = " AND ".join(f"{operand} IS NOT NULL" for operand in operands)
        return f"({comparison[0]} AND {present})", (*comparison[1], *params)


def with_presence(
    side: Any, comparison: _AsSqlType, compiler: SQLCompiler, connection: BaseDatabaseWrapper
) -> _AsSqlType:
    """Return ``comparison``, changed so that it is false if the URL lacks the part ``side``.

    If ``side`` is not one of `functions`, the comparison is returned unchanged and may be unknown.
    """
    presence: _AsSqlType | None = (
        side.presence_sql(compiler, connection) if hasattr(side, "presence_sql") else None
    )
    if presence is None:
        return comparison
    return f"({comparison[0]} AND {presence[0]})", (*comparison[1], *presence[1])


class PresentInMixin(PresentMixin):
    """Drops None from the operands, because no part equals it.

    With None in the list, Django 6.1 excludes rows where the column is NULL from ``exclude()``.
    ``filter()`` does not find these rows either, so they would be lost.
    """

    def get_prep_lookup(self) -> Any:
        if not is_expression(self.rhs):
            self.rhs: Any = [operand for operand in self.rhs if operand is not None]
        return super().get_prep_lookup()

    def _with_operand(
        self,
        comparison: _AsSqlType,
        compiler: SQLCompiler,  # noqa: ARG002
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> _AsSqlType:
        # There are several operands, so one that is NULL does not decide the result.
        return comparison


def is_expression(operand: object) -> bool:
    """Return whether the database evaluates the operand: an expression or a queryset."""
    return hasattr(operand, "resolve_expression")

"""Lookups on a part of a URL. Operands may have any spelling, and ``exclude()`` loses no rows.

The left side, one of `functions`, compiles to the SQL of a part. The lookups ``under`` are in
`under`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, FullResultSet, ValidationError
from django.db.models import lookups

from django_whatwg_url.query import text_lookups
from django_whatwg_url.query.encoded_pieces import percent_encode_operand
from django_whatwg_url.query.expressions import class_in, classes_in
from django_whatwg_url.query.generics import AnyExact, AnyIn, LookupMixin
from django_whatwg_url.query.operands import operand_forms

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


class PartExact(PresentMixin, AnyExact):
    """``url__host="EXAMPLE.com"``: any spelling works. An opaque origin finds no rows."""

    forms: tuple[str, ...] | None = None

    def get_prep_lookup(self) -> Any:
        if self.rhs is None or is_expression(self.rhs):
            return super().get_prep_lookup()
        self.forms = operand_forms(_part(self), self.rhs)
        return self.forms[0] if self.forms else ""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if self.forms is None or len(self.forms) == 1:
            return super().as_sql(compiler, connection)
        if not self.forms:
            raise EmptyResultSet
        return compiler.compile(PartInForms(self.lhs, self.forms))


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


class PartInForms(PresentInMixin, AnyIn):
    """Finds any of several canonical strings. It is not registered. Other lookups compile it."""

    prepare_rhs = False


class PartIn(PartInForms):
    """``url__host__in``: works like `PartExact` for each value."""

    def get_prep_lookup(self) -> Any:
        if not is_expression(self.rhs):
            operands: list[Any] = []
            for operand in self.rhs:
                if operand is None or is_expression(operand):
                    operands.append(operand)
                else:
                    operands += operand_forms(_part(self), operand)
            self.rhs = operands
        return super().get_prep_lookup()


class PartIExact(PresentMixin, text_lookups.IExact):
    """``url__path__iexact``: like ``exact``, but ignores letter case.

    If the operand has two canonical forms, it finds only the first of them.
    """

    def prepare_text(self, text: str) -> str:
        try:
            return operand_forms(_part(self), text)[0]
        except (ValidationError, IndexError):
            return percent_encode_operand(text)


class PartRegex(PresentMixin, text_lookups.Regex):
    """``url__path__regex``."""


class PartIRegex(PresentMixin, text_lookups.IRegex):
    """``url__path__iregex``."""


TEXT_PART_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    PartExact,
    PartIn,
    PartIExact,
    PartRegex,
    PartIRegex,
    *classes_in(
        globals(),
        "Part",
        PresentMixin,
        lookups.GreaterThan,
        lookups.GreaterThanOrEqual,
        lookups.LessThan,
        lookups.LessThanOrEqual,
        lookups.Range,
        text_lookups.Contains,
        text_lookups.IContains,
        text_lookups.StartsWith,
        text_lookups.IStartsWith,
        text_lookups.EndsWith,
        text_lookups.IEndsWith,
    ),
)

PORT_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    class_in(globals(), "Port", PresentInMixin, AnyIn),
    *classes_in(
        globals(),
        "Port",
        PresentMixin,
        lookups.IntegerFieldExact,
        lookups.IntegerGreaterThan,
        lookups.IntegerGreaterThanOrEqual,
        lookups.IntegerLessThan,
        lookups.IntegerLessThanOrEqual,
        lookups.Range,
    ),
)


def _part(lookup: lookups.Lookup[Any]) -> str:
    part: str = lookup.lhs.output_field.part
    return part


def is_expression(operand: object) -> bool:
    """Return whether the database evaluates the operand: an expression or a queryset."""
    return hasattr(operand, "resolve_expression")

"""Lookups on a part of a URL. Operands may have any spelling, and ``exclude()`` loses no rows.

The left side, one of `functions`, compiles to the SQL of a part. The lookups ``under`` are in
`under`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, ValidationError
from django.db.models import lookups

from django_whatwg_url.query import text_lookups
from django_whatwg_url.query.encoded_pieces import percent_encode_operand
from django_whatwg_url.query.generics import AnyExact, AnyIn
from django_whatwg_url.query.operands import operand_forms
from django_whatwg_url.query.presence import PresentInMixin, PresentMixin, is_expression

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


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


class PartIExact(text_lookups.IExact):
    """``url__path__iexact``: like ``exact``, but ignores letter case.

    If the operand has two canonical forms, it finds only the first of them.
    """

    def prepare_text(self, text: str) -> str:
        try:
            return operand_forms(_part(self), text)[0]
        except (ValidationError, IndexError):
            return percent_encode_operand(text)


TEXT_PART_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    *text_lookups.ORDERS,
    *(each for each in text_lookups.TEXT_LOOKUPS if each is not text_lookups.IExact),
    PartExact,
    PartIn,
    PartIExact,
)


class _PortIn(PresentInMixin, AnyIn):
    pass


class _PortExact(PresentMixin, lookups.IntegerFieldExact):
    pass


class _PortGreaterThan(PresentMixin, lookups.IntegerGreaterThan):
    pass


class _PortGreaterThanOrEqual(PresentMixin, lookups.IntegerGreaterThanOrEqual):
    pass


class _PortLessThan(PresentMixin, lookups.IntegerLessThan):
    pass


class _PortLessThanOrEqual(PresentMixin, lookups.IntegerLessThanOrEqual):
    pass


class _PortRange(PresentMixin, lookups.Range):
    pass


PORT_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    *text_lookups.TEXT_LOOKUPS,
    _PortIn,
    _PortExact,
    _PortGreaterThan,
    _PortGreaterThanOrEqual,
    _PortLessThan,
    _PortLessThanOrEqual,
    _PortRange,
)


def _part(lookup: lookups.Lookup[Any]) -> str:
    part: str = lookup.lhs.output_field.part
    return part

"""Lookups on a part of a URL: operands in any spelling, and ``exclude()`` loses no rows.

The SQL of a part is not known here. The left side knows it, if it is one of `functions`. What
finds a host or a path and all that lies below it is in `under`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, FullResultSet, ValidationError
from django.db.models import lookups

from django_whatwg_url.columns import text_lookups
from django_whatwg_url.columns.text_lookups import percent_encode_operand
from django_whatwg_url.parts.operands import operand_forms

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    _Mixin = lookups.Lookup[Any]
    _Exact = lookups.Exact[Any]
    _In = lookups.In[Any]
else:
    # They take type arguments in the stubs only.
    _Mixin = object
    _Exact, _In = lookups.Exact, lookups.In


class PresentMixin(_Mixin):
    """Makes a comparison with a part that a URL does not have false, and not unknown."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        try:
            comparison = super().as_sql(compiler, connection)
        except FullResultSet:  # Any number will do, but there has to be one.
            sql, params = self.process_lhs(compiler, connection)
            return f"{sql} IS NOT NULL", params
        comparison = with_presence(self.lhs, comparison, compiler, connection)
        if is_expression(self.rhs):
            comparison = self._with_operand(comparison, compiler, connection)
        return comparison

    def _with_operand(
        self, comparison: _AsSqlType, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        """Return the SQL of a comparison that is false where the operand is NULL."""
        sql: Any
        sql, params = self.process_rhs(compiler, connection)
        operands = [sql] if isinstance(sql, str) else sql  # A range has two.
        present = " AND ".join(f"{operand} IS NOT NULL" for operand in operands)
        return f"({comparison[0]} AND {present})", (*comparison[1], *params)


def with_presence(
    side: Any, comparison: _AsSqlType, compiler: SQLCompiler, connection: BaseDatabaseWrapper
) -> _AsSqlType:
    """Return the SQL of ``comparison`` that is false where ``side`` is a part that is not there.

    Anything else than one of `functions` is left to be unknown.
    """
    presence: _AsSqlType | None = (
        side.presence_sql(compiler, connection) if hasattr(side, "presence_sql") else None
    )
    if presence is None:
        return comparison
    return f"({comparison[0]} AND {presence[0]})", (*comparison[1], *presence[1])


class PartExact(PresentMixin, _Exact):
    """``url__host="EXAMPLE.com"``: any spelling works. An opaque origin equals nothing."""

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
    """Drops None from the operands: no part equals it.

    With None among them, Django 6.1 lets ``exclude()`` drop the rows where the column is NULL,
    which ``filter()`` does not find either.
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
        # There are several operands, and a subquery may give none.
        return comparison


class PartInForms(PresentInMixin, _In):
    """One of some canonical texts; it has no name, and stands for other lookups."""

    prepare_rhs = False


class PartIn(PartInForms):
    """``url__host__in``: works as `PartExact` for each value."""

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
    """``url__path__iexact``: what ``exact`` finds first, and the same in other letter case."""

    def prepare_text(self, text: str) -> str:
        try:
            return operand_forms(_part(self), text)[0]
        except (ValidationError, IndexError):
            return percent_encode_operand(text)


class PartGreaterThan(PresentMixin, lookups.GreaterThan):
    """``url__path__gt``."""


class PartGreaterThanOrEqual(PresentMixin, lookups.GreaterThanOrEqual):
    """``url__path__gte``."""


class PartLessThan(PresentMixin, lookups.LessThan):
    """``url__path__lt``."""


class PartLessThanOrEqual(PresentMixin, lookups.LessThanOrEqual):
    """``url__path__lte``."""


class PartRange(PresentMixin, lookups.Range):
    """``url__path__range``."""


class PartContains(PresentMixin, text_lookups.Contains):
    """``url__path__contains``."""


class PartIContains(PresentMixin, text_lookups.IContains):
    """``url__path__icontains``."""


class PartStartsWith(PresentMixin, text_lookups.StartsWith):
    """``url__path__startswith``."""


class PartIStartsWith(PresentMixin, text_lookups.IStartsWith):
    """``url__path__istartswith``."""


class PartEndsWith(PresentMixin, text_lookups.EndsWith):
    """``url__path__endswith``."""


class PartIEndsWith(PresentMixin, text_lookups.IEndsWith):
    """``url__path__iendswith``."""


class PartRegex(PresentMixin, text_lookups.Regex):
    """``url__path__regex``."""


class PartIRegex(PresentMixin, text_lookups.IRegex):
    """``url__path__iregex``."""


class PortExact(PresentMixin, lookups.IntegerFieldExact):
    """``url__port=8080``."""


class PortIn(PresentInMixin, _In):
    """``url__port__in``."""


class PortGreaterThan(PresentMixin, lookups.IntegerGreaterThan):
    """``url__port__gt``."""


class PortGreaterThanOrEqual(PresentMixin, lookups.IntegerGreaterThanOrEqual):
    """``url__port__gte``."""


class PortLessThan(PresentMixin, lookups.IntegerLessThan):
    """``url__port__lt``."""


class PortLessThanOrEqual(PresentMixin, lookups.IntegerLessThanOrEqual):
    """``url__port__lte``."""


class PortRange(PresentMixin, lookups.Range):
    """``url__port__range``."""


TEXT_PART_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    PartExact,
    PartIn,
    PartIExact,
    PartGreaterThan,
    PartGreaterThanOrEqual,
    PartLessThan,
    PartLessThanOrEqual,
    PartRange,
    PartContains,
    PartIContains,
    PartStartsWith,
    PartIStartsWith,
    PartEndsWith,
    PartIEndsWith,
    PartRegex,
    PartIRegex,
)

PORT_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    PortExact,
    PortIn,
    PortGreaterThan,
    PortGreaterThanOrEqual,
    PortLessThan,
    PortLessThanOrEqual,
    PortRange,
)


def _part(lookup: lookups.Lookup[Any]) -> str:
    part: str = lookup.lhs.output_field.part
    return part


def is_expression(operand: object) -> bool:
    """Return whether an operand is for the database to evaluate, a queryset among them."""
    return hasattr(operand, "resolve_expression")

"""Lookups on a part of a URL: operands in any spelling, and ``exclude()`` loses no rows.

The SQL of a part is not known here. The left side knows it, if it is one of `functions`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, FullResultSet, ValidationError
from django.db.models import lookups

from django_whatwg_url.columns import text_lookups
from django_whatwg_url.columns.text_lookups import percent_encode_operand
from django_whatwg_url.parts.operands import host_operand, operand_forms
from django_whatwg_url.parts.sql import HOST_LABELS_IN_KEY
from weburl import Domain, OpaqueHost

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    from weburl import Host

    _Mixin = lookups.Lookup[Any]
    _Lookup = lookups.Lookup[Any]
    _Exact = lookups.Exact[Any]
    _In = lookups.In[Any]
else:
    # They take type arguments in the stubs only.
    _Mixin = object
    _Lookup, _Exact, _In = lookups.Lookup, lookups.Exact, lookups.In


class PresentMixin(_Mixin):
    """Makes a comparison with a part that a URL does not have false, and not unknown."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        try:
            comparison = super().as_sql(compiler, connection)
        except FullResultSet:  # Any number will do, but there has to be one.
            sql, params = self.process_lhs(compiler, connection)
            return f"{sql} IS NOT NULL", params
        for side in (self.lhs, self.rhs):
            comparison = with_presence(side, comparison, compiler, connection)
        return comparison


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
        if self.rhs is None or _is_expression(self.rhs):
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
        if not _is_expression(self.rhs):
            self.rhs: Any = [operand for operand in self.rhs if operand is not None]
        return super().get_prep_lookup()


class PartInForms(PresentInMixin, _In):
    """One of some canonical texts; it has no name, and stands for other lookups."""

    prepare_rhs = False


class PartIn(PartInForms):
    """``url__host__in``: works as `PartExact` for each value."""

    def get_prep_lookup(self) -> Any:
        if not _is_expression(self.rhs):
            operands: list[Any] = []
            for operand in self.rhs:
                if operand is None or _is_expression(operand):
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


class UnderLookup(_Lookup):
    """``under``: the operand itself, and what lies below it."""

    lookup_name: str | None = "under"

    def get_prep_lookup(self) -> Any:
        refuse_expression(self.rhs)
        if self.rhs is not None:
            self.prepare(self.rhs)
        return self.rhs

    def prepare(self, operand: object) -> None:
        """Keep what is to be looked for. Raises ValidationError for what cannot be."""
        raise NotImplementedError


class HostUnder(UnderLookup):
    """``url__host__under="example.com"``: that host and its subdomains. An address finds itself.

    A dot at the end counts: "example.com." is another host. Uses an index on "reversed_host".
    """

    def prepare(self, operand: object) -> None:
        self.hosts: tuple[Host, ...] = host_operand(operand)
        self.has_subdomains: bool = isinstance(self.hosts[0], (Domain, OpaqueHost))

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        texts = [str(host) for host in self.hosts]
        if texts == [""]:
            return compiler.compile(PartInForms(self.lhs, texts))  # A hostname may be none.
        if not hasattr(self.lhs, "reversed_host"):
            lhs = self.process_lhs(compiler, connection)
            return _any_of([self._by_suffix(text, lhs, connection) for text in texts])
        reversed_host = self.lhs.reversed_host()
        key = compiler.compile(reversed_host)
        terms = []
        for text in texts:
            term = self._by_key(text, key, connection)
            if connection.vendor == "sqlite" and text.count(".") + 1 >= HOST_LABELS_IN_KEY:
                lhs = self.process_lhs(compiler, connection)
                exactly = self._by_suffix(text, lhs, connection)
                term = f"({term[0]} AND {exactly[0]})", (*term[1], *exactly[1])
            terms.append(term)
        return with_presence(reversed_host, _any_of(terms), compiler, connection)

    def _by_key(self, text: str, key: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = key
        low, whole = _reversed_host(text, connection.vendor)
        if not self.has_subdomains:
            return f"{sql} = %s", (*params, whole)
        return half_open_range(key, low)

    def _by_suffix(self, text: str, lhs: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = lhs
        if not self.has_subdomains:
            return f"{sql} = %s", (*params, text)
        ending = f".{text}"
        end = f"substr({sql}, -%s)" if connection.vendor == "sqlite" else f"RIGHT({sql}, %s)"
        return f"({sql} = %s OR {end} = %s)", (*params, text, *params, len(ending), ending)


class PathUnder(UnderLookup):
    """``url__path__under="/docs/"``: that path, and paths below it.

    Without a slash at its end, "/docs" finds "/docs" and "/docs/a", but not "/docs2".
    """

    def prepare(self, operand: object) -> None:
        self.paths: tuple[str, ...] = operand_forms("path", operand)

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        lhs = self.process_lhs(compiler, connection)
        terms: list[_AsSqlType] = []
        for path in self.paths:
            below = half_open_range(lhs, path if path.endswith("/") else f"{path}/")
            if not path.endswith("/"):
                below = _any_of([(f"{lhs[0]} = %s", (*lhs[1], path)), below])
            terms.append(below)
        return _any_of(terms)


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

UNDER: Final[dict[str, type[UnderLookup]]] = {
    "host": HostUnder,
    "hostname": HostUnder,
    "path": PathUnder,
}
"""Which ``under`` is that of a part; the others have none."""


def half_open_range(lhs: _AsSqlType, prefix: str) -> _AsSqlType:
    """Return the condition that ``lhs`` begins with ``prefix``, in a form that uses an index.

    ``prefix`` is printable ASCII and not empty; it is compared by code point.
    """
    sql, params = lhs
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return f"({sql} >= %s AND {sql} < %s)", (*params, prefix, *params, end)


def refuse_expression(operand: object) -> None:
    """Raise TypeError for an operand that only the database knows."""
    if _is_expression(operand):
        raise TypeError(f"This lookup takes a value, not an expression: {operand!r}")


def _any_of(terms: list[_AsSqlType]) -> _AsSqlType:
    if len(terms) == 1:
        return terms[0]
    sql = " OR ".join(sql for sql, _params in terms)
    return f"({sql})", tuple(param for _sql, params in terms for param in params)


def _reversed_host(text: str, vendor: str) -> tuple[str, str]:
    """Return what the keys of the hosts below ``text`` begin with, and the key of its own."""
    if vendor != "sqlite":
        key = f".{text}"[::-1]
        return key, key
    labels = [json.dumps(label) for label in reversed(text.split("."))][:HOST_LABELS_IN_KEY]
    prefix = "[" + ",".join(labels)
    padded = [*labels, '" "', *["null"] * HOST_LABELS_IN_KEY][:HOST_LABELS_IN_KEY]
    whole = "[" + ",".join(padded) + "]"
    return (prefix if len(labels) == HOST_LABELS_IN_KEY else f"{prefix},"), whole


def _part(lookup: lookups.Lookup[Any]) -> str:
    part: str = lookup.lhs.output_field.part
    return part


def _is_expression(operand: object) -> bool:
    return hasattr(operand, "resolve_expression")

"""Comparisons and text lookups on a URL column, and on a part of a URL.

Comparisons take whole URLs, which `CanonicalURLField.get_prep_value` makes canonical, or text if
the left side is text that a function computed. The column is ASCII, so the operands of text lookups
are percent-encoded. This includes the lookups that `django.contrib.postgres` registers with
`CharField`. They are recognized by their module's name, without importing it.
"""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import EmptyResultSet, FullResultSet, ValidationError
from django.db.models import CharField, Transform, Value, lookups
from django.db.models.expressions import Col, ExpressionList

from django_whatwg_url.column.values import StoredText, is_expression, text_of, to_url
from django_whatwg_url.query.expressions import class_in, is_ascii, is_computed_text, joined
from django_whatwg_url.query.generics import AnyExact, AnyIn, Characters, LookupMixin
from django_whatwg_url.query.operands import (
    forms_in_lookup,
    operand_forms,
    percent_encode_operand,
    pieces_of_part,
    pieces_of_url,
)
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Expression
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


_NOT_ASCII: Final = re.compile(r"[^\x00-\x7F]+")
# SQLite refuses a pattern of more than 50,000 bytes, with the "%" at both ends.
_LONGEST_LIKE: Final = 49_998
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def findable_text(text: str, connection: BaseDatabaseWrapper, *, is_ascii: bool) -> str:
    """Return ``text`` as an operand that causes no database error.

    Characters that the database cannot compare with the column are percent-encoded, so the operand
    finds no rows. These are lone surrogates, NUL on PostgreSQL, and non-ASCII characters on MariaDB
    and MySQL if the column ``is_ascii``.
    """
    if connection.vendor == "mysql" and is_ascii:
        return _NOT_ASCII.sub(lambda run: percent_encode_operand(run[0]), text)
    if connection.vendor == "postgresql":
        text = text.replace("\0", "%00")
    return _LONE_SURROGATE.sub("%EF%BF%BD", text)


# Comparisons with a part that a URL may lack.


class PresentMixin(LookupMixin):
    """Makes a comparison false instead of unknown if the URL does not have the part."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        try:
            comparison = super().as_sql(compiler, connection)
        except FullResultSet:  # The comparison is true for any number, but not for NULL.
            sql, params = self.process_lhs(compiler, connection)
            return f"{sql} IS NOT NULL", params
        comparison = with_presence(self.lhs, comparison, compiler, connection)
        if hasattr(self.lhs.output_field, "narrowed"):
            comparison = self.lhs.output_field.narrowed(self, comparison, compiler, connection)
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


class ComparisonMixin(LookupMixin):
    """Compares a URL with a URL, or computed text with text."""

    def get_prep_lookup(self) -> Any:
        side = self.lhs
        if isinstance(side, Col):
            is_text = getattr(side.output_field, "orders_text", False)
        else:
            is_text = not hasattr(side, "part") and is_computed_text(side)
        if is_text:
            # Otherwise the field prepares the operand, and treats it as a URL.
            self.prepare_rhs = False
            self.rhs: Any = self.prepare_texts(self.rhs)
        return super().get_prep_lookup()

    def prepare_texts(self, operand: Any) -> Any:
        """Return the operand with all values converted to text."""
        if operand is None or hasattr(operand, "resolve_expression"):
            return operand
        text = text_of(operand)
        text = percent_encode_operand(text) if is_ascii(self.lhs) else text
        return _as_text(text) if _is_bilateral(self.lhs) else text


class SeveralMixin(ComparisonMixin):
    """A comparison with several values."""

    def get_prep_lookup(self) -> Any:
        prepared = super().get_prep_lookup()
        if isinstance(prepared, ExpressionList):
            # Beside an expression, Django gives only text the field that it is stored with.
            field = self.lhs.output_field
            sources = prepared.get_source_expressions()
            prepared = ExpressionList(*(_as_stored(source, field) for source in sources))
        return prepared

    def prepare_texts(self, operand: Any) -> Any:
        if hasattr(operand, "resolve_expression"):
            return operand
        prepared = map(super().prepare_texts, operand)
        # With a transform of both sides, Django takes no expressions.
        return [StoredText(each.value) if isinstance(each, Value) else each for each in prepared]


class OrderMixin(ComparisonMixin):
    """An order comparison. Every URL comes after "", which is not a URL."""

    def get_prep_lookup(self) -> Any:
        if isinstance(self.rhs, str) and self.rhs == "" and not hasattr(self.lhs, "part"):
            self.prepare_rhs = False
        return super().get_prep_lookup()


def _as_stored(source: Any, field: Any) -> Any:
    """Return an expression. The value of a record gets the field that it is stored with."""
    is_record = isinstance(source, Value) and isinstance(source.value, URLRecord)
    return Value(source.value, field) if is_record else source


def _as_text(text: str) -> Value:
    """Return text as an expression, which no field prepares."""
    return Value(text, output_field=CharField())


def _is_bilateral(side: Any) -> bool:
    """Return whether a transform is also applied to the operand, so that both sides are text."""
    while isinstance(side, Transform):
        if side.bilateral:
            return True
        (side,) = side.get_source_expressions()[:1]
    return False


class URLExact(ComparisonMixin, lookups.Exact):
    """``url="…"``."""


class URLIn(SeveralMixin, lookups.In):
    """``url__in``."""


class GreaterThan(PresentMixin, OrderMixin, lookups.GreaterThan):
    """``url__gt``, also of a part."""


class GreaterThanOrEqual(PresentMixin, OrderMixin, lookups.GreaterThanOrEqual):
    """``url__gte``, also of a part."""


class LessThan(PresentMixin, OrderMixin, lookups.LessThan):
    """``url__lt``, also of a part."""


class LessThanOrEqual(PresentMixin, OrderMixin, lookups.LessThanOrEqual):
    """``url__lte``, also of a part."""


class Range(PresentMixin, SeveralMixin, lookups.Range):
    """``url__range``, also of a part."""

    def get_prep_lookup(self) -> Any:
        if not hasattr(self.rhs, "resolve_expression") and not hasattr(self.lhs, "part"):
            self.rhs: Any = [_as_text("") if value == "" else value for value in self.rhs]
        return super().get_prep_lookup()


ORDERS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    GreaterThan,
    GreaterThanOrEqual,
    LessThan,
    LessThanOrEqual,
    Range,
)
COMPARISONS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (URLExact, URLIn, *ORDERS)


class TextOperandMixin(LookupMixin):
    """Percent-encodes an operand that is a piece of a URL, or a pattern for one."""

    def get_prep_lookup(self) -> object:
        operand = super().get_prep_lookup()
        if operand is None or hasattr(operand, "resolve_expression"):
            return operand
        text = str(operand)
        if _is_bilateral(self.lhs):
            return _as_text(percent_encode_operand(text) if is_ascii(self.lhs) else text)
        return self.prepare_text(text) if is_ascii(self.lhs) else text

    def prepare_text(self, text: str) -> str:
        return percent_encode_operand(text)

    def get_db_prep_lookup(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        sql, params = super().get_db_prep_lookup(value, connection)
        found = [  # SQLite's LIKE ignores everything after a NUL.
            findable_text(param.replace("\0", "%00"), connection, is_ascii=is_ascii(self.lhs))
            if isinstance(param, str)
            else param
            for param in params
        ]
        return sql, found  # This must be a list, because Django escapes LIKE patterns in place.


class PieceMixin(TextOperandMixin):
    """Searches for a piece of a URL in every form in which a URL may contain it."""

    pieces: tuple[str, ...] = ()

    def prepare_text(self, text: str) -> str:
        part = getattr(getattr(self.lhs, "output_field", None), "part", None)
        self.pieces = pieces_of_url(text) if part is None else pieces_of_part(part, text)
        return self.pieces[0]

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if len(self.pieces) < 2:
            return super().as_sql(compiler, connection)
        found = []
        for piece in self.pieces:
            one = copy(self)
            one.rhs = piece
            found.append(super(PieceMixin, one).as_sql(compiler, connection))
        return joined(found, "OR")


class ExactCaseMixin(LookupMixin):
    """Searches without LIKE on SQLite, where LIKE ignores the case of ASCII letters.

    SQLite's LIKE also treats U+FFFE and U+FFFF as U+FFFD.
    """

    sqlite: ClassVar[str]
    """A template for the condition, with the names ``value`` and ``piece``."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if connection.vendor != "sqlite":
            return super().as_sql(compiler, connection)
        # Django's lookups for text would escape the operand for LIKE.
        value, piece = (
            self.process_lhs(compiler, connection),
            lookups.Lookup.process_rhs(self, compiler, connection),
        )
        sql = self.sqlite.format(value=value[0], piece=piece[0])
        names = re.findall("{(value|piece)}", self.sqlite)
        params = {"value": value[1], "piece": piece[1]}
        return sql, tuple(param for name in names for param in params[name])


class IgnoringCaseMixin(LookupMixin):
    """Ignores letter case on MySQL and MariaDB too.

    Django relies on the collation there, but this column has a binary collation.
    """

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if connection.vendor == "sqlite" and isinstance(self.rhs, str):
            pattern = connection.ops.prep_for_like_query(self.rhs)
            if len(pattern.encode("utf-8", "replace")) > _LONGEST_LIKE:
                raise EmptyResultSet
        return super().as_sql(compiler, connection)

    def process_lhs(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, lhs: Expression | None = None
    ) -> _AsSqlType:
        sql, params = super().process_lhs(compiler, connection, lhs)
        return (f"LOWER({sql})" if connection.vendor == "mysql" else sql), params

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = super().process_rhs(compiler, connection)
        return (f"LOWER({sql})" if connection.vendor == "mysql" else sql), params


class RangeMixin(LookupMixin):
    """Adds ranges that contain every match, so that the query can use an index.

    Only a column that is compared by code point has them.
    """

    ignores_case: ClassVar[bool]
    is_whole: ClassVar[bool] = False
    """Whether the operand is the whole text, and not its start."""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        found: _AsSqlType = super().as_sql(compiler, connection)
        text = self.rhs
        if (
            not (isinstance(text, str) and text and text.isascii() and text.isprintable())
            or self.bilateral_transforms
            or not _is_compared_by_code_point(self.lhs)
        ):
            return found
        sql, params = lookups.Lookup.process_lhs(self, compiler, connection)
        field: Any = self.lhs.output_field
        is_url = getattr(field, "holds_urls", False)
        begins = is_url or getattr(field, "part", None) in ("origin", "scheme")
        terms: list[_AsSqlType] = []
        for low, high in _ranges(text, ignores_case=self.ignores_case, has_scheme=begins):
            end = high if self.is_whole else f"{high[:-1]}{chr(ord(high[-1]) + 1)}"
            is_below = "<=" if self.is_whole else "<"
            terms.append((f"({sql} >= %s AND {sql} {is_below} %s)", (*params, low, *params, end)))
        if is_url and self.ignores_case:
            # Another program may have written a scheme with a capital letter.
            terms.append((f"{sql} < %s", (*params, "a")))
        return joined([joined(terms, "OR"), found], "AND")


def _is_compared_by_code_point(side: Any) -> bool:
    sources = [side]
    while sources:
        source = sources.pop()
        field: Any = source.output_field
        if not getattr(field, "holds_ascii", False) or getattr(field, "db_collation", None):
            return False  # It is a number, or text in another order.
        if hasattr(source, "part"):
            sources += source.get_source_expressions()
        elif not isinstance(source, Col):
            return False
    return True


_MOST_LETTERS: Final = 10


def _ranges(text: str, *, ignores_case: bool, has_scheme: bool) -> list[tuple[str, str]]:
    """Return the first and the last of the spellings of ``text``, in a few groups.

    A group has the spellings whose first capital letter is at one place, and the last one those
    without capital letters at the first ten. Nearly all rows are in lowercase, so the other groups
    find few. A scheme is in lowercase.
    """
    if not ignores_case:
        return [(text, text)]
    start = ""
    if has_scheme:
        scheme, colon, text = text.partition(":")
        start = f"{scheme.lower()}{colon}"
    found: list[tuple[str, str]] = []
    while text and len(found) < _MOST_LETTERS:
        first, text = text[0], text[1:]
        if first.isalpha():
            capital = start + first.upper()
            found.append((capital + text.upper(), capital + text.lower()))
        start += first.lower()
    return [*found, (start + text.upper(), start + text.lower())]


class Contains(PresentMixin, PieceMixin, ExactCaseMixin, lookups.Contains):
    """``url__contains``."""

    sqlite = "INSTR({value}, {piece}) > 0"


class IContains(PresentMixin, PieceMixin, IgnoringCaseMixin, lookups.IContains):
    """``url__icontains``."""


class StartsWith(PresentMixin, PieceMixin, RangeMixin, ExactCaseMixin, lookups.StartsWith):
    """``url__startswith``."""

    ignores_case = False
    sqlite = "INSTR({value}, {piece}) = 1"


class IStartsWith(PresentMixin, PieceMixin, RangeMixin, IgnoringCaseMixin, lookups.IStartsWith):
    """``url__istartswith``."""

    ignores_case = True


class EndsWith(PresentMixin, PieceMixin, ExactCaseMixin, lookups.EndsWith):
    """``url__endswith``."""

    sqlite = "SUBSTR({value} || '/', -1 - LENGTH({piece})) = {piece} || '/'"


class IEndsWith(PresentMixin, PieceMixin, IgnoringCaseMixin, lookups.IEndsWith):
    """``url__iendswith``."""


class Regex(PresentMixin, TextOperandMixin, lookups.Regex):
    """``url__regex``. Percent-encoding a set such as ``[é]`` makes it match single characters."""


class IRegex(PresentMixin, TextOperandMixin, lookups.IRegex):
    """``url__iregex``."""

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = super().process_rhs(compiler, connection)
        # On MariaDB, the collation decides about letter case. On MySQL, it does not.
        return (f"CONCAT('(?i)', {sql})" if connection.vendor == "mysql" else sql), params


class IExact(PresentMixin, RangeMixin, TextOperandMixin, IgnoringCaseMixin, lookups.IExact):
    """``url__iexact``: like ``exact``, but ignores letter case."""

    ignores_case = True
    is_whole = True

    def prepare_text(self, text: str) -> str:
        if is_computed_text(self.lhs):
            return percent_encode_operand(text)
        url = to_url(text)
        return url.href if isinstance(url, URLRecord) else percent_encode_operand(text)


TEXT_LOOKUPS: Final[tuple[type[lookups.Lookup[str]], ...]] = (
    Contains,
    IContains,
    StartsWith,
    IStartsWith,
    EndsWith,
    IEndsWith,
    Regex,
    IRegex,
    IExact,
)


# Lookups on a part, one of `functions`. Operands may have any spelling.


class PartExact(PresentMixin, AnyExact):
    """``url__host="EXAMPLE.com"``: any spelling works. An opaque origin finds no rows."""

    forms: tuple[str, ...] | None = None

    def get_prep_lookup(self) -> Any:
        if self.rhs is None or is_expression(self.rhs):
            return super().get_prep_lookup()
        self.forms = forms_in_lookup(_part(self), self.rhs)
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
                    operands += forms_in_lookup(_part(self), operand)
            self.rhs = operands
        return super().get_prep_lookup()


class PartIExact(IExact):
    """``url__path__iexact``: like ``exact``, but ignores letter case.

    If the operand has two canonical forms, it finds only the first of them.
    """

    def prepare_text(self, text: str) -> str:
        try:
            return operand_forms(_part(self), text)[0]
        except (ValidationError, IndexError):
            return percent_encode_operand(text)


TEXT_PART_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    *ORDERS,
    *(each for each in TEXT_LOOKUPS if each is not IExact),
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
    *TEXT_LOOKUPS,
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


# Lookups of django.contrib.postgres, such as ``url__search`` and ``url__trigram_similar``.

_POSTGRESQL: Final = "django.contrib.postgres.lookups"


class SearchedColumn:
    """A mixin for a `CharField` that converts its operands, such as a URL field.

    The lookups of django.contrib.postgres then take text that is not converted.
    """

    def get_lookup(self, lookup_name: str) -> Any:
        found = super().get_lookup(lookup_name)  # type: ignore[misc]  # CharField's
        return _taking_text(found) if _is_of_postgresql(found) else found

    def get_transform(self, lookup_name: str) -> Any:
        found = super().get_transform(lookup_name)  # type: ignore[misc]  # CharField's
        return _giving_text(found) if _is_of_postgresql(found) else found


class _EncodedText(Characters):
    """The type of a function on a column, such as UNACCENT. Its operands are percent-encoded."""

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else percent_encode_operand(text_of(value))


def _is_of_postgresql(found: Any) -> bool:
    return found is not None and found.__module__ == _POSTGRESQL


@cache
def _taking_text(lookup: type[Any]) -> Any:
    # Otherwise the field prepares the operand, and treats it as a URL.
    return class_in(globals(), "_Taking", TextOperandMixin, lookup, prepare_rhs=False)


@cache
def _giving_text(transform: type[Any]) -> Any:
    return class_in(globals(), "_Giving", transform, output_field=_EncodedText())

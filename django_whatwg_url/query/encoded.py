"""Lookups that compare query parameters as if they were decoded.

The database searches the URL for every way to write the operand, with the regular expressions of
`ways_of_writing`. So it does not need to decode anything. The left sides are in `functions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, FieldError, ValidationError
from django.db.models import lookups
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import is_expression, scalar_values, text_of
from django_whatwg_url.query.expressions import joined
from django_whatwg_url.query.generics import AnyExact, AnyIn, AnyLookup, Texts
from django_whatwg_url.query.lookups import PresentInMixin, PresentMixin
from django_whatwg_url.query.sql import POSITION
from django_whatwg_url.query.ways_of_writing import (
    LARGEST,
    LONGEST_OPERAND,
    MOST_REPLACEMENTS,
    REPLACEMENT,
    Place,
    any_param,
    encoded_plain,
    first_param,
    plain_piece,
    size,
    weight,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


class EncodedValue:
    """A mixin for a `Transform` that decodes a parameter. The lookups call its methods."""

    name: str
    """The name of the parameter, decoded."""

    def place(self, vendor: str) -> Place:
        """Return where the value is in the URL."""
        return first_param(self.name, vendor)

    def get_lookup(self, lookup: str) -> Any:
        """Return the lookup for ``exact``, ``in`` or ``isnull``, or None."""
        return _VALUE_LOOKUPS.get(lookup)

    def presence_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        """Return SQL that is true if the URL has this parameter."""
        pattern = any_param(self.name).holding_something()
        return self._matching(pattern, plain_piece(self.name), compiler, connection)

    def _matching(
        self,
        pattern: str,
        plain: str,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
    ) -> _AsSqlType:
        """Return SQL that is true if ``pattern`` matches, and false if the URL is NULL.

        ``plain``: a `plain_piece` of every match, or "".
        """
        (source,) = self.get_source_expressions()  # type: ignore[attr-defined]  # Transform's
        found, url = compiler.compile(_Matching(source, pattern)), compiler.compile(source)
        if not plain:
            return joined([found, _is_there(url, connection)], "AND")
        # Not AND, because PostgreSQL may evaluate the operands of AND in either order.
        likely = _may_hold(plain, url, connection)
        found = f"CASE WHEN {likely[0]} THEN {found[0]} ELSE 1 = 0 END", (*likely[1], *found[1])
        if connection.vendor == "postgresql":
            # LIKE is cheaper, and can use a trigram index.
            found = joined([_is_like(plain, url, connection), found], "AND")
        return found

    def check_name(self) -> None:
        """Raise ValidationError if `presence_sql` would be too large for a database."""
        _check_size(any_param(self.name).holding_something())

    def check_value(self) -> None:
        """Raise ValidationError if the SQL of the value would be too large for a database."""
        _check_size(self.place("").holding_something())

    def patterns(self, texts: Sequence[str], vendor: str) -> Iterator[tuple[list[str], str]]:
        """Yield ``texts`` in lists, each with a regular expression that finds any of the list.

        Raises ValidationError if one is too large for a database.
        """
        place = self.place(vendor)
        for several in batches(texts):
            pattern = place.holding(several)
            _check_size(pattern)
            yield several, pattern

    def holding_sql(
        self, texts: Sequence[str], compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        """Return SQL that is true if a value is one of ``texts``, and false if the URL is NULL."""
        terms = []
        for several, pattern in self.patterns(texts, connection.vendor):
            is_one = len(several) == 1 and several[0] != ""
            plain = plain_piece(self.name, *(["=", several[0]] if is_one else []))
            terms.append(self._matching(pattern, plain, compiler, connection))
        return joined(terms, "OR")


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield ``texts`` in lists, each of them short enough for one regular expression."""
    batch: list[str] = []
    length = 0
    for text in texts:
        length += weight(text) + 1
        if batch and length > LONGEST_OPERAND:
            yield batch
            batch, length = [], weight(text) + 1
        batch.append(text)
    if batch:
        yield batch


def _check_size(pattern: str) -> None:
    """Raise ValidationError if an expression is too large for a database."""
    if size(pattern) > LARGEST:
        raise _refusal(f"The name and the operand together are too long. {_TOO_LONG}")


def _is_there(url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL that is true if a URL is not NULL. It makes a comparison false instead of NULL."""
    sql, params = url
    if params and connection.vendor == "postgresql":
        sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
    return f"{sql} IS NOT NULL", params


class _Matching(lookups.Regex):
    """Django's ``regex``, with a pattern that needs no preparation."""

    prepare_rhs = False


def _is_like(plain: str, url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL for PostgreSQL that is true if a URL contains ``plain`` or a percent sign."""
    sql, params = url
    piece = f"%{connection.ops.prep_for_like_query(plain)}%"
    if encoded_plain(plain):
        return f"{sql} LIKE ANY (ARRAY[%s, %s])", (*params, piece, r"%\%%")
    return f"{sql} LIKE %s", (*params, piece)


def _may_hold(plain: str, url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL that is true if a URL contains ``plain``, or may contain it percent-encoded.

    It is much faster than a regular expression, which then runs only for the remaining rows.
    """
    sql, params = url
    codes = encoded_plain(plain)
    if connection.vendor == "sqlite":
        # GLOB takes two thirds of the time of INSTR.
        letters = "".join(first for first, seconds in codes.items() if not seconds)
        glob = [plain.replace("?", "[?]"), *([f"%[{letters}]"] if letters else [])]
        glob += [f"%{first}[{seconds}]" for first, seconds in codes.items() if seconds]
        terms, found = [f"{sql} GLOB %s"] * len(glob), [f"*{each}*" for each in glob]
    else:
        terms, found = [f"{POSITION[connection.vendor]}({sql}, %s) > 0"], [plain]
        encoded = [
            f"%{first}{each}" for first, seconds in codes.items() for each in seconds or [""]
        ]
        if encoded:
            terms.append(f"{terms[0]} AND ({' OR '.join(terms * len(encoded))})")
            found += ["%", *encoded]
    return f"({' OR '.join(terms)})", tuple(param for own in found for param in (*params, own))


def operand_text(operand: object, what: str) -> str:
    """Return the text of an operand, which may be a string, a record or an int.

    Raises TypeError for another type, and ValidationError if the text is too long for a database.

    ``what``: how the message names the operand.
    """
    if operand is None or isinstance(operand, (bool, float, bytes, list, tuple, set, dict)):
        raise TypeError(f"{what} must be text or an int, not {type(operand).__name__}")
    text = scalar_values(text_of(operand))
    if len(text.encode()) > LONGEST_OPERAND or text.count(REPLACEMENT) > MOST_REPLACEMENTS:
        raise _refusal(
            f"{what} has more than {LONGEST_OPERAND} bytes of UTF-8 or {MOST_REPLACEMENTS} U+FFFD."
            f" {_TOO_LONG}"
        )
    return text


def _refusal(reason: str) -> ValidationError:
    # A visitor may have typed the operand, so the error has the type of other invalid operands.
    return ValidationError(
        _("This cannot be looked up: %(reason)s"), code="invalid", params={"reason": reason}
    )


_TOO_LONG: Final = (
    "That is too much for a database, which looks for every way to write it. Keep the value in a"
    " column of its own, or filter the rows in Python."
)


class EncodedExact(PresentMixin, AnyExact):
    """``url__query_params__q="a b"``. The operand may be an expression, which is not decoded."""

    texts: list[str] | None = None
    """The operands, if the database searches for every way to write them."""

    def get_prep_lookup(self) -> Any:
        if is_expression(self.rhs):
            self.lhs.check_value()
            return super().get_prep_lookup()
        if self.rhs is not None:  # Django uses isnull instead.
            self.texts = [operand_text(self.rhs, "the operand of exact")]
            _check_sizes(self.lhs, self.texts)
        return self.rhs

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if self.texts is None:
            return super().as_sql(compiler, connection)
        found: _AsSqlType = self.lhs.holding_sql(self.texts, compiler, connection)
        return found


class EncodedIn(PresentInMixin, AnyIn):
    """``url__query_params__q__in``. None in the list finds no rows."""

    texts: list[str] | None = None

    def get_prep_lookup(self) -> Any:
        if is_expression(self.rhs):
            self.lhs.check_value()
            return super().get_prep_lookup()
        self.texts = [
            operand_text(each, "the operand of in")
            for each in several(self.rhs, "in")
            if each is not None  # `PresentInMixin` says why.
        ]
        _check_sizes(self.lhs, self.texts)
        return self.texts

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if self.texts is None:
            return super().as_sql(compiler, connection)
        if not self.texts:
            raise EmptyResultSet
        found: _AsSqlType = self.lhs.holding_sql(self.texts, compiler, connection)
        return found


def _check_sizes(side: EncodedValue, texts: Sequence[str]) -> None:
    """Raise ValidationError if the SQL would be too large for a database."""
    for _pattern in side.patterns(texts, ""):
        pass


class EncodedIsNull(lookups.IsNull):
    """``url__query_params__q__isnull``: true if the URL does not have the parameter."""

    def get_prep_lookup(self) -> Any:
        self.lhs.check_name()
        return super().get_prep_lookup()

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if not isinstance(self.rhs, bool):
            return super().as_sql(compiler, connection)
        sql, params = self.lhs.presence_sql(compiler, connection)
        return f"({sql}) IS {'NOT ' if self.rhs else ''}TRUE", params


class _ValueField(Texts):
    """The type of the value of a parameter, from which other packages choose a filter."""

    def get_internal_type(self) -> str:
        return "TextField"


PARAM_VALUE: Final = _ValueField()
"""The ``output_field`` of an `EncodedValue`."""

_VALUE_LOOKUPS: Final[dict[str, type[lookups.Lookup[Any]]]] = {
    "exact": EncodedExact,
    "in": EncodedIn,
    "isnull": EncodedIsNull,
}


def several(operand: Any, lookup: str) -> list[Any]:
    """Return the operand of a lookup that takes several. Raises TypeError for one text."""
    if isinstance(operand, (str, bytes)) or not hasattr(operand, "__iter__"):
        raise TypeError(f"{lookup} takes a list, not {type(operand).__name__}")
    return list(operand)


# Lookups on all parameters.


HOW_TO_NAME_A_PARAM: Final = (
    'Name one, as in url__query_params__q="…", or ask for a name with has. A parameter whose name'
    ' is also that of a lookup is QueryParam("url", "exact").'
)


class HasParam(AnyLookup):
    """``url__query_params__has="utm_source"``: URLs with that parameter."""

    lookup_name: str | None = "has"

    def get_prep_lookup(self) -> Any:
        if is_expression(self.rhs):
            raise TypeError(f"{self.lookup_name} takes text, not an expression")
        self._param: EncodedValue = self.lhs.param(self.rhs)
        self._param.check_name()
        return self.rhs

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        return self._param.presence_sql(compiler, connection)


class _NotOfAllParams(AnyLookup):
    """Refuses a lookup that needs the name of one parameter."""

    def get_prep_lookup(self) -> Any:
        raise FieldError(HOW_TO_NAME_A_PARAM)


PARAMS_LOOKUPS: Final[dict[str, type[lookups.Lookup[Any]]]] = {
    "has": HasParam,
    "exact": _NotOfAllParams,
    "isnull": _NotOfAllParams,
}
"""The lookups on all parameters, by name. Any other name is the name of a parameter."""

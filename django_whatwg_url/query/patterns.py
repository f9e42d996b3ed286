"""Turns a URL pattern into conditions on the parts of a URL column.

The comparisons are in `lookups`, and the left sides, which compile to the SQL of a part, in
`functions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.db import NotSupportedError
from django.db.models import CharField, lookups
from django.db.models.functions import Cast

from django_whatwg_url.query.generics import AnyLookup
from django_whatwg_url.query.lookups import IRegex, PartIExact, PartInForms, Regex
from django_whatwg_url.query.under import half_open_range
from django_whatwg_url.rules.messages import pattern_error
from weburl import URLPattern, URLPatternCondition, URLPatternError

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


# The part for each component of a pattern. There is no SQL that extracts a password.
_PARTS: Final[dict[str, str]] = {
    "protocol": "scheme",
    "username": "username",
    "hostname": "hostname",
    "port": "port",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
}
_PORT: Final = "port"
# A port has at most five digits.
_PORT_TEXT: Final = CharField(max_length=5)


class Matches(AnyLookup):
    """``url__matches="https://example.com/users/:id"``: rows whose URL matches a pattern.

    The operand is a `weburl.URLPattern`, or text or a mapping to make one from. The query can use
    an index on a part whose pattern is fixed text, and on the path if its pattern begins with fixed
    text.

    Raises:
        ValidationError: The operand is not a pattern.
        NotSupportedError: SQL cannot check the pattern: a component has a regular expression or
            more than four wildcards before its end, or it has a pattern for the password. The error
            names the component.
    """

    lookup_name: str | None = "matches"
    prepare_rhs = False

    def get_prep_lookup(self) -> Any:
        if hasattr(self.rhs, "resolve_expression"):
            raise TypeError("matches takes a pattern, not an expression")
        conditions = _conditions(pattern_operand(self.rhs))
        self.conditions: tuple[tuple[str, URLPatternCondition], ...] = tuple(conditions)
        return super().get_prep_lookup()

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> _AsSqlType:
        terms: list[str] = []
        params: list[Any] = []
        # Every URL has a scheme, so the scheme is NULL only if the column is.
        for part, condition in (("scheme", None), *self.conditions):
            side = self.lhs.get_transform(part)(self.lhs)
            sql, own = _sql_of(part, side, condition, compiler)
            terms.append(sql)
            params += own
        return f"({' AND '.join(terms)})", tuple(params)


def pattern_operand(operand: object) -> URLPattern:
    """Return the operand of ``matches`` as a pattern.

    Raises ValidationError for text that is not a pattern, and TypeError for other values.
    """
    if isinstance(operand, URLPattern):
        return operand
    if not isinstance(operand, (str, Mapping)):
        raise TypeError(
            f"matches takes a URLPattern, text or a mapping, not {type(operand).__name__}"
        )
    try:
        return URLPattern(operand)
    except URLPatternError as error:
        raise pattern_error(error) from error


def _conditions(pattern: URLPattern) -> Iterator[tuple[str, URLPatternCondition]]:
    """Yield each part that the pattern restricts, with its condition."""
    try:
        conditions = pattern.conditions()
    except URLPatternError as error:
        raise NotSupportedError(str(error)) from error
    if "password" in conditions:
        raise NotSupportedError("SQL cannot read the password of a URL, so matches cannot check it")
    for component, condition in conditions.items():
        yield _PARTS[component], condition


def _sql_of(
    part: str,
    side: Any,
    condition: URLPatternCondition | None,
    compiler: SQLCompiler,
) -> _AsSqlType:
    """Return SQL that is true if a part meets ``condition``, or is not NULL if that is None."""
    sql, params = compiler.compile(side)
    if condition is None:
        return f"{sql} IS NOT NULL", tuple(params)
    terms = [compiler.compile(_comparison(part, side, condition))]
    if part == "path" and condition.regexp and condition.prefix and not condition.ignore_case:
        terms.append(half_open_range((sql, tuple(params)), condition.prefix))
    compared = " AND ".join(text for text, _own in terms)
    all_params = tuple(param for _text, own in terms for param in own)
    if condition.matches_empty:
        return f"({sql} IS NULL OR ({compared}))", (*params, *all_params)
    # Never unknown, so that ``exclude()`` finds all other rows.
    return f"({sql} IS NOT NULL AND {compared})", (*params, *all_params)


def _comparison(part: str, side: Any, condition: URLPatternCondition) -> lookups.Lookup[Any]:
    if part == _PORT:
        text = Cast(side, _PORT_TEXT)
        if condition.regexp is None:
            return lookups.Exact(text, condition.prefix)
        return lookups.Regex(text, condition.regexp)
    if condition.regexp is None:
        if condition.ignore_case:
            return PartIExact(side, condition.prefix)
        return PartInForms(side, [condition.prefix])
    return (IRegex if condition.ignore_case else Regex)(side, condition.regexp)

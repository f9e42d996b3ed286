"""Text lookups on a URL column. The column is ASCII, so operands are percent-encoded too.

Comparisons (``exact``, ``in``, ``gt`` …) are not here. They take whole URLs, which
`CanonicalURLField.get_prep_value` makes canonical.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from django.db.models import lookups

from django_whatwg_url.columns.values import to_url
from weburl import URLRecord

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.expressions import Expression
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    _Lookup = lookups.Lookup[str]
else:
    _Lookup = object

_NEVER_IN_A_CANONICAL_URL: Final = re.compile(r"[^\x20-\x7E]+")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7F]+")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def percent_encode_operand(text: str) -> str:
    """Return ``text`` with control and non-ASCII characters percent-encoded as UTF-8.

    A lone surrogate becomes U+FFFD, as in the parser.
    """
    return _NEVER_IN_A_CANONICAL_URL.sub(
        lambda run: quote(_LONE_SURROGATE.sub("\ufffd", run[0]), safe=""), text
    )


def findable_text(text: str, connection: BaseDatabaseWrapper, *, is_ascii: bool) -> str:
    """Return ``text`` as an operand for a column that may hold any text, without a database error.

    Characters that the column cannot hold are percent-encoded, and then the operand finds no rows:
    lone surrogates, NUL on PostgreSQL, and on MariaDB and MySQL all of Unicode if the column
    ``is_ascii``, because comparing them is an error there.
    """
    if connection.vendor == "mysql" and is_ascii:
        return _NOT_ASCII.sub(lambda run: percent_encode_operand(run[0]), text)
    if connection.vendor == "postgresql":
        text = text.replace("\0", "%00")
    return _LONE_SURROGATE.sub("%EF%BF%BD", text)


class TextOperandMixin(_Lookup):
    """Prepares an operand that is a piece of a URL, or a pattern for a piece."""

    def get_prep_lookup(self) -> object:
        operand = super().get_prep_lookup()
        if operand is None or hasattr(operand, "resolve_expression"):
            return operand
        return self.prepare_text(str(operand))

    def prepare_text(self, text: str) -> str:
        return percent_encode_operand(text)


class IgnoringCaseMixin(TextOperandMixin):
    """Ignores letter case on MySQL and MariaDB too.

    Django relies on the collation there, but this column has a binary collation.
    """

    def process_lhs(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, lhs: Expression | None = None
    ) -> _AsSqlType:
        sql, params = super().process_lhs(compiler, connection, lhs)
        return (f"LOWER({sql})" if connection.vendor == "mysql" else sql), params

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = super().process_rhs(compiler, connection)
        return (f"LOWER({sql})" if connection.vendor == "mysql" else sql), params


class Contains(TextOperandMixin, lookups.Contains):
    """``url__contains``."""


class IContains(IgnoringCaseMixin, lookups.IContains):
    """``url__icontains``."""


class StartsWith(TextOperandMixin, lookups.StartsWith):
    """``url__startswith``."""


class IStartsWith(IgnoringCaseMixin, lookups.IStartsWith):
    """``url__istartswith``."""


class EndsWith(TextOperandMixin, lookups.EndsWith):
    """``url__endswith``."""


class IEndsWith(IgnoringCaseMixin, lookups.IEndsWith):
    """``url__iendswith``."""


class Regex(TextOperandMixin, lookups.Regex):
    """``url__regex``. Percent-encoding a set such as ``[é]`` makes it match single characters."""


class IRegex(TextOperandMixin, lookups.IRegex):
    """``url__iregex``."""

    def process_rhs(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        sql, params = super().process_rhs(compiler, connection)
        # MariaDB uses the collation and MySQL does not, but both understand the flag.
        return (f"CONCAT('(?i)', {sql})" if connection.vendor == "mysql" else sql), params


class IExact(IgnoringCaseMixin, lookups.IExact):
    """``url__iexact``: like ``exact``, but ignores letter case."""

    def prepare_text(self, text: str) -> str:
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

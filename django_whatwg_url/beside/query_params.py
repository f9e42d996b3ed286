"""A column for one parameter of a URL's query, which can be indexed on every database.

`QueryParamField` stores the first value of the parameter. This module has the field and its
lookups. Queries on the URL itself are in `functions` and `query`.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import EmptyResultSet
from django.db import NotSupportedError
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.beside.base import CUT, DIGEST_LENGTH, FollowingCompanion, with_digest
from django_whatwg_url.column.columns import ExactColumn
from django_whatwg_url.column.values import UnparsableURL, is_expression, scalar_values, text_of
from django_whatwg_url.query import lookups as url_lookups
from weburl import URLParseError, URLRecord

if TYPE_CHECKING:
    from typing import Unpack

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType
    from django.utils.functional import _Getter, _StrOrPromise

    from django_whatwg_url.beside.base import CompanionOptions


_FROM_END: Final = DIGEST_LENGTH + 1
# Characters that at least one database cannot store.
_NEVER_STORED: Final = re.compile("[\0\ud800-\udfff]")
_FIRST_SURROGATE: Final = 0xD800
_AFTER_SURROGATES: Final = 0xE000

# True if the whole value is stored. PostgreSQL's SUBSTR cannot count from the end.
_WHOLE_SQL: Final = {
    "sqlite": "SUBSTR({0}, -65, 1) <> %s",
    "mysql": "SUBSTR({0}, -65, 1) <> %s",
    "postgresql": "SUBSTR({0}, LENGTH({0}) - 64, 1) <> %s",
}


def query_param(url: object, name: str) -> str | None:
    """Return the first value of a parameter, decoded, or None if the URL does not have it.

    As in `weburl.URLSearchParams.get`, a plus sign is a space, and bytes that are not UTF-8 become
    U+FFFD. The result is also None for None and for text that is not a URL.

    Args:
        url: A record, or any value that a URL field accepts.
        name: The decoded name of the parameter.

    Spec: #dom-urlsearchparams-get
    """
    if url is None or isinstance(url, UnparsableURL):
        return None
    try:
        record = url if isinstance(url, URLRecord) else weburl.parse(text_of(url))
    except URLParseError:
        return None
    return next((value for key, value in record.query_pairs if key == name), None)


class ShortenedValue(str):
    """A value that was too long for its column: its beginning, U+007F and its digest.

    ``values()`` and rows with a deferred URL return it. As an operand, it finds the same rows as
    the whole value.
    """

    __module__ = "django_whatwg_url.query_params"

    __slots__ = ()


class QueryParamField(ExactColumn, FollowingCompanion):
    """The first value of one parameter of the URL in another field, decoded, or NULL without it.

    The value is the same as in `weburl.URLSearchParams.get`: ``?id=a+b`` and ``?%69d=a%20b&id=c``
    both have "a b" as ``id``. The column compares by code point on every database.

    The attribute is the whole value, and always belongs to the current URL of the instance. The
    column is filled as `URLKeyField` describes. After other updates, and after adding the field to
    a table with rows, run the command ``update_query_params``.

    A value that is longer than ``max_length``, or contains NUL, is stored as its beginning, U+007F
    and its SHA-256 digest. So no URL is refused because of it, and ``exact``, ``in`` and ``isnull``
    work for every value. All other lookups find only values that are stored whole. The field is
    always ``null=True`` and not editable.

    Args:
        from_field: The name of a text field of the same model, of any class: `URLField`,
            `CharField`, `TextField`, `CanonicalURLField` and others.
        param: The decoded name of the parameter, such as "utm_source".
        verbose_name: As for other fields.
        max_length: The length of the column in characters, at least 100. 255 by default. An index
            has room for 673 characters on every database.
        db_index: Whether the column has an index. True by default.
        **options: ``unique``, ``error_messages``, ``help_text``, ``db_column``, ``db_comment`` and
            ``db_tablespace``.

    Raises:
        TypeError: ``param`` is not text.
        ValueError: ``param`` contains a lone surrogate. No parameter of a URL has such a name.

    Spec: #dom-urlsearchparams-get
    """

    __module__ = "django_whatwg_url.fields"

    orders_text = True
    """An order or range compares the whole operand, which is not shortened."""
    description: _StrOrPromise | _Getter[_StrOrPromise] = _("Query parameter of a URL")
    default_max_length: ClassVar[int] = 255
    shortened_value: ClassVar[tuple[str, str]] = ("value", "django_whatwg_url.E010")
    non_db_attrs: tuple[str, ...] = (*FollowingCompanion.non_db_attrs, "param")

    def __init__(
        self,
        from_field: str,
        param: str,
        verbose_name: _StrOrPromise | None = None,
        **options: Unpack[CompanionOptions],
    ) -> None:
        if not isinstance(param, str):
            raise TypeError(f"param must be the name of a parameter, not {type(param).__name__}")
        if param != scalar_values(param):
            raise ValueError("param contains a lone surrogate, which no parameter of a URL has")
        self.param = param
        super().__init__(from_field, verbose_name, **options)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, [*args, self.param], kwargs

    # Values.

    def run_validators(self, value: Any) -> None:
        """Accept every value, because it comes from the URL, and a long value is shortened."""

    def computed_from(self, url: object) -> str | None:
        return query_param(url, self.param)

    def as_stored(self, value: str | None) -> str | None:
        if value is None or self.max_length is None or self._fits(value):
            return value
        beginning = _NEVER_STORED.split(value[: self.max_length - _FROM_END])[0]
        return with_digest(beginning, value)

    def _fits(self, value: str) -> bool:
        # A value that looks shortened is shortened too, so that it never equals a shortened value.
        is_short = len(value) <= (self.max_length or 0)
        return is_short and not _is_shortened(value) and not _NEVER_STORED.search(value)

    def from_db_value(self, value: Any, *_context: object) -> Any:
        return ShortenedValue(value) if value is not None and _is_shortened(value) else value

    def narrowed(
        self,
        lookup: Any,
        comparison: _AsSqlType,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
    ) -> _AsSqlType:
        """Return ``comparison``, changed so that it finds only values that are stored whole."""
        whole = _WHOLE_SQL.get(connection.vendor)
        if whole is None:
            raise NotSupportedError(
                f"The lookup {lookup.lookup_name!r} on a QueryParamField supports SQLite, "
                f"PostgreSQL, MariaDB and MySQL, but not {connection.display_name}."
            )
        operands = lookup.rhs if isinstance(lookup.rhs, list | tuple) else (lookup.rhs,)
        if any(isinstance(text, str) and _NEVER_STORED.search(text) for text in operands):
            raise EmptyResultSet
        value, params = lookup.process_lhs(compiler, connection)
        return (
            f"({comparison[0]} AND {whole.format(value)})",
            (*comparison[1], *tuple(params) * whole.count("{0}"), CUT),
        )

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        if prepared is None or is_expression(prepared):
            return prepared
        text = text_of(prepared)
        return text if isinstance(prepared, ShortenedValue) else self.as_stored(text)


def _is_shortened(text: str) -> bool:
    return text[-_FROM_END:-DIGEST_LENGTH] == CUT


class _StartsWith(url_lookups.StartsWith):
    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        end = _after(self.rhs) if isinstance(self.rhs, str) else None
        if end is None:
            return super().as_sql(compiler, connection)
        # A range can use the index. On MariaDB and MySQL, Django's LIKE BINARY cannot.
        value, params = self.process_lhs(compiler, connection)
        found = f"({value} >= %s AND {value} < %s)", (*params, self.rhs, *params, end)
        return self.lhs.output_field.narrowed(self, found, compiler, connection)  # type: ignore[no-any-return]


def _after(prefix: str) -> str | None:
    """Return the string that follows all strings beginning with ``prefix``, or None.

    Strings are ordered by code point.
    """
    rest = prefix.rstrip(chr(sys.maxunicode))
    if not rest:
        return None
    following = ord(rest[-1]) + 1
    return rest[:-1] + chr(_AFTER_SURROGATES if following == _FIRST_SURROGATE else following)


for _lookup in (*url_lookups.TEXT_LOOKUPS, *url_lookups.ORDERS, _StartsWith):
    QueryParamField.register_lookup(_lookup)

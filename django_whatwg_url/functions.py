"""Expressions that return a part of a URL, such as ``URLHost("url")``.

They are also the transforms of a URL column, as in ``url__host``. Migrations contain their import
paths, and indexes contain their SQL (`query.sql`), so neither may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import FieldError
from django.db import NotSupportedError
from django.db.models import BooleanField, CharField, F, Func, Transform
from django.db.models.expressions import Col

from django_whatwg_url.query.decoding import decoded
from django_whatwg_url.query.encoded import (
    HOW_TO_NAME_A_PARAM,
    PARAM_VALUE,
    PARAMS_LOOKUPS,
    EncodedValue,
    operand_text,
)
from django_whatwg_url.query.fields import part_field
from django_whatwg_url.query.sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, TEXT_SQL, URL

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

__all__ = [
    "LooksCanonical",
    "QueryParam",
    "QueryParams",
    "URLFragment",
    "URLHost",
    "URLHostname",
    "URLOrigin",
    "URLPart",
    "URLPath",
    "URLPort",
    "URLQuery",
    "URLReversedHost",
    "URLScheme",
    "URLText",
    "URLUsername",
]


class URLPart(Transform):
    """A part of a URL. The only argument is the name of a field, or an expression.

    The argument may be any canonical text. If the model has a generated column with the same part,
    the query reads that column instead, and so uses its index. Raises NotSupportedError on
    databases other than SQLite, PostgreSQL, MariaDB and MySQL.
    """

    part: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "part" in vars(cls):
            kind: Any = cls  # The stubs have a method of that name.
            kind.output_field = part_field(cls.part)

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        column = self._generated_column()
        if column is not None:
            return compiler.compile(column)
        return sql_of(self, PART_SQL[self.part], compiler, connection)

    def presence_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType | None:
        """Return SQL that is true if the URL has this part, or None if every URL has it."""
        texts = PRESENCE_SQL.get(self.part)
        return None if texts is None else sql_of(self, texts, compiler, connection)

    def _generated_column(self) -> Col | None:
        (source,) = self.get_source_expressions()
        # A column without an alias is used in the definition of the table, not in a query.
        if not isinstance(source, Col) or source.alias is None:
            return None
        for field in source.target.model._meta.local_fields:
            part = generated_part(field, source.target.name)
            if type(part) is type(self) and holds_part(field, part):
                return field.get_col(source.alias)
        return None


class URLScheme(URLPart):
    """The scheme, such as "https".

    Spec: #concept-url-scheme
    """

    lookup_name = part = "scheme"


class URLUsername(URLPart):
    """The username, percent-encoded, or "" if the URL has no username.

    Spec: #concept-url-username
    """

    lookup_name = part = "username"


class _HostPart(URLPart):
    def reversed_host(self) -> URLReversedHost:
        """Return the expression for the reversed host, which an index for subdomains contains."""
        return URLReversedHost(*self.get_source_expressions())


class URLHost(_HostPart):
    """The host without the port. An empty host is "", and no host is NULL.

    The host of ``http://[::1]:8080/`` is "[::1]", as in a `URLRecord`. (JavaScript's ``host``
    includes the port.)

    Spec: #concept-url-host
    """

    lookup_name = part = "host"


class URLHostname(_HostPart):
    """The host as JavaScript's ``hostname`` returns it: "" if the URL has no host.

    Spec: #dom-url-hostname
    """

    lookup_name = part = "hostname"


class URLReversedHost(URLPart):
    """The host with its labels in reverse order, for sorting and for an index on subdomains.

    The text differs between databases. It is NULL if the URL has no host.
    """

    part = "reversed_host"


class URLPort(URLPart):
    """The port as an integer, or NULL for no port and for the scheme's default port.

    Spec: #concept-url-port
    """

    lookup_name = part = "port"


class URLPath(URLPart):
    """The path as text, whether it is opaque or not: "/a/b", "" or "you@example.com".

    Spec: #concept-url-path
    """

    lookup_name = part = "path"


class URLQuery(URLPart):
    """The query without "?", or NULL if the URL has no query.

    Spec: #concept-url-query
    """

    lookup_name = part = "query"


class URLFragment(URLPart):
    """The fragment without "#", or NULL if the URL has no fragment.

    Spec: #concept-url-fragment
    """

    lookup_name = part = "fragment"


class URLOrigin(URLPart):
    """The origin, such as "https://example.com:8080".

    An opaque origin is NULL, because it is not equal to any other origin.

    Spec divergence (SQL cannot parse): the origin of a ``blob:`` URL is NULL too. In the standard,
    such a URL has the origin of the URL in its path.

    Spec: #concept-url-origin
    """

    lookup_name = part = "origin"


class QueryParam(EncodedValue, Transform):
    """The first value of a parameter, decoded, or NULL: ``QueryParam("url", "utm-source")``.

    The arguments are a URL field, or an expression that returns canonical text, and the decoded
    name. ``url__query_params__q`` is the same, for names that are possible in a lookup. The value
    is the same as in ``get`` of `weburl.URLSearchParams`. It is compared with ``exact``, ``in`` and
    ``isnull``.

    Raises TypeError if ``name`` is not text, and ValidationError if it is longer than 1000 bytes.

    Spec: #dom-urlsearchparams-get
    """

    output_field = PARAM_VALUE

    def __init__(self, expression: Any, name: str, **extra: Any) -> None:
        self.name: str = operand_text(name, "the name of a parameter")
        super().__init__(expression, **extra)

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        (source,) = self.get_source_expressions()
        if isinstance(source, Col) and source.alias is None:
            # A column without an alias is used in the definition of the table, not in a query.
            raise NotSupportedError(
                "The value of QueryParam cannot be in an index, a constraint or a generated column."
                " Comparisons of it with text can be in a constraint."
            )
        url = compiler.compile(source)
        if connection.vendor == "sqlite":
            return f"whatwg_url_query_param({url[0]}, %s)", (*url[1], self.name)
        return decoded(url, self.place(connection.vendor), connection)


class QueryParams(Transform):
    """The parameters of the query: ``url__query_params``. They have no value in SQL.

    ``url__query_params__q`` is the parameter "q", a `QueryParam`. The lookup ``has`` takes a name,
    which is decoded as in `URLRecord.query_params`.

    Spec: #concept-urlencoded-parser
    """

    lookup_name = "query_params"
    output_field = PARAM_VALUE

    def as_sql(self, *_args: Any, **_extra: Any) -> _AsSqlType:
        raise FieldError(HOW_TO_NAME_A_PARAM)

    def get_lookup(self, lookup: str) -> Any:
        return PARAMS_LOOKUPS.get(lookup)

    def get_transform(self, name: str) -> Any:
        return lambda side: side.param(name)

    def param(self, name: str) -> QueryParam:
        """Return the expression for the parameter ``name``."""
        (url,) = self.get_source_expressions()
        return QueryParam(url, name)


class LooksCanonical(Transform):
    """Whether text may be canonical. False if it certainly is not.

    The only argument is a field or an expression. It is also a transform of a URL column:
    ``url__looks_canonical=False``.

    It is false for text without a scheme, with capital letters in the scheme, with characters other
    than printable ASCII, or with a space at the end or outside an opaque path. With a special
    scheme (see `weburl.SPECIAL_SCHEMES`), it is also false without "//", without a path, without a
    host (except with file), and with capital letters in the host.
    """

    lookup_name = "looks_canonical"
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        return sql_of(self, CANONICAL_SQL, compiler, connection)


class URLText(Func):
    """The URL as plain text, in the default collation of the database.

    Use it to combine a URL with other text columns. On PostgreSQL, a URL column has the collation
    "C", which the expression would otherwise get. The value is a `str`.
    """

    arity: int | None = 1
    output_field = CharField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        return sql_of(self, TEXT_SQL, compiler, connection)


URL_TRANSFORMS: Final[tuple[type[URLPart], ...]] = (
    URLScheme,
    URLUsername,
    URLHost,
    URLHostname,
    URLPort,
    URLPath,
    URLQuery,
    URLFragment,
    URLOrigin,
)

_ALL_PARTS: Final[tuple[type[URLPart], ...]] = (*URL_TRANSFORMS, URLReversedHost)

PART_EXPRESSIONS: Final = {expression.part: expression for expression in _ALL_PARTS}
"""The expression for each part, by the name of the part."""


def part_expression(part: str) -> type[URLPart]:
    """Return the expression for a part. Raises ValueError if there is no such part."""
    if part not in PART_EXPRESSIONS:
        known = ", ".join(PART_EXPRESSIONS)
        raise ValueError(f"{part!r} is not a part of a URL; the parts are {known}")
    return PART_EXPRESSIONS[part]


def generated_part(field: Any, url_field: str) -> URLPart | None:
    """Return the part of the URL in ``url_field`` that a generated column contains, or None."""
    expression = getattr(field, "expression", None)
    if isinstance(expression, URLPart) and expression.get_source_expressions() == [F(url_field)]:
        return expression
    return None


def holds_part(field: Any, part: Any) -> bool:
    """Return whether the type of a generated column compares values in the same way as the part."""
    given, expected = field.output_field, part.output_field
    return type(given) is type(expected) and getattr(given, "part", None) == getattr(
        expected, "part", None
    )


def sql_of(
    expression: Func,
    texts: Mapping[str, str],
    compiler: SQLCompiler,
    connection: BaseDatabaseWrapper,
) -> _AsSqlType:
    """Return the SQL of ``texts`` for the URL that is the argument of an expression."""
    text = texts.get(connection.vendor)
    if text is None:
        raise NotSupportedError(
            f"{type(expression).__name__} supports SQLite, PostgreSQL, MariaDB and MySQL, but not "
            f"{connection.display_name}."
        )
    (source,) = expression.get_source_expressions()
    sql, params = compiler.compile(source)
    if params and connection.vendor == "postgresql":
        sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
    return text.replace(URL, sql), tuple(params) * text.count(URL)

"""Expressions that return a part of a URL, such as ``URLHost("url")``.

They are also the transforms of a URL column, as in ``url__host``. Migrations contain their import
paths, and indexes contain their SQL (`parts.sql`), so neither may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import NotSupportedError
from django.db.models import BooleanField, CharField, F, Func, Transform
from django.db.models.expressions import Col

from django_whatwg_url.parts.fields import URLPartField, URLPortField
from django_whatwg_url.parts.sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, TEXT_SQL, URL

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

__all__ = [
    "LooksCanonical",
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

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        column = self._generated_column()
        if column is not None:
            return compiler.compile(column)
        return _sql_of(self, PART_SQL[self.part], compiler, connection)

    def presence_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType | None:
        """Return SQL that is true if the URL has this part, or None if every URL has it."""
        texts = PRESENCE_SQL.get(self.part)
        return None if texts is None else _sql_of(self, texts, compiler, connection)

    def _generated_column(self) -> Col | None:
        (source,) = self.get_source_expressions()
        # Without an alias, this is SQL for the definition of the table itself.
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
    output_field = URLPartField("scheme")


class URLUsername(URLPart):
    """The username, percent-encoded, or "" if the URL has no username.

    Spec: #concept-url-username
    """

    lookup_name = part = "username"
    output_field = URLPartField("username")


class _HostPart(URLPart):
    def reversed_host(self) -> URLReversedHost:
        """Return the expression that an index for subdomains contains."""
        return URLReversedHost(*self.get_source_expressions())


class URLHost(_HostPart):
    """The host without the port. An empty host is "", and no host is NULL.

    The host of ``http://[::1]:8080/`` is "[::1]", as in a `URLRecord`. (JavaScript's ``host``
    includes the port.)

    Spec: #concept-url-host
    """

    lookup_name = part = "host"
    output_field = URLPartField("host")


class URLHostname(_HostPart):
    """The host as JavaScript's ``hostname`` returns it: "" if the URL has no host.

    Spec: #dom-url-hostname
    """

    lookup_name = part = "hostname"
    output_field = URLPartField("hostname")


class URLReversedHost(URLPart):
    """The host with its labels in reverse order, for sorting and for an index on subdomains.

    The text differs between databases. It is NULL if the URL has no host.
    """

    part = "reversed_host"
    output_field = URLPartField("reversed_host")


class URLPort(URLPart):
    """The port as an integer, or NULL for no port and for the scheme's default port.

    Spec: #concept-url-port
    """

    lookup_name = part = "port"
    output_field = URLPortField()


class URLPath(URLPart):
    """The path as text, whether it is opaque or not: "/a/b", "" or "you@example.com".

    Spec: #concept-url-path
    """

    lookup_name = part = "path"
    output_field = URLPartField("path")


class URLQuery(URLPart):
    """The query without "?", or NULL if the URL has no query.

    Spec: #concept-url-query
    """

    lookup_name = part = "query"
    output_field = URLPartField("query")


class URLFragment(URLPart):
    """The fragment without "#", or NULL if the URL has no fragment.

    Spec: #concept-url-fragment
    """

    lookup_name = part = "fragment"
    output_field = URLPartField("fragment")


class URLOrigin(URLPart):
    """The origin, such as "https://example.com:8080".

    An opaque origin is NULL, because it is not equal to any other origin.

    Spec divergence (SQL cannot parse): the origin of a ``blob:`` URL is NULL too. In the standard,
    such a URL has the origin of the URL in its path.

    Spec: #concept-url-origin
    """

    lookup_name = part = "origin"
    output_field = URLPartField("origin")


class LooksCanonical(Transform):
    """Whether the text of the only argument may be canonical. False if it certainly is not.

    It is also a lookup of a URL column: ``url__looks_canonical=False``.

    False for text that has no scheme, a scheme with capitals, characters other than printable
    ASCII, or a space that is at the end or outside an opaque path. With a special scheme (see
    `weburl.SPECIAL_SCHEMES`) it is also false without "//", without a path, without a host (except
    with file), and for a host with capitals.
    """

    lookup_name = "looks_canonical"
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        return _sql_of(self, CANONICAL_SQL, compiler, connection)


class URLText(Func):
    """The URL as plain text, in the default collation of the database.

    Use it to combine a URL with other text columns. On PostgreSQL, a URL column has the collation
    "C", which an expression would otherwise take over from it. The value is a `str`.
    """

    arity: int | None = 1
    output_field = CharField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        return _sql_of(self, TEXT_SQL, compiler, connection)


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


def generated_part(field: Any, url_field: str) -> URLPart | None:
    """Return the part of the URL in ``url_field`` that a generated column holds, or None."""
    expression = getattr(field, "expression", None)
    if isinstance(expression, URLPart) and expression.get_source_expressions() == [F(url_field)]:
        return expression
    return None


def holds_part(field: Any, part: Any) -> bool:
    """Return whether the type of a generated column compares values as the part itself does."""
    given, expected = field.output_field, part.output_field
    return type(given) is type(expected) and getattr(given, "part", None) == getattr(
        expected, "part", None
    )


def _sql_of(
    expression: Func,
    texts: Mapping[str, str],
    compiler: SQLCompiler,
    connection: BaseDatabaseWrapper,
) -> _AsSqlType:
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

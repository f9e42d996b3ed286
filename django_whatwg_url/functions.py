"""Expressions that give a part of a URL, such as ``URLHost("url")``.

They are also the transforms of a URL column: ``url__host``. Migrations contain their import paths
and indexes contain their SQL (`parts.sql`), so neither may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import NotSupportedError
from django.db.models import BooleanField, F, Func, Transform
from django.db.models.expressions import Col

from django_whatwg_url.parts.fields import URLPartField, URLPortField
from django_whatwg_url.parts.sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, URL

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
    "URLUsername",
]


class URLPart(Transform):
    """A part of a URL. The one argument is the name of a field, or an expression.

    The argument may be any canonical text. If the model has a generated column with the same part,
    that column is read instead, so that its index is used. Raises NotSupportedError on databases
    other than SQLite, PostgreSQL, MariaDB and MySQL.
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
        """Return whether there is this part, as SQL; None for one that every URL has."""
        texts = PRESENCE_SQL.get(self.part)
        return None if texts is None else _sql_of(self, texts, compiler, connection)

    def _generated_column(self) -> Col | None:
        (source,) = self.get_source_expressions()
        # Without an alias it is the table's own definition that is being written.
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
    """The username, percent-encoded; "" if there is none.

    Spec: #concept-url-username
    """

    lookup_name = part = "username"
    output_field = URLPartField("username")


class _HostPart(URLPart):
    def reversed_host(self) -> URLReversedHost:
        """Return the expression that an index for subdomains is made of."""
        return URLReversedHost(*self.get_source_expressions())


class URLHost(_HostPart):
    """The host, without the port; "" for an empty host, NULL for no host.

    The host of ``http://[::1]:8080/`` is "[::1]", as in a `URLRecord`. (JavaScript's ``host`` has
    the port too.)

    Spec: #concept-url-host
    """

    lookup_name = part = "host"
    output_field = URLPartField("host")


class URLHostname(_HostPart):
    """The host as JavaScript's ``hostname`` gives it: "" if there is none.

    Spec: #dom-url-hostname
    """

    lookup_name = part = "hostname"
    output_field = URLPartField("hostname")


class URLReversedHost(URLPart):
    """The host with its labels in reverse order, for sorting, and for an index to find subdomains.

    Its text differs from database to database. NULL if there is no host.
    """

    part = "reversed_host"
    output_field = URLPartField("reversed_host")


class URLPort(URLPart):
    """The port, an integer; NULL for no port and for the scheme's default port.

    Spec: #concept-url-port
    """

    lookup_name = part = "port"
    output_field = URLPortField()


class URLPath(URLPart):
    """The path as text, of either kind: "/a/b", "" or "you@example.com".

    Spec: #concept-url-path
    """

    lookup_name = part = "path"
    output_field = URLPartField("path")


class URLQuery(URLPart):
    """The query, without "?"; NULL if there is none.

    Spec: #concept-url-query
    """

    lookup_name = part = "query"
    output_field = URLPartField("query")


class URLFragment(URLPart):
    """The fragment, without "#"; NULL if there is none.

    Spec: #concept-url-fragment
    """

    lookup_name = part = "fragment"
    output_field = URLPartField("fragment")


class URLOrigin(URLPart):
    """The origin, such as "https://example.com:8080".

    NULL if the origin is opaque, so that it equals no other.

    Spec divergence (SQL cannot parse): also NULL for every ``blob:`` URL. In the standard such a
    URL has the origin of the URL in its path.

    Spec: #concept-url-origin
    """

    lookup_name = part = "origin"
    output_field = URLPartField("origin")


class LooksCanonical(Func):
    """Whether the text of the one argument may be canonical: false if it certainly is not.

    False for text that no canonical URL has: a scheme with capitals or without a colon, characters
    other than printable ASCII, a space at the end or outside an opaque path. After a
    special scheme (see `weburl.SPECIAL_SCHEMES`) it is also false without "//", without a path,
    without a host (file may have none), and for a host with capitals.
    """

    arity: int | None = 1
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, *_args: Any, **_extra: Any
    ) -> _AsSqlType:
        return _sql_of(self, CANONICAL_SQL, compiler, connection)


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
"""By the name of the part."""


def generated_part(field: Any, url_field: str) -> URLPart | None:
    """Return the part of the URL in ``url_field`` that a generated column is made of, if any."""
    expression = getattr(field, "expression", None)
    if isinstance(expression, URLPart) and expression.get_source_expressions() == [F(url_field)]:
        return expression
    return None


def holds_part(field: Any, part: Any) -> bool:
    """Return whether a generated column is of a type that compares as the part itself does."""
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
            f"{type(expression).__name__} is for SQLite, PostgreSQL, MariaDB and MySQL, "
            f"not for {connection.display_name}."
        )
    (source,) = expression.get_source_expressions()
    sql, params = compiler.compile(source)
    if params and connection.vendor == "postgresql":
        sql = f"({sql})::text"  # A parameter has no type there.
    return text.replace(URL, sql), tuple(params) * text.count(URL)

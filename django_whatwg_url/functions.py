"""Expressions that give a part of a URL: ``URLHost("url")``, and so on.

They are the transforms of a URL column too: ``url__host``. Migrations name them by their import
path, and indexes hold their SQL, which is in `part_sql`: neither may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import NotSupportedError
from django.db.models import BooleanField, F, Func, GeneratedField, Transform
from django.db.models.expressions import Col

from django_whatwg_url.part_fields import URLPartField, URLPortField
from django_whatwg_url.part_sql import CANONICAL_SQL, PART_SQL, PRESENCE_SQL, URL

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
    """A part of the URL that the one argument gives: the name of a field, or an expression.

    Any text will do, if it is canonical. Where the model has a generated column of this very
    part, that column is read instead, so that its index is used. Raises NotSupportedError on
    any database but SQLite, PostgreSQL, MariaDB and MySQL.
    """

    part: ClassVar[str]

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_extra: Any
    ) -> _AsSqlType:
        column = self._generated_column()
        if column is not None:
            return compiler.compile(column)
        return _sql_of(self, PART_SQL, compiler)

    def presence_sql(self, compiler: SQLCompiler) -> _AsSqlType | None:
        """Return whether there is this part, as SQL; None for one that every URL has."""
        if self.part not in PRESENCE_SQL["sqlite"]:
            return None
        return _sql_of(self, PRESENCE_SQL, compiler)

    def _generated_column(self) -> Col | None:
        (source,) = self.get_source_expressions()
        # Without an alias it is the table's own definition that is being written.
        if not isinstance(source, Col) or source.alias is None:
            return None
        for field in source.target.model._meta.local_fields:  # noqa: SLF001
            if (
                isinstance(field, GeneratedField)
                and type(field.expression) is type(self)
                and field.expression.get_source_expressions() == [F(source.target.name)]
                and _is_same_field(field.output_field, self.output_field)
            ):
                return field.get_col(source.alias)
        return None


class URLScheme(URLPart):
    """The scheme, such as "https". Spec: #concept-url-scheme"""

    lookup_name = part = "scheme"
    output_field = URLPartField("scheme")


class URLUsername(URLPart):
    """The username, percent-encoded; "" for none. Spec: #concept-url-username"""

    lookup_name = part = "username"
    output_field = URLPartField("username")


class _HostPart(URLPart):
    def reversed_host(self) -> URLReversedHost:
        """Return the expression that an index for subdomains is made of."""
        return URLReversedHost(*self.get_source_expressions())


class URLHost(_HostPart):
    """The host, without the port; "" for the empty one, NULL for none. Spec: #concept-url-host

    The host of ``http://[::1]:8080/`` is "[::1]", as that of a `URLRecord` is: the web's ``host``
    has the port too.
    """

    lookup_name = part = "host"
    output_field = URLPartField("host")


class URLHostname(_HostPart):
    """The host as the web's ``hostname`` has it: "" where there is none. Spec: #dom-url-hostname"""

    lookup_name = part = "hostname"
    output_field = URLPartField("hostname")


class URLReversedHost(URLPart):
    """The host from its last label on, for an index that finds subdomains, and for sorting.

    What it looks like is each database's own affair; NULL where there is no host.
    """

    part = "reversed_host"
    output_field = URLPartField("reversed_host")


class URLPort(URLPart):
    """The port, an integer; NULL for none, and for the scheme's default. Spec: #concept-url-port"""

    lookup_name = part = "port"
    output_field = URLPortField()


class URLPath(URLPart):
    """The path as text, opaque or not: "/a/b", "" or "you@example.com". Spec: #concept-url-path"""

    lookup_name = part = "path"
    output_field = URLPartField("path")


class URLQuery(URLPart):
    """The query, without "?"; NULL for none. Spec: #concept-url-query"""

    lookup_name = part = "query"
    output_field = URLPartField("query")


class URLFragment(URLPart):
    """The fragment, without "#"; NULL for none. Spec: #concept-url-fragment"""

    lookup_name = part = "fragment"
    output_field = URLPartField("fragment")


class URLOrigin(URLPart):
    """The origin, such as "https://example.com:8080". Spec: #concept-url-origin

    NULL for an opaque one, so that it equals no other.

    Spec divergence (SQL cannot parse): NULL also for every ``blob:`` URL, whose origin is that
    of the URL in its path.
    """

    lookup_name = part = "origin"
    output_field = URLPartField("origin")


class LooksCanonical(Func):
    """Whether the text that the one argument gives may be canonical: false if it surely is not.

    False for what no canonical URL has: a scheme with capitals or no colon behind it, anything
    but printable ASCII, a space outside of an opaque path or at its end; and after http, https,
    ws, wss, ftp or file, no "//", no path, no host (but after file), a host with capitals.
    """

    arity = 1
    output_field = BooleanField()

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_extra: Any
    ) -> _AsSqlType:
        sql = {vendor: {"": text} for vendor, text in CANONICAL_SQL.items()}
        return _sql_of(self, sql, compiler)


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

PART_EXPRESSIONS: Final[dict[str, type[URLPart]]] = {
    expression.part: expression for expression in (*URL_TRANSFORMS, URLReversedHost)
}
"""By the name of the part."""


def _sql_of(
    expression: Func, texts: dict[str, dict[str, str]], compiler: SQLCompiler
) -> tuple[str, Sequence[Any]]:
    connection = compiler.connection
    if connection.vendor not in texts:
        raise NotSupportedError(
            f"{type(expression).__name__} is for SQLite, PostgreSQL, MariaDB and MySQL, "
            f"not for {connection.display_name}."
        )
    text = texts[connection.vendor][getattr(expression, "part", "")]
    (source,) = expression.get_source_expressions()
    sql, params = compiler.compile(source)
    if params and connection.vendor == "postgresql":
        sql = f"({sql})::text"  # A parameter has no type there.
    return text.replace(URL, sql), tuple(params) * text.count(URL)


def _is_same_field(one: object, other: object) -> bool:
    # Of another kind, or with another collation, it might compare otherwise.
    return type(one) is type(other) and getattr(one, "part", "") == getattr(other, "part", "")

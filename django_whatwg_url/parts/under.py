"""The lookups ``under`` on a host and on a path: the operand itself, and everything below it.

If Python knows the operand, the SQL is a range, which can use an index. If only the database knows
it, the SQL comes from `below`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import FieldError, ValidationError
from django.db.models import lookups

from django_whatwg_url.parts import below
from django_whatwg_url.parts.lookups import PartInForms, is_expression, with_presence
from django_whatwg_url.parts.operands import named_host_operand, operand_forms
from django_whatwg_url.parts.sql import HOST_LABELS_IN_KEY
from weburl import Domain, OpaqueHost

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    from weburl import Host

    _Lookup = lookups.Lookup[Any]
else:
    # Lookup accepts type arguments only in the stubs.
    _Lookup = lookups.Lookup


_CHECK: Final = (
    " Check what people type before it gets into a query, for example with"
    " django_whatwg_url.forms.HostField."
)


class UnderLookup(_Lookup):
    """``under``: the operand itself, and everything below it.

    The operand is a value in any spelling, or an expression that returns canonical text.
    """

    lookup_name: str | None = "under"

    def get_prep_lookup(self) -> Any:
        if self.rhs is not None and not is_expression(self.rhs):
            try:
                self.prepare(self.rhs)
            except ValidationError as error:
                error.add_note(f"It is the operand of the lookup “{self.lookup_name}”.{_CHECK}")
                raise
        return self.rhs

    def prepare(self, operand: object) -> None:
        """Store the operand in canonical form. Raises ValidationError if it is not valid."""
        raise NotImplementedError

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if is_expression(self.rhs):
            return self.below_expression(compiler, connection)
        return self.below_value(compiler, connection)

    def below_value(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        """Return the SQL for an operand that `prepare` has stored."""
        raise NotImplementedError

    def below_expression(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        """Return the SQL for an operand that only the database knows. It is never unknown."""
        raise NotImplementedError

    def sides(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> dict[str, _AsSqlType]:
        """Return the SQL of both sides, by the names that the templates in `below` use."""
        sql, params = self.process_rhs(compiler, connection)
        if params and connection.vendor == "postgresql":
            sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
        raw = (sql, tuple(params))
        if connection.vendor == "mysql" and not _holds_ascii(self.rhs):
            # MySQL and MariaDB ignore letter case when they compare other columns.
            sql = f"CAST({sql} AS BINARY)"
        lhs, lhs_params = self.process_lhs(compiler, connection)
        return {"it": (lhs, tuple(lhs_params)), "other": (sql, tuple(params)), "raw": raw}


class HostUnder(UnderLookup):
    """``url__host__under="example.com"``: that host and its subdomains.

    ".example.com" means the same. An address finds only itself. A dot at the end counts:
    "example.com." is a different host. Uses an index on "reversed_host".
    """

    def prepare(self, operand: object) -> None:
        self.hosts: tuple[Host, ...] = named_host_operand(operand)
        self.has_subdomains: bool = isinstance(self.hosts[0], (Domain, OpaqueHost))

    def below_expression(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        sides = self.sides(compiler, connection)
        # Without a host, the hostname is "" and its key is NULL.
        has_key = hasattr(self.lhs, "reversed_host") and self.lhs.output_field.part == "host"
        if connection.vendor == "sqlite" or not has_key:
            return below.filled(below.host_below(connection.vendor), **sides)
        sides["key"] = compiler.compile(self.lhs.reversed_host())
        return below.filled(below.host_below_by_key(connection.vendor), **sides)

    def below_value(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        texts = [str(host) for host in self.hosts]
        if texts == [""]:
            return compiler.compile(PartInForms(self.lhs, texts))  # The hostname may be "".
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

    def below_expression(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        sides = self.sides(compiler, connection)
        return below.filled(below.path_below(connection.vendor), **sides)

    def below_value(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        lhs = self.process_lhs(compiler, connection)
        terms: list[_AsSqlType] = []
        for path in self.paths:
            below = half_open_range(lhs, path if path.endswith("/") else f"{path}/")
            if not path.endswith("/"):
                below = _any_of([(f"{lhs[0]} = %s", (*lhs[1], path)), below])
            terms.append(below)
        return _any_of(terms)


UNDER: Final[dict[str, type[UnderLookup]]] = {
    "host": HostUnder,
    "hostname": HostUnder,
    "path": PathUnder,
}
"""The lookup ``under`` for each part that has one."""


def half_open_range(lhs: _AsSqlType, prefix: str) -> _AsSqlType:
    """Return the condition that ``lhs`` begins with ``prefix``, in a form that can use an index.

    ``prefix``: not empty, and only printable ASCII. It is compared by code point.
    """
    sql, params = lhs
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return f"({sql} >= %s AND {sql} < %s)", (*params, prefix, *params, end)


def _any_of(terms: list[_AsSqlType]) -> _AsSqlType:
    if len(terms) == 1:
        return terms[0]
    sql = " OR ".join(sql for sql, _params in terms)
    return f"({sql})", tuple(param for _sql, params in terms for param in params)


def _reversed_host(text: str, vendor: str) -> tuple[str, str]:
    """Return the prefix of the keys of all hosts below ``text``, and the key of ``text`` itself."""
    if vendor != "sqlite":
        key = f".{text}"[::-1]
        return key, key
    labels = [json.dumps(label) for label in reversed(text.split("."))][:HOST_LABELS_IN_KEY]
    prefix = "[" + ",".join(labels)
    padded = [*labels, '" "', *["null"] * HOST_LABELS_IN_KEY][:HOST_LABELS_IN_KEY]
    whole = "[" + ",".join(padded) + "]"
    return (prefix if len(labels) == HOST_LABELS_IN_KEY else f"{prefix},"), whole


def _holds_ascii(side: Any) -> bool:
    """Return whether an expression or a query returns the text of a column compared by byte."""
    field = None
    with suppress(FieldError, AttributeError):
        field = side.output_field
    return getattr(field, "holds_ascii", False)

"""The lookups ``under`` on a host and on a path. They find the operand and everything below it.

If the operand is a value, the SQL is a range, which can use an index. If the operand is an
expression, the SQL is made from a template: `IT` is the text that may be below `OTHER`, and both
are canonical. Unlike in `sql`, the SQL may change, because no index contains it. No condition uses
``LIKE``, so "%", "_" and backslashes have no special meaning.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import FieldError, ValidationError

from django_whatwg_url.query.expressions import joined
from django_whatwg_url.query.generics import AnyLookup
from django_whatwg_url.query.lookups import PartInForms, is_expression, with_presence
from django_whatwg_url.query.operands import operand_forms
from django_whatwg_url.query.sql import HOST_LABELS_IN_KEY
from django_whatwg_url.rules.hosts import named_host_operand
from weburl import Domain, OpaqueHost

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    from weburl import Host


IT: Final = "{it}"
OTHER: Final = "{other}"
KEY: Final = "{key}"
"""The `URLReversedHost` of `IT`."""
RAW: Final = "{raw}"
"""`OTHER` as text instead of bytes."""
END: Final = "{end}"
"""A character that sorts after everything that may follow a prefix."""

_AFTER_ALL_PRINTABLE: Final = "\x7f"
_PIECE: Final = re.compile(r"\{([a-z]+)\}")

_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# A host of this form is an address for every scheme, so it has no subdomains.
_IPV4: Final = f"^{_BYTE}(?:[.]{_BYTE}){{3}}$"
_CHECK: Final = (
    " Check what people type before it gets into a query, for example with"
    " django_whatwg_url.forms.HostField."
)


class UnderLookup(AnyLookup):
    """``under``: finds the operand itself and everything below it.

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
        """Return the SQL for an operand that is an expression. Its value is never NULL."""
        raise NotImplementedError

    def sides(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> dict[str, _AsSqlType]:
        """Return the SQL of both sides, by their names in the templates."""
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
    """``url__host__under="example.com"``: finds that host and its subdomains.

    ".example.com" means the same. An address finds only itself. A dot at the end is significant:
    "example.com." is a different host. The query can use an index on "reversed_host".
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
            return filled(host_below(connection.vendor), **sides)
        sides["key"] = compiler.compile(self.lhs.reversed_host())
        return filled(host_below_by_key(connection.vendor), **sides)

    def below_value(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        texts = [str(host) for host in self.hosts]
        if texts == [""]:
            return compiler.compile(PartInForms(self.lhs, texts))  # The hostname may be "".
        if not hasattr(self.lhs, "reversed_host"):
            lhs = self.process_lhs(compiler, connection)
            return joined([self._by_suffix(text, lhs, connection) for text in texts], "OR")
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
        return with_presence(reversed_host, joined(terms, "OR"), compiler, connection)

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
    """``url__path__under="/docs/"``: finds that path and paths below it.

    Without a slash at its end, "/docs" finds "/docs" and "/docs/a", but not "/docs2".
    """

    def prepare(self, operand: object) -> None:
        self.paths: tuple[str, ...] = operand_forms("path", operand)

    def below_expression(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        sides = self.sides(compiler, connection)
        return filled(path_below(connection.vendor), **sides)

    def below_value(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        lhs = self.process_lhs(compiler, connection)
        terms: list[_AsSqlType] = []
        for path in self.paths:
            below = half_open_range(lhs, path if path.endswith("/") else f"{path}/")
            if not path.endswith("/"):
                below = joined([(f"{lhs[0]} = %s", (*lhs[1], path)), below], "OR")
            terms.append(below)
        return joined(terms, "OR")


UNDER: Final[dict[str, type[UnderLookup]]] = {
    "host": HostUnder,
    "hostname": HostUnder,
    "path": PathUnder,
}
"""The lookup ``under`` for each part that has one."""


def half_open_range(lhs: _AsSqlType, prefix: str) -> _AsSqlType:
    """Return a condition that is true if ``lhs`` begins with ``prefix``, and can use an index.

    ``prefix``: printable ASCII, not empty. ``lhs`` must be compared by code point.
    """
    sql, params = lhs
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    return f"({sql} >= %s AND {sql} < %s)", (*params, prefix, *params, end)


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
    """Return whether an expression or query returns text from a column that compares bytes."""
    field = None
    with suppress(FieldError, AttributeError):
        field = side.output_field
    return getattr(field, "holds_ascii", False)


# Templates for operands that are expressions.


def filled(template: str, **pieces: _AsSqlType) -> _AsSqlType:
    """Return the template with its names replaced by SQL, and all parameters in order."""
    pieces["end"] = ("%s", (_AFTER_ALL_PRINTABLE,))
    params: list[Any] = []

    def put(name: re.Match[str]) -> str:
        sql, own = pieces[name[1]]
        params.extend(own)
        return sql

    return _PIECE.sub(put, template), tuple(params)


def url_below(vendor: str) -> str:
    """Return a condition that is true if the URL `IT` is below the URL `OTHER`, and never NULL.

    "Below" means the same as in `URLUnder`. If the path of `OTHER` is opaque, the condition is
    false. The condition includes a range so that it can use an index.
    """
    if vendor == "sqlite":
        # Subqueries keep the expression flat, because SQLite's parser limits the depth of nesting.
        # S608 does not apply: all pieces of the SQL come from this module.
        base = _without_query("other", vendor)
        texts = f"(SELECT {base} AS base FROM (SELECT {OTHER} AS other))"  # noqa: S608
        end = f"(SELECT base || {END} FROM {texts})"  # noqa: S608
        below = f"(SELECT {_url_below(IT, 'base', vendor)} FROM {texts})"  # noqa: S608
        return f"({IT} >= {texts} AND {IT} < {end} AND COALESCE({below}, 0))"
    base = _without_query(OTHER, vendor)
    within = f"{IT} >= {base} AND {IT} < {_joined((base, END), vendor)}"
    return f"({within} AND {_url_below(IT, base, vendor)} AND {_NEITHER_IS_NULL})"


def _url_below(url: str, base: str, vendor: str) -> str:
    length, colon = _length(base, vendor), _position(base, ":", vendor)
    following = f"SUBSTR({url}, {length} + 1, 1)"
    # The path of "foo://" is empty, so its last slash is not part of a path.
    ends_with_slash = f"SUBSTR({base}, {length}, 1) = '/' AND {length} <> {colon} + 2"
    # "foo:/" has no host, so "foo://host" is not below it, although it begins with it.
    is_of_a_host = f"{length} = {colon} + 1 AND {following} = '/'"
    return (
        f"SUBSTR({url}, 1, {length}) = {base} AND SUBSTR({base}, {colon} + 1, 1) = '/' "
        f"AND ({following} IN ('', '#', '/', '?') OR {ends_with_slash}) AND NOT ({is_of_a_host})"
    )


def path_below(vendor: str) -> str:
    """Return a condition that is true if the path `IT` is `OTHER` or below it, and never NULL.

    The condition includes a range so that it can use an index.
    """
    length = _length(OTHER, vendor)
    following = f"SUBSTR({IT}, {length} + 1, 1)"
    return (
        f"({IT} >= {OTHER} AND {IT} < {_joined((OTHER, END), vendor)} "
        f"AND SUBSTR({IT}, 1, {length}) = {OTHER} "
        f"AND ({following} = '/' OR {IT} = {OTHER} OR SUBSTR({OTHER}, {length}, 1) = '/') "
        f"AND {_NEITHER_IS_NULL})"
    )


def host_below(vendor: str) -> str:
    """Return a condition that is true if the host `IT` is `OTHER` or below it, and never NULL."""
    suffix = _joined(("'.'", OTHER), vendor)
    count = f"{_length(OTHER, vendor)} + 1"
    end = f"SUBSTR({IT}, -({count}))" if vendor == "sqlite" else f"RIGHT({IT}, {count})"
    below = f"{OTHER} <> '' AND {end} = {suffix} AND NOT {_is_ipv4(vendor)}"
    return f"(({IT} = {OTHER} OR {below}) AND {_NEITHER_IS_NULL})"


def host_below_by_key(vendor: str) -> str:
    """Return the same condition for an index on `KEY`. SQLite's key has another form."""
    low, high = (_joined((f"REVERSE({OTHER})", mark), vendor) for mark in ("'.'", "'/'"))
    exactly = f"{KEY} = {low}"
    return (
        f"({KEY} >= {low} AND {KEY} < {high} "
        f"AND ({exactly} OR {OTHER} <> '' AND NOT {_is_ipv4(vendor)}) "
        f"AND {KEY} IS NOT NULL AND {OTHER} IS NOT NULL)"
    )


# Keeps exclude() the opposite of filter(), because NULL is neither true nor false.
_NEITHER_IS_NULL: Final = f"{IT} IS NOT NULL AND {OTHER} IS NOT NULL"


def _without_query(url: str, vendor: str) -> str:
    if vendor == "postgresql":
        return f"substring({url} from '^[^?#]*')"
    if vendor == "mysql":
        return f"SUBSTRING_INDEX(SUBSTRING_INDEX({url}, '#', 1), '?', 1)"
    return f"substr({url}, 1, instr(replace({url}, '#', '?') || '?', '?') - 1)"


def _length(text: str, vendor: str) -> str:
    return f"CHAR_LENGTH({text})" if vendor == "mysql" else f"LENGTH({text})"


def _position(text: str, piece: str, vendor: str) -> str:
    function = "strpos" if vendor == "postgresql" else "INSTR"
    return f"{function}({text}, '{piece}')"


def _joined(texts: tuple[str, ...], vendor: str) -> str:
    return f"CONCAT({', '.join(texts)})" if vendor == "mysql" else f"({' || '.join(texts)})"


def _is_ipv4(vendor: str) -> str:
    return f"{RAW} {'~' if vendor == 'postgresql' else 'REGEXP'} '{_IPV4}'"

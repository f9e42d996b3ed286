"""The lookups ``under`` on a host and on a path. They find the operand and everything below it.

The SQL is a range, which can use an index. Unlike in `sql`, it may change, because no index
contains it. No condition uses ``LIKE``, so "%", "_" and backslashes have no special meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import ValidationError

from django_whatwg_url.column.values import is_expression
from django_whatwg_url.query.expressions import joined
from django_whatwg_url.query.generics import AnyLookup
from django_whatwg_url.query.lookups import PartInForms, with_presence
from django_whatwg_url.query.operands import operand_forms
from django_whatwg_url.query.sql import HOST_LABELS_IN_KEY
from django_whatwg_url.rules.hosts import named_host_operand
from django_whatwg_url.rules.messages import operand_error
from weburl import Domain, OpaqueHost

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType

    from weburl import Host


class UnderLookup(AnyLookup):
    """``under``: finds the operand itself and everything below it.

    The operand is a value in any spelling. An expression raises TypeError.
    """

    lookup_name: str | None = "under"
    expected: ClassVar[str] = "a URL whose path has segments"
    form_field: ClassVar[str] = "CanonicalURLField"
    """The name of the form field that accepts only such operands."""

    def get_prep_lookup(self) -> Any:
        if is_expression(self.rhs):
            raise TypeError(f"{self.lookup_name} takes a value, not an expression")
        if self.rhs is not None:
            try:
                self.prepare(self.rhs)
            except ValidationError as error:
                advice = (
                    "Check what people type before the query, for example with "
                    f"django_whatwg_url.forms.{self.form_field}."
                )
                raise operand_error(error, self.rhs, self.expected, advice) from error
        return self.rhs

    def prepare(self, operand: object) -> None:
        """Store the operand in canonical form. Raises ValidationError if it is not valid."""
        raise NotImplementedError


class HostUnder(UnderLookup):
    """``url__host__under="example.com"``: finds that host and its subdomains.

    ".example.com" means the same. An address finds only itself. A dot at the end is significant:
    "example.com." is a different host. The query can use an index on "reversed_host".
    """

    expected = "a host"
    form_field = "HostField"

    def prepare(self, operand: object) -> None:
        self.hosts: tuple[Host, ...] = named_host_operand(operand)
        self.has_subdomains: bool = isinstance(self.hosts[0], (Domain, OpaqueHost))

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
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

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
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

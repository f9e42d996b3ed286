"""Lookups on a URL column that take a URL, or text that someone typed.

``under`` takes a URL, and raises an error for other text. ``typed``, ``from_text`` and ``holds``
take any text. With ``typed`` and ``from_text``, text that is not a URL finds no rows.

Comparisons of text and lookups on a part are in `query.lookups`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import EmptyResultSet, ValidationError
from django.db.models import Func, Transform, lookups
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import text_of, to_url
from django_whatwg_url.query.decoding import CREDENTIALS
from django_whatwg_url.query.encoded import several
from django_whatwg_url.query.expressions import joined
from django_whatwg_url.query.generics import AnyLookup
from django_whatwg_url.query.lookups import IContains, IRegex
from django_whatwg_url.query.operands import (
    pattern_in_any_case,
    typed_hrefs,
    typed_pieces,
    url_operand,
)
from django_whatwg_url.query.under import UnderLookup, half_open_range
from django_whatwg_url.rules.messages import presentable
from weburl import URLRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


class URLUnder(UnderLookup):
    """``url__under="https://example.com/docs/"``: finds that URL, and URLs below it.

    Only whole segments match: "/docs" finds "/docs" and "/docs/a", but not "/docs2". "/docs/" finds
    itself and every path that starts with it. The query and the fragment of the operand are
    ignored. An operand without username and password finds only URLs without them. Every scheme is
    allowed. The query can use an index on the column itself.

    Raises:
        ValidationError: The operand is a value that is not a URL, or its path has no segments (with
            the code "opaque-path").
    """

    def prepare(self, operand: object) -> None:
        self.url: URLRecord | None = base_url_operand(operand)

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if self.url is None:
            raise EmptyResultSet
        lhs = self.process_lhs(compiler, connection)
        base = self.url.with_query(None).with_fragment(None).href
        if self.url.path_text.endswith("/"):
            within = half_open_range(lhs, base)
            if self.url.host is not None or self.url.path_text != "/":
                return within
            # "foo:/" has no host. Exclude URLs with a host, which continue with another slash.
            outside = half_open_range(lhs, f"{base}/")
            return f"({within[0]} AND NOT {outside[0]})", (*within[1], *outside[1])
        # The range is for the index. It includes "#", "/" and "?", which may follow the path.
        sql, params = lhs
        border = f"SUBSTR({sql}, {len(base) + 1}, 1) IN ('', '#', '/', '?')"
        return (
            f"({sql} >= %s AND {sql} < %s AND {border})",
            (*params, base, *params, f"{base}@", *params),
        )


class TypedLookup(AnyLookup):
    """A lookup whose operand is text that a person typed. It does not accept expressions."""

    def get_prep_lookup(self) -> Any:
        if hasattr(self.rhs, "resolve_expression"):
            raise TypeError(f"{self.lookup_name} takes text, not an expression")
        return "" if self.rhs is None else self.rhs

    def alternatives(self) -> list[lookups.Lookup[Any]]:
        """Return lookups of which at least one must match."""
        raise NotImplementedError

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:  # noqa: ARG002
        compiled = [compiler.compile(lookup) for lookup in self.alternatives()]
        if not compiled:
            raise EmptyResultSet
        return joined(compiled, "OR")


class Typed(TypedLookup):
    """``url__typed="Bücher.example"``: finds rows with the URL that a person typed.

    Every spelling works. Text without a scheme means https or http. Text that is not a URL finds no
    rows. The query can use the index on the column.
    """

    lookup_name: str | None = "typed"

    def alternatives(self) -> list[lookups.Lookup[Any]]:
        hrefs = typed_hrefs(self.rhs)
        return [lookups.In(self.lhs, list(hrefs))] if hrefs else []


class _FromText(Transform):
    """``url__from_text="https://…"``: finds rows with this URL, in any spelling.

    Text that is not a URL finds no rows, and no scheme is assumed. ``url__from_text__in=[…]`` takes
    several texts. Both can use the index on the column.
    """

    lookup_name = "from_text"

    def as_sql(self, compiler: SQLCompiler, *_args: Any, **_extra: Any) -> _AsSqlType:
        (url,) = self.get_source_expressions()
        return compiler.compile(url)

    def get_lookup(self, lookup: str) -> Any:
        """Return the lookup for ``exact`` or ``in``, or None."""
        return {"exact": _FromTextExact, "in": _FromTextIn}.get(lookup)

    def get_transform(self, name: str) -> None:  # noqa: ARG002
        """Return None, because the result is only compared."""
        return


class _FromTextExact(TypedLookup):
    lookup_name = "exact"
    can_use_none_as_rhs = True

    def texts(self) -> Iterable[object]:
        return [self.rhs]

    def alternatives(self) -> list[lookups.Lookup[Any]]:
        (url,) = self.lhs.get_source_expressions()
        records = [to_url(text) for text in self.texts()]
        hrefs = [record.href for record in records if isinstance(record, URLRecord)]
        return [lookups.In(url, hrefs)] if hrefs else []


class _FromTextIn(_FromTextExact):
    lookup_name = "in"

    def get_prep_lookup(self) -> Any:
        # If None is among the values, exclude() of Django 6.1 would drop rows without a URL.
        return [text for text in several(super().get_prep_lookup(), "in") if text is not None]

    def texts(self) -> Iterable[object]:
        texts: list[object] = self.rhs
        return texts


class Holds(TypedLookup):
    """``url__holds="bücher"``: finds rows whose URL contains what a person typed, in any spelling.

    Works like ``icontains`` with the text itself, with its percent-encoded form, and with the form
    in which a browser writes it. If the text has at most 200 characters, it ignores the case of all
    letters. Otherwise, it ignores the case of ASCII letters and in hosts. Empty text finds no rows.
    It reads every row, as ``icontains`` does. Usernames and passwords are not searched, so that
    no one can guess a password piece by piece.
    """

    lookup_name: str | None = "holds"

    def alternatives(self) -> list[lookups.Lookup[Any]]:
        found: list[lookups.Lookup[Any]]
        text = _WithoutCredentials(self.lhs, output_field=self.lhs.output_field)
        # No row contains a longer piece, and SQLite limits the length of a pattern.
        longest = getattr(self.lhs.output_field, "max_length", None)
        found = [
            IContains(text, piece)
            for piece in typed_pieces(self.rhs)
            if longest is None or len(piece) <= longest
        ]
        pattern = pattern_in_any_case(text_of(self.rhs).strip())
        return found if pattern is None else [*found, IRegex(text, pattern)]


class _WithoutCredentials(Func):
    """The text of a URL without usernames and passwords, including those of URLs inside it."""

    def as_sql(  # type: ignore[override]  # without the options of Func
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_kwargs: Any
    ) -> _AsSqlType:
        sql, params = compiler.compile(self.source_expressions[0])
        replaced, pattern = f"REGEXP_REPLACE({sql}, %s, '')", [CREDENTIALS]
        if connection.vendor == "postgresql":
            replaced = f"REGEXP_REPLACE({sql}, %s, '', 'g')"
        elif connection.vendor == "sqlite":
            replaced, pattern = f"whatwg_url_without_credentials({sql})", []
        # Few URLs contain an "@", so few need the function.
        case = f"CASE WHEN {sql} LIKE '%%@%%' THEN {replaced} ELSE {sql} END"
        return case, (*params, *params, *pattern, *params)


def base_url_operand(operand: object) -> URLRecord | None:
    """Return the operand of ``under`` as a record, or None for None and "".

    Raises ValidationError if the operand is not a URL, or if its path is opaque.
    """
    url = url_operand(operand)
    if url is not None and url.has_opaque_path:
        raise ValidationError(
            _("Nothing can be below “%(culprit)s”, because its path has no segments."),
            code="opaque-path",
            params={"culprit": presentable(url.href)},
        )
    return url


URL_LOOKUPS: Final[tuple[type[lookups.Lookup[Any] | Transform], ...]] = (
    URLUnder,
    Typed,
    _FromText,
    Holds,
)

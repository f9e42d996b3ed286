"""Answers that combine two columns, row by row. Nothing is parsed here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns.arrow import Column, chunks_of, joined, like, plain_text, text_type, texts_of
from weburl.columns.kernels import NAME_TYPE, first_value
from weburl.columns.ports import on_any_port, warn_of_other_ports
from weburl.patterns.pattern import URLPattern
from weburl.standard.url.origin import OPAQUE_ORIGIN

# Nearly every query has one pattern for all rows.
_PATTERNS_KEPT: Final = 1000


def are_same_site(sites: Column, others: Column) -> Column:
    """Return whether each site is the one in the same row of ``others``, or in its only row.

    Two opaque origins are different sites. The answer is null if one of the sites is null.
    """
    other = _as_one(others)
    made = []
    before = 0
    for chunk in chunks_of(sites):
        own = _as_one(chunk)
        compared = other[0] if len(other) == 1 else other.slice(before, len(chunk))
        made.append(pc.and_(pc.equal(own, compared), pc.not_equal(own, OPAQUE_ORIGIN)))
        before += len(chunk)
    return like(sites, made, pa.bool_())


def _as_one(column: Column) -> pa.Array:
    """Return a column of text as one array of large_string."""
    wide = pa.large_string()
    return joined([plain_text(chunk).cast(wide) for chunk in chunks_of(column)], wide)


def texts_of_rows(column: Column) -> Iterator[str | None]:
    """Yield the strings of a column. Text that is not UTF-8 counts as null."""
    for chunk in chunks_of(column):
        yield from texts_of(plain_text(chunk), [])


def matches_by_row(hrefs: Column, patterns: Column) -> Column:
    """Return whether each URL matches the pattern in the same row.

    Raises `URLPatternError` for a string that is not a pattern.
    """
    matches = _Matches()
    wanted = texts_of_rows(patterns)
    made = [
        pa.array(
            [
                None if href is None or text is None else matches(text, href)
                for href, text in zip(chunk.to_pylist(), wanted, strict=False)
            ],
            pa.bool_(),
        )
        for chunk in chunks_of(hrefs)
    ]
    return like(hrefs, made, pa.bool_())


class _Matches:
    """Matches URLs with patterns. Warns once if URLs do not match only because of their port."""

    def __init__(self) -> None:
        self._pattern_of = lru_cache(_PATTERNS_KEPT)(URLPattern)
        self._on_any_port = lru_cache(_PATTERNS_KEPT)(on_any_port)
        self._has_warned = False

    def __call__(self, text: str, href: str) -> bool:
        pattern = self._pattern_of(text)
        if pattern.test(href):
            return True
        wide = None if self._has_warned else self._on_any_port(pattern)
        if wide is not None and wide.test(href):
            self._has_warned = True
            warn_of_other_ports(pattern, wide)
        return False


def first_values(queries: Column, names: Column) -> Column:
    """Return, for each row, the first value of its name in its query, decoded, or null.

    ``queries``: text, or structs of ``value`` and ``error``, whose errors are kept.
    """
    wanted = texts_of_rows(names)
    with_errors = pa.types.is_struct(queries.type)
    text = text_type(queries.type.field("value").type if with_errors else queries.type)
    type = pa.struct([("value", text), ("error", NAME_TYPE)]) if with_errors else text
    made = []
    for chunk in chunks_of(queries):
        own, *errors = chunk.flatten() if with_errors else [chunk]
        values = pa.array(
            [
                None if query is None or name is None else first_value(query, name)
                for query, name in zip(own.to_pylist(), wanted, strict=False)
            ],
            text,
        )
        if with_errors:
            values = pa.StructArray.from_arrays(
                [values, *errors], fields=list(type), mask=chunk.is_null()
            )
        made.append(values)
    return like(queries, made, type)

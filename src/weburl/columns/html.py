"""The links of pages, for a column of URLs and a column of their HTML.

Needs the extra ``html`` besides ``columns``. Only a program that imports this module reads HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final, Literal, TypeAlias

import pyarrow as pa

from weburl.columns.arrow import (
    ArrowColumn,
    Column,
    chunks_of,
    joined,
    like,
    plain_text,
    read_column,
    require_same_length,
    texts_of,
)
from weburl.columns.functions import canonicalize
from weburl.columns.options import Progress
from weburl.html.encodings import encoding_name
from weburl.html.limits import PageLimits
from weburl.html.link import LinkKind
from weburl.html.pages import links as links_of_page
from weburl.standard.infra.strings import to_scalar_value_string

__all__ = ["links"]

Body: TypeAlias = str | bytes | None

_TYPE: Final = pa.list_(
    pa.struct([(name, pa.string()) for name in ("href", "kind", "element", "text")])
)
_BINARY: Final = (pa.binary(), pa.large_binary(), pa.binary_view())
# How many pages are in memory as Python objects at a time.
_BATCH: Final = 256
_DEFAULT_LIMITS: Final = PageLimits()


def links(
    url: ArrowColumn,
    body: ArrowColumn,
    kinds: Iterable[LinkKind | str] | None = None,
    *,
    encoding: str | None = None,
    limits: PageLimits = _DEFAULT_LIMITS,
    errors: Literal["null", "raise"] = "null",
    progress: Progress | None = None,
) -> Column:
    """Return the links of the page in each row, as a column of lists of structs.

    The fields of a struct are text: ``href``, null for a link that does not parse; ``kind``, a
    `weburl.html.LinkKind`; ``element``, the name of its element; ``text``, the URL as it is in the
    page. The links are those that `weburl.html.links` returns. A row is null if its URL or its body
    is null, and an empty list if the page has no links. The result has the chunks of ``url``.

    Args:
        url: The addresses of the pages, as a column of text.
        body: Their HTML, as a column of the same length: text, or bytes in the encoding that each
            page declares.
        kinds: The kinds of links to return, such as ``{"hyperlink"}``, or None for all.
        encoding: A label of the encoding of all pages, or None.
        limits: How many links and elements each page may have.
        errors: What happens to a page whose URL does not parse, whose text is not UTF-8 or that
            exceeds ``limits``. "null" makes the row null. "raise" raises the error of the first.
        progress: Called from time to time with the number of pages done and the number of all.

    Raises:
        TypeError: ``url`` or ``body`` is not a column of text or bytes, or ``limits`` has another
            type.
        ValueError: A kind is unknown, ``errors`` has an unknown value, or the columns have
            different lengths. With "raise" also `URLParseError` and `weburl.html.PageLimitError`.
        ValueError: The encoding is unknown.
        ImportError: The HTML parser is not installed.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-a-url
    """
    if errors not in ("null", "raise"):
        raise ValueError(f"errors must be 'null' or 'raise', not {errors!r}")
    if not isinstance(limits, PageLimits):
        raise TypeError(f"limits must be PageLimits, not {type(limits).__name__}")
    if encoding is not None:
        encoding_name(encoding)
    wanted = None if kinds is None else frozenset(map(LinkKind, kinds))
    urls, bodies = read_column(url, "the URLs"), read_column(body, "the bodies")
    require_same_length(urls, bodies, "bodies")
    hrefs = canonicalize(urls, errors=errors)
    options = {"kinds": wanted, "encoding": encoding, "limits": limits}
    pages = enumerate(zip(_texts(hrefs), _bodies(bodies, errors), strict=True))
    made = []
    done = 0
    for chunk in chunks_of(urls):
        batches = []
        for start in range(0, len(chunk), _BATCH):
            size = min(_BATCH, len(chunk) - start)
            rows = [
                _links_of_row(row, href, html, errors, options)
                for row, (href, html) in islice(pages, size)
            ]
            batches.append(pa.array(rows, _TYPE))
            done += size
            if progress is not None:
                progress(done, len(urls))
        made.append(joined(batches, _TYPE))
    return like(urls, made, _TYPE)


def _links_of_row(
    row: int, href: str | None, html: Body, errors: str, options: dict[str, Any]
) -> list[tuple[str | None, str, str, str]] | None:
    if href is None or html is None:
        return None
    try:
        found = links_of_page(html, href, **options)
    except ValueError as error:
        if errors == "null":
            return None
        error.add_note(f"This is row {row} of the column, counted from 0.")
        raise
    return [
        (
            None if link.record is None else link.record.href,
            link.kind.value,
            link.element,
            _scalar_text(link.input),
        )
        for link in found
    ]


def _batches(column: Column) -> Iterator[pa.Array]:
    for chunk in chunks_of(column):
        for start in range(0, len(chunk), _BATCH):
            yield plain_text(chunk.slice(start, _BATCH))


def _texts(column: Column) -> Iterator[str | None]:
    return chain.from_iterable(texts_of(batch, []) for batch in _batches(column))


def _bodies(column: Column, errors: str) -> Iterator[Body]:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    for batch in _batches(column):
        if kind in _BINARY:
            wide = batch.type == pa.large_string()
            yield from batch.view(pa.large_binary() if wide else pa.binary()).to_pylist()
        elif errors == "raise":
            yield from batch.to_pylist()
        else:
            yield from texts_of(batch, [])


def _scalar_text(text: str) -> str:
    """Return a text as Arrow can hold it."""
    return text if text.isascii() else to_scalar_value_string(text)

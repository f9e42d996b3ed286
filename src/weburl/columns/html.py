"""The links of pages, for a column of HTML and a column of the addresses of the pages.

Needs the extra ``html`` besides ``columns``. HTML is only read for links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate, repeat, tee
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

import attrs

from weburl.standard.support.releases import required

with required("pyarrow>=18", "columns"):
    import pyarrow as pa
    import pyarrow.compute as pc

from weburl.columns.arrow import (
    ArrowColumn,
    Column,
    chunks_of,
    joined,
    like,
    overflow,
    plain_text,
    read_column,
    require_same_length,
    text_type,
    texts_of,
)
from weburl.columns.functions import FUNCTIONS_BY_NAME, Base
from weburl.columns.kernels import links_type
from weburl.columns.options import (
    DEFAULT_LINK_FIELDS,
    LINK_FIELDS,
    Errors,
    LinkField,
    Progress,
    require_errors,
    require_workers,
)
from weburl.columns.rows import FAILURES
from weburl.columns.running import with_names
from weburl.columns.workers import Answer, computing
from weburl.html.encodings import encoding_name
from weburl.html.limits import PageLimitError, PageLimits
from weburl.html.link import LinkKind, PageLink, kinds_named
from weburl.html.pages import links as links_of_page
from weburl.standard.infra.strings import to_scalar_value_string
from weburl.standard.url.api import record_of
from weburl.standard.url.record import URLRecord

__all__ = ["PAGE_FAILURES", "links"]

Kinds: TypeAlias = Iterable[LinkKind | str] | None
Limits: TypeAlias = PageLimits

_NO_ADDRESS: Final = "no-address"
_NO_BODY: Final = "no-body"
_NOT_UTF_8: Final = "body-not-UTF-8"
_OF_LIMITS: Final = {
    "links": "too-many-links",
    "resolved_length": "too-long-URLs",
    "implied_elements": "too-many-elements",
}

PAGE_FAILURES: Final = (*FAILURES, _NO_ADDRESS, _NO_BODY, _NOT_UTF_8, *_OF_LIMITS.values())
"""The names for why the links of a page cannot be read: first the failures of its address,
as `check` returns them."""

_NUMBER_OF_NAME: Final = {name: number for number, name in enumerate(PAGE_FAILURES)}
_NAMES: Final = pa.array(PAGE_FAILURES, pa.string())
_BINARY: Final = (pa.binary(), pa.large_binary(), pa.binary_view())
# How many pages are in memory as Python objects at a time, and how many bytes of them, if there is
# more than one.
_BATCH: Final = 256
_BATCH_BYTES: Final = 1 << 24
# A process takes about a second to start, in which this much is read.
_BYTES_FOR_A_WORKER: Final = 1 << 22
_DEFAULT_LIMITS: Final = PageLimits()


def links(
    bodies: ArrowColumn,
    addresses: Base,
    kinds: Kinds = None,
    *,
    fields: Iterable[LinkField] = DEFAULT_LINK_FIELDS,
    encoding: str | None = None,
    limits: PageLimits = _DEFAULT_LIMITS,
    errors: Errors = "null",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Column:
    """Return the links of the page in each row, as a column of lists of structs.

    The links are those that `weburl.html.links` returns, and the fields of a struct are attributes
    of a `weburl.html.PageLink`. An empty list is a page without links. A row is null if its body or
    its address is null. The result has the chunks of ``bodies``.

    Args:
        bodies: The HTML of the pages: text, or bytes in the encoding that each page declares.
        addresses: The addresses of the pages: a column of the same length, or one URL as text or
            record for all pages.
        kinds: The kinds of links to return, such as ``{"hyperlink"}``, or None for all.
        fields: The fields of the structs, in this order: "href", which is null if the link does
            not parse; "kind", "element", "attribute" and "input", the text of the URL in the page;
            "text", which people see of a hyperlink; "rel", the keywords with a space between them,
            null without one; "target", "line", "column"; and "error", why the link does not parse.
            By default the first five.
        encoding: A label of the encoding of all pages, or None.
        limits: How many links and elements each page may have, and how long the text of all its
            rows may be (``resolved_length``).
        errors: As for `weburl.columns.canonicalize`. A page fails if its address does not parse,
            its text is not UTF-8 or it exceeds ``limits``. "name" returns structs of ``value`` and
            ``error``, one of `PAGE_FAILURES`. It then also names a null body and a null address. A
            row is null only if both are.
        workers: How many processes read pages at a time, by default one.
        progress: As for `weburl.columns.canonicalize`.

    Raises:
        TypeError: A column is not text or bytes, or ``limits`` has another type.
        ValueError: A kind, a field or the encoding is unknown, an option has an unknown value, or
            the columns have different lengths.
        URLParseError: The one address does not parse; or, with "raise", an address of a row.
        PageLimitError: With "raise": a page exceeds ``limits``.
        UnicodeDecodeError: With "raise": the text of a page is not UTF-8.
        ImportError: The HTML parser is not installed.
        OverflowError: A chunk of the result would have more than 2 GB of text.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-a-url
    """
    reading = _Reading(fields, kinds, encoding, limits)
    require_errors(errors)
    require_workers(workers)
    column = read_column(bodies, "the bodies")
    of_pages = _read_addresses(addresses, column)
    # Short pages are read before a process has started.
    useful = 1 + min(len(column), column.nbytes // _BYTES_FOR_A_WORKER)
    type = with_names(reading.type) if errors == "name" else reading.type
    made = []
    done = 0
    with computing(reading, min(workers or 1, useful), is_compiled=False) as read_all:
        to_read, waiting = tee(_batches(column, of_pages))
        with closing(read_all(to_read)) as answers:
            for chunk in chunks_of(column):
                arrays: list[pa.Array] = []
                end = done + len(chunk)
                while done < end:
                    answer = next(answers).values
                    batch = next(waiting)
                    if errors == "raise":
                        _raise_first(reading, batch, answer, done)
                    arrays.append(answer if errors == "name" else answer.field("value"))
                    done += len(answer)
                    if progress is not None:
                        progress(done, len(column))
                made.append(joined(arrays, type))
    return like(column, made, type)


# --- the fields of a link -------------------------------------------------------------------------


def _href(link: PageLink) -> str | None:
    return None if link.record is None else link.record.href


def _error(link: PageLink) -> str | None:
    return None if link.error is None or link.error.type is None else link.error.type.value


_READERS: Final[dict[LinkField, Callable[[PageLink], Any]]] = {
    "href": _href,
    "kind": attrgetter("kind._value_"),
    "element": attrgetter("element"),
    "attribute": attrgetter("attribute"),
    "input": lambda link: _scalar_text(link.input),
    "text": lambda link: None if link.text is None else _scalar_text(link.text),
    "rel": lambda link: _scalar_text(" ".join(link.rel)) or None,
    "target": lambda link: _scalar_text(link.target),
    "line": attrgetter("line"),
    "column": attrgetter("column"),
    "error": _error,
}


def _scalar_text(text: str) -> str:
    """Return a string that Arrow can hold."""
    return text if text.isascii() else to_scalar_value_string(text)


# --- one batch of pages ---------------------------------------------------------------------------

_Addresses: TypeAlias = "pa.Array | URLRecord"


def _known_fields(fields: Iterable[LinkField]) -> tuple[LinkField, ...]:
    """Return fields as a tuple. Raises ValueError for an unknown one, and if there are none."""
    wanted = tuple(fields)
    unknown = [name for name in wanted if name not in LINK_FIELDS]
    if unknown or not wanted or len(set(wanted)) < len(wanted):
        raise ValueError(f"fields must be some of {', '.join(LINK_FIELDS)}, each once")
    return wanted


@attrs.frozen
class _Reading:
    """The way to read the pages of a batch. It can be sent to another process."""

    fields: tuple[LinkField, ...] = attrs.field(converter=_known_fields)
    kinds: frozenset[LinkKind] | None = attrs.field(converter=kinds_named)
    encoding: str | None
    limits: PageLimits

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.limits, PageLimits):
            raise TypeError(f"limits must be PageLimits, not {type(self.limits).__name__}")
        if self.encoding is not None:
            encoding_name(self.encoding)

    @property
    def type(self) -> pa.DataType:
        """The type of the links of a page."""
        return links_type(self.fields)

    def worker(self) -> Callable[..., Answer]:
        """Return what reads the pages of a batch."""
        return self._answer

    def _answer(self, bodies: pa.Array, addresses: _Addresses) -> Answer:
        """Return the links of each page, and the name of the failure."""
        columns: list[list[Any]] = [[] for _ in self.fields]
        lengths: list[int | None] = []
        failures: list[str | None] = []
        for body, address, failure in _pages(bodies, addresses):
            rows: list[tuple[Any, ...]] | None = None
            if failure is None and body is not None and address is not None:
                try:
                    rows = self.rows_of(body, address)
                except PageLimitError as error:
                    failure = _OF_LIMITS[error.limit]  # noqa: PLW2901
            for column, values in zip(columns, zip(*rows or (), strict=True), strict=False):
                column.extend(values)
            lengths.append(None if rows is None else len(rows))
            failures.append(failure)
        return Answer(_structs(self.type, columns, lengths, failures))

    def rows_of(self, body: str | bytes, address: str | URLRecord) -> list[tuple[Any, ...]]:
        """Return the fields of each link of a page. Raises `PageLimitError`."""
        texts = "text" in self.fields
        found = links_of_page(
            body,
            address,
            kinds=self.kinds,
            encoding=self.encoding,
            texts=texts,
            limits=self.limits,
        )
        readers = [_READERS[name] for name in self.fields]
        rows = []
        length = 0
        for link in found:
            values = tuple(read(link) for read in readers)
            # The links of a page share strings, such as a long URL. The rows do not.
            length += sum(len(value) for value in values if type(value) is str)
            self.limits.require("resolved_length", length)
            rows.append(values)
        return rows


def _pages(
    bodies: pa.Array, addresses: _Addresses
) -> Iterator[tuple[str | bytes | None, str | URLRecord | None, str | None]]:
    """Yield the body and the address of each page, and why it cannot be read, if so."""
    not_text: list[int] = []
    if bodies.type in _BINARY:
        texts: Sequence[str | bytes | None] = bodies.to_pylist()
    else:
        texts = texts_of(bodies, not_text)
    failures: Iterator[str | None] = repeat(None)
    hrefs: Iterator[str | URLRecord | None]
    if isinstance(addresses, URLRecord):
        hrefs = repeat(addresses)
    else:
        values, errors = FUNCTIONS_BY_NAME["canonicalize"](addresses, errors="name").flatten()
        hrefs, failures = iter(values.to_pylist()), iter(errors.to_pylist())
    of_bodies = frozenset(not_text)
    for row, (text, href, failure) in enumerate(zip(texts, hrefs, failures, strict=False)):
        is_missing = text is None and row not in of_bodies
        if failure is not None:
            yield text, href, failure
        elif href is None:
            yield text, href, None if is_missing else _NO_ADDRESS
        elif text is None:
            yield text, href, _NO_BODY if is_missing else _NOT_UTF_8
        else:
            yield text, href, None


def _structs(
    type: pa.DataType,
    columns: list[list[Any]],
    lengths: list[int | None],
    failures: list[str | None],
) -> pa.StructArray:
    """Return lists of links with the names of failures. A row with neither is null."""
    arrays = [
        pa.array(values, field.type) for values, field in zip(columns, type.value_type, strict=True)
    ]
    if any(isinstance(array, pa.ChunkedArray) for array in arrays):
        raise overflow()
    offsets = accumulate((length or 0 for length in lengths), initial=0)
    lists = pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.StructArray.from_arrays(arrays, fields=list(type.value_type)),
        mask=pa.array([length is None for length in lengths], pa.bool_()),
    )
    numbers = [None if name is None else _NUMBER_OF_NAME[name] for name in failures]
    names = pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int8()), _NAMES)
    missing = [
        length is None and name is None for length, name in zip(lengths, failures, strict=True)
    ]
    return pa.StructArray.from_arrays(
        [lists.cast(type), names],
        fields=list(with_names(type)),
        mask=pa.array(missing, pa.bool_()),
    )


# --- the batches of a column ----------------------------------------------------------------------


class _Batch(NamedTuple):
    """Some pages: text or bytes, and their addresses."""

    bodies: pa.Array
    addresses: _Addresses


def _read_addresses(addresses: Base, bodies: Column) -> _Addresses:
    if isinstance(addresses, (str, URLRecord)):
        return record_of(addresses)
    column = read_column(addresses, "the addresses")
    require_same_length(bodies, column, "addresses", "bodies")
    return joined([plain_text(chunk) for chunk in chunks_of(column)], text_type(column.type))


def _batches(column: Column, addresses: _Addresses) -> Iterator[_Batch]:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    done = 0
    for chunk in chunks_of(column):
        for start in range(0, len(chunk), _BATCH):
            bodies = plain_text(chunk.slice(start, _BATCH))
            if kind in _BINARY:
                wide = bodies.type == pa.large_string()
                bodies = bodies.view(pa.large_binary() if wide else pa.binary())
            for at, size in _cuts(pc.binary_length(bodies).fill_null(0).to_pylist()):
                own = addresses
                if isinstance(own, pa.Array):
                    own = own.slice(done, size)
                yield _Batch(bodies.slice(at, size), own)
                done += size


def _cuts(lengths: list[int]) -> Iterator[tuple[int, int]]:
    """Yield where each batch of pages begins and how many pages it has, for pages so long."""
    begin = size = 0
    for row, length in enumerate(lengths):
        if row > begin and size + length > _BATCH_BYTES:
            yield begin, row - begin
            begin, size = row, 0
        size += length
    yield begin, len(lengths) - begin


def _raise_first(reading: _Reading, batch: _Batch, answer: pa.StructArray, before: int) -> None:
    """Raise the error of the first page that failed. Null bodies and addresses are no failures."""
    for row, name in enumerate(answer.field("error").to_pylist()):
        if name in (None, _NO_ADDRESS, _NO_BODY):
            continue
        try:
            address = batch.addresses
            if isinstance(address, pa.Array):
                address = FUNCTIONS_BY_NAME["canonicalize"](address.slice(row, 1), errors="raise")[
                    0
                ].as_py()
            reading.rows_of(batch.bodies[row].as_py(), address)
        except ValueError as error:
            error.__notes__ = [f"This is row {before + row} of the column, counted from 0."]
            raise
        raise AssertionError("a page that failed in its batch can be read by itself")

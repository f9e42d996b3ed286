"""The query of a URL as rows that people edit, written back into the text they typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from weburl.api import parse
from weburl.infra.form_urlencoded import serialize_form_urlencoded
from weburl.infra.strings import to_scalar_value_string, trimmed_span
from weburl.records.record import URLRecord
from weburl.validation.report import URLParseError
from weburl.viewer.spans import spans

# What a text field makes of what it is given: it keeps no NUL and no carriage return.
_AS_IN_A_FIELD: Final = {"\r\n": "\n", "\r": "\n", "\0": "\ufffd"}


class Row(NamedTuple):
    """A row: its name and value as a field holds them, and the pair it was made of, or None."""

    name: str
    value: str
    at: int | None = None


def with_rows(url: str, base: str | None, rows: Sequence[Row]) -> str:
    """Return ``url`` with a query of ``rows`` in place of its own; the rest stays as it is.

    A row that says what its pair says in a field keeps the pair, also where a field cannot hold it.
    Without rows, the query goes. What does not parse is returned as it is, and so is a fragment
    alone whose base has an opaque path: no query can stand there.
    """
    try:
        base_record = None if base is None else parse(base)
        record = parse(url, base_record)
    except URLParseError:
        return url
    pairs = [_pair(row, record) for row in rows]
    if pairs == list(record.query_pairs):
        return url
    return _with_query(url, base_record, serialize_form_urlencoded(pairs) if pairs else None)


def _pair(row: Row, record: URLRecord) -> tuple[str, str]:
    pairs = record.query_pairs
    own = (_as_in_a_field(row.name), _as_in_a_field(row.value))
    if row.at is not None and 0 <= row.at < len(pairs):
        name, value = pairs[row.at]
        if (_as_in_a_field(name), _as_in_a_field(value)) == own:
            return name, value
    return to_scalar_value_string(own[0]), to_scalar_value_string(own[1])


def _as_in_a_field(text: str) -> str:
    for lost, kept in _AS_IN_A_FIELD.items():
        text = text.replace(lost, kept)
    return text


def _with_query(url: str, base: URLRecord | None, query: str | None) -> str:
    start, end = trimmed_span(url)
    own: tuple[int, int] | None = None
    for span in spans(url, base):
        if span.part == "query":
            own = (url.rindex("?", start, span.start), span.end)
        elif span.part == "fragment":
            end = url.rindex("#", start, span.start)
    first, last = own or (end, end)
    new = "" if query is None else f"?{query}"
    written = f"{url[:first]}{new}{url[last:]}"
    try:
        # What is relative and has neither path nor query has the query of its base.
        if query is None and parse(written, base).query:
            return f"{url[:first]}?{url[last:]}"
        parse(written, base)
    except URLParseError:
        return url
    return written

"""The query of a URL as rows that people edit, written back into the text they typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from weburl.standard.infra.form_urlencoded import serialize_form_urlencoded
from weburl.standard.infra.strings import to_scalar_value_string, trimmed_span
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError
from weburl.viewer.spans import spans

# How a text field changes its text: it cannot contain NUL or carriage returns.
_AS_IN_A_FIELD: Final = {"\r\n": "\n", "\r": "\n", "\0": "\ufffd"}


class Row(NamedTuple):
    """A row: its name and value as in a text field, and the index of its pair; None if new."""

    name: str
    value: str
    at: int | None = None


def with_rows(url: str, base: str | None, rows: Sequence[Row]) -> str:
    """Return ``url`` with its query replaced by ``rows``; the rest does not change.

    A row that was not edited keeps its pair exactly, even if a field cannot represent it. Without
    rows, the query is removed. A ``url`` that does not parse is returned unchanged. So is a
    fragment whose base has an opaque path, because it cannot have a query.

    Args:
        url: The text that people typed.
        base: The base URL as text, or None.
        rows: The rows as people left them.
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
        # A relative URL without path and query takes the query of its base: write an empty one.
        if query is None and parse(written, base).query:
            return f"{url[:first]}?{url[last:]}"
        parse(written, base)
    except URLParseError:
        return url
    return written

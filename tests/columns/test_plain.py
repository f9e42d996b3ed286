"""Plain rows, which are read 32 bytes at a time, get the answers of the general parser."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

import pytest

import weburl
from weburl import URLRecord, URLSearchParams, columns, keys, parse

pa = pytest.importorskip("pyarrow")

# Where a byte is put, after so many others that it falls into each place of the blocks.
PLACES: Final = (
    "https://{}.example/",
    "https://example.{}",
    "http://example.com{}",
    "https://example.com:{}/a",
    "http://example.com/{}",
    "https://example.com/?{}",
    "https://example.com/#{}",
    "https://example.com/a/{}?b#c",
)
PIECES: Final = (
    *("", "/", ".", "..", "%2e", "%2E.", ".a", "...", "%2", "%", "?", "#", ":", ":80", ":443"),
    *(":8080", ":080", ":0", ":65535", ":65536", ":1000000", "@", "\\", "\t", "xn--", "www.", "1"),
    *("0x1", "a-b", "A", "_", "é", "%C3%A9", "%zz", "~", "'", "|", "[", "^", "a=1&b=2", "//"),
)


def texts() -> Iterator[str]:
    """Yield texts that are plain, and texts that are nearly plain."""
    for place in PLACES:
        for code in range(0x81):
            yield place.format(f"{'a' * (code % 37)}{chr(code)}b")
        for piece in PIECES:
            for size in (0, 15, 16, 32):
                yield place.format(f"{'a' * size}{piece}")
                yield place.format(f"{piece}{'/b' * (size // 2)}")
    source = random.Random(5)
    for _ in range(500):
        yield f"http{source.choice(['', 's'])}://" + "".join(source.choices(PIECES, k=5))


def record_of(text: str) -> URLRecord | None:
    """Return the record, or None."""
    try:
        return parse(text)
    except ValueError:
        return None


ANSWERS: Final[dict[str, Callable[[URLRecord], object]]] = {
    **{
        f"part {name}": attrgetter(name)
        for name in ("scheme", "username", "password", "port", "query", "fragment")
    },
    "part path": attrgetter("path_text"),
    "host": lambda record: None if record.host is None else str(record.host),
    "origin": lambda record: str(record.origin),
    "key page": lambda record: keys.url_key(record, keys.KeyRules.page()),
    "surt": keys.surt,
}
# Rows of a kind that is not plain, between the others: then blocks are tried less often.
COLUMNS: Final[tuple[tuple[str | None, ...], ...]] = ((), (None,), ("mailto:x",) * 3)


@pytest.mark.parametrize("between", COLUMNS)
def test_plain_rows_are_those_of_the_general_parser(between: tuple[str | None, ...]) -> None:
    """Every function that reads them does, wherever a byte falls into the blocks."""
    rows = [row for text in texts() for row in (text, *between)]
    records = [None if row is None else record_of(row) for row in rows]
    array = pa.array(rows)
    hrefs = [None if record is None else record.href for record in records]
    for kind in (pa.string(), pa.large_string()):
        assert columns.canonicalize(array.cast(kind)).to_pylist() == hrefs
    able = [
        None if row is None else record is not None
        for row, record in zip(rows, records, strict=True)
    ]
    assert columns.can_parse(array).to_pylist() == able
    for name, read in ANSWERS.items():
        function, *arguments = name.split()
        made = getattr(columns, function)(array, *arguments)
        assert made.to_pylist() == [None if record is None else read(record) for record in records]


def test_a_column_without_changes_is_not_copied() -> None:
    """Each row is its own href; the answer shares the memory of the column."""
    array = pa.array([f"https://example.com/{number}" for number in range(1000)]).slice(3)
    made = columns.canonicalize(array)
    assert made.equals(array)
    if weburl.COMPILED and _has_vectors(array):
        assert made.buffers()[2].address == array.buffers()[2].address
    for row in (0, 500, 996):
        changed = array.to_pylist()
        changed[row] = "HTTPS://example.com"
        made = columns.canonicalize(pa.array(changed), errors="name")
        assert made.field("value").to_pylist()[row] == "https://example.com/"
        assert made.field("value").slice(0, row).equals(array.slice(0, row))
        changed[row] = "nothing"
        made = columns.canonicalize(pa.array(changed), errors="name")
        assert made.field("error").is_valid().to_pylist().index(True) == row


def _has_vectors(array: Any) -> bool:
    """Return whether this machine reads plain rows in blocks."""
    from weburl.columns.compiled.parts import unchanged_rows
    from weburl.columns.parts import _buffers

    return bool(unchanged_rows(_buffers(array)))


@pytest.mark.parametrize(
    "query",
    [
        *("a=1", "a=%41+%2B", "b=1&a=2&a=3", "%61=x", "a", "a=", "&&a=1", "=a", "a=%C3%A9%FF"),
        *("a=%F0%9F%98%80", "a=%F0%9F%41", "a=%ED%A0%80", "a=%E4%B8", "a=%", "a=%4", "A=1", "aa=1"),
        *("a=%C3", "a=%80%80", "a=%F4%90%80%80", "a=%E0%80%80", "a=%C0%AF", "+a=1", "a+=1", "a==1"),
    ],
)
def test_a_param_is_decoded_as_the_standard_decodes_it(query: str) -> None:
    """Bytes that are not UTF-8 become U+FFFD. Segments are decoded in the same way."""
    text = f"https://h/{query.replace('/', '')}/{query}?{query}"
    record = parse(text)
    array = pa.array([text])
    for name in ("a", "", "aa", " a", "\ud800"):
        assert columns.search_param(array, name).to_pylist() == [URLSearchParams(query).get(name)]
    assert columns.path_segments(array).to_pylist() == [[*record.segments]]
    assert columns.file_name(array).to_pylist() == [record.name]
    assert columns.file_extension(array).to_pylist() == [record.suffix]

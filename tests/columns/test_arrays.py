"""What is taken for a column, and what comes back: types, chunks, dictionaries, slices, null."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import weburl
from tests.columns.scalars import FUNCTIONS, NOT_TEXT, expected
from weburl import columns

TEXTS = ["HTTPS://Example.com:81/a", "nope", None, "mailto:x@y", "https://b.example.co.uk/?q=1"]
HREFS = ["https://example.com:81/a", None, None, "mailto:x@y", "https://b.example.co.uk/?q=1"]
NAMES = sorted(FUNCTIONS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("type", [pa.string(), pa.large_string(), pa.string_view()])
def test_the_text_that_comes_back_is_of_the_columns_type(name: str, type: Any) -> None:
    """But that of views has offsets, as everybody can read them."""
    got = FUNCTIONS[name][0](pa.array(TEXTS, type))
    got.validate(full=True)
    assert got.to_pylist() == expected(name, TEXTS)
    of_text = pa.string() if type == pa.string() else pa.large_string()
    if name == "parse":
        assert got.type.field("scheme").type == of_text
        assert got.type.field("port").type == pa.int32()
    elif name == "path_segments":
        assert got.type == pa.list_(of_text)
    elif name == "search_params":
        assert got.type == pa.map_(of_text, pa.list_(of_text))
    elif name not in NOT_TEXT:
        assert got.type == of_text


@pytest.mark.parametrize(
    ("type", "text"),
    [
        (pa.binary(), pa.string()),
        (pa.large_binary(), pa.large_string()),
        (pa.binary_view(), pa.large_string()),
    ],
)
def test_bytes_are_text_if_they_are_utf_8(type: Any, text: Any) -> None:
    """Other bytes do not parse, whatever the function, and have a name."""
    data = [b"HTTPS://\xc3\xa9", b"https://a/\xff", None, b"\xed\xa0\x80", b"https://b"]
    array = pa.array(data, type)
    hrefs = columns.canonicalize(array)
    assert hrefs.type == text
    assert hrefs.to_pylist() == ["https://xn--9ca/", None, None, None, "https://b/"]
    assert columns.can_parse(array).to_pylist() == [True, False, None, False, True]
    assert columns.check(array).to_pylist() == [None, "not-UTF-8", None, "not-UTF-8", None]
    assert columns.render(array).to_pylist()[1] is None
    with pytest.raises(weburl.URLParseError, match="The text is not UTF-8") as caught:
        columns.host(array, errors="raise")
    assert "row 1 " in caught.value.__notes__[0]
    own = columns.check(array, array).to_pylist()
    assert own == [None, "not-UTF-8", None, "not-UTF-8", None]
    urls = pa.array(["x"] * 5)
    assert columns.check(urls, array).to_pylist() == own
    with pytest.raises(weburl.URLParseError, match="The text is not UTF-8"):
        columns.resolve(urls, array, errors="raise")


def test_text_that_lies_about_being_utf_8_does_no_harm() -> None:
    """An array that somebody made of raw buffers."""
    offsets = pa.py_buffer(b"\0\0\0\0\x0c\0\0\0\x15\0\0\0")
    buffers = [None, offsets, pa.py_buffer(b"https://h/\xff\xffhttps://b")]
    array = pa.Array.from_buffers(pa.string(), 2, buffers)
    assert columns.canonicalize(array).to_pylist() == [None, "https://b/"]
    assert columns.check(array).to_pylist() == ["not-UTF-8", None]


@pytest.mark.parametrize("name", NAMES)
def test_slices_are_read_from_where_they_start(name: str) -> None:
    """At every offset, with bits of validity that start inside a byte."""
    texts = TEXTS * 4
    array = pa.array(texts)
    for start in range(len(texts)):
        length = min(7, len(texts) - start)
        got = FUNCTIONS[name][0](array.slice(start, length))
        assert got.to_pylist() == expected(name, texts[start : start + length])


@pytest.mark.parametrize("name", NAMES)
def test_chunks_stay_as_they_are(name: str) -> None:
    """Empty ones too."""
    chunked = pa.chunked_array([TEXTS[:2], [], TEXTS[2:]], pa.string())
    got = FUNCTIONS[name][0](chunked)
    assert [len(chunk) for chunk in got.chunks] == [2, 0, 3]
    assert got.to_pylist() == expected(name, TEXTS)
    none = FUNCTIONS[name][0](pa.chunked_array([], pa.string()))
    assert none.num_chunks == 0
    assert none.type == got.type


@pytest.mark.parametrize("name", NAMES)
def test_no_rows_and_null_alone(name: str) -> None:
    """Also of the type that has nothing but null, and of an array without buffers."""
    function = FUNCTIONS[name][0]
    assert function(pa.array([], pa.string())).to_pylist() == []
    assert function(pa.array([None] * 9, pa.string())).to_pylist() == [None] * 9
    assert function(pa.nulls(9)).to_pylist() == [None] * 9
    assert function(pa.nulls(9)).type == function(pa.array([], pa.string())).type
    assert function(pa.nulls(0)).to_pylist() == []
    assert function(pa.array([], pa.dictionary(pa.int8(), pa.string()))).to_pylist() == []
    nothing_but_null = pa.array([None, None], pa.dictionary(pa.int8(), pa.string()))
    assert function(nothing_but_null).to_pylist() == [None, None]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("of_text", [pa.string(), pa.large_string(), pa.binary()])
@pytest.mark.parametrize("index", [pa.int8(), pa.uint32()])
def test_dictionaries(name: str, of_text: Any, index: Any) -> None:
    """Text comes back as a dictionary of different values; all else as it is."""
    values = pa.array([*TEXTS, "https://EXAMPLE.com:81/a", "https://unused/"]).cast(of_text)
    rows = [5, 0, None, 1, 2, 0, 5, 3, 4]
    array = pa.DictionaryArray.from_arrays(pa.array(rows, index), values)
    texts = [None if row is None else values[row].as_py() for row in rows]
    texts = [text.decode() if isinstance(text, bytes) else text for text in texts]
    for start in (0, 3):
        got = FUNCTIONS[name][0](array.slice(start))
        got.validate(full=True)
        assert got.to_pylist() == expected(name, texts[start:])
    if name not in NOT_TEXT:
        large = of_text == pa.large_string()
        assert got.type == pa.dictionary(index, pa.large_string() if large else pa.string())
        known = got.dictionary.to_pylist()
        assert len(known) == len(set(known))


def test_a_value_of_a_dictionary_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows have it."""
    from weburl.columns import kernels

    seen: list[weburl.URLRecord] = []

    def render(record: weburl.URLRecord, **_: object) -> str:
        seen.append(record)
        return str(record)

    monkeypatch.setattr(kernels, "render_record", render)
    array = pa.array(["https://a", "https://b"] * 1000).dictionary_encode()
    assert columns.render(array).to_pylist() == ["https://a/", "https://b/"] * 1000
    assert len(seen) == 2


def test_a_dictionary_on_a_column_of_bases_gives_plain_text() -> None:
    """The same text may stand for different URLs."""
    urls = pa.array(["x", "x", None]).dictionary_encode()
    got = columns.resolve(urls, pa.array(["https://a", "https://b", "https://c"]))
    assert got.type == pa.string()
    assert got.to_pylist() == ["https://a/x", "https://b/x", None]
    on_one = columns.resolve(urls, "https://a")
    assert on_one.type == urls.type
    assert on_one.to_pylist() == ["https://a/x", "https://a/x", None]


def test_a_dictionary_of_views_on_a_column_of_bases() -> None:
    """As Polars has its categories, of which Arrow takes no row itself."""
    values = pa.array(["x", "https://a"], pa.string_view())
    urls = pa.DictionaryArray.from_arrays(pa.array([0, None, 0]), values)
    bases = pa.DictionaryArray.from_arrays(pa.array([1, 1, None]), values)
    got = columns.resolve(urls, bases)
    assert got.type == pa.large_string()
    assert got.to_pylist() == ["https://a/x", None, None]
    assert columns.host(urls.slice(0, 0)).to_pylist() == []


def test_run_ends_are_decoded() -> None:
    """What comes back is plain."""
    array = pa.RunEndEncodedArray.from_arrays([2, 3], ["HTTPS://a", "nope"])
    assert columns.canonicalize(array).to_pylist() == ["https://a/", "https://a/", None]


def test_run_ends_of_a_dictionary_are_refused() -> None:
    """Arrow cannot decode them; its own error said which of its functions lacks what."""
    values = pa.array(["https://a"]).dictionary_encode()
    array = pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), values)
    for column in (array, pa.chunked_array([array])):
        with pytest.raises(
            TypeError, match="must be a text column, not a column of Arrow type run_"
        ):
            columns.canonicalize(column)


def test_bases_with_other_chunks_and_other_types() -> None:
    """Only the length has to be the same."""
    urls = pa.chunked_array([["a", "b"], ["c"], [None]], pa.string())
    bases = pa.chunked_array(
        [["https://h/1"], [b"https://i/2", b"no"], [b"https://k"]], pa.binary()
    )
    got = columns.resolve(urls, bases, errors="name")
    assert [len(chunk) for chunk in got.chunks] == [2, 1, 1]
    none = "missing-scheme-non-relative-URL"
    assert got.to_pylist() == [
        {"value": "https://h/a", "error": None},
        {"value": "https://i/b", "error": None},
        {"value": None, "error": none},
        None,
    ]
    coded = pa.array(["https://h", None, "https://h", "https://i"]).dictionary_encode()
    assert columns.resolve(urls, coded).to_pylist() == ["https://h/a", None, "https://h/c", None]


def test_bytes_that_are_no_text_on_a_base_that_is_null_are_null() -> None:
    """They failed where no compiled parser is: in `check`, in `can_parse`, and with "raise"."""
    urls, bases = pa.array([b"\xff", b"\xff"]), pa.array([None, "https://h"])
    assert columns.check(urls, bases).to_pylist() == [None, "not-UTF-8"]
    assert columns.can_parse(urls, bases).to_pylist() == [None, False]
    assert columns.resolve(urls[:1], bases[:1], errors="raise").to_pylist() == [None]
    assert columns.resolve(urls, bases, errors="name").to_pylist() == [
        None,
        {"value": None, "error": "not-UTF-8"},
    ]


def test_what_other_libraries_have_is_taken_as_it_is() -> None:
    """By the Arrow PyCapsule interface."""
    as_list = ["HTTPS://a", None, "nope"]
    wanted = ["https://a/", None, None]
    series = pl.Series("url", as_list)
    assert pl.Series(columns.canonicalize(series)).to_list() == wanted
    assert pl.Series(columns.canonicalize(series.cast(pl.Categorical))).to_list() == wanted
    assert columns.canonicalize(pl.DataFrame({"url": series})).to_pylist() == wanted
    relation = duckdb.sql("select unnest(['HTTPS://a', null, 'nope']) as url")
    assert relation is not None
    assert columns.canonicalize(relation).to_pylist() == wanted
    assert columns.canonicalize(pa.table({"url": as_list})).to_pylist() == wanted
    assert columns.canonicalize(pa.record_batch({"url": as_list})).to_pylist() == wanted
    in_pandas = pd.Series(as_list, dtype="string[pyarrow]")
    assert columns.canonicalize(in_pandas.array).to_pylist() == wanted


@pytest.mark.parametrize(
    "values",
    [
        ["https://a"],
        "https://a",
        None,
        pa.array([1]),
        pa.array([["https://a"]]),
        pa.table({"a": ["x"], "b": ["y"]}),
        pa.array([{"url": "https://a/"}]),
        pa.chunked_array([[{"url": "https://a/"}]]),
        pl.Series([{"url": "https://a/"}]),
        pa.array([1]).dictionary_encode(),
        pl.Series([1.5]),
        weburl.parse("https://a"),
    ],
    ids=str,
)
def test_anything_else_is_refused(values: Any) -> None:
    """As URLs, and as bases where it is not one text or record."""
    with pytest.raises(TypeError, match="the URLs must be"):
        columns.canonicalize(values)
    if not isinstance(values, str | weburl.URLRecord | None):
        with pytest.raises(TypeError, match="the base must be"):
            columns.resolve(pa.array(["x"]), values)


def test_ten_megabytes_in_one_row() -> None:
    """Beside others; what has to be encoded grows to three times its size."""
    long = "https://h/" + "\u00e9" * 5_000_000
    array = pa.array(["HTTPS://a", long, None, "http://[", "https://b?" + " " * 10_000_000 + "#"])
    got = columns.canonicalize(array)
    assert len(got[1].as_py()) == 10 + 6 * 5_000_000
    assert got[1].as_py() == weburl.canonicalize(long)
    assert got.to_pylist()[2:4] == [None, None]
    assert columns.part(array, "query")[4].as_py() == "%20" * 10_000_000
    assert columns.check(array).to_pylist()[3] == "IPv6-unclosed"


def test_more_text_than_offsets_of_32_bits_reach_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where batches are put together. A column of large_string takes it."""
    from weburl.columns import arrow, running

    monkeypatch.setattr(running, "BATCH", 4)
    monkeypatch.setattr(arrow, "_MOST_BYTES", 100)
    texts = [f"https://example.com/{number}" for number in range(10)]
    with pytest.raises(OverflowError, match="large_string"):
        columns.canonicalize(pa.array(texts))
    assert columns.canonicalize(pa.array(texts, pa.large_string())).to_pylist() == texts
    in_chunks = pa.chunked_array([[text] for text in texts], pa.string())
    assert columns.canonicalize(in_chunks).to_pylist() == texts

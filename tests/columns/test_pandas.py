"""pandas: Series of every type that holds text, with their index."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.columns.methods import (
    METHODS,
    ON_BASES,
    WRONG_OPTIONS,
    Rows,
    cases_of_web_platform_tests,
    differences,
    real_links,
    scalars,
    scalars_on_bases,
    without_surrogates,
)
from tests.columns.scalars import expected
from tests.standard.compiled.equality import BASES
from weburl.columns.pandas import SeriesAccessor
from weburl.standard.infra.strings import to_scalar_value_string

# Some of the texts happen to be hosts.
pytestmark = pytest.mark.filterwarnings("ignore::weburl.columns.BareHostsWarning")

TEXTS: Final = [
    "HTTPS://Example.co.uk:81/a",
    "nope",
    None,
    "mailto:x@y",
    "https://[::1]/?q=1&q=2",
    "mailto:x@y",
]


def _dictionary(rows: Rows) -> Any:
    array = pa.array(rows, pa.string()).dictionary_encode()
    return pd.Series(pd.ArrowDtype(array.type).__from_arrow__(array))


# How a Series of each type is made. The second is what pandas finds: object before pandas 3.
KINDS: Final[dict[str, Callable[[Rows], Any]]] = {
    "object": lambda rows: pd.Series(rows, dtype=object),
    "str": pd.Series,
    "string[python]": lambda rows: pd.Series(rows, dtype="string[python]"),
    "string[pyarrow]": lambda rows: pd.Series(rows, dtype="string[pyarrow]"),
    "ArrowDtype(string)": lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.string())),
    "ArrowDtype(large_string)": lambda rows: pd.Series(
        rows, dtype=pd.ArrowDtype(pa.large_string())
    ),
    "ArrowDtype(dictionary)": _dictionary,
    "category": lambda rows: pd.Series(rows, dtype=object).astype("category"),
}


def _rows(answers: Any) -> list[Any]:
    """Return a Series or DataFrame as a list of Python's own objects; None is missing."""
    if isinstance(answers, pd.DataFrame):
        lists = {name: _rows(answers[name]) for name in answers}
        rows = [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
        return [None if row["scheme"] is None else row for row in rows]
    if isinstance(answers.dtype, pd.ArrowDtype) and pa.types.is_nested(answers.dtype.pyarrow_dtype):
        return list(pa.array(answers).to_pylist())
    values = answers.astype(object).where(answers.notna(), None)
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def _differences(rows: Rows, kinds: list[str]) -> list[Any]:
    """Return where a method gives something else, for Series of each kind."""
    wanted = scalars(rows)
    found = []
    for kind in kinds:
        series = KINDS[kind](rows)
        got = {name: _rows(method(series.weburl)) for name, method in METHODS.items()}
        found += [(kind, *difference) for difference in differences(got, wanted, rows)]
    return found


def _differences_on_bases(rows: Rows, bases: Rows, kind: str) -> list[Any]:
    """Return the same of the methods that take a base, with a Series of bases."""
    series, base = KINDS[kind](rows), KINDS[kind](bases)
    got = {name: _rows(method(series.weburl, base)) for name, method in ON_BASES.items()}
    return differences(got, scalars_on_bases(rows, bases), rows)


def test_every_url_of_web_platform_tests() -> None:
    """All methods; and those that take a base, on the base of each."""
    inputs, bases = cases_of_web_platform_tests()
    assert _differences(inputs, ["object"]) == []
    rows = without_surrogates(inputs)
    assert _differences(rows, ["str", "category"]) == []
    for kind in ("object", "ArrowDtype(string)", "category"):
        assert _differences_on_bases(rows, bases, kind) == []


def test_real_links() -> None:
    """A sample of the corpus."""
    assert _differences(real_links(), ["object"]) == []
    assert _differences(without_surrogates(real_links()), ["str", "category"]) == []


@settings(max_examples=15)
@given(st.lists(st.none() | strategies.url_texts))
def test_texts_that_are_nearly_urls(rows: list[str | None]) -> None:
    """Lone surrogates too, in those types that can hold them."""
    assert _differences(rows, ["object"]) == []
    plain = [None if text is None else to_scalar_value_string(text) for text in rows]
    assert _differences(plain, ["string[pyarrow]", "ArrowDtype(string)"]) == []


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.none() | strategies.url_texts,
            st.none() | st.sampled_from(BASES) | strategies.url_texts,
        )
    )
)
def test_texts_on_bases(pairs: list[tuple[str | None, str | None]]) -> None:
    """Each on its own base, which may be missing or no URL."""
    urls, bases = [url for url, _ in pairs], [base for _, base in pairs]
    assert _differences_on_bases(urls, bases, "object") == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(METHODS))
def test_types_index_and_name(kind: str, name: str) -> None:
    """Text has the Series' own type, and what is no text one that knows what is missing."""
    for rows in (TEXTS, [], [None]):
        series = KINDS[kind](rows).rename("url")
        series.index = pd.Index([number // 2 for number in range(len(rows))], name="number")
        made = METHODS[name](series.weburl)
        assert made.index.equals(series.index)
        assert made.index.name == "number"
        assert _rows(made) == scalars(rows)[name]
        if name == "parse":
            assert list(made.columns)[:2] == ["scheme", "username"]
            for part in made:
                assert _is_like(made[part], series)
                assert made[part].name == part
        else:
            assert made.name == "url"
            assert _is_like(made, series, bits=64 if name == "key_hash" else 32)


def _is_like(made: Any, series: Any, bits: int = 32) -> bool:
    """Return whether the type of answers is what it has to be; ``bits``: of numbers."""
    has_arrow = isinstance(series.dtype, pd.ArrowDtype)
    if isinstance(made.dtype, pd.ArrowDtype) and pa.types.is_nested(made.dtype.pyarrow_dtype):
        return True
    if pd.api.types.is_bool_dtype(made.dtype):
        return bool(made.dtype == (pd.ArrowDtype(pa.bool_()) if has_arrow else "boolean"))
    if pd.api.types.is_integer_dtype(made.dtype):
        arrow = pa.int64() if bits == 64 else pa.int32()
        return bool(made.dtype == (pd.ArrowDtype(arrow) if has_arrow else f"Int{bits}"))
    if isinstance(series.dtype, pd.CategoricalDtype):
        used = made.cat.remove_unused_categories().cat.categories
        same = made.dtype.categories.dtype == series.dtype.categories.dtype
        return bool(used.equals(made.cat.categories) and (same or made.isna().all()))
    if has_arrow and pa.types.is_dictionary(series.dtype.pyarrow_dtype):
        return pd.api.types.is_object_dtype(made.dtype) or isinstance(made.dtype, pd.ArrowDtype)
    return bool(made.dtype == series.dtype) or (
        # The names of kinds and of failures are string, whatever the column's width.
        has_arrow and made.dtype == pd.ArrowDtype(pa.string())
    )


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, np.nan, pd.NaT])
def test_what_is_missing(missing: Any) -> None:
    """In a Series of objects pandas knows several."""
    series = pd.Series(["https://a", missing], dtype=object)
    assert series.weburl.host().tolist() == ["a", None]
    assert series.weburl.can_parse().tolist() == [True, pd.NA]
    assert series[series.weburl.can_parse()].tolist() == ["https://a"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["host", "canonicalize", "site", "render"])
def test_errors_by_name(kind: str, name: str) -> None:
    """Structs of Arrow, which pandas makes a DataFrame of."""
    made = getattr(KINDS[kind](TEXTS).weburl, name)(errors="name")
    table = made.struct.explode()
    assert list(table.columns) == ["value", "error"]
    assert _rows(table["value"]) == expected(name, TEXTS)
    wrong = "missing-scheme-non-relative-URL"
    assert _rows(table["error"]) == [None, wrong, None, None, None, None]
    assert table["error"].value_counts().to_dict() == {wrong: 1}


@pytest.mark.parametrize("kind", KINDS)
def test_parse_with_errors_by_name(kind: str) -> None:
    """One column more. Of a part, too, the names of kinds of hosts."""
    series = KINDS[kind](TEXTS)
    table = series.weburl.parse(errors="name")
    assert list(table.columns)[-1] == "error"
    assert table.drop(columns="error").equals(series.weburl.parse())
    assert _rows(table["error"]) == _rows(series.weburl.check())
    of_part = series.weburl.part("host_kind", errors="name").struct.field("value")
    assert _rows(of_part) == _rows(series.weburl.part("host_kind"))


@pytest.mark.parametrize("kind", KINDS)
def test_errors_that_are_raised(kind: str) -> None:
    """With the number of the row, whatever the index; the password is masked."""
    series = KINDS[kind](["https://a", None, "http://u:secret@[::1"])
    series.index = [7, 8, 9]
    with pytest.raises(weburl.URLParseError) as caught:
        series.weburl.parse(errors="raise")
    assert caught.value.type == "IPv6-unclosed"
    assert caught.value.__notes__ == ["This is row 2 of the column, counted from 0."]
    assert "secret" not in f"{caught.value} {caught.value!r}"
    assert _rows(series[:2].weburl.host(errors="raise")) == ["a", None]


def test_bases_are_aligned_by_the_index() -> None:
    """As by pandas' own methods. A base that is not there is missing."""
    urls = pd.Series(["x", "y", "z"], index=["a", "b", "c"])
    bases = pd.Series(["https://h1", "https://h2"], index=["b", "a"])
    made = urls.weburl.resolve(bases)
    assert _rows(made) == ["https://h2/x", "https://h1/y", None]
    assert list(made.index) == ["a", "b", "c"]
    twice = pd.Series(["https://h1", "https://h2"], index=["a", "a"])
    with pytest.raises(ValueError, match="duplicate"):
        urls.weburl.resolve(twice)
    same = twice.copy()
    assert _rows(pd.Series(["x", "y"], index=["a", "a"]).weburl.resolve(same)) == [
        "https://h1/x",
        "https://h2/y",
    ]
    assert _rows(urls.weburl.resolve(weburl.parse("https://h"))) == [
        f"https://h/{text}" for text in "xyz"
    ]


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1]),
        pd.Series([1.5]),
        pd.Series([1, None], dtype=object),
        pd.Series([["https://a"]]),
        pd.Series([1, 2], dtype="category"),
        pd.Series([1], dtype=pd.ArrowDtype(pa.int64())),
        pd.Series(pd.to_datetime(["2026-01-01"])),
    ],
)
def test_what_is_no_text_is_refused(series: Any) -> None:
    """On either side."""
    with pytest.raises(TypeError, match="must be a"):
        series.weburl.host()
    with pytest.raises(TypeError, match="must be a"):
        pd.Series(["x"] * len(series)).weburl.resolve(series)


def test_nothing_of_a_url_is_in_the_error() -> None:
    """Whatever stands beside the objects that are none."""
    for values in ([["https://u:secret@a"], 1], [1, ("https://u:secret@a",)]):
        with pytest.raises(TypeError) as caught:
            pd.Series(values, dtype=object).weburl.host()
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("dtype", ["object", "category"])
def test_another_object_among_texts_fails_in_its_own_row(dtype: str) -> None:
    """As bytes that are not UTF-8 do; lone surrogates become U+FFFD as everywhere."""
    values = ["https://A/", 1, None, ("x",), 1.5, b"https://b/", b"\xff", "https://c/\ud800"]
    series = pd.Series(values, dtype=object).astype(dtype)
    hrefs = ["https://a/", None, None, None, None, "https://b/", None, "https://c/%EF%BF%BD"]
    assert _rows(series.weburl.canonicalize()) == hrefs
    bad = [None, "not-UTF-8", None, "not-UTF-8", "not-UTF-8", None, "not-UTF-8", None]
    assert _rows(series.weburl.check()) == bad
    named = [
        None if value is None else {"value": href, "error": error}
        for value, href, error in zip(values, hrefs, bad, strict=True)
    ]
    assert _rows(series.weburl.canonicalize(errors="name")) == named
    with pytest.raises(weburl.URLParseError, match="not UTF-8"):
        series.weburl.canonicalize(errors="raise")
    bases = pd.Series(["https://h/"] * len(values))
    assert _rows(bases.weburl.resolve(series)) == [
        None if href is None else "https://h/" for href in hrefs
    ]


@pytest.mark.parametrize("dtype", [float, "float32", "Float64", object])
@pytest.mark.parametrize("length", [0, 2])
def test_a_series_of_nothing_is_null(dtype: Any, length: int) -> None:
    """Without any value, a column is floats in pandas."""
    series = pd.Series([float("nan")] * length, dtype=dtype)
    assert _rows(series.weburl.host()) == [None] * length
    assert _rows(series.weburl.check()) == [None] * length
    urls = pd.Series(["https://h/"] * length, dtype=object)
    assert _rows(urls.weburl.resolve(series)) == [None] * length


@pytest.mark.parametrize(("name", "arguments", "options", "error"), WRONG_OPTIONS)
def test_options_that_mean_nothing_are_refused(
    name: str, arguments: Any, options: Any, error: type[Exception]
) -> None:
    """As by the functions."""
    with pytest.raises(error):
        getattr(SeriesAccessor(pd.Series(["https://a"])), name)(*arguments, **options)


def test_slices_and_copies_of_a_series() -> None:
    """Whatever lies behind what pandas shows."""
    series = pd.Series(TEXTS * 3, dtype="string[pyarrow]")
    for made in (series[3:9], series[::-1], pd.concat([series, series[2:]])):
        assert _rows(made.weburl.host()) == expected("host", [_text(value) for value in made])
    again = pickle.loads(pickle.dumps(series.weburl.parse()))
    assert again.equals(series.weburl.parse())


def _text(value: Any) -> str | None:
    return None if value is pd.NA else value

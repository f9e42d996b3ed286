"""Tests of the methods of a record that change single params of its query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URLRecord, URLSearchParams, parse
from weburl.standard.infra.form_urlencoded import parse_form_urlencoded
from weburl.standard.infra.query_pairs import with_values

ODD = "https://a.b/?q=%FC&sig=a/b+c%20d==&flag&&x=1"
VALUES: list[Any] = ["1", "", "x y", "%", "\u00fc", 7, -1, ["1"], ["1", 2], []]
QUERIES = st.lists(
    st.sampled_from(["a", "b", "%61", "a=", "a=1", "b=%FC", "=", "a=x+y", "%", "", "c=d=e", "'"])
).map("&".join)


@pytest.mark.parametrize(
    ("query", "names", "prefixes", "left"),
    [
        ("?q=%FC&utm_source=1", ("utm_source",), (), "?q=%FC"),
        ("?sig=a/b+c%20d==&flag&x", ("x",), (), "?sig=a/b+c%20d==&flag"),
        ("?utm_a=1&b&utm_c", (), "utm_", "?b"),
        ("?utm_a=1&b&utm_c&fbclid", ("b",), ("utm_", "fb"), ""),
        ("?a", ("a",), (), ""),
        ("?a&&", ("a",), (), ""),
        ("?a&&b", ("a",), (), "?&b"),
        ("?%61=1&A&a+b", ("a",), (), "?A&a+b"),
        ("?a+b&a%20b&ab", ("a b",), (), "?ab"),
        ("?", ("a",), (), "?"),
        ("?&&", ("",), (), "?&&"),
        ("?=1&x", ("",), (), "?x"),
        ("", ("a",), (), ""),
        ("?%FF&%EF%BF%BD&x", ("\ud800",), (), "?x"),
    ],
)
def test_removing_params_leaves_every_other_byte(
    query: str, names: tuple[str, ...], prefixes: Any, left: str
) -> None:
    """Names are compared decoded. Without params, the "?" is removed too."""
    record = parse(f"https://a.b/{query}#f").without_query_params(*names, prefixes=prefixes)
    assert record.href == f"https://a.b/{left}#f"


@pytest.mark.parametrize(
    ("query", "names", "left"),
    [
        ("?q=%FC&utm_source=1&sig=a/b+c%20d==", ("q", "sig"), "?q=%FC&sig=a/b+c%20d=="),
        ("?x=1&y&x=2&X", ("x",), "?x=1&x=2"),
        ("?%61=1&A&a+b", ("a", "a b"), "?%61=1&a+b"),
        ("?a&&b", ("b",), "?&b"),
        ("?a&&b", ("a", "b"), "?a&&b"),
        ("?a&b", (), ""),
        ("?", ("a",), "?"),
        ("", ("a",), ""),
        ("?%FF&x", ("\ud800",), "?%FF"),
    ],
)
def test_keeping_params_leaves_every_byte_of_these(
    query: str, names: tuple[str, ...], left: str
) -> None:
    """It removes what `without_query_params` would keep."""
    record = parse(f"https://a.b/{query}#f").keep_query_params(*names)
    assert record.href == f"https://a.b/{left}#f"
    others = {name for name, _ in parse(f"https://a.b/{query}").query_pairs} - {
        "\ufffd" if name == "\ud800" else name for name in names
    }
    assert parse(f"https://a.b/{query}#f").without_query_params(*others) == record


@pytest.mark.parametrize(
    ("query", "name", "value", "expected"),
    [
        ("?q=%FC&page=1&x=/", "page", "2", "?q=%FC&page=2&x=/"),
        ("?p%61ge=1&page=3&x", "page", "2", "?p%61ge=2&x"),
        ("?q=a/b+c%20d==", "q", "a/b c d==", "?q=a/b+c%20d=="),
        ("?flag&x", "flag", "", "?flag&x"),
        ("?flag&x", "flag", "1", "?flag=1&x"),
        ("?x", "new", "a&b=c d", "?x&new=a%26b%3Dc+d"),
        ("?x&", "y", "", "?x&y="),
        ("?", "y", "1", "?y=1"),
        ("", "y", "\ud800é", "?y=%EF%BF%BD%C3%A9"),
    ],
)
def test_setting_a_param_leaves_every_other_byte(
    query: str, name: str, value: str, expected: str
) -> None:
    """A param with the same value is not changed, and a missing one is added."""
    record = parse(f"https://a.b/{query}")
    assert record.with_query_param(name, value).href == f"https://a.b/{expected}"


@pytest.mark.parametrize(
    ("query", "expected"),
    [("", "?a=b+c"), ("?", "?a=b+c"), ("?a=%FC", "?a=%FC&a=b+c"), ("?x&", "?x&a=b+c")],
)
def test_adding_a_param_leaves_every_byte(query: str, expected: str) -> None:
    """No second "&" is written after one at the end."""
    record = parse(f"https://a.b/{query}")
    assert record.add_query_param("a", "b c").href == f"https://a.b/{expected}"


def test_sorting_keeps_how_each_param_is_written() -> None:
    """Params with the same name keep their order."""
    assert parse(ODD).sort_query_params().href == "https://a.b/?flag&q=%FC&sig=a/b+c%20d==&x=1"
    assert parse("https://a.b/?b=2&a&b=1").sort_query_params().query == "a&b=2&b=1"
    for query in (None, "", "&&"):
        assert parse("https://a.b/").with_query(query).sort_query_params().query == query


@pytest.mark.parametrize("value", [True, 1.5, None, b"a", {"a"}, ("a", None)])
def test_names_and_values_must_be_text(value: Any) -> None:
    """`URLSearchParams` refuses the same values."""
    record = parse(ODD)
    calls: list[Any] = [
        lambda: record.with_query_param("a", value),
        lambda: record.with_query_param(value, "a"),
        lambda: record.add_query_param("a", value),
        lambda: record.without_query_params(value),
        lambda: record.keep_query_params(value),
        lambda: record.without_query_params(prefixes=(value,)),
        lambda: URLSearchParams().append("a", value),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"the (name|value) of .* must be text"):
            call()


def test_bytes_are_refused_with_what_to_write() -> None:
    """`str(value)` would write "b'x'"."""
    record = parse(ODD)
    calls: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: record.with_query({"a": b"x"}), "value"),  # type: ignore[dict-item]
        (lambda: record.with_query({b"a": "x"}), "name"),  # type: ignore[dict-item]
        (lambda: record.with_query(b"a=x"), "query"),  # type: ignore[arg-type]
        (lambda: record.add_query_param("a", b"x"), "value"),  # type: ignore[arg-type]
    )
    for call, hint in calls:
        with pytest.raises(TypeError, match=rf"not bytes: write {hint}\.decode\(\)$"):
            call()


def test_an_empty_prefix_is_refused() -> None:
    """It would remove every parameter."""
    for prefixes in ("", ("utm_", "")):
        with pytest.raises(ValueError, match="with_query"):
            parse(ODD).without_query_params(prefixes=prefixes)


@pytest.mark.parametrize("url", ["mailto:a@b.c?x=1&y=%FC", "odd:a b?x=1&y='", "file:///c?x&y=/"])
def test_params_of_any_scheme_can_change(url: str) -> None:
    """The result is the record that the parser makes of its href."""
    record = parse(url)
    for made in (
        record.without_query_params("x"),
        record.without_query_params("x", "y"),
        record.keep_query_params("y"),
        record.with_query_param("x", "' \"<>#"),
        record.add_query_param("z", "'"),
    ):
        assert parse(made.href) == made


@given(query=QUERIES, name=st.sampled_from(["a", "b", "", "x y"]), value=st.text(max_size=3))
def test_pairs_change_as_search_params_do(query: str, name: str, value: str) -> None:
    """The pairs are those of `URLSearchParams`, and the remaining text is not changed."""
    record = parse("https://a.b/").with_query(query)

    def pairs(made: URLRecord) -> list[tuple[str, str]]:
        assert parse(made.href) == made
        return parse_form_urlencoded(made.query or "")

    params = URLSearchParams(record.query or "")
    params.delete(name)
    without = record.without_query_params(name)
    assert pairs(without) == list(params)
    assert set((without.query or "").split("&")) <= {*(record.query or "").split("&"), ""}
    for change, method in (("set", "with_query_param"), ("append", "add_query_param")):
        params = URLSearchParams(record.query or "")
        getattr(params, change)(name, value)
        assert pairs(getattr(record, method)(name, value)) == list(params)
    params = URLSearchParams(record.query or "")
    params.sort()
    assert pairs(record.sort_query_params()) == list(params)


def test_a_million_pairs_take_linear_time() -> None:
    """Each method goes through the query once."""
    record = parse("https://a.b/?" + "&".join(["a=1"] * 1_000_000))
    assert record.without_query_params("a").query is None
    assert record.with_query_param("a", "2").query == "a=2"
    assert record.sort_query_params().query == record.query
    assert len(record.add_query_param("b", "").query or "") == 4 * 1_000_000 + 2


@given(
    QUERIES,
    st.dictionaries(
        st.sampled_from(["a", "b", "", "c d", "%61", "\u00e9"]), st.sampled_from(VALUES)
    ),
)
def test_updating_a_query_is_the_same_in_both_builds(query: str, values: dict[str, Any]) -> None:
    """The compiled build sets one name after the other."""
    url = parse(f"https://a.b/?{query}#f")
    texts = {name: [str(each) for each in _as_list(value)] for name, value in values.items()}
    expected = with_values(url.query, texts)
    assert url.update_query(values) == url.with_query(expected)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]

"""`url.segments`, and the methods of a record that edit its path or build one from data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.strategies import url_texts
from weburl import EmptyHost, URLParseError, URLRecord, URLSearchParams

DOTS = (".", "..", "%2e", "%2E", ".%2e", "%2e.", "%2E%2e")
OPAQUE = weburl.parse("mailto:user@example.com?x")


@pytest.mark.parametrize(
    ("url", "segments", "expected"),
    [
        ("https://h", ("b",), "https://h/b"),
        ("https://h/a", ("b",), "https://h/a/b"),
        ("https://h/a/", ("b",), "https://h/a/b"),
        ("https://h/a//", ("b",), "https://h/a//b"),
        ("https://h/a?q#f", ("b",), "https://h/a/b"),
        ("https://h/a", ("",), "https://h/a/"),
        ("https://h/a/", ("",), "https://h/a/"),
        ("https://h/a", ("b", "", "c"), "https://h/a/b/c"),
        ("https://h/a?q#f", (), "https://h/a"),
        ("https://h/a", ("b c", "d/e"), "https://h/a/b%20c/d%2Fe"),
        ("https://h/a", ("?#%\\|",), "https://h/a/%3F%23%25%5C%7C"),
        ("https://h/a", ("%20", "\t", "é", "\ud800"), "https://h/a/%2520/%09/%C3%A9/%EF%BF%BD"),
        ("https://h/a", ("a:b", ".a", "...", "a."), "https://h/a/a:b/.a/.../a."),
        ("file:///", ("C|", "a"), "file:///C%7C/a"),
        ("foo://h", ("a",), "foo://h/a"),
        ("foo://h", ("",), "foo://h/"),
        ("foo:/", ("a",), "foo:/a"),
        ("foo:/.//", ("a",), "foo:/.//a"),
    ],
)
def test_segments_are_added_as_data_after_one_slash(
    url: str, segments: tuple[str, ...], expected: str
) -> None:
    """`joinpath` adds them together, and ``/`` one by one."""
    record = weburl.parse(url)
    joined = record.joinpath(*segments)
    assert joined.href == expected
    assert weburl.parse(expected) == joined
    for segment in segments:
        record /= segment
    assert record == joined or segments == ()


@pytest.mark.parametrize("segment", DOTS)
def test_a_dot_segment_is_refused_in_any_spelling(segment: str) -> None:
    """The message says so, because a browser would resolve it."""
    url = weburl.parse("https://h/a")
    calls: tuple[Callable[[], object], ...] = (
        lambda: url / segment,
        lambda: url.joinpath("a", segment),
        lambda: url.with_name(segment),
        lambda: URLRecord.build(scheme="https", host="h", segments=["a", segment]),
    )
    for call in calls:
        with pytest.raises(URLParseError, match="is a dot segment, not a name"):
            call()


def test_an_opaque_path_is_refused() -> None:
    """It has no segments. The message shows no credentials."""
    calls: tuple[Callable[[], object], ...] = (
        lambda: OPAQUE / "a",
        OPAQUE.joinpath,
        lambda: OPAQUE.with_name("a"),
        lambda: OPAQUE.with_suffix(".a"),
    )
    for call in calls:
        with pytest.raises(URLParseError, match="has an opaque path"):
            call()
    assert (OPAQUE.segments, OPAQUE.name, OPAQUE.suffix) == ((), "", "")
    assert OPAQUE.parent.href == "mailto:user@example.com"


@pytest.mark.parametrize("segment", [1, b"a", None, 1.5, True])
def test_what_is_not_text_is_not_a_segment(segment: Any) -> None:
    """Numbers are refused too, because ``str(1)`` is clearer."""
    url = weburl.parse("https://h/a")
    for call in (
        lambda: url / segment,
        lambda: url.joinpath(segment),
        lambda: url.with_name(segment),
        lambda: url.with_suffix(segment),
        lambda: URLRecord.build(scheme="https", host="h", segments=[segment]),
    ):
        with pytest.raises(TypeError):
            call()


@given(url_texts, st.lists(st.text()))
def test_what_is_added_is_read_again(text: str, segments: list[str]) -> None:
    """`segments` and `name` decode what `joinpath` and `with_name` encode."""
    if not weburl.can_parse(text):
        return
    url = weburl.parse(text)
    assert len(url.segments) == (0 if url.has_opaque_path else len(url.path))
    assert url.name == (url.segments[-1] if url.segments else "")
    assert weburl.parse(url.parent.href) == url.parent
    names = [segment for segment in segments if segment and segment not in DOTS]
    if url.has_opaque_path or not names:
        return
    joined = url.joinpath(*names)
    assert joined.segments[-len(names) :] == tuple(names)
    assert weburl.parse(joined.href) == joined
    named = url.with_name(names[0])
    assert named.name == names[0]
    assert named.parent == url.parent or len(url.segments) < 2
    assert weburl.parse(named.href) == named


@pytest.mark.parametrize(
    ("path", "name", "suffix", "parent"),
    [
        ("/", "", "", "/"),
        ("/a", "a", "", "/"),
        ("/a/b", "b", "", "/a"),
        ("/a/b/", "", "", "/a/b"),
        ("/a%2Fb", "a/b", "", "/"),
        ("/a%20b.txt", "a b.txt", ".txt", "/"),
        ("/a.tar.gz", "a.tar.gz", ".gz", "/"),
        ("/.a", ".a", "", "/"),
        ("/a.", "a.", "", "/"),
        ("/a%2Etxt", "a.txt", ".txt", "/"),
        ("/%FF", "\ufffd", "", "/"),
        ("//", "", "", "/"),
    ],
)
def test_the_name_the_suffix_and_the_parent(path: str, name: str, suffix: str, parent: str) -> None:
    """They are decoded. The parent has no query and no fragment."""
    url = weburl.parse(f"https://h{path}?q#f")
    assert (url.name, url.suffix, url.parent.href) == (name, suffix, f"https://h{parent}")


@pytest.mark.parametrize(
    ("path", "suffix", "expected"),
    [
        ("/a.txt?q#f", ".md", "/a.md"),
        ("/a", ".md", "/a.md"),
        ("/a.tar.gz", "", "/a.tar"),
        ("/a", "", "/a"),
        ("/.a", ".md", "/.a.md"),
        ("/b/%C3%A9%2Etxt", ".m d", "/b/%C3%A9.m%20d"),
        ("/a.b", ".c/d", "/a.c%2Fd"),
    ],
)
def test_a_suffix_is_replaced(path: str, suffix: str, expected: str) -> None:
    """The rest of the name is not changed."""
    assert weburl.parse(f"https://h{path}").with_suffix(suffix).href == f"https://h{expected}"


@pytest.mark.parametrize(
    ("path", "suffix"), [("/a", "md"), ("/a", "."), ("/a/", ".md"), ("/..a", ""), ("/...a", "")]
)
def test_a_suffix_that_cannot_be_set_is_an_error(path: str, suffix: str) -> None:
    """The last two would leave a dot segment."""
    with pytest.raises(URLParseError, match="Cannot set the suffix"):
        weburl.parse(f"https://h{path}").with_suffix(suffix)


@pytest.mark.parametrize(
    ("query", "update", "expected"),
    [
        ("?a=1&b=2", {"a": "3"}, "?a=3&b=2"),
        ("?a=1&b=2&a=4", {"a": "3"}, "?a=3&b=2"),
        ("?a=1&b=2", {"c": "3", "a": "0"}, "?a=0&b=2&c=3"),
        ("?a=1", {"a": ["1", "2"]}, "?a=1&a=2"),
        ("?a=1&b&a=2&c", {"a": ["3", "4", "5"]}, "?a=3&b&a=4&a=5&c"),
        ("?a=1", [("a", "2"), ("a", "3")], "?a=2&a=3"),
        ("?a=1", "a=5&b", "?a=5&b="),
        ("?a=1", URLSearchParams("a=2"), "?a=2"),
        ("?a=1", {}, "?a=1"),
        ("?a=1", {"a": []}, ""),
        ("", {"a": "é &"}, "?a=%C3%A9+%26"),
        ("?", {"a": "1"}, "?a=1"),
        ("?a&", {"b": "1"}, "?a&b=1"),
        ("?x=~%7e&%61=1&&y", {"a": "2"}, "?x=~%7e&%61=2&&y"),
        ("?a=%31", {"a": "1"}, "?a=%31"),
        ("?b&a=1&&a=2", {"c": "3", "a": "4"}, "?b&a=4&c=3"),
        ("?", {}, "?"),
    ],
)
def test_update_query_changes_the_named_pairs_only(query: str, update: Any, expected: str) -> None:
    """The rest of the query and the fragment are not changed."""
    url = weburl.parse(f"https://h/{query}#f")
    assert url.update_query(update).href == f"https://h/{expected}#f"


def test_update_query_takes_linear_time() -> None:
    """The query and the update have a hundred thousand names."""
    names = [f"n{number}" for number in range(100_000)]
    url = weburl.parse("https://h/?" + "&".join(names))
    assert url.update_query(dict.fromkeys(names, "1")).query == "=1&".join(names) + "=1"


def test_query_params_is_a_read_only_mapping_of_lists() -> None:
    """It is made for each access, so changing a list does not change the record."""
    url = weburl.parse("https://h/?a=1&b=%20&a=2&c")
    assert url.query_params == {"a": ["1", "2"], "b": [" "], "c": [""]}
    with pytest.raises(TypeError):
        url.query_params["a"] = []  # type: ignore[index]
    url.query_params["a"].append("3")
    assert url.query_params["a"] == ["1", "2"]
    assert weburl.parse("https://h").query_params == {}


def test_what_is_left_out_and_hidden() -> None:
    """This concerns credentials, the fragment, and everything but the origin."""
    url = weburl.parse("https://user:hunter2@h:1/a?b#c")
    assert url.without_credentials().href == "https://h:1/a?b#c"
    assert url.without_fragment().href == "https://user:hunter2@h:1/a?b"
    assert url.origin_url.href == "https://h:1/"
    assert url.redacted() == "https://***:***@h:1/a?b#c"
    assert weburl.parse("blob:https://h/1").origin_url.href == "https://h/"
    for text in ("file:///a", "mailto:a", "foo://user:hunter2@h/"):
        with pytest.raises(URLParseError, match="is opaque") as caught:
            _ = weburl.parse(text).origin_url
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"scheme": "https", "host": "h"}, "https://h/"),
        ({"scheme": "HTTPS", "host": "Bücher.example"}, "https://xn--bcher-kva.example/"),
        ({"scheme": "https", "host": "h", "port": 443}, "https://h/"),
        ({"scheme": "https", "host": "[::1]", "port": 8}, "https://[::1]:8/"),
        ({"scheme": "https", "host": weburl.IPv4Address(5)}, "https://0.0.0.5/"),
        ({"scheme": "https", "host": "h", "segments": ["a/b", "%", ""]}, "https://h/a%2Fb/%25/"),
        ({"scheme": "https", "host": "h", "segments": ["", "a"]}, "https://h//a"),
        ({"scheme": "https", "host": "h", "query": {"a b": "c&"}}, "https://h/?a+b=c%26"),
        ({"scheme": "https", "host": "h", "query": "a=%20"}, "https://h/?a=%20"),
        ({"scheme": "https", "host": "h", "fragment": "50% #"}, "https://h/#50%25%20#"),
        ({"scheme": "https", "host": "h", "fragment": ""}, "https://h/#"),
        ({"scheme": "file"}, "file:///"),
        ({"scheme": "file", "host": "h", "segments": ["a"]}, "file://h/a"),
        ({"scheme": "foo"}, "foo:/"),
        ({"scheme": "foo", "segments": ["", "a"]}, "foo:/.//a"),
        ({"scheme": "foo", "host": "h"}, "foo://h"),
        ({"scheme": "foo", "host": EmptyHost(), "segments": ["a"]}, "foo:///a"),
    ],
)
def test_a_record_is_built_from_data(parts: Any, expected: str) -> None:
    """Its href parses to the same record."""
    built = URLRecord.build(**parts)
    assert built.href == expected
    assert weburl.parse(expected) == built


@pytest.mark.parametrize(
    ("parts", "part"),
    [
        ({"scheme": "1", "host": "h"}, "scheme"),
        ({"scheme": "https:", "host": "h"}, "scheme"),
        ({"scheme": "https"}, "host"),
        ({"scheme": "https", "host": ""}, "host"),
        ({"scheme": "https", "host": "h/a"}, "host"),
        ({"scheme": "https", "host": "h:80"}, "host"),
        ({"scheme": "https", "host": "h", "port": 99999}, "port"),
        ({"scheme": "file", "port": 1}, "port"),
        ({"scheme": "https", "host": "h", "segments": [".."]}, "segments"),
    ],
)
def test_what_cannot_be_built_is_an_error_that_names_the_part(parts: Any, part: str) -> None:
    """Each part has a rule that the value breaks."""
    with pytest.raises(URLParseError, match=part):
        URLRecord.build(**parts)


@pytest.mark.parametrize(
    "parts",
    [{"segments": "abc"}, {"port": True}, {"fragment": 1}, {"query": 5}, {"host": 5}],
)
def test_a_part_of_another_type_is_an_error(parts: Any) -> None:
    """A string is not a sequence of segments."""
    with pytest.raises(TypeError):
        URLRecord.build(**{"scheme": "https", "host": "h"} | parts)


def test_params_are_set_and_deleted_like_items() -> None:
    """They work like `set` and `delete`, and change the URL."""
    link = weburl.URL("https://h/?a=1&b=2&a=3")
    link.search_params["a"] = "4"
    assert link.href == "https://h/?a=4&b=2"
    link.search_params["c"] = "5"
    del link.search_params["a"]
    assert link.href == "https://h/?b=2&c=5"
    with pytest.raises(KeyError):
        del link.search_params["a"]

"""Tests of the mutable `URL`, its setters, and its params."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import weakref
from collections import Counter
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agreement import web_attributes
from tests.wpt import ATTRIBUTES, GETTERS, SETTER_CASES, load, load_cases
from weburl import URL, URLParseError, URLRecord, URLSearchParams, can_parse, canonicalize, parse

FULL: Final = "https://user:word@example.org:8443/a/b?c=d#e"


def parts(url: URL) -> dict[str, str]:
    """Return the values of all getters."""
    return {name: getattr(url, name) for name in GETTERS}


def assert_sound(url: URL) -> None:
    """Assert that the parts, the record and the params of a `URL` agree."""
    assert url.href == str(url) == url.to_json() == url.record.href
    assert url.search_params == URLSearchParams(f"?{url.record.query or ''}")
    assert url.search in ("", f"?{url.record.query}")


# --- web-platform-tests, whole


def test_the_constructor_and_parse_pass_every_case_of_web_platform_tests() -> None:
    """Attributes, origins, params and failures are compared. A base is text or a record."""
    counts: Counter[str] = Counter()
    for case in load_cases("urltestdata.json") + load_cases("urltestdata-javascript-only.json"):
        arguments = (case["input"], case["base"])
        label = repr(arguments)
        if case.get("failure"):
            counts["failure"] += 1
            for call in (URL, parse, canonicalize):
                with pytest.raises(URLParseError):
                    call(*arguments)
            assert URL.parse(*arguments) is None, label
            assert not URL.can_parse(*arguments) and not can_parse(*arguments), label
            continue
        counts["url"] += 1
        url = URL(*arguments)
        for name in GETTERS:
            if name in case:
                counts[name] += 1
                assert getattr(url, name) == case[name], f"{name} of {label}"
        if "searchParams" in case:
            counts["params"] += 1
            assert str(url.search_params) == case["searchParams"], label
        assert_sound(url)
        base = None if case["base"] is None else parse(case["base"])
        assert url.record == parse(*arguments) == parse(case["input"], base), label
        assert web_attributes(url.record) == parts(url), label
        assert canonicalize(*arguments) == case["href"], label
        assert URL.can_parse(*arguments) and can_parse(*arguments), label
        assert URL.parse(*arguments) == url, label
        assert URL(url.href).href == url.href, label
    assert counts["failure"] == 267
    assert counts["url"] == 625
    assert [counts[name] for name in ATTRIBUTES] == [625] * 10
    assert (counts["origin"], counts["params"]) == (412, 9)


def test_what_fails_without_a_base_fails_as_a_base_and_as_an_href() -> None:
    """All failures of web-platform-tests without a base are tried.

    The key ``relativeTo`` says with which kind of base such an input is a URL.
    """
    count = relative = 0
    for case in load_cases("urltestdata.json"):
        if not case.get("failure") or case["base"] is not None:
            continue
        count += 1
        with pytest.raises(URLParseError):
            URL("about:blank", case["input"])
        url = URL("about:blank")
        with pytest.raises(URLParseError):
            url.href = case["input"]
        assert url.href == "about:blank"
        kind = case.get("relativeTo")
        relative += kind is not None
        bases = ("http://base.example/path", "https://base.example/path", "foo://base/path")
        assert any(can_parse(case["input"], base) for base in bases) is (kind is not None)
        assert can_parse(case["input"], "opaque:path") is (kind == "any-base")
    assert (count, relative) == (205, 17)


def test_the_setters_pass_every_case_of_web_platform_tests() -> None:
    """All attributes agree after each change."""
    counts: Counter[str] = Counter()
    for name, cases in load("setters_tests.json").items():
        if name == "comment":
            continue
        for case in cases:
            counts[name] += 1
            url = URL(case["href"])
            setattr(url, name, case["new_value"])
            for attribute, expected in case["expected"].items():
                label = f"{attribute} of {case['href']!r} with {name} = {case['new_value']!r}"
                assert getattr(url, attribute) == expected, label
            assert_sound(url)
    assert counts == SETTER_CASES


# --- the constructor, parse, can_parse


def test_parse_makes_a_new_object_every_time() -> None:
    """Changing one does not change another."""
    first, second = URL.parse("https://h/"), URL.parse("https://h/")
    assert first is not None
    assert second is not None
    assert first is not second
    assert first.search_params is not second.search_params
    first.hash = "x"
    assert second.href == "https://h/"


def test_parse_of_a_subclass_makes_one() -> None:
    """It is a class method."""

    class Link(URL):
        """A subclass of `URL`."""

    assert type(Link.parse("https://h/")) is Link


def test_a_url_object_is_a_base() -> None:
    """Its href is the base, as in an example of the standard."""
    base: Any = URL("https://pride.example/hello-world")
    url = URL("🏳️‍🌈", base)
    assert url.pathname == "/%F0%9F%8F%B3%EF%B8%8F%E2%80%8D%F0%9F%8C%88"


# --- setters


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize(
    "value", [None, 0, 8080, False, b"", b"80", [], 1.5, object()], ids=lambda v: repr(v)[:8]
)
def test_a_setter_given_no_text_raises_type_error_and_changes_nothing(
    attribute: str, value: Any
) -> None:
    """A number is not converted, and a false value is not empty text."""
    url = URL(FULL)
    with pytest.raises(TypeError):
        setattr(url, attribute, value)
    assert url.href == FULL


def test_a_failing_href_changes_nothing() -> None:
    """The URL is relative or wrong. The old URL and its params are kept."""
    url = URL(FULL)
    before = url.search_params
    for text in ("./x", "", "https://", "https://h:bad/"):
        with pytest.raises(URLParseError):
            url.href = text
    assert url.href == FULL
    assert url.search_params is before
    assert str(before) == "c=d"


def test_origin_and_search_params_cannot_be_set_nor_anything_deleted_or_added() -> None:
    """They are read-only, and the object has slots."""
    url: Any = URL(FULL)
    for name, value in [("origin", "https://h"), ("search_params", "a=b"), ("record", None),
                        ("fragment", "x"), ("searchParams", "a=b")]:  # fmt: skip
        with pytest.raises(AttributeError):
            setattr(url, name, value)
    with pytest.raises(AttributeError):
        del url.hash
    assert url.href == FULL


# --- the params of a URL


def test_search_params_are_the_same_object_always() -> None:
    """Setting any attribute keeps the object."""
    url = URL("https://h/?a=b")
    params = url.search_params
    for attribute, value in [
        ("href", "http://g/?x=y"),
        ("search", "?c=d"),
        ("search", ""),
        ("hash", "f"),
        ("host", "i"),
        ("pathname", "p"),
    ]:
        setattr(url, attribute, value)
        assert url.search_params is params


def test_a_change_of_the_params_is_a_change_of_the_url() -> None:
    """Each change writes the whole query again."""
    url = URL("https://h/p?a=~&b=c d#f")
    url.search_params.append("é", "+")
    assert url.href == "https://h/p?a=%7E&b=c+d&%C3%A9=%2B#f"
    url.search_params.set("a", "1")
    assert url.search == "?a=1&b=c+d&%C3%A9=%2B"
    url.search_params.delete("b")
    assert url.href == "https://h/p?a=1&%C3%A9=%2B#f"
    url.search_params.append("A", "")
    url.search_params.sort()
    assert url.href == "https://h/p?A=&a=1&%C3%A9=%2B#f"
    assert url.record.query == "A=&a=1&%C3%A9=%2B"


@pytest.mark.parametrize("start", ["https://h/?a=b", "https://H/?a=b", "foo:x?a=b"])
@pytest.mark.parametrize(("attribute", "value"), [("href", "ftp://g/?x=y"), ("search", "x=y")])
def test_a_change_of_the_params_that_was_not_read_yields_to_a_new_query(
    start: str, attribute: str, value: str
) -> None:
    """A change is written when it is needed, but never into a query that was set later."""
    url = URL(start)
    params = url.search_params
    params.append("late", "")
    setattr(url, attribute, value)
    assert url.search == "?x=y"
    assert list(params) == [("x", "y")]
    assert url.href.endswith("?x=y")
    params.append("late", "")
    assert url.search == "?x=y&late="


def test_reading_the_params_changes_nothing() -> None:
    """The query is kept as written until the params change."""
    url = URL("https://h/?a=~ b&&c")
    params = url.search_params
    assert (params.get("a"), params.has("c"), len(params), str(params)) == (
        "~ b",
        True,
        2,
        "a=%7E+b&c=",
    )
    assert url.search == "?a=~%20b&&c"


@pytest.mark.parametrize("method", ["sort", "delete"])
def test_a_change_that_changes_no_pair_still_writes_the_query_anew(method: str) -> None:
    """In the standard's example, sorting one pair changes "%20" to "+" and "~" to "%7E"."""
    url = URL("https://example.com/?a=b ~")
    assert url.href == "https://example.com/?a=b%20~"
    getattr(url.search_params, method)(*(["nobody"] if method == "delete" else []))
    assert url.href == "https://example.com/?a=b+%7E"


@pytest.mark.parametrize("text", ["https://h/?", "https://h/?&", "https://h/?&&#"])
def test_params_that_are_empty_leave_no_question_mark_once_they_are_touched(text: str) -> None:
    """The query becomes null, and not empty."""
    url = URL(text)
    url.search_params.sort()
    assert url.record.query is None
    assert url.href == text.replace("?", "").replace("&", "")


def test_the_last_delete_removes_the_question_mark() -> None:
    """Appending a pair adds it again."""
    url = URL("https://h/?a=1&a=2#f")
    url.search_params.delete("a")
    assert (url.href, url.search) == ("https://h/#f", "")
    url.search_params.append("", "")
    assert (url.href, url.search) == ("https://h/?=#f", "?=")


@pytest.mark.parametrize(
    ("text", "without_query", "without_both"),
    [
        ("data:x    ?q#f", "data:x   %20#f", "data:x   %20"),
        ("data:x ?q#f", "data:x%20#f", "data:x%20"),
        ("data:x?q#f", "data:x#f", "data:x"),
        ("data:  ?q#f", "data: %20#f", "data: %20"),
    ],
)
def test_an_opaque_paths_last_space_survives_the_query(
    text: str, without_query: str, without_both: str
) -> None:
    """It was encoded by the parser, so it is not trimmed at the end."""
    url = URL(text)
    url.search_params.delete("q")
    assert url.href == without_query
    url.hash = ""
    assert url.href == without_both
    assert URL(url.href) == url


def test_params_do_not_normalize_newlines() -> None:
    """CR, LF and CRLF are kept."""
    url = URL("https://h/?a=b%0D%0Ac&d=e%0Df&g=h%0Ai")
    url.search_params.append("j", "\r\n")
    assert url.search == "?a=b%0D%0Ac&d=e%0Df&g=h%0Ai&j=%0D%0A"


def test_the_query_of_a_url_that_is_not_special_keeps_apostrophes_until_params_write_it() -> None:
    """A query is encoded in three ways: special, not special, and as a form."""
    special, other = URL("https://h/?a='"), URL("k://h/?a='")
    assert (special.search, other.search) == ("?a=%27", "?a='")
    for url in (special, other):
        assert url.search_params.get("a") == "'"
        url.search_params.sort()
        assert url.search == "?a=%27"


def test_setting_the_search_while_iterating_over_the_params_shows_at_once() -> None:
    """The iteration continues in the new list, at the same index."""
    url = URL("https://h/?a=1&b=2&c=3&d=4")
    seen = []
    for pair in url.search_params:
        url.search = "x=1&y=2&z=3"
        seen.append(pair)
    assert seen == [("a", "1"), ("y", "2"), ("z", "3")]


def test_params_copied_from_a_url_do_not_write_to_it() -> None:
    """There are several ways to copy them."""
    url = URL("https://h/?a=1")
    for other in (
        URLSearchParams(url.search_params),
        copy.copy(url.search_params),
        copy.deepcopy(url.search_params),
        pickle.loads(pickle.dumps(url.search_params)),
    ):
        other.append("b", "2")
        assert str(other) == "a=1&b=2"
    assert url.href == "https://h/?a=1"


def test_params_keep_their_url_alive() -> None:
    """They can be changed without another reference to the URL."""
    params = URL("https://h/?a=1").search_params
    gc.collect()
    params.append("b", "2")
    assert str(params) == "a=1&b=2"


# --- Python's own habits


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_urls_are_equal_when_their_hrefs_are() -> None:
    """The spelling does not matter. Text and records are not equal to a `URL`."""
    assert URL("HTTPS://H:443/a/../b") == URL("https://h/b")
    assert URL("https://h/?") != URL("https://h/")
    other: list[object] = ["https://h/", parse("https://h/"), None]
    assert all(URL("https://h/") != value for value in other)


def test_a_url_is_unhashable() -> None:
    """It can change. Its record can be a key."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(URL("https://h/"))
    assert {URL("https://h/").record: 1}[parse("https://h/")] == 1


def test_the_record_does_not_change_with_the_url() -> None:
    """The URL gets another record."""
    url = URL("https://h/a")
    before = url.record
    url.pathname = "b"
    url.search_params.append("c", "d")
    assert (before.href, url.record.href) == ("https://h/a", "https://h/b?c=d")
    assert isinstance(before, URLRecord)


@pytest.mark.parametrize("name", ["protocol", "username", "port", "pathname", "search", "hash"])
def test_a_record_that_only_a_weak_reference_knows_does_not_change(name: str) -> None:
    """A URL of text changes its own record without a copy, unless someone can see it."""
    value = {"protocol": "ftp", "port": "81"}.get(name, "x")
    for _ in range(2):
        url = URL("https://me@h.example:8080/a?b#c")
        reference = weakref.ref(url.record)
        known, href = reference(), url.href
        setattr(url, name, value)
        assert known is not None and known.href == href != url.href
        before, reference = url.record.href, weakref.ref(url.record)
        setattr(url, name, "")
        found = reference()
        assert found is None or found.href == before


def test_str_format_and_json() -> None:
    """All of them give the href."""
    url = URL("https://h/%20?a=ü")
    assert f"{url}" == str(url) == url.href == "https://h/%20?a=%C3%BC"
    assert json.dumps({"url": url.to_json()}) == '{"url": "https://h/%20?a=%C3%BC"}'
    assert json.dumps([url], default=str) == '["https://h/%20?a=%C3%BC"]'


class Tagged(URL):
    """A subclass of `URL`."""


@pytest.mark.parametrize("kind", [URL, Tagged])
@pytest.mark.parametrize(
    "duplicate",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda url, protocol=protocol: pickle.loads(pickle.dumps(url, protocol))
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_copies_and_pickles_are_urls_of_their_own(duplicate: Any, kind: type[URL]) -> None:
    """They are equal and independent, of the same class, and have their own params."""
    url = kind(FULL)
    other = duplicate(url)
    assert other == url
    assert type(other) is kind
    other.search_params.append("x", "y")
    assert other.search == "?c=d&x=y"
    assert url.href == FULL


def test_a_copy_of_a_url_that_no_text_writes_is_equal_too() -> None:
    """The protocol setter can make a URL whose href parses to another one."""
    url = URL("http://localhost/x")
    url.protocol = "file"
    assert url.href == "file://localhost/x"
    assert copy.copy(url).href == url.href
    assert copy.deepcopy(url).href == url.href
    assert pickle.loads(pickle.dumps(url)).href == url.href


def test_what_is_not_of_the_web_interface_is_not_there() -> None:
    """Examples are old names of the interface, and names in JavaScript's spelling."""
    for name in ("domainToASCII", "domain_to_ascii", "domainToUnicode", "query", "searchParams",
                 "toJSON", "canParse", "filename", "searchparams"):  # fmt: skip
        assert not hasattr(URL, name)


def test_a_discarded_url_is_collected() -> None:
    """The URL and its params refer to each other."""

    class Watched(URL):
        """A `URL` with weak references."""

        __slots__ = ("__weakref__",)

    reference = weakref.ref(Watched("https://h/?a=b"))
    gc.collect()
    assert reference() is None


# --- whatever is done


HREFS: Final = st.sampled_from(
    ["https://u:p@h:8/a/b?c=d#e", "file:///C:/x", "file://h/x", "k://h/p?q", "k:opaque ?q#f",
     "k:/p", "k:/.//p", "k://", "ws://h/", "https://h/?", "http://localhost/", "k:"]
)  # fmt: skip
VALUES: Final = st.one_of(
    st.sampled_from(
        ["", "x", "?", "#", "/", "//", "\\", "..", "a:b", "@", "8", "https", "file:", "k",
         "localhost", "h:99", "[::1]", "C|", "/C|/x", "%2e", "\t", " ", "a b", "ü", "\ud800"]
    ),
    st.text(max_size=6),
)  # fmt: skip


@given(HREFS, st.lists(st.tuples(st.sampled_from(ATTRIBUTES[1:]), VALUES), max_size=6))
@settings(deadline=None)
def test_setters_never_raise_on_text_and_leave_a_sound_url(
    href: str, changes: list[tuple[str, str]]
) -> None:
    """Any text is set in any order, except `href`, and the href parses to the same URL.

    The exception is the standard's: its protocol setter makes a file URL of any other special
    one, of which the parser would have dropped the host "localhost" and changed a "C|".
    """
    url = URL(href)
    for attribute, value in changes:
        setattr(url, attribute, value)
        assert_sound(url)
        assert url.href.isascii()
        read_again = URL(url.href)
        assert read_again == url or url.protocol == "file:" != URL(href).protocol


@given(HREFS, st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), max_size=4))
@settings(deadline=None)
def test_a_url_whose_params_were_changed_reads_back_with_those_params(
    href: str, pairs: list[tuple[str, str]]
) -> None:
    """Any text can be appended to the params of any URL."""
    url = URL(href)
    for name, value in pairs:
        url.search_params.append(name, value)
        assert_sound(url)
    assert URL(url.href) == url
    assert URL(url.href).search_params == url.search_params

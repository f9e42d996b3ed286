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

from tests.wpt import ATTRIBUTES, GETTERS, SETTER_CASES, load, load_cases
from weburl import URL, URLParseError, URLRecord, URLSearchParams, parse

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


def test_the_constructor_passes_every_case_of_web_platform_tests() -> None:
    """Attributes, origins, params and failures are compared."""
    counts: Counter[str] = Counter()
    for case in load_cases("urltestdata.json") + load_cases("urltestdata-javascript-only.json"):
        arguments = (case["input"], case["base"])
        label = repr(arguments)
        if case.get("failure"):
            counts["failure"] += 1
            with pytest.raises(URLParseError):
                URL(*arguments)
            assert URL.parse(*arguments) is None, label
            assert not URL.can_parse(*arguments), label
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
        assert URL.can_parse(*arguments), label
        assert URL.parse(*arguments) == url, label
        assert URL(url.href).href == url.href, label
    assert counts["failure"] == 267
    assert counts["url"] == 625
    assert [counts[name] for name in ATTRIBUTES] == [625] * 10
    assert (counts["origin"], counts["params"]) == (412, 9)


def test_what_fails_without_a_base_fails_as_a_base_and_as_an_href() -> None:
    """All failures of web-platform-tests without a base are tried."""
    count = 0
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
    assert count == 205


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


@pytest.mark.parametrize(
    ("input", "base", "href"),
    [
        ("https://h/x", None, "https://h/x"),
        ("x", "https://h/a/b", "https://h/a/x"),
        ("x", parse("https://h/a/b"), "https://h/a/x"),
        ("", "https://h/a?b#c", "https://h/a?b"),
        ("k:v", "k:w", "k:v"),
        ("k:v", "https://h/", "k:v"),
        ("#f", "k:v", "k:v#f"),
        (" https://h/x\n", " https://h/ ", "https://h/x"),
        ("/🍣🍺", "https://h/", "https://h/%F0%9F%8D%A3%F0%9F%8D%BA"),
    ],
)
def test_a_url_is_made_of_text_and_maybe_a_base(
    input: str, base: str | URLRecord | None, href: str
) -> None:
    """The constructor, `parse` and `can_parse` agree. A base may be a record."""
    assert URL(input, base).href == href
    made = URL.parse(input, base)
    assert made is not None
    assert made.href == href
    assert URL.can_parse(input, base)


@pytest.mark.parametrize(
    ("input", "base"),
    [
        ("", None),
        ("x", None),
        ("/x", None),
        ("k:v", ""),
        ("k:v", "x"),
        ("k:v", "/x"),
        ("https://h/", "https://h:bad"),
        ("https://h:bad", None),
        ("https://h:bad", "https://h/"),
        ("x", "k:v"),
        ("", "k:v"),
        ("/x", "k:v"),
        ("?x", "k:v"),
        ("x", "about:blank"),
    ],
)
def test_what_is_not_a_url_raises_or_is_none_or_false(input: str, base: str | None) -> None:
    """An absolute URL fails too if the base does not parse, such as ""."""
    with pytest.raises(URLParseError):
        URL(input, base)
    assert URL.parse(input, base) is None
    assert not URL.can_parse(input, base)


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


@pytest.mark.parametrize(
    "value",
    [None, 5, b"https://h/", ["https://h/"], pytest.param(object(), id="object()")],
    ids=repr,
)
def test_what_is_not_text_raises_type_error(value: Any) -> None:
    """This holds for all three calls, even with a base."""
    for call in (URL, URL.parse, URL.can_parse):
        with pytest.raises(TypeError):
            call(value)
        with pytest.raises(TypeError):
            call(value, "https://h/")


@pytest.mark.parametrize(
    "base",
    [5, b"https://h/", ["https://h/"], pytest.param(object(), id="object()"), True],
    ids=repr,
)
def test_a_base_that_is_neither_text_nor_record_raises_type_error(base: Any) -> None:
    """None and False would hide the mistake."""
    for call in (URL, URL.parse, URL.can_parse):
        with pytest.raises(TypeError):
            call("https://h/", base)


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


SCHEMES: Final = {"https": "http", "wpt++": "wpt--"}
STRIPPED: Final = "\t\n\r"


def a_url(scheme: str, **changes: str) -> str:
    """Return a URL with all components, some of them changed."""
    values = {
        "username": "user",
        "password": "word",
        "host": "host",
        "port": "8000",
        "pathname": "path",
        "search": "query",
        "hash": "frag",
    }
    values |= changes
    return (
        "{scheme}://{username}:{password}@{host}:{port}/{pathname}?{search}#{hash}"
    ).format(scheme=scheme, **values)  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("control", [*map(chr, range(0x21)), "\x7f"], ids=ascii)
def test_setters_strip_tabs_and_newlines_and_no_other_control(scheme: str, control: str) -> None:
    """They are removed at any place of the new value of each component.

    Usernames and passwords keep even tabs and newlines, percent-encoded.
    """
    is_stripped = control in STRIPPED
    encoded = f"%{ord(control):02X}"
    kept = "" if is_stripped else encoded
    values = (f"{control}new", f"n{control}ew", f"new{control}")

    def after(attribute: str, value: str) -> str:
        url = URL(a_url(scheme))
        setattr(url, attribute, value)
        assert_sound(url)
        return url.href

    other = SCHEMES[scheme]
    for value in (f"{control}{other}", f"{other[0]}{control}{other[1:]}", f"{other}{control}"):
        expected = a_url(other if is_stripped else scheme)
        assert after("protocol", value) == expected
    for value in values:
        for attribute in ("username", "password"):
            expected = a_url(scheme, **{attribute: value.replace(control, encoded)})
            assert after(attribute, value) == expected
        for attribute in ("pathname", "search", "hash"):
            expected = a_url(scheme, **{attribute: value.replace(control, kept)})
            assert after(attribute, value) == expected
        for attribute in ("host", "hostname"):
            is_refused = not is_stripped and (scheme == "https" or control in "\0 ")
            expected = a_url(scheme, host="host" if is_refused else value.replace(control, kept))
            assert after(attribute, value) == expected
    assert after("port", f"{control}9000") == a_url(scheme, port="9000" if is_stripped else "8000")
    assert after("port", f"9{control}000") == a_url(scheme, port="9000" if is_stripped else "9")
    assert after("port", f"9000{control}") == a_url(scheme, port="9000")


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


def test_a_change_of_the_query_is_a_change_of_the_params() -> None:
    """Setting `search` or `href` changes them."""
    url = URL("https://h/")
    params = url.search_params
    assert list(params) == []
    url.search = "?e=f&g=h"
    assert list(params) == [("e", "f"), ("g", "h")]
    url.search = "i=j"
    assert list(params) == [("i", "j")]
    url.href = "https://h/?k=l#i=j"
    assert list(params) == [("k", "l")]
    url.search = ""
    assert list(params) == []
    url.search = "m"
    url.href = "https://h/"
    assert list(params) == []


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


@pytest.mark.parametrize(
    ("search", "pairs", "query"),
    [
        ("?a\tb=c", [("ab", "c")], "ab=c"),
        ("a\n=\rb\t", [("a", "b")], "a=b"),
        ("\t?a", [("?a", "")], "?a"),
        ("?%\t4\n1", [("A", "")], "%41"),
        ("a b=c'#", [("a b", "c'#")], "a%20b=c%27%23"),
        ("\ud800=\ud83e\udd8a", [("\ufffd", "🦊")], "%EF%BF%BD=%F0%9F%A6%8A"),
        ("a=\0", [("a", "\0")], "a=%00"),
    ],
)
def test_the_search_setter_fills_the_params_from_the_new_query(
    search: str, pairs: list[tuple[str, str]], query: str
) -> None:
    """The query does not have the tabs and newlines of the text."""
    url = URL("https://h/")
    url.search = search
    assert list(url.search_params) == pairs
    assert url.record.query == query


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


def test_deleting_while_iterating_writes_the_url() -> None:
    """Every other pair is deleted from the href."""
    url = URL("https://h/?p=0&q=1&r=2&s=3")
    for name, _ in url.search_params:
        url.search_params.delete(name)
    assert url.search == "?q=1&s=3"


def test_size_follows_the_url() -> None:
    """It follows every change of the query."""
    url = URL("https://h/?a=1&b=2&a=3")
    sizes = [url.search_params.size]
    url.search_params.delete("a")
    sizes.append(url.search_params.size)
    url.search = "&a&b&c&"
    sizes.append(url.search_params.size)
    url.href = "https://h/"
    sizes.append(url.search_params.size)
    assert sizes == [3, 1, 3, 0]


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


def test_to_json_gives_the_href() -> None:
    """It follows a change."""
    url = URL("https://h/")
    url.hash = "x"
    assert url.to_json() == url.href == "https://h/#x"


def test_repr_hides_the_password() -> None:
    """A repr ends up in logs and tracebacks. `href` has the password."""
    url = URL("https://user:secret@h/URLRecord")
    assert repr(url) == "URL('https://***:***@h/URLRecord')"
    assert "secret" not in repr(url)
    assert "secret" in url.href


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
def test_copies_and_pickles_are_urls_of_their_own(duplicate: Any) -> None:
    """They are equal and independent, and have their own params."""
    url = URL(FULL)
    other = duplicate(url)
    assert other == url
    assert type(other) is URL
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


def test_a_copy_of_a_subclass_is_one() -> None:
    """Copying keeps the type."""
    assert type(copy.copy(Tagged("https://h/"))) is Tagged


class Tagged(URL):
    """A subclass of `URL`."""


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

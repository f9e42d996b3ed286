"""`URLPattern` as a value: how it is made, shown, compared and kept."""

from __future__ import annotations

import pickle
from typing import Any

import attrs
import pytest
from hypothesis import given

import weburl
from tests.patterns.test_oracle import patterns
from tests.patterns.test_wpt import COMPONENTS, MATCHING, pattern_of
from tests.wpt import load_cases
from weburl import URLPattern, URLPatternComponentResult, URLPatternError, URLPatternResult

URL = "https://example.com/users/7?tab=a#top"


def test_the_three_ways_to_make_a_pattern_agree() -> None:
    """Text, a mapping, and keywords."""
    made = URLPattern("https://example.com/users/:id")
    keywords = URLPattern(protocol="https", hostname="example.com", port="", pathname="/users/:id")
    mapping = URLPattern(
        {"protocol": "https", "hostname": "example.com", "port": "", "pathname": "/users/:id"}
    )
    assert made == keywords == mapping
    assert len({made, keywords, mapping}) == 1


def test_a_base_fills_what_is_left_out() -> None:
    """For text, for keywords, and as a key of a mapping; as text or as a record."""
    base = "https://example.com/a/b?c"
    made = URLPattern("d/:id", base)
    assert made.pathname == "/a/d/:id"
    assert made == URLPattern(pathname="d/:id", base=base)
    assert made == URLPattern({"pathname": "d/:id", "baseURL": base})
    assert made == URLPattern("d/:id", weburl.parse(base))


def test_every_kind_of_input_is_matched() -> None:
    """Text, with a base, a record, a mapping and nothing."""
    pattern = URLPattern(pathname="/users/:id")
    for arguments in (
        (URL,),
        ("7#x", "https://h/users/"),
        ("/users/7", weburl.parse("https://h/")),
        (weburl.parse(URL),),
        ({"pathname": "/users/7"},),
        ({"pathname": "7", "baseURL": "https://h/users/6"},),
    ):
        result = pattern.exec(*arguments)
        assert pattern.test(*arguments)
        assert result is not None
        assert result.pathname.groups == {"id": "7"}
    assert URLPattern().test()
    assert not pattern.test()
    assert not pattern.test("no url")
    assert not pattern.test("/users/7", "no base")
    assert not pattern.test({"port": "no port"})


def test_a_result_is_an_immutable_value() -> None:
    """It is equal and hashed by what it has, and its mappings are read-only."""
    pattern = URLPattern("https://:name.example.com/*\\?tab=:tab")
    url = "https://a.example.com/x?tab=b"
    result = pattern.exec(url)
    again = pattern.exec(weburl.parse(url))
    assert isinstance(result, URLPatternResult)
    assert result == again
    assert hash(result) == hash(again)
    assert result.inputs == (url,)
    assert result.hostname == URLPatternComponentResult("a.example.com", (("name", "a"),))
    assert result.search.groups["tab"] == "b"
    with pytest.raises(TypeError):
        result.search.groups["tab"] = "c"  # type: ignore[index]
    mapped = URLPattern().exec({"pathname": "/a"})
    assert mapped is not None
    assert mapped.inputs == ({"pathname": "/a"},)


def test_a_pattern_is_an_immutable_value() -> None:
    """It can be evolved. Copies, pickles and changes are tested with those of all values."""
    pattern = URLPattern("https://example.com/:id", ignore_case=True)
    assert attrs.evolve(pattern, pathname="/:name").pathname == "/:name"
    assert attrs.evolve(pattern, ignore_case=False) != pattern
    fields = attrs.asdict(pattern)
    assert fields == {
        **{name: getattr(pattern, name) for name in COMPONENTS},
        "ignore_case": True,
    }
    assert URLPattern(**fields) == pattern
    with pytest.raises(AttributeError):
        pattern.other = 1  # type: ignore[attr-defined]


def test_every_pattern_is_pickled() -> None:
    """Those of web-platform-tests too."""
    for case in load_cases(MATCHING):
        if case.get("expected_obj") != "error":
            pattern = pattern_of(case["pattern"])
            again = pickle.loads(pickle.dumps(pattern))
            assert again == pattern
            for input in case.get("inputs", [])[:1]:
                if case["expected_match"] != "error":
                    assert again.exec(input) == pattern.exec(input)


def test_text_gives_the_pattern_back() -> None:
    """Nearly every pattern has a text; the others show as a call that makes them."""
    texts = 0
    for case in load_cases(MATCHING):
        if case.get("expected_obj") == "error":
            continue
        pattern = pattern_of(case["pattern"])
        text = str(pattern)
        if text.startswith("URLPattern("):
            continue
        texts += 1
        assert URLPattern(text, ignore_case=pattern.ignore_case) == pattern
    assert texts > 200
    assert str(URLPattern("https://example.com/users/:id")) == "https://example.com/users/:id"
    assert str(URLPattern(pathname="/users/:id")) == "*://*:*/users/:id"
    assert str(URLPattern("data\\:a*")) == "data\\:a*"
    assert str(URLPattern(pathname=":a")) == "URLPattern(pathname=':a')"


@pytest.mark.filterwarnings("ignore:In the hostname")
@given(patterns)
def test_a_text_that_a_pattern_gives_makes_it_again(text: str) -> None:
    """Where ``str()`` gives a text, it makes an equal pattern."""
    try:
        pattern = URLPattern(text, "https://example.com/a?b")
    except URLPatternError:
        return
    shown = str(pattern)
    if not shown.startswith("URLPattern("):
        assert URLPattern(shown) == pattern


def test_repr_makes_the_pattern_again() -> None:
    """Without the components that match everything, and without credentials."""
    for pattern in (
        URLPattern("https://example.com/:id?a=*#b", ignore_case=True),
        URLPattern(pathname=":a", search="\\?b"),
        URLPattern(),
    ):
        made: Any = eval(repr(pattern), {"URLPattern": URLPattern})  # our own text
        assert made == pattern


def test_credentials_are_not_shown() -> None:
    """Neither by repr nor by a result; errors are tested with those of all functions."""
    pattern = URLPattern(username="ann", password="hunter2", pathname="/:a")
    assert "hunter2" not in repr(pattern)
    assert "ann" not in repr(pattern)
    result = pattern.exec("https://ann:hunter2@example.com/x")
    assert result is not None
    assert "hunter2" not in repr(result)
    with pytest.raises(URLPatternError, match=r"^In the hostname: The host 'exa mple' contains"):
        URLPattern({"hostname": "exa mple"})


def test_arguments_of_the_wrong_type_are_refused() -> None:
    """With a TypeError, which no text raises."""
    calls: tuple[Any, ...] = (
        lambda: URLPattern({"pathname": 1}),  # type: ignore[dict-item]
        lambda: URLPattern("https://a/", pathname="/b"),
        lambda: URLPattern(pathname="/:a").generate("pathname", {"a": 1}),  # type: ignore[dict-item]
    )
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_an_unknown_component_is_an_error() -> None:
    """In a mapping for a pattern or for a URL, which browsers ignore."""
    for call in (
        lambda: URLPattern({"path": "/a"}),
        lambda: URLPattern().test({"path": "/a"}),
        lambda: URLPattern().generate("path"),  # type: ignore[arg-type]
        lambda: URLPattern.compare_component("path", URLPattern(), URLPattern()),  # type: ignore[arg-type]
    ):
        with pytest.raises(URLPatternError, match="no component 'path'"):
            call()


def test_ignore_case_is_for_pathname_search_and_hash() -> None:
    """The others are as they are."""
    pattern = URLPattern("https://example.com/A*\\?B#:c", ignore_case=True)
    assert pattern.test("https://example.com/aX?b#x")
    assert not URLPattern("https://example.com/A", ignore_case=False).test("https://example.com/a")
    assert not URLPattern(username="A", ignore_case=True).test({"username": "a"})
    result = URLPattern(pathname="/:a-(B+)", ignore_case=True).exec("https://h/aA-bB")
    assert result is not None
    assert result.pathname.groups == {"a": "aA", "0": "bB"}


def test_lone_surrogates_are_replaced() -> None:
    """In a pattern, in a base and in what is matched, as a browser does."""
    pattern = URLPattern(pathname="/\ud800")
    assert pattern.pathname == "/%EF%BF%BD"
    assert pattern.test({"pathname": "/\udfff"})
    assert URLPattern(pathname="/:\ud840\udc00").exec("https://h/a") is not None


def test_generated_text_matches() -> None:
    """It is encoded, and refused if a URL would have something else there."""
    pattern = URLPattern("https://:host.example/a/:b")
    assert pattern.generate("pathname", {"b": "\u00e9 ?"}) == "/a/%C3%A9%20%3F"
    assert pattern.generate("hostname", {"host": "B\u00fcCHER"}) == "xn--bcher-kva.example"
    assert pattern.generate("protocol") == "https"
    for groups in ({}, {"b": ""}, {"b": "x/y"}, {"b": ".."}, {"b": "."}):
        with pytest.raises(URLPatternError):
            pattern.generate("pathname", groups)


def test_a_result_has_its_inputs_and_groups_as_values_too() -> None:
    """They can be hashed, unlike mappings."""
    result = URLPattern({"pathname": "/:id"}).exec({"pathname": "/7"})
    assert result is not None
    assert result.input_items == ((("pathname", "/7"),),)
    assert result.pathname.group_items == (("id", "7"),)


@pytest.mark.parametrize(
    ("pattern", "address"),
    [
        ("http://192.168.*/", "192.0.0.168"),
        ("http://10.*.*.*/", "0.0.0.10"),
        ("http://{*.}?0x7f.1/", "127.0.0.1"),
        ("http://:name{.5}?/", None),
    ],
)
def test_a_part_that_becomes_an_address_is_not_silent(pattern: str, address: str | None) -> None:
    """A browser accepts the pattern, and it matches other hosts than it seems to."""
    if address is None:
        with pytest.raises(URLPatternError, match="not a number"):
            URLPattern(pattern)
        return
    with pytest.warns(UserWarning, match=f"the hostname is read as the IPv4 address {address}"):
        made = URLPattern(pattern)
    assert address in made.hostname
    for value in (pattern, made):
        with pytest.raises(URLPatternError, match=address):
            weburl.URLPolicy(patterns=[value])
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("pattern", ["http://192.168.0.1/*", "http://1.2.3.4*/", "http://a*.b/"])
def test_a_hostname_that_is_read_as_written_gives_no_warning(pattern: str) -> None:
    """An address in full is the address."""
    assert weburl.URLPolicy(patterns=[pattern]).patterns == (URLPattern(pattern),)

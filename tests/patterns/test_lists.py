"""`URLPatternList`: the same answers as one pattern after the other gives, from few candidates."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.bench_patterns import ROUTERS, Router
from weburl import URLPattern, URLPatternError, URLPatternList
from weburl.patterns.lists import _indexes_of
from weburl.patterns.pattern import values_of

_PATHS: Final = (
    "/a", "/:x", "/b", "/*", "/:y.json", "/v:z", "/(\\d+)", "{/:q}*", "/c{d}?", "", "/", "/:m-:n",
)  # fmt: skip
_HOSTS: Final = ("*", "example.com", "*.example.com", "{:s.}?b.com", "b.com")
_SEGMENTS: Final = ("/a", "/A", "/b", "/1", "/x.json", "/v1", "/", "/cd", "/q-r", "/c", "//")
_URL_HOSTS: Final = ("example.com", "a.example.com", "b.com", "x.b.com", "q.example")

inits = st.fixed_dictionaries(
    {"pathname": st.lists(st.sampled_from(_PATHS), max_size=4).map("".join)},
    optional={
        "hostname": st.sampled_from(_HOSTS),
        "search": st.sampled_from(("a", "*", "a*", "*b", ":x")),
        "protocol": st.sampled_from(("https", "http{s}?", "data")),
        "port": st.sampled_from(("", "80", "8080")),
    },
)
urls = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(("https://", "http://", "data:")),
    st.sampled_from(_URL_HOSTS),
    st.lists(st.sampled_from(_SEGMENTS), max_size=4).map("".join),
    st.sampled_from(("", "?a", "?ab")),
)


def pattern_or_none(init: dict[str, str], *, ignore_case: bool) -> URLPattern | None:
    """Return a pattern, if there is one."""
    try:
        return URLPattern(init, ignore_case=ignore_case)
    except URLPatternError:
        return None


@given(st.lists(st.tuples(inits, st.booleans()), max_size=30), st.lists(urls, max_size=5))
def test_a_list_finds_what_its_patterns_find(
    given_patterns: list[tuple[dict[str, str], bool]], texts: list[str]
) -> None:
    """All of them, in their order; also for mappings."""
    made = (pattern_or_none(init, ignore_case=case) for init, case in given_patterns)
    patterns = [pattern for pattern in made if pattern is not None]
    found = URLPatternList(patterns)
    for text in texts:
        for input in (text, {"pathname": text.removeprefix("data:"), "search": "a"}):
            expected = tuple(pattern for pattern in patterns if pattern.test(input))
            assert found.all(input) == expected
            assert found.first(input) == (expected[0] if expected else None)
            assert found.test(input) is bool(expected)


def test_many_patterns_find_what_each_finds() -> None:
    """A hundred patterns, so that each level of the index is used."""
    chosen = random.Random(20260320)
    found = 0
    for _ in range(10):
        patterns: list[URLPattern] = []
        while len(patterns) < 100:
            init = {"pathname": "".join(chosen.choices(_PATHS, k=chosen.randint(0, 4)))}
            init["hostname"] = chosen.choice(_HOSTS)
            init["search"] = chosen.choice(("a", "*", "a*", "*b", ":x"))
            made = pattern_or_none(init, ignore_case=chosen.random() < 0.1)
            patterns += [] if made is None else [made]
        made_list = URLPatternList(patterns)
        for _ in range(60):
            path = "".join(chosen.choices(_SEGMENTS, k=chosen.randint(1, 5)))
            url = f"https://{chosen.choice(_URL_HOSTS)}{path}?a"
            expected = tuple(pattern for pattern in patterns if pattern.test(url))
            assert made_list.all(url) == expected
            found += len(expected)
    assert found > 1000


@pytest.mark.parametrize("router", ROUTERS, ids=lambda router: router.name.replace(" ", "-"))
def test_few_patterns_are_tried(router: Router) -> None:
    """Of three hundred patterns, the index finds one for a URL, and as many for twice as many."""
    for size in (150, 300):
        patterns = tuple(URLPattern(router.pattern(number)) for number in range(size))
        (index,) = _indexes_of(patterns)
        for number in (0, size // 2, size - 1):
            values = values_of(router.url(number), None)
            assert values is not None
            assert index.find(values) == [[number]]


def test_the_order_is_the_precedence() -> None:
    """The first pattern of the list wins, however specific the others are."""
    texts = ["https://h/*", "https://h/users/:id", "https://h/users/me"]
    patterns = URLPatternList(texts)
    assert patterns.first("https://h/users/me") == URLPattern("https://h/*")
    assert URLPatternList(reversed(texts)).first("https://h/users/me") == patterns[2]


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_a_list_is_an_immutable_sequence() -> None:
    """With the methods of a sequence, and as a value."""
    patterns = URLPatternList([URLPattern(pathname="/a"), "https://h/:b", URLPattern()])
    assert len(patterns) == 3
    assert patterns[1:] == URLPatternList(["https://h/:b", URLPattern()])
    assert list(patterns) == list(patterns.patterns)
    assert URLPattern() in patterns
    assert "https://h/:b" not in patterns
    assert patterns.index(URLPattern()) == 2
    assert patterns.first("https://h/x") == patterns[1]
    again = pickle.loads(pickle.dumps(patterns))
    assert again == patterns
    assert hash(again) == hash(patterns)
    assert again.all("https://h/x") == patterns.all("https://h/x") == (patterns[1], patterns[2])
    assert copy.copy(patterns) is patterns
    assert repr(URLPatternList(patterns[:1])) == "URLPatternList([URLPattern(pathname='/a')])"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        patterns.patterns = ()  # type: ignore[misc]


def test_an_empty_list_finds_nothing() -> None:
    """And neither does a list for text that is not a URL."""
    assert URLPatternList().first("https://h/") is None
    assert URLPatternList().all("https://h/") == ()
    assert not URLPatternList([URLPattern()]).test("no url")


def test_what_is_no_pattern_is_refused() -> None:
    """With the errors of `URLPattern`."""
    with pytest.raises(URLPatternError):
        URLPatternList(["https://h/:"])


def test_an_error_says_which_item_it_is() -> None:
    """The error is that of the item, with a note, which a traceback shows and pickle keeps."""
    texts = [f"https://h/{number}" for number in range(1000)]
    texts[812] = "https://h/{:id"
    with pytest.raises(URLPatternError) as of_one:
        URLPattern(texts[812])
    with pytest.raises(URLPatternError) as of_list:
        URLPatternList(texts)
    assert str(of_list.value) == str(of_one.value)
    assert (of_list.value.component, of_list.value.start) == ("pathname", 5)
    for error in (of_list.value, pickle.loads(pickle.dumps(of_list.value))):
        assert error.__notes__ == ["This is item 812 of the list, counted from 0."]
    with pytest.raises(TypeError, match=r"not NoneType \(item 1\)"):
        URLPatternList(["https://h/", None])  # type: ignore[list-item]

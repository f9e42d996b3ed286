"""Errors in patterns: each has a place, the token there, and what was expected."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URLPattern, URLPatternError

# The pathname, the token at the place, and a word of the reason.
CASES = (
    ("/a:", ":", "name of a group"),
    ("/:1", ":", "name of a group"),
    ("/a\\", "\\", "escapes nothing"),
    ("/{a", "", "too early"),
    ("/a}", "}", "is not allowed here"),
    ("/{a{b}}", "{", "is not allowed here"),
    ("/+", "+", "is not allowed here"),
    ("/:a:a", ":a", "two groups"),
    ("/(", "(", "not closed"),
    ("/()", "()", "empty"),
    ("/(?a)", "?", "cannot start"),
    ("/(a(b))", "(", "by number"),
    ("/(\u00e9)", "\u00e9", "ASCII"),
    ("/(\\\u00e9)", "\u00e9", "ASCII"),
    ("/(a", "(", "not closed"),
    ("/(a\\", "\\", "backslash"),
    ("/(*)", "*", "is not allowed in a regular expression"),
    ("/(a**)", "*", "is not allowed in a regular expression"),
    ("/(a{2,1})", "{2,1}", "wrong order"),
    ("/(a{2000})", "{2000}", "1000 times"),
    ("/([b-a])", "-a", "wrong order"),
    ("/([a)", "[", "not closed"),
    ("/(\\1)", "\\1", "reference"),
    ("/(\\k<a>)", "\\k", "reference"),
    ("/(\\m)", "\\m", "not an escape"),
    ("/(\\p{Script=Greek})", "\\p", "property"),
    ("/(\\p{Greek})", "\\p{Greek}", "property"),
    ("/([\\q{ab}])", "\\q{", "Strings"),
    ("/([{])", "{", "in a class"),
    ("/([a&&&b])", "&", "in a class"),
    ("/((?>a))", "(?", "no such group"),
    ("/((?ii:a))", "?ii:", "twice"),
    ("/((?<a>b)(?<a>c))", "(?<a>", "two groups"),
    ("/((?<a>b)+)", "(?<a>b)+", "named group"),
    ("/((?:a?b?)*)", "(?:a?b?)*", "match nothing"),
    ("/x(a?b?)*", "a?b?", "match nothing"),
    ("/((?=a)*)", "*", "nothing to repeat"),
    ("/((?<=a+)b)", "", "Python"),
)  # fmt: skip


@pytest.mark.parametrize(("pathname", "token", "words"), CASES)
def test_an_error_shows_its_place(pathname: str, token: str, words: str) -> None:
    """The token, a reason in plain words, and carets under the place."""
    with pytest.raises(URLPatternError, match=words) as caught:
        URLPattern(pathname=pathname)
    error = caught.value
    assert error.component == "pathname"
    assert error.token == token
    assert error.input == pathname
    assert str(error).startswith("In the pathname: ")
    if error.start is not None:
        assert str(error).splitlines()[-1].strip() == "^" * max(len(token), 1)
    same = pickle.loads(pickle.dumps(error))
    assert (same.args, vars(same)) == (error.args, vars(error))


@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_the_arguments_of_an_error_have_no_password(copied: Callable[[Any], Any]) -> None:
    """Some loggers write ``error.args``. A copy still has everything else."""
    with pytest.raises(URLPatternError) as caught:
        URLPattern(password="s3cret{")
    caught.value.add_note("A note.")
    for error in (caught.value, copied(caught.value)):
        assert error.args == (error.reason,)
        assert "s3cret" not in error.reason
        assert vars(error) == vars(caught.value)
        assert "s3cret" in error.input and error.__notes__ == ["A note."]


def test_an_error_says_what_was_expected() -> None:
    """In its message, and as an attribute."""
    with pytest.raises(URLPatternError) as caught:
        URLPattern("https://example.com/{a")
    assert caught.value.expected == "a '}' for the '{'"
    assert str(caught.value) == (
        "In the pathname: The pattern ends too early. Expected a '}' for the '{'.\n  /{a\n     ^"
    )


@pytest.mark.parametrize(
    ("component", "pattern"),
    [
        ("protocol", "a b"),
        ("hostname", "a b"),
        ("hostname", "exa%23mple"),
        ("hostname", "a\\:b"),
        ("hostname", "[\\:\\:g]"),
        ("port", "x"),
        ("port", "65536"),
    ],
)
def test_what_no_url_has_is_refused(component: str, pattern: str) -> None:
    """Fixed text that cannot be in its component."""
    with pytest.raises(URLPatternError) as caught:
        URLPattern({component: pattern})
    assert caught.value.component == component
    assert caught.value.start == 0


def test_errors_without_a_component() -> None:
    """A relative pattern without a base, a base that does not parse, two bases."""
    for call in (
        lambda: URLPattern("/a"),
        lambda: URLPattern("/a", "no url"),
        lambda: URLPattern({"pathname": "/a", "baseURL": "no url"}),
        lambda: URLPattern({"pathname": "/a"}, "https://h/"),
        lambda: URLPattern().test({"pathname": "/a"}, "https://h/"),
    ):
        with pytest.raises(URLPatternError) as caught:
            call()
        assert caught.value.component is None
        assert str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        ("/users/:id", "*://*:*/users/:id"),
        ("/a?x", "*://*:*/a?x"),
        ("users/:id", "*://*:*/users/:id"),
        ("", "*://*:*/users/:id"),
        ("/{", "*://*:*/users/:id"),
        ("/" + "x" * 100, "*://*:*/users/:id"),
    ],
)
def test_a_relative_pattern_is_told_its_full_form(pattern: str, example: str) -> None:
    """For a path, with an example that has this path; the example is a pattern."""
    with pytest.raises(URLPatternError, match="needs a base URL") as caught:
        URLPattern(pattern)
    assert caught.value.expected == f"a base, or a full pattern such as '{example}'"
    assert URLPattern(example).test("https://example.com/users/7") is ("users" in example)


def test_messages_have_one_kind_of_quotation_marks() -> None:
    """Of texts, the single ones, as in all other errors of this package."""
    patterns = [pathname for pathname, _, _ in CASES]
    for pattern in (*patterns, "/a'", "/{'", "/(["):
        with suppress(URLPatternError):
            URLPattern(pathname=pattern)
            continue
        with pytest.raises(URLPatternError) as caught:
            URLPattern(pathname=pattern)
        assert '"' not in str(caught.value).partition("\n")[0]


def test_strangers_may_be_refused_regular_expressions() -> None:
    """The wildcards that are written as regular expressions are none."""
    for pattern in ("https://h/(a)", "(http|https)://h/", "https://h/?(\\d+)"):
        with pytest.raises(URLPatternError, match="not allowed"):
            URLPattern(pattern, regexp_groups=False)
        assert URLPattern(pattern).has_regexp_groups
    made = URLPattern("https://h/(.*)/([^\\/]+?)/:a?", regexp_groups=False)
    assert not made.has_regexp_groups


@given(st.text(max_size=40), st.text(max_size=20), st.booleans())
def test_no_text_raises_another_error(text: str, other: str, regexp_groups: bool) -> None:
    """Whatever is given as a pattern, as a component, or as a base."""
    calls: tuple[Callable[[], URLPattern], ...] = (
        lambda: URLPattern(text, regexp_groups=regexp_groups),
        lambda: URLPattern(text, other, regexp_groups=regexp_groups),
        lambda: URLPattern(pathname=text, hostname=other, regexp_groups=regexp_groups),
        lambda: URLPattern(protocol=text, port=other, username=text, search=other),
    )
    for call in calls:
        try:
            pattern = call()
        except URLPatternError as error:
            _ = str(error), repr(error)
            continue
        assert pattern.exec(other) is None or pattern.test(other)


@given(st.text(alphabet="ab()[]{}\\|?*+.^$-=!<>:&,0129dwsbBpPuxckq/~", max_size=25))
def test_no_regular_expression_raises_another_error(text: str) -> None:
    """Nor does the match of one that is accepted."""
    for pattern in (f"/({text})", f"/(?:{text})", f"/([{text}])"):
        try:
            made = URLPattern(pathname=pattern, ignore_case=True)
        except URLPatternError:
            continue
        assert made.test("https://h/ab0") is (made.exec("https://h/ab0") is not None)


@pytest.mark.parametrize("text", ["a", "/a", "*", "(", "\\", "\ud800", "\0", "é", "{a}", ":a"])
def test_long_patterns_are_read(text: str) -> None:
    """A pattern of a hundred thousand pieces is a pattern or an error."""
    try:
        pattern = URLPattern(pathname="/" + text * 100_000)
    except URLPatternError as error:
        shown = str(error)
        assert len(shown) < 1000  # some texts are patterns
    else:
        assert not pattern.test("http\ud800://h/")


def test_ten_megabytes_are_read() -> None:
    """As a pattern, and as what is matched."""
    long = "a" * 10_000_000
    pattern = URLPattern(pathname=f"/{long}/:x")
    assert pattern.test({"pathname": f"/{long}/b"})
    assert URLPattern(pathname="/*").test({"pathname": long}) is False
    assert URLPattern(pathname="/*").test({"pathname": f"/{long}"})

"""Attributes that hold URLs among other things, against the standard's steps written out."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.html import literal
from tests.strategies import joined
from weburl.html.attributes import is_keyword, refresh_url, space_separated_tokens, srcset_urls

SPACES = (" ", "\t", "\n", "\f", "\r", "\x0b", "\xa0")
REFRESHES = joined(
    ("5", "0", ".", ";", ",", "u", "U", "r", "l", "L", "URL", "url", "=", "'", '"', "a", "/",
     *SPACES),
    max_size=12,
)  # fmt: skip
SRCSETS = joined(
    ("a", "b.png", ",", ",", "1x", "2x", "100w", "50h", "0w", "-1x", "-0x", "1.5x", ".5x", "1.x",
     "1e3x", "1E-3x", "x", "w", "+1x", "(", ")", "\u0661x", "data:,", *SPACES),
    max_size=14,
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("a.png", ["a.png"]),
        ("a.png, b.png 2x", ["a.png", "b.png"]),
        ("a.png 100w 50h,b.png 50h", ["a.png"]),
        ("a,b.png 1x", ["a,b.png"]),
        ("a.png,,, b.png", ["a.png", "b.png"]),
        ("a.png 1x 2x, b.png 0w, c.png -1x, d.png 1q", []),
        ("data:image/png;base64,AA== 1x", ["data:image/png;base64,AA=="]),
        ("a.png (1x, b.png) 2x, c.png", ["c.png"]),
        ("a.png (1x, b.png", []),
        (" , ,", []),
        ("", []),
    ],
)
def test_a_srcset_has_the_candidates_that_browsers_consider(value: str, urls: list[str]) -> None:
    """Commas inside URLs and parentheses separate nothing; bad descriptors drop a candidate."""
    assert srcset_urls(value) == urls
    assert literal.srcset_urls(value) == urls


@given(SRCSETS)
@example("a 1e999x, b -1e-999x")
def test_a_srcset_is_read_as_the_literal_steps_read_it(value: str) -> None:
    """Delimiters, descriptors and spaces in every order."""
    assert srcset_urls(value) == literal.srcset_urls(value)


@pytest.mark.parametrize(
    ("content", "url"),
    [
        ("0; url=a", "a"),
        ("5;URL='a b' c", "a b"),
        ('5 , uRl = "a', "a"),
        ("5 a", "a"),
        ("5;'a'b", "a"),
        ("5; urla", "urla"),
        ("5; u'a'", "u'a'"),
        ("5; url 'a'", "url 'a'"),
        ("0; url=", ""),
        (".;a", "a"),
        ("1.2.3;a", "a"),
        ("5", None),
        ("5;", None),
        ("5a", None),
        ("-5; url=a", None),
        ("; url=a", None),
        ("url=a", None),
        ("", None),
    ],
)
def test_a_refresh_has_the_url_that_browsers_go_to(content: str, url: str | None) -> None:
    """None is the page itself, or nothing at all."""
    assert refresh_url(content) == url
    assert literal.refresh_url(content) == url


@given(REFRESHES)
@example("5;url=''")
@example("5; ur\u0131 = a")
def test_a_refresh_is_read_as_the_literal_steps_read_it(content: str) -> None:
    """Times, separators, the word and quotes in every order."""
    assert refresh_url(content) == literal.refresh_url(content)


@given(joined(("a", "B", "\u3000", *SPACES), max_size=8))
def test_tokens_are_separated_by_ascii_whitespace_alone(value: str) -> None:
    """Neither by a vertical tab nor by the spaces of Unicode."""
    for space in "\t\n\f\r":
        value = value.replace(space, " ")
    assert space_separated_tokens(value) == [token for token in value.split(" ") if token]


@given(st.text())
@example("\u212a")
def test_a_keyword_is_matched_in_ascii_case_alone(value: str) -> None:
    """The Kelvin sign is no K."""
    assert is_keyword(value.upper(), "k") is (value.upper() == "K")
    assert is_keyword(value, "k") is (value in ("k", "K"))
    assert not is_keyword(None, "")

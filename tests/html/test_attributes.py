"""Attributes that hold URLs among other things, against the standard's steps written out."""

from __future__ import annotations

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


@given(SRCSETS)
@example("a 1e999x, b -1e-999x")
def test_a_srcset_is_read_as_the_literal_steps_read_it(value: str) -> None:
    """Delimiters, descriptors and spaces in every order."""
    assert srcset_urls(value) == literal.srcset_urls(value)


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

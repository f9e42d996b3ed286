"""Tests of the texts that no field can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.viewer.escapes import escaped, is_unseen, needs_escapes, unescaped


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_what_is_escaped_means_what_it_was(text: str) -> None:
    """Whatever it holds; and a field and an address can hold the result."""
    written = escaped(text)
    assert unescaped(written) == text
    assert not needs_escapes(written)
    assert not any(map(is_unseen, written))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"a\tb\nc\r\0", "a\tb\nc\r\0"),
        (r"\x7f\ud800\u{1F600}\u{41}", "\x7f\ud800\U0001f600A"),
        (r"\\n", "\\n"),
        (r"https:\\example.com\path", "https:\\example.com\\path"),
        (r"\u{110000}\q\x1\u12", r"\u{110000}\q\x1\u12"),
        (r"\u{0000000000041}", r"A"),
        (r"\u{000000000000000000041}", r"\u{000000000000000000041}"),
        ("\\", "\\"),
    ],
)
def test_an_escape_is_read_and_any_other_backslash_stands_for_itself(
    written: str, text: str
) -> None:
    """So most URLs with backslashes may be written as they are."""
    assert unescaped(written) == text


@pytest.mark.parametrize("text", ["\0", "\r", "\ud800", "a\udc00"])
def test_a_field_would_change_these(text: str) -> None:
    """It drops a carriage return, and UTF-8 has no lone surrogates."""
    assert needs_escapes(text)
    assert not needs_escapes("plain\n\t ü")

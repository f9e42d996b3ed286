"""`query.operands`: the URLs, and the pieces of URLs, that typed text may mean."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from django_whatwg_url.query.operands import pattern_in_any_case, typed_hrefs, typed_pieces
from tests import strategies


@pytest.mark.parametrize(
    ("text", "hrefs"),
    [
        ("https://B\u00fccher.example", ("https://xn--bcher-kva.example/",)),
        ("  HTTPS:Example.com/a/../b ", ("https://example.com/b",)),
        ("example.com", ("https://example.com/", "http://example.com/")),
        ("//example.com/x", ("https://example.com/x", "http://example.com/x")),
        ("example.com:8080/x", ("https://example.com:8080/x", "http://example.com:8080/x")),
        ("wiki:8080/x", ("https://wiki:8080/x", "http://wiki:8080/x")),
        ("localhost:443", ("https://localhost/", "http://localhost:443/")),
        ("mailto:a@b", ("mailto:a@b",)),
        ("https://", ()),
        ("https://exa mple.com", ()),
        ("", ()),
        ("   ", ()),
        ("/x", ()),
        (weburl.parse("https://a/"), ("https://a/",)),
        (weburl.URL("https://a/"), ("https://a/",)),
    ],
)
def test_typed_text_stands_for_these_urls(text: object, hrefs: tuple[str, ...]) -> None:
    """It may have any spelling. Without a scheme, it stands for https and http."""
    assert typed_hrefs(text) == hrefs


@given(strategies.url_texts | st.text())
def test_what_typed_text_stands_for_is_canonical(text: str) -> None:
    """This applies to any text, and no error is raised."""
    for href in typed_hrefs(text):
        assert weburl.canonicalize(href) == href


@pytest.mark.parametrize(
    "word",
    ["\u00fc", "\u65e5\u672c", "\ud800", "a\u0308", "\U0001f4a9.example", "https://", "\u00e9?#"],
)
def test_pieces_are_ascii_and_not_empty(word: str) -> None:
    """An empty piece would match everything; one that is not ASCII nothing."""
    assert all(piece.isascii() and piece for piece in typed_pieces(word))


def test_empty_text_is_no_piece() -> None:
    """It would be in every URL."""
    assert typed_pieces("") == typed_pieces(" ") == ()


def test_a_pattern_in_any_case_keeps_bytes_that_are_not_utf_8() -> None:
    """Only letters outside ASCII become a choice of two cases."""
    found = re.compile(pattern_in_any_case("\u00e9%FF") or "")
    assert found.search("https://h/%C3%A9%FF")
    assert not found.search("https://h/%C3%89")
    choice = re.compile(pattern_in_any_case("\u00e9/%FF/\u00e9") or "")
    assert choice.search("https://h/%C3%89/%FF/%C3%A9")

"""Tests of the demo's search, which finds canonical URLs by what people type."""

from __future__ import annotations

import pytest

import weburl
from bookmarks.models import Bookmark

SHELF = [
    "https://bücher.example/neu",
    "https://example.com/search?q=日本語",
    "http://example.com/under_score/100%25",
    "http://127.0.0.1:8000/admin/",
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [0, 1, 2, 3]),
        ("   ", [0, 1, 2, 3]),
        ("example", [0, 1, 2]),
        ("EXAMPLE.com", [1, 2]),
        ("bücher", [0]),
        ("BÜCHER.example/neu", [0]),
        ("xn--bcher", [0]),
        ("日本", [1]),
        ("%E6%97%A5", [1]),
        ("HTTP://EXAMPLE.com:80", [2]),
        ("http://example.com:80/a/../under_score/", [2]),
        ("example under", [2]),
        ("under example", [2]),
        ("under_score", [2]),
        ("under-score", []),
        ("underXscore", []),
        ("0x7f.1:8000", [3]),
        ("ADMIN", [3]),
        ("nothing", []),
        ("[", []),
        ("\ud800", []),
        ("?", [1]),
        ("'; --", []),
        ("site:example.com", [1, 2]),
        ("site:COM search", [1]),
        ("site:bücher.example", [0]),
        ("site:0x7f.1", [3]),
        ("site:mple.com", []),
        ("site:example.com/search", []),
        ("site:", []),
    ],
)
def test_words_find_the_bookmarks_that_hold_them_in_any_spelling(
    text: str, found: list[int]
) -> None:
    """All words must match, each as typed, percent-encoded, or as a browser reads it."""
    Bookmark.objects.bulk_create(Bookmark(url=weburl.parse(url)) for url in SHELF)
    matching = Bookmark.objects.matching(text).order_by("pk")
    assert [bookmark.url for bookmark in matching] == [weburl.parse(SHELF[i]) for i in found]

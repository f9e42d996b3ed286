"""Headings, landmarks and the keyboard on the pages that `make docs` built."""

from __future__ import annotations

import re

from tests.site.built import SITE, pages


def test_every_heading_has_a_level() -> None:
    """Also the captions of the lists of pages, which are headings only by their role."""
    count = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        for element in re.findall(r'<[^>]* role="heading"[^>]*>', text):
            assert 'aria-level="2"' in element, path
            count += 1
    assert count > 500


def test_the_two_lists_beside_a_page_have_names() -> None:
    """Two landmarks of one kind need them."""
    text = (SITE / "models.html").read_text(encoding="utf-8")
    assert re.findall(r'<aside [^>]*aria-label="([^"]+)"', text) == ["All pages", "This page"]


def test_what_is_wide_can_be_scrolled_by_keyboard() -> None:
    """By a script on each page that has code."""
    assert "site.js" in (SITE / "models.html").read_text(encoding="utf-8")
    assert (SITE / "_static" / "site.js").is_file()


def test_the_playground_offers_nothing_that_its_policy_forbids() -> None:
    """Sphinx's script would write HTML into that element."""
    assert 'id="searchbox"' in (SITE / "models.html").read_text(encoding="utf-8")
    assert 'id="searchbox"' not in (SITE / "playground.html").read_text(encoding="utf-8")

"""What a screen reader needs to find its way on a page, and the theme leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_CHANGES: Final = (
    # The captions of the lists of pages have the role of a heading without its level.
    (' role="heading"', ' role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer"', '<aside class="sidebar-drawer" aria-label="All pages"'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
)
_SEARCH: Final = "search.html"
_CONTENT: Final = '<article role="main" id="furo-main-content">'


def complete(page: Path) -> None:
    """Complete the headings and landmarks of a built page."""
    text = page.read_text(encoding="utf-8")
    for before, after in _CHANGES:
        text = text.replace(before, after)
    if page.name == _SEARCH:
        text = text.replace(_CONTENT, f"{_CONTENT}<h1>Search</h1>")
    page.write_text(text, encoding="utf-8")

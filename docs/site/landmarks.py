"""What a screen reader needs to find its way on a page, and the theme leaves out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_CHANGES: Final = (
    # The captions of the lists of pages have the role of a heading without its level.
    (' role="heading"', ' role="heading" aria-level="2"'),
    ('<aside class="sidebar-drawer"', '<aside class="sidebar-drawer" aria-label="All pages"'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
)
# Sphinx writes the parameters of a long signature as a list of descriptions without terms.
_PARAMETERS: Final = re.compile(r"\n\n<dl>\n((?:<dd>.*</dd>\n)+)</dl>\n\n")
_PARAMETER: Final = re.compile(r"<dd>(.*)</dd>\n")
_EMPTY_HEADER: Final = re.compile(r"<th([^>]*)>\s*(?:<p>\s*</p>)?\s*</th>")
_EMPTY_HEAD: Final = re.compile(
    rf"<thead>\s*<tr[^>]*>(?:\s*{_EMPTY_HEADER.pattern})+\s*</tr>\s*</thead>"
)
_SEARCH: Final = "search.html"
_CONTENT: Final = '<article role="main" id="furo-main-content">'


def complete(page: Path) -> None:
    """Complete the headings and landmarks of a built page."""
    text = page.read_text(encoding="utf-8")
    for before, after in _CHANGES:
        text = text.replace(before, after)
    text = _PARAMETERS.sub(lambda found: _lines(found[1]), text)
    text = _EMPTY_HEADER.sub(r"<td\1></td>", _EMPTY_HEAD.sub("", text))
    if page.name == _SEARCH:
        text = text.replace(_CONTENT, f"{_CONTENT}<h1>Search</h1>")
    page.write_text(text, encoding="utf-8")


def _lines(parameters: str) -> str:
    """Return the parameters of a signature as lines, which a style sheet indents."""
    lines = _PARAMETER.sub(r'<span class="sig-line">\1</span>', parameters)
    return f'<span class="sig-lines">{lines}</span>'

"""Reads the pages of the site as they were built."""

from __future__ import annotations

import functools
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple

SITE: Final = Path(__file__).resolve().parents[2] / "site"

LOADED: Final = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("object", "data"),
    ("embed", "src"),
    ("video", "src"),
    ("audio", "src"),
}
"""The attributes whose addresses a browser loads with the page; those of links are seen apart."""

# What <link> says about other pages; all else is loaded.
_PAGES: Final = {"author", "canonical", "index", "next", "prev", "search"}


class Address(NamedTuple):
    """An address on a page, and whether a browser loads it by itself."""

    text: str
    is_loaded: bool


class Page(HTMLParser):
    """A page: its addresses, its anchors, and the CSS in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.addresses: list[Address] = []
        self.anchors: set[str] = set()
        self.styles: list[str] = []
        self._in_style = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take what is looked for."""
        values = dict(attributes)
        self._in_style = tag == "style"
        self.anchors |= {value for name, value in attributes if name in ("id", "name") and value}
        self.styles.append(values.get("style") or "")
        for name, value in attributes:
            if name == "href":
                loaded = tag == "link" and not set((values.get("rel") or "").split()) <= _PAGES
                self.addresses.append(Address(value or "", loaded))
            elif (tag, name) in LOADED:
                self.addresses.append(Address(value or "", is_loaded=True))

    def handle_endtag(self, tag: str) -> None:
        """Leave the style sheet, if it is one."""
        self._in_style = self._in_style and tag != "style"

    def handle_data(self, data: str) -> None:
        """Take the text of a style sheet."""
        if self._in_style:
            self.styles.append(data)


@functools.cache
def page(path: Path) -> Page:
    """Return a page, which is read once."""
    return Page(path)


def pages() -> list[Path]:
    """Return all pages of the site."""
    return sorted(SITE.rglob("*.html"))


def addresses_in_css(text: str) -> list[str]:
    """Return what a style sheet loads."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = re.findall(r"url\(\s*[\"']?(.*?)[\"']?\s*\)|@import\s+[\"'](.*?)[\"']", text)
    return [url or imported for url, imported in found]

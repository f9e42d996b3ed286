"""Links of HTML pages: found beside selectolax with `urljoin`, and changed beside lxml."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from importlib import import_module
from typing import Any, Final
from urllib.parse import urljoin

import pytest

from weburl import html

BASE: Final = "https://example.com/a/b"
LINKS_EACH: Final = 100

ELEMENTS: Final = {
    "hyperlinks": ("href", '<p>Some words, and <a href="{}" rel="nofollow">a link</a>.</p>'),
    "link elements": ("href", '<link rel="alternate stylesheet" href="{}">'),
    "forms": ("action", '<form action="{}"><input name="q"><button>Go</button></form>'),
    "cells": ("background", '<table><tr><td background="{}">1</td><td>2</td></tr></table>'),
}
"""The attribute with the URL, and an element."""


def selectolax(attribute: str) -> Callable[[str], object]:
    """Return what reads the URLs with selectolax, and joins them as text."""
    parser: Any = import_module("selectolax.lexbor").LexborHTMLParser
    return lambda page: [
        _joined(node.attributes[attribute] or "") for node in parser(page).css(f"[{attribute}]")
    ]


def _joined(text: str) -> str:
    try:
        return urljoin(BASE, text)
    except ValueError:
        return ""


READERS: Final[dict[str, Callable[[str], Callable[[str], object]]]] = {
    "`weburl.html.links`": lambda _: lambda page: html.links(page, BASE),
    "selectolax with `urljoin`": selectolax,
}
"""How each library reads the links of a page, by the attribute."""


def lxml() -> Callable[[str], object]:
    """Return what makes all URLs absolute with lxml, as text."""
    rewrite: Any = import_module("lxml.html").rewrite_links
    return lambda page: rewrite(page, _joined)


REWRITERS: Final[dict[str, Callable[[], Callable[[str], object]]]] = {
    "`weburl.html.absolute_links`": lambda: lambda page: html.absolute_links(page, BASE),
    "`weburl.html.rewrite_links`, unchanged": lambda: (
        lambda page: html.rewrite_links(page, BASE, lambda _: None)
    ),
    "`weburl.html.links`": lambda: lambda page: html.links(page, BASE),
    "`lxml.html.rewrite_links`": lxml,
}
"""How each library makes the links of a page absolute, and what it takes to find them."""


@pytest.mark.parametrize("who", READERS)
@pytest.mark.parametrize("kind", ELEMENTS)
def bench_html(kind: str, who: str, links: list[str], timed: Any, benchmark: Any) -> None:
    """Read the links of pages with one kind of element."""
    attribute, element = ELEMENTS[kind]
    try:
        read = READERS[who](attribute)
        read("")
    except ImportError as error:
        pytest.skip(f"{error.name} is not installed")
    benchmark.group = f"links of pages: {kind}"
    pages = _pages(element, links)
    timed(lambda given: [read(page) for page in given], pages, who=who, kind=kind)


@pytest.mark.parametrize("who", REWRITERS)
@pytest.mark.parametrize("kind", ELEMENTS)
def bench_rewriting(kind: str, who: str, links: list[str], timed: Any, benchmark: Any) -> None:
    """Make the links of pages with one kind of element absolute."""
    try:
        rewrite = REWRITERS[who]()
    except ImportError as error:
        pytest.skip(f"{error.name} is not installed")
    benchmark.group = f"absolute links of pages: {kind}"
    pages = _pages(ELEMENTS[kind][1], links)
    timed(lambda given: [rewrite(page) for page in given], pages, who=who, kind=kind)


def _pages(element: str, links: list[str]) -> list[str]:
    return [
        "".join(element.format(escape(link)) for link in links[at : at + LINKS_EACH])
        for at in range(0, len(links), LINKS_EACH)
    ]

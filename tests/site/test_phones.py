"""Pages of every kind fit the width of a phone, a tablet and a laptop, in light and in dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest

from tests.site.built import SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES: Final = (
    "index",
    "quickstart",
    "values",
    "models",
    "querying",
    "performance",
    "benchmarks",
    "glossary",
    "changes",
    "columns/index",
    "pitfalls/index",
    "integrations/rest-framework",
    "reference/index",
    "reference/weburl",
    "search",
    "genindex",
)
WIDTHS: Final = (360, 768, 1280)

# What is wider than the page, outside of anything that scrolls by itself.
_TOO_WIDE: Final = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = element => element && (
    getComputedStyle(element).overflowX != "visible" || scrolls(element.parentElement));
  return [...document.querySelectorAll("article *")]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
    .map(e => e.outerHTML.slice(0, 80));
}"""
# Whether each block that hides something at its right edge shows a shadow there.
_WITHOUT_EDGE: Final = """() =>
  [...document.querySelectorAll("article .highlight pre, article .table-wrapper")]
    .filter(e => e.scrollWidth > e.clientWidth + 1)
    .filter(e => !getComputedStyle(e).backgroundImage.includes("gradient"))
    .map(e => e.textContent.slice(0, 80))
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a Chromium, if there is one; CI demands it."""
    demanded = "CI" in os.environ
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("WEBURL_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        assert not demanded, "CI must have Chromium"
        pytest.skip("There is no Chromium here to show the pages.")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(browser: Browser, width: int, scheme: str) -> None:
    """Code and tables that are too wide scroll by themselves, and show that they do."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    for name in PAGES:
        page.goto((SITE / f"{name}.html").as_uri())
        assert page.evaluate(_TOO_WIDE) == [], name
        assert page.evaluate(_WITHOUT_EDGE) == [], name
        widest, visible = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert widest <= visible, name
    context.close()

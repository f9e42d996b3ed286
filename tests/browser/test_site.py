"""The site's own scripts and styles in Chromium: search, sidebar, and the buttons on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

SITE: Final = Path(__file__).resolve().parents[2] / "docs" / "site"

# What Sphinx and our scorer offer to the script of the summaries.
SURROUNDINGS: Final = """
globalThis.Search = {};
globalThis.Scorer = { stem: (word) => word.replace(/(ing|s)$/, ""), sameAs: (word) => [word] };
"""
PAGE: Final = """<div role="main"><section id="page"><h1>Page</h1><p>It is about much.</p>
<section id="hooks"><h2>Webhooks<a class="headerlink" href="#hooks">x</a></h2>
<p>First. A policy refuses internal addresses! Last.</p></section>
<section id="other"><h2>Other</h2><p>An address.</p></section></section></div>"""
SUMMARY: Final = """async ([html, words, anchor]) => {
  const item = document.createElement("li");
  item.innerHTML = `<a href="page.html${anchor}">Page</a>`;
  item.append(Search.makeSearchSummary(html, new Set(words), anchor));
  await null;
  return [item.querySelector("a").getAttribute("href"), item.querySelector("p").textContent];
}"""


@pytest.mark.parametrize(
    ("words", "anchor", "href", "sentence"),
    [
        (["internal", "policy"], "", "page.html#hooks", "A policy refuses internal addresses!"),
        (["much"], "", "page.html", "It is about much."),
        (["missing"], "", "page.html", "It is about much."),
        (["addres"], "#other", "page.html#other", "An address."),
    ],
)
def test_a_hit_leads_to_the_section_with_the_sentence_that_it_shows(
    page: Page, words: list[str], anchor: str, href: str, sentence: str
) -> None:
    """Of a page that matches only at its top, or not at all, it leads to the page."""
    page.goto("about:blank")
    script = (SITE / "summary.js").read_text(encoding="utf-8")
    page.add_script_tag(content=SURROUNDINGS + script)
    assert page.evaluate(SUMMARY, [PAGE, words, anchor]) == [href, sentence]


def test_the_sidebar_follows_the_page(page: Page) -> None:
    """The page that is shown is visible in the list of all pages."""
    items = "".join(f"<li{' class=current-page' if n == 80 else ''}>{n}</li>" for n in range(99))
    style = "<style>.sidebar-scroll { height: 300px; overflow: auto; }</style>"
    page.set_content(f"{style}<ul class=sidebar-scroll>{items}</ul>")
    page.evaluate((SITE / "static" / "site.js").read_text(encoding="utf-8") + "showInSidebar();")
    current = page.locator(".current-page").bounding_box()
    around = page.locator(".sidebar-scroll").bounding_box()
    assert current is not None
    assert around is not None
    assert around["y"] < current["y"] < around["y"] + 300
    assert page.evaluate("scrollY") == 0

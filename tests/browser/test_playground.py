"""The playground of the site in Chromium, opened as a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from docs.site.playground.texts import GROUPS
from tests.browser.test_accessibility import axe, looked_at, violations
from tests.playground import built
from weburl.viewer.report import ATTRIBUTES, attributes_of

__all__ = ["axe"]

# MyST asks Sphinx for what Sphinx 11 will not have: its affair until then.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser.*is deprecated")

TEXTS: Final = [text for texts in GROUPS.values() for text in texts]
READ: Final = """([asked, names]) => JSON.parse(asked).map(([input, base]) => {
  try {
    const url = base === null ? new URL(input) : new URL(input, base);
    return names.map((name) => String(url[name]));
  } catch { return null; }
})"""
SHOWN: Final = """names => [...document.querySelectorAll("details.reading")].map((details) =>
  names.map((name) => details.querySelector(`td[data-browser="${name}"] > span`).textContent))"""

SHORTENED: Final = """() => {
  for (const details of document.querySelectorAll(".reading + .reading + .reading:not([open])")) {
    details.remove();
  }
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the page, built alone."""
    return built(tmp_path_factory.mktemp("playground")).as_uri()


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """Collect what the console says, and what is loaded from elsewhere; there must be nothing."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda asked: found.append(asked.url) if asked.url[:5] != "file:" else None)
    yield found
    assert found == []


def test_the_browser_adds_its_reading_of_every_text(
    page: Page, address: str, complaints: list[str]
) -> None:
    """It is that of its own parser; what differs is marked in the list and in the tables."""
    page.goto(address)
    asked = json.dumps([[text.url, text.base] for text in TEXTS])
    theirs = page.evaluate(READ, [asked, list(ATTRIBUTES)])
    shown = page.evaluate(SHOWN, list(ATTRIBUTES))
    differing = 0
    for text, of_browser, cells in zip(TEXTS, theirs, shown, strict=True):
        refused = of_browser is None
        assert cells == (
            ["refused"] * len(ATTRIBUTES) if refused else [value or "empty" for value in of_browser]
        )
        ours = attributes_of(text.url, text.base)
        differs = ours != (None if refused else tuple(of_browser))
        mark = page.locator(f"#text-{text.name} [data-differs]")
        assert (mark.get_attribute("hidden") is None) == differs, text
        differing += differs
    assert 0 < differing < 20
    count = (
        f"{len(TEXTS)} of {len(TEXTS)} texts. This browser reads {differing} of them differently."
    )
    expect(page.locator("#playground-count")).to_have_text(count)


def test_the_address_carries_the_choice(page: Page, address: str, complaints: list[str]) -> None:
    """It opens the text, or an error in it; another choice closes that and changes the address."""
    page.goto(f"{address}#text-drive")
    expect(page.locator("#text-drive")).to_have_attribute("open", "")
    expect(page.locator("#text-drive summary")).to_be_in_viewport()
    expect(page.locator("#text-drive .browser-verdict")).to_have_text(
        "≠ This browser reads a different href, origin, pathname."
    )
    row = page.locator("#text-drive [data-attribute=origin]")
    assert row.locator("td").all_text_contents() == ["null", "file:// ≠ differs"]
    page.locator("#text-share summary").click()
    expect(page).to_have_url(f"{address}#text-share")
    expect(page.locator("details[open]")).to_have_count(1)
    page.locator("#text-share summary").click()
    expect(page).to_have_url(address)
    page.goto(f"{address}#text-backslash-error-1")
    expect(page.locator("li:target")).to_contain_text("invalid-reverse-solidus")
    expect(page).to_have_url(f"{address}#text-backslash-error-1")


def test_the_list_is_used_by_keyboard(page: Page, address: str, complaints: list[str]) -> None:
    """Words in the filter, then a text by Enter."""
    page.goto(address)
    page.get_by_label("Show only texts with these words").focus()
    page.keyboard.type("slash EVIL tab")
    expect(page.locator("#playground-count")).to_contain_text(f"1 of {len(TEXTS)} texts")
    expect(page.locator("details.reading:visible")).to_have_count(1)
    expect(page.locator(".group h3:visible")).to_have_text(["Relative to a base"])
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#text-slash-tab")).to_have_attribute("open", "")
    expect(page).to_have_url(f"{address}#text-slash-tab")
    page.get_by_label("Show only texts with these words").fill("no text has this")
    expect(page.get_by_text("No text contains these words.")).to_be_visible()
    page.get_by_label("Show only texts with these words").fill("")
    page.get_by_label("Only texts that this browser reads differently").check()
    expect(page.locator("#text-file")).to_be_visible()
    expect(page.locator("#text-capitals")).to_be_hidden()


def test_the_browser_reads_any_text(page: Page, address: str, complaints: list[str]) -> None:
    """Alone; one that is in the list leads there. No address carries it: it may be a secret."""
    page.goto(address)
    part = page.locator("#playground-own-parts")
    expect(part).to_be_hidden()
    page.get_by_label("URL", exact=True).fill("HTTP://me:s3cret@Bücher.example:80/a b")
    expect(page.locator("#playground-own-verdict")).to_have_text("This browser reads it.")
    expect(part.locator("[data-own=href]")).to_have_text(
        "http://me:s3cret@xn--bcher-kva.example/a%20b"
    )
    expect(part.locator("[data-own=hash]")).to_have_text("empty")
    expect(page.locator("#playground-listed")).to_be_hidden()
    assert page.url == address
    page.get_by_label("URL", exact=True).fill("x")
    expect(page.locator("#playground-own-verdict")).to_have_text("This browser refuses it.")
    expect(part).to_be_hidden()
    page.get_by_text("More: a base, a pattern, escapes").click()
    page.get_by_label("Base URL (optional)").fill("y")
    expect(page.locator("#playground-own-verdict")).to_have_text("This browser refuses the base.")
    page.get_by_label("Base URL (optional)").fill("mailto:me@example.com")
    page.get_by_label("Show only texts with these words").fill("no text has this")
    page.get_by_role("link", name="how weburl reads it").click()
    expect(page.locator("#text-opaque-base")).to_have_attribute("open", "")
    expect(page.locator("#text-opaque-base summary")).to_be_in_viewport()


def test_without_scripts_our_readings_are_there(browser: Browser, address: str) -> None:
    """Texts are opened as before; what needs a script says so."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    expect(page.locator("details.reading:visible")).to_have_count(len(TEXTS))
    page.locator("#text-umlaut summary").click()
    expect(page.locator("#text-umlaut [data-attribute=host] td").first).to_have_text(
        "xn--bcher-kva.example"
    )
    expect(page.locator("#text-umlaut th:visible", has_text="This browser")).to_have_count(0)
    expect(page.locator("#playground-form")).to_be_hidden()
    expect(page.locator("#playground-own")).to_be_hidden()
    expect(page.get_by_text("This needs JavaScript")).to_be_visible()
    context.close()


def test_the_playground_breaks_no_rule(page: Page, address: str, axe: str) -> None:
    """With a text open and one typed, in the theme's colours; it does not scroll sideways."""

    def show() -> None:
        page.goto("about:blank")
        page.goto(f"{address}#text-misleading")
        page.get_by_label("URL", exact=True).fill("https://example.com/")
        expect(page.locator("#playground-own-parts")).to_be_visible()
        page.evaluate(SHORTENED)  # of all the hidden cells, axe would take half a minute

    for how in looked_at(page, show):
        assert violations(page, axe, {"include": [[".twin"]]}) == [], how
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not too_wide, f"{how}: it scrolls sideways"


def test_the_themes_own_switch_changes_the_colours(page: Page, address: str) -> None:
    """Whatever the system wants."""
    page.emulate_media(color_scheme="light")
    page.goto(address)
    summary = page.locator("#text-backslash")
    colours = []
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.body.dataset.theme = theme; }", theme)
        background = summary.evaluate("e => getComputedStyle(e).backgroundColor")
        colours.append(sum(map(int, re.findall(r"\d+", background)[:3])))
    assert colours[0] > 600
    assert colours[1] < 200


def test_the_page_is_of_no_great_weight(address: str) -> None:
    """It is one page, so that it works without a server."""
    assert Path(address.removeprefix("file://")).stat().st_size < 1_000_000


@pytest.mark.parametrize("name", ["index.html", "search.html", "genindex.html"])
def test_the_pages_around_it_break_no_rule(page: Page, address: str, axe: str, name: str) -> None:
    """The whole page, with the theme's lists of pages."""

    def show() -> None:
        page.goto(address.replace("playground.html", name))

    for how in looked_at(page, show):
        assert violations(page, axe) == [], how

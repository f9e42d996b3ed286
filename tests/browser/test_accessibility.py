"""No page breaks a rule that axe-core checks, in light and in dark, wide and narrow.

`make test-browser` installs axe-core by npm into the environment. Without it the tests are skipped;
where `CI` is set they fail.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import pytest
from django import forms
from django.template import Context, Template
from playwright.sync_api import Page

import weburl
from bookmarks.models import Bookmark
from django_whatwg_url.forms import CanonicalURLField
from tests.browser.shown import ADMIN, BOOKMARKS, fill, viewer_pages

pytestmark = pytest.mark.django_db(transaction=True)

AXE: Final = Path(sys.prefix) / "node_modules" / "axe-core" / "axe.min.js"
Colours: TypeAlias = Literal["light", "dark"]
LOOKS: Final[list[tuple[Colours, int]]] = [
    ("light", 1280),
    ("dark", 1280),
    ("dark", 360),
    ("light", 360),
]
OURS: Final = {
    "include": [[".field-url"], [".field-other"], ["#changelist-filter"], [".column-url"]],
    "exclude": [[".select2"]],
}
"""What of the admin's pages is ours: Django's own breadcrumbs and autocompletion break rules."""


class LinkForm(forms.Form):
    """A form as in the documents."""

    url = CanonicalURLField()


@pytest.fixture(scope="module")
def axe() -> str:
    """Give the source of axe-core."""
    if not AXE.is_file():
        reason = "no axe-core here: `make test-browser` installs it where there is npm"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return AXE.read_text(encoding="utf-8")


def violations(page: Page, axe: str, context: Any = None) -> list[str]:
    """Return what axe-core finds wrong: the rule, where, and why."""
    page.evaluate(axe)  # Not by an element, which a Content Security Policy would stop.
    found = page.evaluate("context => axe.run(context ?? document)", context)
    assert found["passes"], "nothing was looked at"
    return [
        f"{problem['id']}: {node['target']} {node['failureSummary']}"
        for problem in found["violations"]
        for node in problem["nodes"]
    ]


def looked_at(page: Page, show: Callable[[], None]) -> Iterator[str]:
    """Show a page in each way, and yield how."""
    for colours, width in LOOKS:
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size({"width": width, "height": 900})
        show()
        yield f"{colours}, {width} wide"


@pytest.mark.parametrize("name", BOOKMARKS)
def test_the_bookmarks_break_no_rule(page: Page, site: str, axe: str, name: str) -> None:
    """The list, a search, an error, and a link that was added."""
    fill()
    for how in looked_at(page, lambda: BOOKMARKS[name](page, site)):
        assert violations(page, axe) == [], how
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not too_wide, f"{how}: it scrolls sideways"


@pytest.mark.parametrize(
    "name", ["viewer", "viewer-example", "viewer-url", "viewer-broken", "viewer-list"]
)
def test_the_viewer_breaks_no_rule(page: Page, site: str, axe: str, name: str) -> None:
    """Empty, with a URL, and with what is none."""
    pages = viewer_pages()
    if not pages:
        pytest.skip("the demo has no viewer")
    for how in looked_at(page, lambda: pages[name](page, site)):
        assert violations(page, axe) == [], how
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not too_wide, f"{how}: it scrolls sideways"


def test_the_page_of_the_tutorial_breaks_no_rule(page: Page, axe: str) -> None:
    """Its template with long URLs, and a form with an error."""
    text = Path("docs/tutorial.md").read_text(encoding="utf-8")
    _, _, html = text.partition("```html+django\n")
    rows = [Bookmark(url=weburl.parse(f"https://example.com/{'long/' * 50}")), Bookmark()]
    form = LinkForm({"url": "exa mple.com"})
    context = {"form": form, "items": rows}
    shown = Template(html.partition("```")[0]).render(Context(context))
    for how in looked_at(page, lambda: page.set_content(shown)):
        assert page.locator("li a").count() == 1
        assert violations(page, axe) == [], how
        too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not too_wide, f"{how}: it scrolls sideways"


@pytest.mark.parametrize("name", ADMIN)
def test_what_we_put_into_the_admin_breaks_no_rule(
    admin_page: Page, site: str, axe: str, name: str
) -> None:
    """Widgets, links and filters, in the admin's own light and dark."""
    fill()
    for how in looked_at(admin_page, lambda: ADMIN[name](admin_page, site)):
        assert violations(admin_page, axe, OURS) == [], how

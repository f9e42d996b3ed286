"""The demo's bookmarks in a browser: good, broken, duplicate and hostile ones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import weburl
from bookmarks.models import Bookmark
from tests.django.stored import store_text

pytestmark = pytest.mark.django_db(transaction=True)


def add(page: Page, site: str, text: str) -> None:
    """Type a link into the field, and send it."""
    page.goto(site)
    page.get_by_label("Link").fill(text)
    page.get_by_role("button", name="Add").click()


def test_a_good_link_is_stored_and_leads_where_the_browser_would_go(page: Page, site: str) -> None:
    """In the spelling in which the browser's own URL has it."""
    add(page, site, " HTTP://Bücher.example:80/a/../b?q ")
    expect(page.get_by_role("status")).to_contain_text("Stored as")
    link = page.locator(".bookmarks a").first
    href = page.evaluate("() => new URL('HTTP://Bücher.example:80/a/../b?q').href")
    assert link.get_attribute("href") == href
    assert link.evaluate("a => a.href") == href == Bookmark.objects.get().url.href
    page.reload()
    assert Bookmark.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("https://", "host"),
        ("https://example.com:99999/", "port"),
        ("https://exa mple.com/", "mple"),
        ("https://[::1/", "IPv6"),
        ("javascript:alert(1)", "http"),
        ("java\tscript:alert(1)", "http"),
        ("data:text/html,<script>alert(1)</script>", "http"),
    ],
)
def test_a_broken_or_hostile_link_is_refused_in_words(
    page: Page, site: str, text: str, said: str
) -> None:
    """The field keeps what was typed, says that it is invalid, and the reason is read out."""
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    add(page, site, text)
    expect(page.get_by_role("alert")).to_contain_text(said)
    field = page.get_by_label("Link")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert field.input_value() == text.replace("\n", "")
    assert Bookmark.objects.count() == 0


def test_a_duplicate_is_refused_in_any_spelling(page: Page, site: str) -> None:
    """One page, one row."""
    add(page, site, "https://example.com/")
    add(page, site, "example.com:443/./a/..")
    expect(page.get_by_role("alert")).to_contain_text("already on the shelf")
    assert Bookmark.objects.count() == 1


def test_rows_that_others_wrote_run_no_script(page: Page, site: str) -> None:
    """They are shown as text, whatever they hold."""
    hostile = (
        "javascript:document.title='ran'", "java\nscript:document.title='ran'",
        "https://a/'\"><script>document.title='ran'</script>", "data:text/html,<b>x",
        "https://exa mple/<img src=x onerror=document.title='ran'>",
    )  # fmt: skip
    for number, text in enumerate(hostile):
        store_text(Bookmark.objects.create(url=weburl.parse(f"https://row/{number}")), text)
    page.goto(site)
    expect(page.locator(".bookmarks li")).to_have_count(len(hostile))
    for link in page.locator(".bookmarks a").all():
        assert link.evaluate("a => a.protocol") in {"http:", "https:"}
    assert page.locator(".bookmarks img, .bookmarks script").count() == 0
    assert "ran" not in page.title()


def test_the_page_is_searched_by_host(page: Page, site: str) -> None:
    """The search is by keyboard, and its words stay in the field."""
    for host in ("a.example.com", "example.com", "example.org"):
        Bookmark.objects.create(url=weburl.parse(f"https://{host}/"))
    page.goto(site)
    page.get_by_role("searchbox").fill("site:example.com")
    page.keyboard.press("Enter")
    expect(page.locator(".bookmarks li")).to_have_count(2)
    expect(page.get_by_role("searchbox")).to_have_value("site:example.com")

"""Tests of the admin with URL fields: adding, changing, listing, and never a bad link."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.widgets import AdminURLFieldWidget
from django.test import Client

from django_whatwg_url.widgets import AdminCanonicalURLWidget
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark, Page, Site, Visit

pytestmark = pytest.mark.django_db

BOOKMARKS = "/admin/testapp/bookmark/"
PAGES = "/admin/testapp/page/"
NO_VISITS = {"visit_set-TOTAL_FORMS": "0", "visit_set-INITIAL_FORMS": "0"}


def links(html: str) -> list[str]:
    """Return the addresses of all links in a page, but for those within the admin."""
    return [href for href in re.findall(r'href="([^"]*)"', html) if not re.match(r"[/?.#]|$", href)]


def get(client: Client, path: str) -> str:
    """Return a page's text, which must be there."""
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("href", ["https://example.com/?a&b", "http://user:secret@example.com/"])
def test_the_change_form_links_to_web_pages(admin_client: Client, href: str) -> None:
    """Escaped, and to the canonical form, without a username and a password."""
    bookmark = Bookmark.objects.create(url=href)
    html = get(admin_client, f"{BOOKMARKS}{bookmark.pk}/change/")
    assert links(html) == [href.replace("&", "&amp;").replace("user:secret@", "")]


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(document.cookie)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://example.com/",
        "JAVA\tSCRIPT:alert(1)",
    ],
)
def test_the_admin_never_links_anything_else(admin_client: Client, href: str) -> None:
    """It only shows it in forms, in lists and in read-only fields."""
    bookmark = Bookmark.objects.create(url=href)
    page = Page.objects.create(url=href, source=href)
    for path in (
        BOOKMARKS,
        f"{BOOKMARKS}{bookmark.pk}/change/",
        f"{BOOKMARKS}{bookmark.pk}/delete/",
        f"{BOOKMARKS}{bookmark.pk}/history/",
        PAGES,
        f"{PAGES}{page.pk}/change/",
    ):
        html = get(admin_client, path)
        assert links(html) == []
        assert "<script>alert" not in html


def test_the_admin_shows_a_row_that_does_not_parse(admin_client: Client) -> None:
    """The list and the form show it without a link, so that people can fix it."""
    page = Page.objects.create()
    store_text(page, "javascript :<b>")
    for path in (PAGES, f"{PAGES}{page.pk}/change/"):
        html = get(admin_client, path)
        assert "javascript :&lt;b&gt;" in html
        assert links(html) == []


def test_the_admins_widget_does_not_insist_on_a_scheme() -> None:
    """Browsers would not submit "example.com" from an <input type="url">."""
    html = AdminCanonicalURLWidget().render("url", "https://example.com/")
    assert 'type="text"' in html and 'class="vURLField"' in html
    assert issubclass(AdminCanonicalURLWidget, AdminURLFieldWidget)


def test_inline_rows_may_refer_to_urls(admin_client: Client) -> None:
    """They are added and kept, also when the form spells their parent's URL otherwise."""
    bookmark = Bookmark.objects.create(url="https://example.com/")
    site = Site.objects.create(url="https://site.example/")
    path = f"{BOOKMARKS}{bookmark.pk}/change/"
    data = {"url": "HTTPS:example.com", "title": ""}
    rows = {"visit_set-TOTAL_FORMS": "1", "visit_set-0-site": "https://site.example/"}
    assert '<option value="https://site.example/">' in get(admin_client, path)
    response = admin_client.post(path, {**data, **rows, "visit_set-INITIAL_FORMS": "0"})
    assert response.status_code == 302
    visit = Visit.objects.get(site=site, bookmark=bookmark)
    rows |= {"visit_set-0-id": str(visit.pk), "visit_set-0-bookmark": "https://example.com/"}
    assert 'value="https://site.example/" selected' in get(admin_client, path)
    response = admin_client.post(path, {**data, **rows, "visit_set-INITIAL_FORMS": "1"})
    assert response.status_code == 302
    assert LogEntry.objects.latest("pk").get_change_message() == "No fields changed."

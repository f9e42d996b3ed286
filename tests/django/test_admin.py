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
from weburl import parse

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


def test_a_url_can_be_added(admin_client: Client) -> None:
    """It is typed without a scheme."""
    response = admin_client.post(
        BOOKMARKS + "add/", {"url": "Example.com/é", "title": "t", **NO_VISITS}
    )
    assert response.status_code == 302
    assert Bookmark.objects.get().url == parse("https://example.com/%C3%A9")


def test_the_admin_says_what_is_wrong(admin_client: Client) -> None:
    """It also shows what was typed."""
    response = admin_client.post(
        BOOKMARKS + "add/", {"url": "exa mple.com", "title": "t", **NO_VISITS}
    )
    html = response.content.decode()
    assert "contains a space. Remove it." in html
    assert 'value="exa mple.com"' in html


def test_a_url_can_be_changed(admin_client: Client) -> None:
    """Another spelling is not logged as a change."""
    bookmark = Bookmark.objects.create(url="https://example.com/")
    path = f"{BOOKMARKS}{bookmark.pk}/change/"
    assert 'value="https://example.com/"' in get(admin_client, path)
    admin_client.post(path, {"url": "HTTPS:example.com", "title": "", **NO_VISITS})
    assert LogEntry.objects.latest("pk").get_change_message() == "No fields changed."
    admin_client.post(path, {"url": "https://example.com/2", "title": "", **NO_VISITS})
    assert LogEntry.objects.latest("pk").get_change_message() == "Changed Url."
    bookmark.refresh_from_db()
    assert bookmark.url == parse("https://example.com/2")


def test_a_filter_that_is_no_url_is_no_server_error(admin_client: Client) -> None:
    """The admin ignores it, as it ignores other bad filters."""
    response = admin_client.get(PAGES + "?url=bad")
    assert response.status_code == 302
    assert response.headers["Location"].endswith("?e=1")


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


def test_a_title_can_be_changed_beside_a_url_that_is_refused_now(admin_client: Client) -> None:
    """The form says so; in the list, the row can be saved too."""
    bookmark = Bookmark.objects.create(url="https://example.com/", title="old")
    store_text(bookmark, "javascript:alert(1)")
    path = f"{BOOKMARKS}{bookmark.pk}/change/"
    assert "This URL no longer follows the rules." in get(admin_client, path)
    typed = {"url": "javascript:alert(1)", "title": "new", **NO_VISITS}
    assert admin_client.post(path, typed).status_code == 302
    bookmark.refresh_from_db()
    assert (bookmark.title, str(bookmark.url)) == ("new", "javascript:alert(1)")
    typed["url"] = "javascript:alert(2)"
    assert "javascript" in admin_client.post(path, typed).content.decode()
    bookmark.refresh_from_db()
    assert str(bookmark.url) == "javascript:alert(1)"


def test_typed_text_is_linked_only_as_what_it_means(admin_client: Client) -> None:
    """The form is shown again with an error in another field."""
    page = Page.objects.create(source="https://example.com/")
    path = f"{PAGES}{page.pk}/change/"
    for typed, expected in [("HTTPS:EXAMPLE.com\\a b", ["https://example.com/a%20b"]), ("x y", [])]:
        response = admin_client.post(path, {"url": typed, "published": "no date"})
        assert links(response.content.decode()) == expected


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

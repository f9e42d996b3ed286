"""The pages of the demo and of the admin that people look at, with something on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse
from playwright.sync_api import Page

import weburl
from bookmarks.models import Bookmark
from tests.django.partsapp.models import Plain
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark as Titled
from tests.django.testapp.models import Site, Visit
from weburl.viewer.state import EXAMPLES

LINKS: Final = (
    "https://docs.djangoproject.com/en/stable/ref/models/fields/#urlfield",
    "https://bücher.example/neu?sort=date&page=2",
    "http://192.168.0.1:8080/status",
    "https://user:secret@example.com/private",
    "https://www.example.org/a/very/long/path/that/goes/on/and/on/until/it/needs/a/second/line?q=1",
    "https://url.spec.whatwg.org/#concept-url-parser",
    "https://example.com/%C3%A9t%C3%A9",
    "https://[2001:db8::1]:8443/",
)


def fill() -> None:
    """Put links on the shelf and into the admin's tables, one of them broken."""
    for text in LINKS:
        Bookmark.objects.create(url=weburl.parse(text))
        Plain.objects.create(url=weburl.parse(text), other=weburl.parse("https://example.com/"))
    store_text(Bookmark.objects.create(url=weburl.parse("https://row/")), "https://exa mple/")
    titled = Titled.objects.create(url="https://example.com/found", title="Found")
    site = Site.objects.create(url="https://site.example/")
    Visit.objects.create(site=site, bookmark=titled)


def _goes(path: str) -> Callable[[Page, str], None]:
    def go(page: Page, site: str) -> None:
        page.goto(site + path)

    return go


def _refused(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_label("Link").fill("https://example.com:99999/")
    with page.expect_navigation():
        page.get_by_role("button", name="Add").click()


def _added(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_label("Link").fill("HTTP://Example.NET:80/a/../b")
    with page.expect_navigation():
        page.get_by_role("button", name="Add").click()


def _refused_in_admin(page: Page, site: str) -> None:
    page.goto(f"{site}/admin/partsapp/plain/add/")
    page.get_by_label("Url").fill("https://[")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()


def _changed_in_admin(page: Page, site: str) -> None:
    row = Plain.objects.exclude(url=None).earliest("pk")
    page.goto(f"{site}/admin/partsapp/plain/{row.pk}/change/")


def _changed_on_shelf(page: Page, site: str) -> None:
    row = Bookmark.objects.get(url__host="xn--bcher-kva.example")
    page.goto(f"{site}/shelf-admin/bookmarks/bookmark/{row.pk}/change/")


BOOKMARKS: Final[dict[str, Callable[[Page, str], None]]] = {
    "bookmarks": _goes("/"),
    "bookmarks-found": _goes("/?q=site:example.com"),
    "bookmarks-none": _goes("/?q=nothing"),
    "bookmarks-refused": _refused,
    "bookmarks-added": _added,
}
ADMIN: Final[dict[str, Callable[[Page, str], None]]] = {
    "admin": _goes("/shelf-admin/bookmarks/bookmark/"),
    "admin-url": _changed_on_shelf,
    "admin-list": _goes("/admin/partsapp/plain/"),
    "admin-add": _goes("/admin/partsapp/plain/add/"),
    "admin-change": _changed_in_admin,
    "admin-refused": _refused_in_admin,
    "admin-inlines": _goes("/admin/testapp/bookmark/"),
}


def viewer_pages() -> dict[str, Callable[[Page, str], None]]:
    """Return the pages of the viewer; none where the demo has no viewer."""
    try:
        address = reverse("viewer", urlconf="bookmarks.urls")
    except NoReverseMatch:
        return {}
    case = {"url": "HTTP:\\\\Bücher.example:80\\a b?x=1&y=é#%zz", "base": "https://example.com/"}
    return {
        "viewer": _goes(address),
        "viewer-example": _goes(f"{address}{EXAMPLES[0][1].address.query}"),
        "viewer-url": _goes(f"{address}?{urlencode(case)}"),
        "viewer-list": _goes(f"{address}list"),
        "viewer-broken": _goes(f"{address}?{urlencode({'url': 'https://exa mple.com:99999/'})}"),
    }

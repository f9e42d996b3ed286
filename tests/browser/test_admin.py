"""The admin with our widgets, in a browser; and logins that are sent on."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

import weburl
from django_whatwg_url.admin import URLLink
from tests.browser.conftest import log_in
from tests.django.partsapp.models import Plain
from tests.django.siteapp.models import Issuer
from tests.django.testapp.models import Bookmark, Site, Visit

pytestmark = pytest.mark.django_db(transaction=True)

PLAIN = "/admin/partsapp/plain/"


def test_a_url_is_added_and_changed(admin_page: Page, site: str) -> None:
    """Text without a scheme passes the browser's own check, and the link shows what is stored."""
    admin_page.goto(f"{site}{PLAIN}add/")
    admin_page.get_by_label("Url").fill("bücher.example/a b")
    admin_page.get_by_role("button", name="Save and continue editing").click()
    href = "http://xn--bcher-kva.example/a%20b"
    assert Plain.objects.get().url == weburl.parse(href)
    link = admin_page.locator(".field-url a")
    assert link.evaluate("a => a.href") == href
    assert link.inner_text() == "http://bücher.example/a%20b"
    admin_page.get_by_label("Url").fill("https://EXAMPLE.com:443/./x")
    admin_page.get_by_role("button", name="Save", exact=True).click()
    assert Plain.objects.get().url == weburl.parse("https://example.com/x")


def test_a_broken_url_says_why_and_shows_no_link(admin_page: Page, site: str) -> None:
    """The field is as it was typed."""
    admin_page.goto(f"{site}{PLAIN}add/")
    admin_page.get_by_label("Url").fill("https://[")
    admin_page.get_by_role("button", name="Save", exact=True).click()
    expect(admin_page.locator(".errorlist").first).to_contain_text("IPv6")
    assert admin_page.locator(".field-url a").count() == 0
    assert admin_page.get_by_label("Url").input_value() == "https://["
    assert Plain.objects.count() == 0


def widths_of(page: Page, selector: str) -> tuple[float, float]:
    """Return the width of an input, and how much of it is cut off on the right."""
    box = page.locator(selector).evaluate(
        """input => [input, input.closest('.flex-container')]
        .map(each => each.getBoundingClientRect()).map(({width, right}) => [width, right])"""
    )
    (width, right), (_, edge) = box
    return float(width), max(0.0, right - edge)


@pytest.mark.parametrize("width", [360, 600, 768, 900, 1280])
def test_an_input_is_as_wide_with_text_beside_it(admin_page: Page, site: str, width: int) -> None:
    """With the current URL, with what would be stored, and with what a browser reads."""
    admin_page.set_viewport_size({"width": width, "height": 800})
    admin_page.goto(f"{site}{PLAIN}add/")
    wide, cut = widths_of(admin_page, ".field-url input")
    wide -= cut  # At 768 px, Django's own input is cut off.
    assert wide > min(width - 60, 230)

    def is_as_wide(selector: str) -> bool:
        own, own_cut = widths_of(admin_page, selector)
        return own_cut <= 12 and own == pytest.approx(wide, abs=12)

    row = Plain.objects.create(url=weburl.parse("https://example.com/" + "long/" * 60))
    issuer = Issuer.objects.create(url="https://Issuer.example")
    paths = f"{PLAIN}{row.pk}/change/", f"/admin/siteapp/issuer/{issuer.pk}/change/"
    for path, beside in zip(paths, (".url", ".url-in-a-browser"), strict=True):
        admin_page.goto(site + path)
        assert is_as_wide(f"{beside} input")
    admin_page.goto(f"{site}/admin/testapp/page/add/")
    admin_page.get_by_label("Address").fill("example.com/" + "long/" * 60)
    admin_page.get_by_role("button", name="Save", exact=True).click()
    expect(admin_page.locator(".field-url .url")).to_contain_text("Will be stored as:")
    assert is_as_wide(".field-url input")


def test_the_name_of_a_row_with_a_long_url_fits_a_phone(admin_page: Page, site: str) -> None:
    """In the headings of its pages, and in the message that it was saved."""
    admin_page.set_viewport_size({"width": 360, "height": 800})
    url = weburl.parse("https://example.com/" + "long/" * 300)
    row, titled = Plain.objects.create(url=url), Bookmark.objects.create(url=url)
    change = f"{site}/admin/testapp/bookmark/{titled.pk}/change/"
    for page in (change, f"{site}{PLAIN}{row.pk}/change/", f"{site}{PLAIN}{row.pk}/delete/"):
        admin_page.goto(page)
        assert admin_page.evaluate("document.documentElement.scrollWidth") == 360, page


def test_a_scheme_that_a_field_allows_is_stored_and_not_linked(admin_page: Page, site: str) -> None:
    """This field takes every scheme; a click runs no script all the same."""
    admin_page.goto(f"{site}{PLAIN}add/")
    admin_page.get_by_label("Url").fill("java\tscript:document.title='ran'")
    admin_page.get_by_role("button", name="Save and continue editing").click()
    assert Plain.objects.get().url is not None
    assert admin_page.locator(".field-url a").count() == 0
    admin_page.goto(f"{site}{PLAIN}")
    assert admin_page.locator("td.field-url a").count() == 0
    expect(admin_page.locator("td.field-url bdi")).to_have_count(1)


def test_the_list_is_filtered_by_host(admin_page: Page, site: str) -> None:
    """By clicks; the links of the list carry no password."""
    for url in ("https://u:secret@a.example/", "https://a.example/2", "http://b.example/"):
        Plain.objects.create(url=weburl.parse(url))
    admin_page.goto(f"{site}{PLAIN}")
    cells = admin_page.locator("td.field-url a")
    expect(cells).to_have_count(3)
    assert "secret" not in admin_page.content()
    admin_page.locator("#changelist-filter").get_by_role("link", name="a.example").click()
    expect(cells).to_have_count(2)
    admin_page.locator("#changelist-filter").get_by_role("link", name="b.example").click()
    expect(cells).to_have_count(1)
    assert cells.first.evaluate("a => a.href") == "http://b.example/"


def test_a_url_is_found_by_autocomplete(admin_page: Page, site: str) -> None:
    """A foreign key to a URL, whose text is typed in another spelling."""
    target = Bookmark.objects.create(url="https://example.com/found")
    Bookmark.objects.create(url="https://example.org/other")
    Site.objects.create(url="https://site.example/")
    admin_page.goto(f"{site}/admin/testapp/visit/add/")
    admin_page.get_by_label("Site").select_option(index=1)
    admin_page.locator(".select2-selection").first.click()
    admin_page.locator(".select2-search__field").fill("EXAMPLE.com/found")
    option = admin_page.locator(".select2-results__option").filter(has_text="example.com/found")
    option.click()
    admin_page.get_by_role("button", name="Save", exact=True).click()
    expect(admin_page.locator(".messagelist")).to_contain_text("added successfully")
    assert Visit.objects.get().bookmark == target


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("/admin/login/?x", "/admin/login/"),
        ("../login/x?y#z", "/login/x"),
        ("//evil.example/", "/home/"),
        ("/\\evil.example", "/home/"),
        ("https:evil.example", "/home/"),
        ("\thttps://evil.example/", "/home/"),
        ("javascript:document.title='ran'", "/home/"),
        ("https://evil.example\\@localhost/", "/home/"),
    ],
)
def test_a_login_goes_on_where_it_is_safe(page: Page, site: str, target: str, path: str) -> None:
    """A hostile ``next`` leads home, a good one to its place, by the real form."""
    User.objects.create_user("user", password="secret")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    log_in(page, f"{site}/login/?next={quote(target, safe='')}", "user")
    page.wait_for_url(lambda url: weburl.parse(url).path_text == path)
    assert {weburl.parse(url).origin for url in asked} <= {site, "null"}


def test_three_columns_of_urls_fit_beside_the_filters(
    admin_page: Page, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 1280 pixels, the last URL is visible without scrolling."""
    columns = ("pk", "url", "other", URLLink("other", "The same again"))
    monkeypatch.setattr(admin.site.get_model_admin(Plain), "list_display", columns)
    long = weburl.parse(f"https://a-rather-long-name.example/{'segment' * 20}")
    Plain.objects.create(url=weburl.parse("https://example.com/"))  # so that there is a filter
    Plain.objects.create(url=long, other=long)
    admin_page.set_viewport_size({"width": 1280, "height": 800})
    admin_page.goto(f"{site}{PLAIN}")
    filters = admin_page.locator("#changelist-filter").bounding_box()
    cells = [cell.bounding_box() for cell in admin_page.locator("#result_list a[rel]").all()[:3]]
    assert filters is not None
    assert len(cells) == 3
    for cell in cells:
        assert cell is not None
        assert cell["x"] + cell["width"] <= filters["x"]
        assert cell["width"] >= 100

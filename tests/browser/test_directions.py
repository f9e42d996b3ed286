"""Text from right to left, and pages from right to left, as a browser lays them out."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

import weburl
from bookmarks.models import Bookmark
from tests.django.partsapp.models import Plain

pytestmark = pytest.mark.django_db(transaction=True)

# Two labels, a segment and a value, each a word of Hebrew.
WORDS: Final = ("\u05d0\u05d1", "\u05d2\u05d3", "\u05d4\u05d5", "\u05d6\u05d7")
URL: Final = "https://{}.{}/{}?q={}".format(*WORDS)

LEFTS: Final = """(root, words) => words.map(word => {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = nodes.currentNode, at = text.data.lastIndexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    const {left, top} = range.getBoundingClientRect();
    return Math.round(left + 10_000 * Math.round(top / 10));
  }
})"""


def assert_reads(shown: Locator, *words: str) -> None:
    """Check that words are one after the other, from left to right."""
    places = shown.evaluate(LEFTS, list(words))
    assert None not in places
    assert places == sorted(places), shown.inner_html()


def test_the_viewer_keeps_the_order_of_the_parts(page: Page, site: str) -> None:
    """In the text that it colours, in the host, and in what people would see."""
    address = reverse("viewer", urlconf="bookmarks.urls")
    page.goto(f"{site}{address}?{urlencode({'url': URL})}")
    expect(page.locator(".browser-verdict")).to_be_visible()
    assert_reads(page.locator(".marked"), "https", *WORDS)
    assert_reads(page.locator(".rendered dd").last, "https", *WORDS)
    assert_reads(page.locator(".identity"), *WORDS[:2])


def test_the_admin_in_arabic_keeps_the_order_of_the_parts(admin_page: Page, site: str) -> None:
    """In its list and in its filters, beside a count too."""
    for text in (URL, "https://[2001:db8::1]:8443/"):
        Bookmark.objects.create(url=weburl.parse(text))
    admin_page.set_extra_http_headers({"Accept-Language": "ar"})
    admin_page.goto(f"{site}/shelf-admin/bookmarks/bookmark/?_facets=True")
    assert admin_page.locator("html").get_attribute("dir") == "rtl"
    assert_reads(admin_page.locator("#result_list tbody tr").last, "https", *WORDS)
    hosts = admin_page.locator("#changelist-filter li")
    assert_reads(hosts.filter(has_text=WORDS[0]), *WORDS[:2])
    assert_reads(hosts.filter(has_text="2001"), "[", "2001", "db8", "1]")


def test_english_in_an_arabic_form_keeps_its_order(admin_page: Page, site: str) -> None:
    """The message of an error, and what is said beside an input."""
    admin_page.set_extra_http_headers({"Accept-Language": "ar"})
    admin_page.goto(f"{site}/admin/partsapp/plain/add/")
    admin_page.locator("#id_url").fill("exa mple.com")
    admin_page.locator("[name=_save]").click()
    error = admin_page.locator(".field-url .errorlist")
    expect(error).to_contain_text("contains a space. Remove it.")
    assert_reads(error, "\u201c", "exa", "\u201d", "contains", "Remove", "it", ".")
    assert Plain.objects.count() == 0
    admin_page.goto(f"{site}/admin/testapp/page/add/")
    admin_page.locator("#id_url").fill("Example.com")
    admin_page.locator("[name=_save]").click()
    beside = admin_page.locator(".field-url .url")
    expect(beside).to_contain_text("Will be stored as:")
    assert_reads(beside, "Will", "as", "https", "example.com")

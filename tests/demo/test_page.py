"""Tests of the demo's page, which lists, searches and adds bookmarks, and trusts no URL."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import weburl
from bookmarks.forms import BookmarkForm
from bookmarks.models import Bookmark
from bookmarks.views import PAGE_SIZE
from tests.django.stored import store_text

pytestmark = pytest.mark.django_db


def add(*urls: str) -> list[Bookmark]:
    """Add a bookmark for each of ``urls``."""
    return [Bookmark.objects.create(url=weburl.parse(url)) for url in urls]


def page(client: Client, address: str = "/") -> str:
    """Return the HTML of the page at ``address``."""
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def links(html: str) -> list[str]:
    """Return the addresses of the bookmarks' links."""
    return [unescape(href) for href in re.findall(r'<a class="link" href="([^"]*)"', html)]


def test_the_page_tells_host_and_path_apart(client: Client) -> None:
    """Host, port, path, query and fragment each have their own element."""
    add("https://example.com:8443/a/b?q=1&r=2#top")
    html = page(client)
    assert '<strong class="url-registrable-domain">example.com</strong>' in html
    assert '<span class="url-port">:8443</span>' in html
    assert '<span class="url-path">/a/b</span>' in html
    assert '<span class="url-query">?q=1&amp;r=2</span>' in html
    assert '<span class="url-fragment">#top</span>' in html


def test_a_link_goes_to_the_canonical_url_and_hands_on_nothing(client: Client) -> None:
    """The newest link is first, and ``rel`` gives the other page neither opener nor referrer."""
    add("https://example.com/?a=1&b=2", "http://EXAMPLE.org")
    html = page(client)
    assert links(html) == ["http://example.org/", "https://example.com/?a=1&b=2"]
    assert html.count('rel="noopener noreferrer nofollow"') == 2


def test_only_http_and_https_are_ever_links(client: Client) -> None:
    """Other URLs, which were stored without the form, are shown as text."""
    add("javascript:alert(1)", "data:text/html,hello", "ftp://example.com/", "https://example.com/")
    html = page(client)
    assert links(html) == ["https://example.com/"]
    assert not re.search(r'(href|src|action)="\s*(javascript|data:text|ftp)', html)
    assert "alert(1)" in html


def test_a_row_that_does_not_parse_is_shown_as_text(client: Client) -> None:
    """Another program may have written to the table."""
    (bookmark,) = add("https://example.com/")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE bookmarks_bookmark SET url = %s WHERE id = %s",
            ["https://exa mple.com/<script>alert(1)</script>", bookmark.pk],
        )
    html = page(client)
    assert links(html) == []
    assert "<script" not in html
    assert 'class="link"' in html


def test_the_same_page_with_another_url_is_found_again(client: Client) -> None:
    """Adding the URL shows the existing bookmark, and searching for it finds the bookmark."""
    add("https://example.com/a?id=1", "https://example.com/b")
    other = "http://www.example.com/a/?utm_source=mail&id=1"
    response = client.post("/", {"url": other})
    text = unescape(response.content.decode())
    assert "You have this page already: https://example.com/a?id=1" in text
    (seen,) = re.findall(r'<a href="([^"]+)">See it</a>', text)
    assert links(page(client, seen)) == ["https://example.com/a?id=1"]
    assert Bookmark.objects.count() == 2
    found = page(client, f"/?q={quote(other)}")
    assert links(found) == ["https://example.com/a?id=1"]
    assert client.post("/", {"url": "https://example.com/a?id=2"}).status_code == 302


def test_a_host_is_shown_in_its_own_script(client: Client) -> None:
    """Only if no other host looks the same."""
    add("https://bücher.example/", "https://plain.example/", "https://xn--80ak6aa92e.com/")
    html = page(client)
    hosts = re.findall(r'<strong class="url-registrable-domain">(.*?)</strong>', html)
    assert hosts == ["xn--80ak6aa92e.com", "plain.example", "bücher.example"]


def test_a_password_is_not_shown(client: Client) -> None:
    """The page says that there are credentials, but neither prints them nor links to them."""
    _url, broken = add("https://alice:s3cret@example.com/", "https://row.example/")
    store_text(broken, "https://alice:s3cret@exa mple.com/")
    html = page(client)
    assert "not a URL" in html
    assert "contains a username or password" in html
    assert "s3cret" not in html
    assert "alice" not in html


def test_adding_a_link_stores_it_canonically_and_says_so(client: Client) -> None:
    """The page redirects, so that reloading it adds nothing."""
    response = client.post("/", {"url": " HTTP://Bücher.example:80/a/../b "}, follow=True)
    assert [address for address, _ in response.redirect_chain] == [
        f"/?added={Bookmark.objects.get().pk}"
    ]
    assert Bookmark.objects.get().url.href == "http://xn--bcher-kva.example/b"
    html = response.content.decode()
    assert "Stored as" in html
    assert links(html) == ["http://xn--bcher-kva.example/b"] * 2


def test_adding_another_spelling_of_a_stored_link_is_refused_in_words(client: Client) -> None:
    """The field is unique, and both spellings are stored as the same text."""
    add("https://example.com/")
    response = client.post("/", {"url": "HTTPS://EXAMPLE.com:443/a/.."})
    assert "This page is already on the shelf" in response.content.decode()
    assert Bookmark.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://",
        "https://example.com:99999/",
        "javascript:alert(1)",
        "https://exa mple.com/",
        "https://[::1/",
        "https://example.com/" + "a" * 3000,
    ],
)
def test_a_link_that_is_refused_is_answered_with_the_fields_own_words(
    client: Client, text: str
) -> None:
    """The page shows the field's error, and nothing is stored."""
    form = BookmarkForm({"url": text})
    assert form.errors["url"]
    html = client.post("/", {"url": text}).content.decode()
    for message in form.errors["url"]:
        assert str(message) in unescape(html)
    assert not Bookmark.objects.exists()


def test_what_was_typed_is_escaped(client: Client) -> None:
    """It appears in the field, in the error and in the search."""
    attack = '"><script>alert(1)</script>'
    assert "<script" not in client.post("/", {"url": f"https://{attack}"}).content.decode()
    assert "<script" not in page(client, "/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")


def test_the_search_lists_what_matches(client: Client) -> None:
    """The page says how many bookmarks match."""
    add("https://bücher.example/", "https://example.com/", "https://example.com/2")
    html = page(client, "/?q=BÜCHER")
    assert links(html) == ["https://xn--bcher-kva.example/"]
    assert "1 bookmark matches" in " ".join(html.split())
    assert "2 bookmarks match " in " ".join(page(client, "/?q=example.com").split())


@pytest.mark.parametrize(
    "query",
    ["q=%00", "q=" + "a" * 5000, "q=%FF%FE", "page=x", "page=-1", "page=999", "added=x", "added=²",
     "added=99999999999999999999999", "added=9999", "q[]=1", "%", "q=%25%5F"],
)  # fmt: skip
def test_no_address_breaks_the_page(client: Client, query: str) -> None:
    """Any query string gives the page."""
    add("https://example.com/")
    page(client, f"/?{query}")


def test_many_bookmarks_come_in_pages_that_keep_the_search(client: Client) -> None:
    """Each page has its share, and the links to other pages contain the searched words."""
    Bookmark.objects.bulk_create(
        Bookmark(url=weburl.parse(f"https://example.com/a&b/{number}"))
        for number in range(2 * PAGE_SIZE + 1)
    )
    html = page(client, "/?q=a%26b")
    assert len(links(html)) == PAGE_SIZE
    assert '<a href="?q=a%26b&amp;page=3">3</a>' in html
    assert links(page(client, "/?q=a%26b&page=3")) == ["https://example.com/a&b/0"]


def test_the_page_costs_two_queries(client: Client) -> None:
    """One query counts the rows and one reads them, however many there are."""
    add(*(f"https://example.com/{number}" for number in range(30)))
    with CaptureQueriesContext(connection) as queries:
        page(client, "/?q=example")
    assert len(queries) == 2


def test_a_post_without_the_forms_token_is_refused() -> None:
    """CSRF protection is on, and the form contains the token."""
    client = Client(enforce_csrf_checks=True)
    assert client.post("/", {"url": "https://example.com/"}).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page(client))
    assert token is not None
    data = {"url": "https://example.com/", "csrfmiddlewaretoken": token[1]}
    assert client.post("/", data).status_code == 302


def test_the_page_asks_nothing_of_other_sites(client: Client) -> None:
    """It loads no script, style, font or image from elsewhere, so it works without a network."""
    html = page(client)
    assert "<script" not in html
    assert not re.search(r'(src|href|url\()\s*=?\s*["\']?(https?:)?//', html)

"""What we let through is tried in the browser: it stays on an allowed site, and runs no script.

Chromium leaves the standard in some ways (`rules`), so that it is no proof that the standard's
parser finds a target safe.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final
from urllib.parse import quote

import pytest
from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.encoding import iri_to_uri
from playwright.sync_api import Page, Route

import weburl
from django_whatwg_url.links import link, linked_href
from django_whatwg_url.redirects import safe_redirect_url
from tests.browser.inputs import made_up
from tests.django.redirect_targets import OTHER_SITE, OWN_SITE, generated
from weburl import URLPolicy, URLRecord

COUNT: Final = int(os.environ.get("WEBURL_BROWSER_TARGETS", "4000"))
_FETCH: Final = """targets => Promise.all(targets.map(async target => {
  try {
    const shown = await fetch('/away/?to=' + target);
    return [shown.url, shown.redirected];
  } catch (error) {
    return [String(error), false];
  }
}))"""
_RESOLVE: Final = """hrefs => hrefs.map(href => {
  const a = document.createElement('a');
  a.setAttribute('href', href);
  return [a.protocol, a.hostname, a.host, a.username + a.password, a.href];
})"""
_READ_HTML: Final = """pages => pages.map(html => {
  const box = document.createElement('div');
  box.innerHTML = html;
  return [[...box.querySelectorAll('*')].map(element => element.localName),
    [...box.querySelectorAll('[href]')].map(a => [a.protocol, a.host, a.username + a.password])];
})"""
_SCRIPTS: Final = (
    "javascript:ran()", "JavaScript:ran()", "java\tscript:ran()", " \x01javascript:ran()",
    "javascript\n:ran()", "javascript://example.com/%0Aran()",
    "data:text/html,<script>ran()</script>",
    "vbscript:ran()", "blob:https://example.com/1", "filesystem:http://h/temporary/x",
    "javascript:https://example.com/", "//javascript:ran()", "https:javascript:ran()",
    "\u2028javascript:ran()", "&#106;avascript:ran()", "j%61vascript:ran()",
    "view-source:javascript:ran()", "about:blank", "feed:javascript:ran()",
    "javascript&colon;ran()",
)  # fmt: skip


def hostile(own: str) -> Iterator[str]:
    """Yield texts that want to lead away from ``own``, a host with its port, or to run a script."""
    fixed = chain(OTHER_SITE, (target for target, _ in OWN_SITE), _SCRIPTS)
    targets = chain(fixed, generated(COUNT, 5), (case.input for case in made_up(COUNT, 5)))
    for text in targets:
        yield text
        if "example.com" in text:
            yield text.replace("example.com", own)


def request(origin: str, **more: Any) -> HttpRequest:
    """Return a request for a page of an origin."""
    url = weburl.parse(origin)
    host = f"{url.host}:{url.port}" if url.port is not None else str(url.host)
    return RequestFactory().get("/a/b?q", headers={"host": host}, secure=url.scheme == "https")


def as_query(text: str) -> str:
    """Return a text for a query, which holds no lone surrogate."""
    return quote(text, safe="")


@pytest.mark.django_db(transaction=True)
def test_a_location_leads_where_the_record_says(page: Page, site: str) -> None:
    """The browser follows the header of each target that is let through, and stays."""
    page.goto(f"{site}/home/")
    host = site.partition("//")[2]
    targets, expected = [], []
    for text in dict.fromkeys(hostile(host)):
        if any("\ud800" <= character <= "\udfff" for character in text):
            continue
        url = safe_redirect_url(page_request(site, text), text)
        # By https, too, in which the test's server has nothing to say; and to the page itself.
        if url is not None and url.scheme == "http" and not url.path_text.startswith("/away/"):
            targets.append(as_query(text))
            expected.append(url)
    assert len(targets) > COUNT / 20
    for start in range(0, len(targets), 100):
        found = page.evaluate(_FETCH, targets[start : start + 100])
        for (shown, redirected), url in zip(found, expected[start : start + 100], strict=True):
            assert redirected, (shown, url)
            assert weburl.parse(shown).origin == site
            assert weburl.parse(shown).with_fragment(None) == as_sent(url)


def page_request(site: str, text: str) -> HttpRequest:
    """Return the request in which the view sees a target."""
    url = weburl.parse(site)
    return RequestFactory().get(
        f"/away/?to={as_query(text)}", headers={"host": f"{url.host}:{url.port}"}
    )


def as_sent(url: URLRecord) -> URLRecord:
    """Return a URL as Django writes it into the header, in ASCII, without its fragment."""
    return weburl.parse(iri_to_uri(url.href)).with_fragment(None)


@pytest.mark.parametrize("origin", ["https://example.com", "http://example.com:8000"])
def test_a_redirect_stays_on_the_site_as_an_href(page: Page, origin: str, settings: Any) -> None:
    """The href of each record that is let through, as the browser resolves it."""
    settings.ALLOWED_HOSTS = ["*"]
    own = origin.partition("//")[2]
    found = [safe_redirect_url(request(origin), text) for text in hostile(own)]
    let_through = [url for url in found if url is not None]
    assert len(let_through) > COUNT / 20
    hosts = {own, own.partition(":")[0]} if ":" not in own else {own}
    for protocol, _, host, credentials, href in page.evaluate(
        _RESOLVE, [url.href for url in let_through]
    ):
        assert protocol in {"http:", "https:"}, href
        assert host in hosts, href
        assert credentials == "", href


POLICIES: Final = {
    "public link": URLPolicy.public_link(),
    "own sites": URLPolicy.own_sites("example.com", "*.example.com"),
    "image": URLPolicy.image(),
    "webhook": URLPolicy.webhook(),
}


@pytest.mark.parametrize("name", POLICIES)
def test_what_a_policy_allows_is_that_for_the_browser_too(page: Page, name: str) -> None:
    """Scheme, host and credentials of each href, as the browser resolves it."""
    policy = POLICIES[name]
    texts = filter(weburl.can_parse, hostile("www.example.com"))
    records = [record for record in map(weburl.parse, texts) if policy.allows(record)]
    assert len(records) > COUNT / 50
    answers = page.evaluate(_RESOLVE, [record.href for record in records])
    for (protocol, hostname, _, credentials, href), record in zip(answers, records, strict=True):
        assert protocol == f"{record.scheme}:" in {"http:", "https:"}, href
        assert hostname == str(record.host).replace("*", "%2A"), href
        assert credentials == "", href
        if name == "own sites":
            assert hostname == "example.com" or hostname.endswith(".example.com"), href


def test_html_that_shows_a_url_holds_links_to_sites_and_nothing_else(page: Page) -> None:
    """The link of the admin, the filters of templates, and `render_html`."""
    template = Template(
        '{% load whatwg_url %}<a href="{{ u|url_href }}">{{ u|url_display_html }}</a>'
    )
    pages: list[str] = []
    for text in dict.fromkeys(hostile("www.example.com")):
        record = weburl.parse(text) if weburl.can_parse(text) else None
        rendered = str(template.render(Context({"u": text})))
        if record is None or not linked_href(record):
            rendered = rendered.replace('<a href="">', "<a>")
        pages.append(rendered)
        if record is not None:
            pages += [link(record), str(weburl.render_html(record))]
    assert len(pages) > COUNT
    count = 0
    for elements, links in page.evaluate(
        _READ_HTML, [text.encode("utf-8", "replace").decode() for text in pages]
    ):
        assert set(elements) <= {"a", "bdi", "span", "b", "strong", "wbr"}
        for protocol, host, credentials in links:
            count += 1
            assert protocol in {"http:", "https:"}
            assert host != "" and credentials == ""
    assert count > COUNT / 20


def clicked(page: Page, hrefs: list[str]) -> tuple[list[str], int]:
    """Return the hosts and schemes that clicks asked for, and how many scripts ran."""
    asked: list[str] = []
    runs: list[str] = []
    context = page.context
    context.expose_function("ran", lambda: runs.append("ran"))

    def answer(route: Route) -> None:
        if route.request.is_navigation_request():
            asked.append(route.request.url)
        route.fulfill(content_type="text/html", body="<!doctype html><title>page</title>")

    context.route("**/*", answer)
    for href in hrefs:
        # A tab for each: whatever a click began goes on in a tab that nobody uses again.
        tab = context.new_page()
        tab.goto("https://page.example/")
        asked.pop()
        before = len(asked) + len(runs)
        tab.evaluate(
            """href => { const a = document.createElement('a'); a.setAttribute('href', href);
            a.textContent = 'x'; document.body.append(a); a.click(); }""",
            href,
        )
        deadline = time.monotonic() + 10
        while len(asked) + len(runs) == before and time.monotonic() < deadline:
            tab.wait_for_timeout(20)
        tab.wait_for_timeout(50)  # for a script beside it
        tab.close()
    return asked, len(runs)


def test_a_click_on_what_is_called_safe_runs_no_script(page: Page) -> None:
    """Hrefs of `url_href` for texts that want to; a text as it is does run, so this would show."""
    texts = [text for text in hostile("www.example.com") if "script" in text.lower()][:120]
    hrefs = [linked_href(weburl.parse(text)) for text in texts if weburl.can_parse(text)]
    safe = [href for href in hrefs if href]
    assert len(hrefs) > len(safe) > 2
    asked, runs = clicked(page, safe)
    assert runs == 0
    assert all(url.startswith(("http://", "https://")) for url in asked)
    assert len(asked) == len(safe)


def test_a_click_on_a_script_is_seen(page: Page) -> None:
    """What the test before relies on."""
    _, runs = clicked(page, ["javascript:ran()", "java\tscript:ran()"])
    assert runs == 2

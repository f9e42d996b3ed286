"""Tests of `django_whatwg_url.redirects`: which targets are safe, and where they lead.

``REDIRECT_TARGETS=1000000`` says how many targets are made up and held against Django's own check.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.http import url_has_allowed_host_and_scheme
from hypothesis import given

import weburl
from django_whatwg_url.redirects import request_url, safe_redirect_url
from tests.django.redirect_rules import ONLY_DJANGO, ONLY_OURS, Case, explained, is_safe
from tests.django.redirect_targets import OTHER_SITE, OWN_SITE, generated
from tests.strategies import url_texts
from weburl import URLPolicy

HOSTS = ("example.com", "example.com:8000", "127.0.0.1", "example.com:443")


@pytest.fixture(autouse=True)
def _any_host(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]


def request(host: str = "example.com", scheme: str = "https", path: str = "/a/b?q") -> HttpRequest:
    """Return a request, as a server gets it."""
    return RequestFactory().get(path, secure=scheme == "https", headers={"host": host})


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("target", OTHER_SITE)
def test_no_known_bypass_leaves_the_site(target: str, scheme: str) -> None:
    """The scheme that the server sees does not matter."""
    assert safe_redirect_url(request(scheme=scheme), target) is None


@pytest.mark.parametrize(("target", "href"), OWN_SITE)
def test_a_target_on_the_site_gives_the_record(target: str, href: str) -> None:
    """In any spelling; its href is what the browser is sent to."""
    found = safe_redirect_url(request(), target)
    assert found is not None
    assert found.href == href


def test_the_tables_have_not_shrunk() -> None:
    """How many there are."""
    assert (len(OTHER_SITE), len(OWN_SITE)) == (122, 34)


@pytest.mark.parametrize("target", [None, 5, b"/next", ["/next"]])
def test_what_is_no_text_is_nowhere(target: Any) -> None:
    """`request.GET.get` gives None where there is no parameter."""
    assert safe_redirect_url(request(), target) is None


def test_a_target_behind_a_proxy_that_ends_tls_is_read_from_both_sides() -> None:
    """It may be a path to the server and another site to the browser, or vice versa."""
    for target in ("http:evil.example", "https:evil.example", "http:/evil.example"):
        for scheme in ("http", "https"):
            assert safe_redirect_url(request(scheme=scheme), target) is None


def test_a_request_by_https_is_not_sent_to_http() -> None:
    """A request by http may be sent to either."""
    for target in ("http://example.com/", "http://example.com:80/x"):
        assert safe_redirect_url(request(), target) is None
        assert safe_redirect_url(request(scheme="http"), target) is not None
    assert safe_redirect_url(request(scheme="http"), "https://example.com/") is not None


@pytest.mark.parametrize(
    ("host", "scheme", "target", "allowed"),
    [
        ("example.com:8000", "http", "http://example.com:8000/x", True),
        ("example.com:8000", "http", "http://EXAMPLE.com:08000/x", True),
        ("example.com:8000", "http", "https://example.com:8000/x", True),
        ("example.com:8000", "http", "http://example.com/x", False),
        ("example.com:8000", "https", "https://example.com/x", False),
        ("example.com:80", "http", "http://example.com/x", True),
        ("example.com:443", "https", "https://example.com/x", True),
        ("example.com:443", "http", "https://example.com/x", True),
        ("EXAMPLE.com", "https", "https://example.com/x", True),
        ("[::1]:8000", "http", "http://[0:0::1]:8000/x", True),
        ("127.0.0.1", "http", "http://0x7f.1/", True),
    ],
)
def test_the_port_counts(host: str, scheme: str, target: str, allowed: bool) -> None:
    """One's own port, in any spelling, or the default port of either scheme."""
    assert (safe_redirect_url(request(host, scheme), target) is not None) is allowed


def test_a_default_port_without_a_scheme_is_another_port_to_a_page_of_the_other_scheme() -> None:
    """The answer has to hold for both."""
    for scheme in ("http", "https"):
        assert safe_redirect_url(request(scheme=scheme), "//example.com:443/x") is None
        assert safe_redirect_url(request(scheme=scheme), "//example.com:80/x") is None


def test_a_policy_names_other_places() -> None:
    """Besides the site itself; what holds for all holds there too."""
    policy = URLPolicy.own_sites("*.example.com", "shop.example")
    for target, allowed in (
        ("/next", True),
        ("https://www.example.com/", True),
        ("https://shop.example/", True),
        ("//shop.example/", True),
        ("https://shop.example.evil.example/", False),
        ("https://user@shop.example/", False),
        ("http://shop.example/", False),
        ("https:shop.example", False),
        ("https://shop.example./", False),
        ('https://a"b.example.com/', False),
        ("https://a!b.example.com/", False),
        ("javascript://www.example.com/%0aalert(1)", False),
    ):
        assert (safe_redirect_url(request(), target, policy=policy) is not None) is allowed, target


def test_a_policy_that_allows_everything_does_not_allow_scripts() -> None:
    """Only http and https are ever redirected to."""
    for target in ("javascript:alert(1)", "data:,x", "blob:https://example.com/1", "ftp://h/"):
        assert safe_redirect_url(request(), target, policy=URLPolicy()) is None
    assert safe_redirect_url(request(), "https://evil.example/", policy=URLPolicy()) is not None


def test_the_url_of_a_request_is_a_record() -> None:
    """It has the path and the query that the browser sent."""
    assert request_url(request(path="/ä/?q=%C3%B6")).href == "https://example.com/%C3%A4/?q=%C3%B6"
    assert request_url(request("EXAMPLE.com:443")).href == "https://example.com/a/b?q"
    assert request_url(request(path="//evil.example/x")).host == weburl.Domain("example.com")


@pytest.mark.parametrize("host", ["1.2.3.4.5", "a..b:99999", "[::g]", "256.256.256.256"])
def test_a_host_that_no_url_has_is_disallowed(host: str) -> None:
    """Django answers it with 400."""
    with pytest.raises(DisallowedHost):
        request_url(request(host))
    with pytest.raises(DisallowedHost):
        safe_redirect_url(request(host), "/next")


def test_a_host_that_is_not_allowed_is_disallowed(settings: Any) -> None:
    """Django does the same everywhere."""
    settings.ALLOWED_HOSTS = ["example.org"]
    with pytest.raises(DisallowedHost):
        safe_redirect_url(request(), "/next")


@given(url_texts)
def test_whatever_is_allowed_stays_on_the_site_by_the_literal_state_machine(text: str) -> None:
    """The page has either scheme. Django accepts the href, or its port is the default."""
    for host in HOSTS:
        for scheme in ("http", "https"):
            found = safe_redirect_url(request(host, scheme), text)
            if found is not None:
                assert is_safe(Case(text, host, scheme))
                assert HttpResponse(headers={"Location": found.href})["Location"] == found.href


def differences(count: int, seed: int) -> tuple[Counter[str], list[tuple[Case, bool]], int]:
    """Return how often each rule explained, what none explained, and how much was allowed."""
    rules: Counter[str] = Counter()
    unexplained = []
    allowed = 0
    requests = {(h, s): request(h, s) for h in HOSTS for s in ("http", "https")}
    cases = list(requests)
    for number, target in enumerate(generated(count, seed)):
        host, scheme = cases[number % len(cases)]
        ours = safe_redirect_url(requests[host, scheme], target) is not None
        djangos = url_has_allowed_host_and_scheme(target, {host}, require_https=scheme == "https")
        allowed += ours
        if ours != djangos:
            rule = explained(Case(target, host, scheme), ours, djangos)
            if rule is None:
                unexplained.append((Case(target, host, scheme), ours))
            else:
                rules[rule] += 1
    return rules, unexplained, allowed


def test_every_difference_to_djangos_own_check_is_explained() -> None:
    """Each has a named rule. Each rule is needed, and neither check refuses everything."""
    count = int(os.environ.get("REDIRECT_TARGETS") or 40_000)
    rules, unexplained, allowed = differences(count, seed=2026)
    assert unexplained == []
    assert set(rules) == {rule.__name__ for rule in (*ONLY_DJANGO, *ONLY_OURS)}
    assert count // 10 < allowed < count


@pytest.mark.parametrize("target", [*OTHER_SITE, *(target for target, _href in OWN_SITE)])
def test_every_difference_over_the_tables_is_explained(target: str) -> None:
    """The same rules, on what people wrote."""
    for scheme in ("http", "https"):
        ours = safe_redirect_url(request(scheme=scheme), target) is not None
        djangos = url_has_allowed_host_and_scheme(
            target, {"example.com"}, require_https=scheme == "https"
        )
        if ours != djangos:
            assert explained(Case(target, "example.com", scheme), ours, djangos)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("/next?a#b", "/next?a#b"),
        ("next", "/a/next"),
        ("?page=2", "/a/b?page=2"),
        ("", None),
        ("https://EXAMPLE.com:443", "/"),
        ("https://example.com//evil.example/", "/.//evil.example/"),
        ("/.//evil.example", "/.//evil.example"),
        ("https://other.example/x", "https://other.example/x"),
        ("//evil.example", None),
    ],
)
def test_a_relative_result_begins_with_one_slash(target: str, text: str | None) -> None:
    """On whatever page it is read. Other places keep their whole URL."""
    policy = URLPolicy.own_sites("other.example")
    found = safe_redirect_url(request(), target, policy=policy, relative=True)
    assert (None if found is None else str(found)) == text
    absolute = safe_redirect_url(request(), target, policy=policy)
    if found is not None:
        assert weburl.parse(str(found), "https://example.com/else/where?x") == absolute


@pytest.mark.parametrize("start", [" ", "\t", "\n", "\r", " \t\r\n "])
def test_what_browsers_remove_at_the_start_does_not_matter(start: str) -> None:
    """Any other invisible character does."""
    found = safe_redirect_url(request(), f"{start}/x")
    assert found is not None
    assert found.href == "https://example.com/x"
    for invisible in ("\0", "\x0c", "\xa0", "\u200b", "\ufeff", "\u202e"):
        assert safe_redirect_url(request(), f"{start}{invisible}/x") is None

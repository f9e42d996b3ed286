"""What a Content Security Policy says of base URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl.html import Document, document_base_url, set_frozen_base_url
from weburl.html.content_security_policy import is_base_allowed, policies_in_header

PAGE = "http://e.com/d/p"


def allows(sources: str, base: str, page: str = PAGE) -> bool:
    """Return whether "base-uri" with ``sources`` allows ``base``."""
    policy = f"base-uri {sources}"
    return is_base_allowed(weburl.parse(base), [policy], weburl.parse(page))


@pytest.mark.parametrize(
    ("sources", "allowed", "forbidden"),
    [
        ("", [], ["http://e.com/", "https://h/"]),
        ("'none'", [], ["http://e.com/"]),
        ("'NONE' https://h", ["https://h/"], ["http://e.com/"]),
        ("*", ["http://h/", "https://h/"], ["ftp://h/", "mailto:x", "ws://h/"]),
        ("https:", ["https://h/"], ["http://h/", "wss://h/"]),
        ("HTTP:", ["http://h/", "https://h/"], ["ws://h/", "ftp://h/"]),
        ("ws:", ["ws://h/", "wss://h/", "http://h/", "https://h/"], ["ftp://h/"]),
        ("wss:", ["wss://h/", "https://h/"], ["ws://h/", "http://h/"]),
        ("foo:", ["foo:x", "foo://h/"], ["http://h/"]),
        ("h.com", ["http://h.com/", "https://h.com/a/b?c"], ["http://a.h.com/", "ftp://h.com/"]),
        ("H.com", ["http://h.com/"], ["http://h.com:8080/"]),
        ("*.h.com", ["http://a.h.com/", "http://a.b.h.com/"], ["http://h.com/", "http://ah.com/"]),
        ("https://h.com", ["https://h.com/"], ["http://h.com/"]),
        ("https://*", ["https://h/"], ["http://h/", "https://1.2.3.4/"]),
        ("h.com:80", ["http://h.com/"], ["http://h.com:81/", "https://h.com/"]),
        ("h.com:0443", ["https://h.com/", "http://h.com:443/"], ["http://h.com/"]),
        ("h.com:*", ["http://h.com:81/", "https://h.com/"], ["http://i.com/"]),
        ("h.com/", ["http://h.com/", "http://h.com/a"], []),
        ("h.com/a", ["http://h.com/a", "http://h.com/%61?q"], ["http://h.com/a/", "http://h.com/"]),
        ("h.com/a/", ["http://h.com/a/", "http://h.com/a/b/c"], ["http://h.com/a", "http://h.com/b/a/"]),
        ("h.com/%41", ["http://h.com/A"], ["http://h.com/a"]),
        ("1.2.3.4", [], ["http://1.2.3.4/"]),
        ("'self'", ["http://e.com/x", "https://e.com/", "ws://e.com/", "wss://e.com/"],
         ["http://e.com:81/", "http://a.e.com/", "ftp://e.com/", "foo://e.com/"]),
        ("'unsafe-inline' h_h ][", [], ["http://e.com/"]),
        ("'none' \u00e9", ["http://e.com/"], []),
    ],
)  # fmt: skip
def test_a_source_allows_what_it_matches(
    sources: str, allowed: list[str], forbidden: list[str]
) -> None:
    """Each of its parts, where it has them, with upgrades to secure schemes."""
    assert [base for base in allowed if not allows(sources, base)] == []
    assert [base for base in forbidden if allows(sources, base)] == []


def test_a_source_without_a_scheme_has_the_pages() -> None:
    """An https page allows no http, and a page without an origin of its own allows nothing."""
    assert not allows("h.com", "http://h.com/", "https://e.com/")
    assert not allows("'self'", "http://e.com/", "https://e.com/")
    assert not allows("h.com", "http://h.com/", "file:///x")
    assert not allows("'self'", "file:///x", "file:///x")
    assert allows("*", "ftp://h/", "ftp://e.com/")
    assert allows("'self'", "https://e.com:8/", "https://e.com:8/")


def test_only_the_first_directive_of_that_name_counts() -> None:
    """In each policy, and each policy has to allow a base URL."""
    base, page = weburl.parse("http://h/"), weburl.parse(PAGE)
    assert is_base_allowed(base, [], page)
    assert is_base_allowed(base, ["img-src 'none'", ""], page)
    assert is_base_allowed(base, ["base-uri\t*\n; base-uri 'none'"], page)
    assert not is_base_allowed(base, [" ; Base-URI 'none'; base-uri *"], page)
    assert not is_base_allowed(base, ["base-uri *", "base-uri 'none'"], page)
    assert is_base_allowed(base, ["base-uri 'none' \u00e9"], page)


def test_a_header_lists_policies() -> None:
    """Commas are between them."""
    assert policies_in_header("a b, c;d,,\t") == ("a b", "c;d")
    assert policies_in_header("") == ()


def test_a_document_takes_policies_for_its_base_url() -> None:
    """What they forbid comes to the fallback base URL."""
    document = Document(PAGE, content_security_policies=["base-uri 'self'"])
    assert document_base_url(set_frozen_base_url(document, "/x/")).href == "http://e.com/x/"
    assert document_base_url(set_frozen_base_url(document, "//h/")).href == PAGE
    blank = Document("about:blank", "utf-8", PAGE, content_security_policies="base-uri 'self'")
    assert document_base_url(set_frozen_base_url(blank, "/x/")).href == "http://e.com/x/"
    with pytest.raises(TypeError, match="must be text"):
        Document(PAGE, content_security_policies=[b"x"])  # type: ignore[list-item]


@given(
    st.lists(st.text() | st.text("base-uri 'none' * https://h.com:80/a%;,\t")),
    strategies.url_texts,
)
def test_no_policy_makes_an_exception(policies: list[str], base: str) -> None:
    """Whatever is in it, and for any URL."""
    if weburl.can_parse(base):
        assert is_base_allowed(weburl.parse(base), policies, weburl.parse(PAGE)) in (True, False)


@pytest.mark.parametrize(
    "sources",
    ["a." * 300_000, "a" * 500_000 + "!", "a/" * 300_000, "*" * 500_000, "a:" + "1" * 500_000],
)
def test_a_long_policy_takes_linear_time(sources: str) -> None:
    """However far a source goes on before it turns out to be none."""
    assert not allows(sources, "http://e.com/")

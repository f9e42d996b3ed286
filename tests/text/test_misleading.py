"""Tests of links whose text names another host than they open."""

from __future__ import annotations

import pytest

import weburl
from weburl.text import MisleadingLink, misleading_links


def found(html: str) -> list[tuple[str, str]]:
    """Return what each misleading link opens, and what its text names."""
    return [
        (str(each.link.record), each.named.url.href)
        for each in misleading_links(html, "https://mail.example/inbox/")
    ]


@pytest.mark.parametrize(
    ("href", "text", "named"),
    [
        ("https://evil.com/", "https://bank.com/login", "https://bank.com/login"),
        ("https://evil.com/", "go to www.bank.com now", "https://www.bank.com/"),
        ("https://bank.com.evil.com/", "bank.com", "https://bank.com/"),
        ("https://evil.com/", "<b>bank</b>.<i>com</i>", "https://bank.com/"),
        ("https://evil.com/", "evil.com or bank.com", "https://bank.com/"),
        ("mailto:me@evil.com", "me@bank.com", "mailto:me@bank.com"),
        ("https://evil.com/", "me@bank.com", "mailto:me@bank.com"),
        ("javascript:x()", "bank.com", "https://bank.com/"),
        ("https://xn--bnk-5cd.com/", "bank.com", "https://bank.com/"),
        ("/login", "bank.com", "https://bank.com/"),
    ],
)
def test_a_link_that_opens_another_host_than_its_text_names_is_found(
    href: str, text: str, named: str
) -> None:
    """The answer names both."""
    opened = weburl.parse(href, "https://mail.example/").href
    assert found(f'<p><a href="{href}">{text}</a>') == [(opened, named)]


@pytest.mark.parametrize(
    ("href", "text"),
    [
        ("https://www.bank.com/a", "bank.com"),
        ("http://bank.com:8080/", "https://login.bank.com/x"),
        ("mailto:me@bank.com?subject=evil.com", "you@mail.bank.com"),
        ("mailto:me@bank.com", "www.bank.com"),
        ("https://evil.com/", "the bank"),
        ("https://evil.com/", "<img alt='bank.com'>"),
        ("https://[", "bank.com"),
        ("/login", "https://mail.example/"),
    ],
)
def test_other_links_are_not_found(href: str, text: str) -> None:
    """Hosts of one site are the same, and a text that names none says nothing."""
    assert found(f'<p><a href="{href}">{text}</a>') == []


def test_both_are_values_and_options_are_those_of_pages() -> None:
    """A file name is no address without ``bare``."""
    html = b'<a href="https://a.com/x">README.md</a><a href="https://a.com/">https://b.com</a>'
    first, second = misleading_links(html, "about:blank", encoding="utf-8")
    assert (first.link.text, first.named.text) == ("README.md", "README.md")
    assert list(misleading_links(html, "about:blank", bare=False)) == [second]
    assert isinstance(second, MisleadingLink)

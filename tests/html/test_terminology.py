"""HTML's terms for URLs in text, and the URLs of documents without an address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl import html

BASE = "https://example.com/"


def test_a_valid_non_empty_url_is_a_valid_url_string_with_something_in_it() -> None:
    """The empty string is a valid URL string under a base, and no more."""
    assert weburl.is_valid_url_string("", BASE)
    assert not html.is_valid_non_empty_url("", BASE)
    assert html.is_valid_non_empty_url("x", BASE)
    assert not html.is_valid_non_empty_url("x")
    assert not html.is_valid_non_empty_url(" x", BASE)
    assert html.is_valid_non_empty_url("https://h/")


def test_spaces_around_a_url_are_those_of_ascii() -> None:
    """A vertical tab, NUL and the spaces of Unicode belong to the URL, and spoil it."""
    for space in "\t\n\f\r ":
        assert html.is_valid_url_potentially_surrounded_by_spaces(f"{space}{space}x{space}", BASE)
        assert html.is_valid_non_empty_url_potentially_surrounded_by_spaces(f"{space}x", BASE)
    for space in "\x0b\x00\x1f\x85\xa0\u2028\u3000\ufeff":
        padded = f"x{space}"
        assert html.is_valid_url_potentially_surrounded_by_spaces(
            padded, BASE
        ) is weburl.is_valid_url_string(padded, BASE)
    assert not html.is_valid_url_potentially_surrounded_by_spaces("x\x0b", BASE)


def test_nothing_but_spaces_is_an_empty_url() -> None:
    """Valid under a base, unless it has to be something."""
    assert html.is_valid_url_potentially_surrounded_by_spaces(" \n", BASE)
    assert not html.is_valid_url_potentially_surrounded_by_spaces(" \n")
    assert not html.is_valid_non_empty_url_potentially_surrounded_by_spaces(" \n", BASE)


@given(
    st.one_of(strategies.url_texts, strategies.valid_url_texts),
    st.text("\t\n\f\r ", max_size=3),
    strategies.bases_or_none,
)
def test_only_what_is_around_a_url_is_forgiven(text: str, spaces: str, base: str | None) -> None:
    """All four terms, of the same text."""
    core = text.strip("\t\n\f\r ")
    padded = spaces + text + spaces
    valid = weburl.is_valid_url_string(core, base)
    assert html.is_valid_url_potentially_surrounded_by_spaces(padded, base) is valid
    assert html.is_valid_non_empty_url_potentially_surrounded_by_spaces(padded, base) is (
        valid and core != ""
    )
    assert html.is_valid_non_empty_url(core, base) is (valid and core != "")


@pytest.mark.parametrize(
    ("url", "is_blank", "is_srcdoc"),
    [
        ("about:blank", True, False),
        ("about:blank?foo#bar", True, False),
        ("ABOUT:blank?#", True, False),
        ("about:srcdoc", False, True),
        ("about:srcdoc#", False, True),
        ("about:srcdoc?", False, False),
        ("about:srcdoc?foo#bar", False, False),
        ("about:legacy-compat", False, False),
        ("about:html-kind", False, False),
        ("about:Blank", False, False),
        ("about:blank/", False, False),
        ("about:%62lank", False, False),
        ("about:/blank", False, False),
        ("about://blank", False, False),
        ("about://h/blank", False, False),
        ("about://u:p@h/blank", False, False),
        ("about://u:p@h/srcdoc", False, False),
        ("data:blank", False, False),
        ("https://about/blank", False, False),
    ],
)
def test_about_blank_and_about_srcdoc_are_told_from_other_urls(
    url: str, is_blank: bool, is_srcdoc: bool
) -> None:
    """The former with any query, the latter with none; both with any fragment."""
    record = weburl.parse(url)
    assert html.matches_about_blank(record) is is_blank
    assert html.matches_about_srcdoc(record) is is_srcdoc


@pytest.mark.parametrize(
    ("url", "is_reserved"),
    [
        ("about:legacy-compat", True),
        ("ABOUT:html-kind", True),
        ("about:srcdoc", True),
        ("about:srcdoc#", False),
        ("about:html-kind?", False),
        ("about:HTML-kind", False),
        ("about:blank", False),
        ("about:/srcdoc", False),
        ("about://srcdoc", False),
        ("data:srcdoc", False),
    ],
)
def test_three_about_urls_are_reserved(url: str, is_reserved: bool) -> None:
    """No more than their names; they are URLs like any other for the parser."""
    assert html.is_reserved_about_url(weburl.parse(url)) is is_reserved
    assert html.is_reserved_about_url(url) is is_reserved

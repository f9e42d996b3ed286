"""The URLs of documents without an address."""

from __future__ import annotations

import pytest

import weburl
from weburl import html


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

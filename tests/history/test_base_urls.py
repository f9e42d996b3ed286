"""`weburl.history.base_urls`: the draft's base URLs, and what changes of them do."""

from __future__ import annotations

from typing import Any

import pytest

from weburl.history.base_urls import (
    attribute_to_resolve_again,
    document_base_url,
    document_base_web_address,
    element_base_uri,
    element_base_web_address,
)


@pytest.mark.parametrize(
    ("arguments", "options", "base"),
    [
        (("http://h/a",), {}, "http://h/a"),
        # A blank document takes the base of its creator if it has one, and no other document does.
        (("about:blank",), {"creator_base_url": "http://h/a"}, "http://h/a"),
        (("about:blank",), {}, "about:blank"),
        (("http://i/",), {"creator_base_url": "http://h/a"}, "http://i/"),
        (("about:srcdoc",), {"container_base_url": "http://h/a"}, "http://h/a"),
        # A base element is resolved against the fallback, or ignored.
        (("http://h/a/b", "../c?\u00e9"), {"encoding": "latin1"}, "http://h/c?%E9"),
        (("http://h/a", "http://a_b/"), {}, "http://h/a"),
        (("about:blank", "c"), {"creator_base_url": "http://h/a"}, "http://h/c"),
    ],
)
def test_the_base_url_of_a_document(arguments: Any, options: Any, base: str) -> None:
    """Its address, its base element, and the document that has it."""
    assert document_base_url(*arguments, **options) == base


def test_an_elements_base_is_the_innermost_xml_base_resolved_by_the_outer_ones() -> None:
    """One that cannot be resolved is passed over."""
    assert element_base_uri("http://h/", []) == "http://h/"
    assert element_base_uri("http://h/", ["a/", "//a_b/", "b?c"]) == "http://h/a/b?c"


def test_an_elements_base_uri_has_no_fragment() -> None:
    """Neither the document's nor that of an attribute: RFC 3986, section 5.1."""
    assert element_base_uri("http://h/a#b", []) == "http://h/a"
    assert element_base_uri("http://h/a?b#c", [""]) == "http://h/a?b"
    assert element_base_uri("http://h/a#b", ["//a_b/"]) == "http://h/a"
    assert element_base_uri("http://h/", ["b#c"]) == "http://h/b"
    assert element_base_web_address("http://h/a#b", ["c#d"]) == "http://h/c"


@pytest.mark.parametrize(
    ("base_href", "by_web_addresses", "by_the_draft"),
    [
        ("http://[u]@h/", "http://g/a", "http://[u]@h/"),
        ("http://%zz/", "http://g/a", "http://g/a"),
        ("b?\u00e9", "http://g/b?%E9", "http://g/b?%E9"),
        (None, "http://g/a", "http://g/a"),
    ],
)
def test_a_base_web_address_is_resolved_by_its_own_document(
    base_href: str | None, by_web_addresses: str, by_the_draft: str
) -> None:
    """Brackets in the userinfo are no Web address, and the fallback stays."""
    found = document_base_web_address("http://g/a", base_href, encoding="latin1")
    assert found == by_web_addresses
    assert document_base_url("http://g/a", base_href, encoding="latin1") == by_the_draft


def test_a_blank_documents_base_web_address_is_its_creators() -> None:
    """There are no srcdoc documents yet."""
    base = document_base_web_address("about:blank", "c", creator_base_address="http://h/a")
    assert base == "http://h/c"
    assert document_base_web_address("about:blank") == "about:blank"
    assert element_base_web_address("http://h/", ["http://[u]@h/", "a/", "b"]) == "http://h/a/b"


@pytest.mark.parametrize(
    ("element", "creates_hyperlink", "is_shown", "attribute"),
    [
        ("a", True, True, "href"),
        ("a", True, False, None),
        ("q", False, True, "cite"),
        ("blockquote", False, True, "cite"),
        ("section", False, True, "cite"),
        ("article", False, True, "cite"),
        ("ins", False, True, "cite"),
        ("del", False, True, "cite"),
        ("q", False, False, None),
        ("img", False, True, None),
        ("a", False, True, None),
    ],
)
def test_what_a_change_of_the_base_resolves_again(
    element: str, creates_hyperlink: bool, is_shown: bool, attribute: str | None
) -> None:
    """2.6.5: only what is shown, and never an image."""
    result = attribute_to_resolve_again(
        element, creates_hyperlink=creates_hyperlink, is_shown=is_shown
    )
    assert result == attribute

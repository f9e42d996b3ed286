"""`weburl.history.web_addresses`: what is not as in the HTML5 draft, which tests the rest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from tests import strategies
from weburl.history import html5_urls
from weburl.history.errors import LegacyURLError
from weburl.history.rfc3986 import Components
from weburl.history.web_addresses import (
    is_absolute_web_address,
    is_valid_web_address,
    parse,
    resolve,
    split,
)


@pytest.mark.parametrize(
    ("address", "components"),
    [
        ("http://u p@h/a%20%zz^[b]?c d#e#f[\u00e9",
         ("http", "u p", "h", None, "/a%20%zz^[b]", "c d", "e#f[\u00e9")),
        ("//a%zz b\u00e9/", (None, None, "a%zz b\u00e9", None, "/", None, None)),
        ("http://[::1]/[", ("http", None, "[::1]", None, "/[", None, None)),
        ("//[::1]?[#]", (None, None, "[::1]", None, "", "[", "]")),
        ("foo:[a]", ("foo", None, None, None, "[a]", None, None)),
        ("a\ud800", (None, None, None, None, "a\ufffd", None, None)),
        ("\f a \n", (None, None, None, None, "a", None, None)),
    ],
)  # fmt: skip
def test_the_components_of_a_web_address(address: str, components: tuple[str | None, ...]) -> None:
    """Escaped for RFC 3986's grammar, and decoded again, once."""
    assert split(address) == Components(*components)  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["//[a]b/", "//[:8", "//a[b]/", "//u[@h/", "//a:b", "\u00e9:b"])
def test_brackets_in_an_authority_are_an_addresss(address: str) -> None:
    """They are not escaped there, so that the grammar refuses any others."""
    with pytest.raises(LegacyURLError):
        parse(address)


@given(strategies.url_texts)
def test_an_address_is_its_components(text: str) -> None:
    """What was escaped is decoded: nothing is lost but the ends."""
    try:
        components = split(text)
    except LegacyURLError:
        return
    scalar = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert str(components) == scalar.strip(" \t\n\f\r")


@given(strategies.url_texts)
def test_the_draft_reads_what_web_addresses_reads_but_lone_percent_signs_in_hosts(
    text: str,
) -> None:
    """The one is the other's grammar, widened by brackets in hosts instead."""
    try:
        components = split(text)
    except LegacyURLError:
        return
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if components.host is not None and re.search("%(?![0-9A-Fa-f]{2})", components.host):
        with pytest.raises(LegacyURLError, match="'%' is not allowed in the host"):
            html5_urls.split(text)
    else:
        assert html5_urls.split(text) == components


@pytest.mark.parametrize(
    ("address", "valid_anywhere", "valid_in_utf_8"),
    [
        ("", True, True),
        ("/\u00e9?a", True, True),
        ("/?\u00e9", False, True),
        ("a b", False, False),
        ("/\u200e", True, True),
        ("\u202e", True, True),
        ("/?\u200e", False, True),
    ],
)
def test_a_valid_web_address(address: str, valid_anywhere: bool, valid_in_utf_8: bool) -> None:
    """As the draft has it, whose tests say more."""
    assert is_valid_web_address(address, encoding="latin1") == valid_anywhere
    assert is_valid_web_address(address) == valid_in_utf_8


def test_an_absolute_web_address_resolves_to_itself() -> None:
    """And without a base."""
    assert is_absolute_web_address("http://example.com/a%20b")
    assert not is_absolute_web_address("http://example.com/a b")
    assert not is_absolute_web_address("/a")
    assert not is_absolute_web_address("http://a_b/")


def test_a_base_is_resolved_first_and_named_when_it_cannot_be() -> None:
    """It has to be absolute."""
    assert resolve("?a", "http://B\u00fccher.example/c d") == "http://xn--bcher-kva.example/c%20d?a"
    with pytest.raises(LegacyURLError, match="in the base: "):
        resolve("a", "b")


def test_a_valid_web_address_matches_the_grammar_and_no_more() -> None:
    """The draft says "valid", and an IRI with a bidirectional formatting character is not."""
    for char in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e":
        assert is_valid_web_address(f"http://h/{char}")
        assert not html5_urls.is_valid_url(f"http://h/{char}")


@pytest.mark.parametrize(
    ("address", "hostport"),
    [
        ("ldap://h:389/", "h"),
        ("rtsp://h:554/", "h"),
        ("IMAP://h:0143/", "h"),
        ("nfs://h:2049/", "h"),
        ("imap://h:144/", "h:144"),
        ("foo://h:80/", "h:80"),
    ],
)
def test_default_ports_are_those_of_each_schemes_own_document(address: str, hostport: str) -> None:
    """Not of the schemes of RFC 1738 alone."""
    assert parse(address).hostport == hostport


@pytest.mark.parametrize("address", ["news://host/g", "javascript://x/%0aalert(1)", "sip://h/"])
def test_an_authority_is_refused_where_a_rule_says_so_alone(address: str) -> None:
    """RFC 5538 has news://, and nothing defines javascript: in words that could forbid it."""
    assert resolve(address) == address
    assert html5_urls.resolve(address) == address


@pytest.mark.parametrize(
    "address",
    ["data://h/,a", "mailto://h/", "urn://h/", "tel://1/", "cid://h/", "mid://h/", "about://h/"],
)
def test_an_authority_that_the_schemes_document_has_no_place_for_is_refused(address: str) -> None:
    """As the documents' own example, data:, is."""
    with pytest.raises(LegacyURLError, match="URLs cannot have '//' and a host"):
        resolve(address)

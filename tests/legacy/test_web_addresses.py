"""`weburl.legacy.web_addresses`: what is not as in the HTML5 draft, which tests the rest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from tests import strategies
from weburl.legacy import html5_urls
from weburl.legacy.errors import LegacyURLError
from weburl.legacy.rfc3986 import Components
from weburl.legacy.web_addresses import (
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
    [("", True, True), ("/\u00e9?a", True, True), ("/?\u00e9", False, True), ("a b", False, False)],
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
    with pytest.raises(TypeError):
        resolve(b"a")  # type: ignore[arg-type]

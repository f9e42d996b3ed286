"""`weburl.parse_host` reads what the parser reads between "//" and the path."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

import weburl
from tests.strategies import valid_url_texts
from weburl import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost, URLParseError


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Bücher.EXAMPLE", Domain("xn--bcher-kva.example")),
        ("ex%41mple.com", Domain("example.com")),
        ("exa\tmple\n.com", Domain("example.com")),
        ("0x7f.1", IPv4Address(0x7F000001)),
        ("[::1]", IPv6Address(1)),
    ],
)
def test_a_host_is_read_as_in_an_https_url(text: str, host: weburl.Host) -> None:
    """It may have any spelling."""
    assert weburl.parse_host(text) == host == weburl.parse(f"https://{text}/").host


def test_an_opaque_host_is_that_of_a_scheme_that_is_not_special() -> None:
    """It keeps uppercase letters, and may be empty."""
    assert weburl.parse_host("EXAMPLE.com", is_opaque=True) == OpaqueHost("EXAMPLE.com")
    assert weburl.parse_host("", is_opaque=True) == EmptyHost()


@pytest.mark.parametrize(
    "text", ["", "a b", "example.com:80", "a/b", "a?b", "a#b", "a@b", "[::1", "\n"]
)
def test_what_is_not_a_host_raises_an_error(text: str) -> None:
    """The text may be valid as a longer part of a URL."""
    with pytest.raises(URLParseError):
        weburl.parse_host(text)


@given(valid_url_texts)
def test_every_host_is_read_back(text: str) -> None:
    """The text of a host is read as the same host, with the kind that it had."""
    # A text such as "//" needs a base of another scheme.
    assume(weburl.can_parse(text, "https://example.com/"))
    host = weburl.parse(text, "https://example.com/").host
    if host is not None:
        is_opaque = isinstance(host, OpaqueHost | EmptyHost)
        assert weburl.parse_host(str(host), is_opaque=is_opaque) == host

"""`weburl.history.url_standard_2020`, against its document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import weburl
from tests import strategies
from weburl.history.errors import LegacyURLError
from weburl.history.hosts_2020 import domain_to_ascii, parse_host, parse_ipv4
from weburl.history.url_standard_2020 import (
    Attribute,
    URLRecord2020,
    get_attribute,
    parse,
    set_attribute,
)
from weburl.standard.hosts.values import IPv4Address


def or_none(input: str, base: str | None = None, **options: str) -> URLRecord2020 | None:
    """Return the record, or None where the standard says failure."""
    try:
        return parse(input, base, **options)
    except LegacyURLError:
        return None


@pytest.mark.parametrize(
    ("input", "base", "output"),
    [
        ("https:example.org", None, "https://example.org/"),
        ("https://////example.com///", None, "https://example.com///"),
        ("https://example.com/././foo", None, "https://example.com/foo"),
        ("hello:world", "https://example.com/", "hello:world"),
        ("https:example.org", "https://example.com/", "https://example.com/example.org"),
        ("\\example\\..\\demo/.\\", "https://example.com/", "https://example.com/demo/"),
        ("example", "https://example.com/demo", "https://example.com/example"),
        ("file:///C|/demo", None, "file:///C:/demo"),
        ("..", "file:///C:/demo", "file:///C:/"),
        ("file://loc%61lhost/", None, "file:///"),
        (
            "https://user:password@example.org/",
            None,
            "https://user:password@example.org/",
        ),
        ("https://example.org/foo bar", None, "https://example.org/foo%20bar"),
        ("https://EXAMPLE.com/../x", None, "https://example.com/x"),
        ("https://ex ample.org/", None, None),
        ("example", None, None),
        ("https://example.com:demo", None, None),
        ("http://[www.example.com]/", None, None),
    ],
)
def test_the_documents_table_of_urls(input: str, base: str | None, output: str | None) -> None:
    """§4, its examples."""
    record = or_none(input, base)
    assert (None if record is None else record.href) == output


@pytest.mark.parametrize(
    ("input", "host"),
    [
        ("http://a.1/", "a.1"),
        ("http://0..0x300/", "0..0x300"),
        ("http://1.2.3.4.5/", "1.2.3.4.5"),
        ("http://09/", "09"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://0x/", "0.0.0.0"),
        ("http://256.1/", None),
        ("http://4294967296/", None),
        ("http://" + "9" * 5000 + "/", None),
        ("http://a<b>c^d|e/", "a<b>c^d|e"),
        ("http://a\x7fb/", "a\x7fb"),
        ("foo://a<b>c^d|e/", "a<b>c^d|e"),
        ("foo://a%zz/", "a%zz"),
        ("foo://a@b@c/", "c"),
        ("http://a%zz/", None),
        ("http://a%25b/", None),
        ("http://xn--a/", None),
        ("http://xn--abc-/", "abc"),
        ("http://xn--/", ""),
        ("http://\u00ad/", ""),
        ("http://xn--xn--a-/", "xn--a"),
        ("http://fa\u00df.example/", "xn--fa-hia.example"),
        ("http://[1::2:0:0:5]/", "[1::2:0:0:5]"),
        ("http://[::1/", None),
        ("http://[::g]/", None),
        ("file:a", None),
        ("file:///a", ""),
    ],
)
def test_a_host_of_2020(input: str, host: str | None) -> None:
    """None where the URL fails, but for the file URL, whose host is null."""
    record = or_none(input)
    assert (None if record is None or record.host is None else str(record.host)) == host
    assert (record is None) == (host is None and input != "file:a")


@pytest.mark.parametrize(
    ("domain", "ascii_domain"),
    [
        ("EXAMPLE", "example"),
        ("\u00c9.example", "xn--9ca.example"),
        ("XN--9CA", "xn--9ca"),
        ("xn--abc-.xn--", "abc."),
        ("a_b", "a_b"),
        ("\u05d0a", None),
        ("xn--a", None),
        ("\u00e9.xn--\u00e9", None),
        ("\U000e0001", None),
    ],
)
def test_a_domain_to_ascii_of_2020(domain: str, ascii_domain: str | None) -> None:
    """§3.3: by UTS #46 as it was, always."""
    assert domain_to_ascii(domain) == ascii_domain


@pytest.mark.parametrize(
    ("domain", "host"),
    [
        ("", ""),
        (".", "."),
        ("1.", IPv4Address(1)),
        ("1..", "1.."),
        ("0X10.07.1", IPv4Address(0x10070001)),
        ("1.2.3.4.5", "1.2.3.4.5"),
        ("a.1", "a.1"),
        ("4294967295", IPv4Address(0xFFFFFFFF)),
    ],
)
def test_a_domain_is_an_ipv4_address_or_itself_in_2020(
    domain: str, host: str | IPv4Address
) -> None:
    """§3.5: what is no number leaves the domain as it is."""
    assert parse_ipv4(domain) == host
    assert parse_host(domain or "xn--", False) == host


@pytest.mark.parametrize(
    ("input", "origin"),
    [
        ("blob:https://whatwg.org/d0360e2f-caee-469f-9a2f-87d5b0456f6f", "https://whatwg.org"),
        ("https://h:444/", "https://h:444"),
        ("https://h:443/", "https://h"),
        ("blob:ftp://h/x", "ftp://h"),
        ("blob:blob: BLOB:wss://h/x", "wss://h"),
        ("blob:blob:/https:", "null"),
        ("blob:/https:", "null"),
        ("blob:/https:b:0/x", "https://b:0"),
        ("blob://h", "null"),
        ("blob:", "null"),
        ("blob:file:///x", "null"),
        ("file:///x", "null"),
        ("foo://h/", "null"),
        ("blob:" * 100_000 + "http://h", "http://h"),
    ],
)
def test_an_origin_of_2020(input: str, origin: str) -> None:
    """A blob URL's is that of the URL in its path, whatever its scheme."""
    assert parse(input).origin == origin


def test_a_file_url_without_host_has_two_slashes_in_text() -> None:
    """§4.5, step 3."""
    assert parse("file:a").href == "file:///a"
    assert parse("foo:/.//a").href == "foo://a"


@pytest.mark.parametrize(
    ("url", "attribute", "value", "href"),
    [
        ("http://h/", "hostname", "x:8", "http://x/"),
        ("http://h/", "host", "x:8", "http://x:8/"),
        ("http://h:8/", "port", "", "http://h/"),
        ("http://h/", "username", "a:b", "http://a%3Ab@h/"),
        ("mailto:x", "username", "a", "mailto:x"),
        ("foo:/a", "pathname", "", "foo:"),
        ("http://h/", "pathname", "a^b", "http://h/a^b"),
        ("http://h/?a", "search", "", "http://h/"),
        ("http://h/", "search", "?", "http://h/?"),
        ("http://h/", "hash", "#a\0b", "http://h/#ab"),
        ("http://h/#a", "hash", "", "http://h/"),
        ("http://h/", "protocol", "foo", "http://h/"),
        ("http://h:443/", "protocol", "https", "https://h/"),
        ("file:a", "protocol", "http", "file:///a"),
    ],
)
def test_a_setter_of_2020(url: str, attribute: Attribute, value: str, href: str) -> None:
    """§6.1."""
    assert set_attribute(parse(url), attribute, value).href == href


def test_what_is_no_attribute_cannot_be_set() -> None:
    """Nor can href, which `parse` does."""
    with pytest.raises(ValueError, match="no attribute 'href'"):
        set_attribute(parse("http://h/"), "href", "http://i/")  # type: ignore[arg-type]


def test_a_repr_hides_the_password() -> None:
    """As a record of today."""
    record = parse("http://user:secret@h/")
    assert repr(record) == "URLRecord2020('http://***:***@h/')"
    assert str(record) == record.href == "http://user:secret@h/"


def test_what_cannot_be_parsed_is_refused_by_name() -> None:
    """Wrong types, unknown encodings, and bases that are no URL."""
    with pytest.raises(TypeError, match="must be text, not bytes"):
        parse(b"http://h/")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        parse("a", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be text, not int"):
        set_attribute(parse("http://h/"), "port", 80)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a value of type str"):
        set_attribute("http://h/", "port", "80")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no encoding has the label"):
        parse("http://h/", encoding="no such")
    with pytest.raises(LegacyURLError, match="in the base: there is no host"):
        parse("a", "http://")
    assert parse("a", parse("http://h/")).href == "http://h/a"


@given(strategies.valid_url_texts)
def test_valid_url_strings_without_what_changed_mean_what_they_meant(text: str) -> None:
    """But for file URLs, and for a null host before an empty first segment."""
    if text.lower().startswith("file:") or not weburl.is_valid_url_string(text):
        return
    assert parse(text).href == weburl.parse(text).href.replace(":/.//", "://", 1)


def test_records_are_equal_by_their_serialization() -> None:
    """§4.6: whatever they are made of, with the fragment or without."""
    null, empty = parse("file:a"), parse("file:///a")
    assert (null.host, empty.host) == (None, "")
    assert null == empty and hash(null) == hash(empty) and null.equals(empty)
    one, other = parse("http://h/#a"), parse("http://h/#b")
    assert one != other and not one.equals(other)
    assert one.equals(other, exclude_fragments=True)
    assert not one.equals(parse("http://h/?#a"), exclude_fragments=True)
    assert one != "http://h/#a"
    with pytest.raises(TypeError, match="compared with its like, not str"):
        one.equals("http://h/#a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "attributes"),
    [
        (
            "http://u:p@h:8/a/b?c#d",
            ("http:", "u", "p", "h:8", "h", "8", "/a/b", "?c", "#d", "http://h:8"),
        ),
        ("http://h/?#", ("http:", "", "", "h", "h", "", "/", "", "", "http://h")),
        ("mailto:a b", ("mailto:", "", "", "", "", "", "a b", "", "", "null")),
        ("foo://h", ("foo:", "", "", "h", "h", "", "", "", "", "null")),
        ("file:a", ("file:", "", "", "", "", "", "/a", "", "", "null")),
        ("blob:http://h/x", ("blob:", "", "", "", "", "", "http://h/x", "", "", "http://h")),
    ],
)
def test_a_getter_of_2020(url: str, attributes: tuple[str, ...]) -> None:
    """§6.1."""
    names: list[Any] = [
        "protocol", "username", "password", "host", "hostname", "port", "pathname", "search",
        "hash", "origin",
    ]  # fmt: skip
    record = parse(url)
    assert tuple(get_attribute(record, name) for name in names) == attributes
    assert get_attribute(record, "href") == record.href
    with pytest.raises(ValueError, match="no attribute 'searchParams'"):
        get_attribute(record, "searchParams")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a value of type str"):
        get_attribute(url, "href")  # type: ignore[arg-type]

"""`weburl.history.url_standard_2020`, against its document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import weburl
from tests import strategies
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import (
    get_attribute,
    parse,
    set_attribute,
)


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
    with pytest.raises(ValueError, match="there is no encoding with the label"):
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
    with pytest.raises(TypeError, match="compared with a record, not str"):
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

"""`weburl.history.url_standard_2024`, against its document."""

from __future__ import annotations

from typing import Any

import pytest

from weburl.history import url_standard_2020
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2024 import (
    URLRecord2024,
    parse,
    set_attribute,
)


def or_none(input: str, base: str | None = None, **options: str) -> URLRecord2024 | None:
    """Return the record, or None where the standard says failure."""
    try:
        return parse(input, base, **options)
    except LegacyURLError:
        return None


@pytest.mark.parametrize(
    ("input", "href"),
    [
        ("data:a #b", "data:a #b"),
        ("http://h/^", "http://h/^"),
        ("http://a<b/", None),
        ("http://a\x7fb/", None),
        ("foo://a^b", None),
        ("http://a.1/", None),
        ("http://xn--a/", None),
        ("http://xn--abc-/", None),
        ("https://\u00ad/", None),
        ("http://\u04c0/", None),
        ("http://\u1e9e/", "http://xn--zca/"),
        ("file:a", "file:///a"),
        ("file://h/C|/a", "file://h/C:/a"),
        ("file:////a", "file:////a"),
        ("foo:/.//a", "foo:/.//a"),
        ("http://h/#a\0b", "http://h/#a%00b"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[::1", None),
    ],
)
def test_a_url_of_2024(input: str, href: str | None) -> None:
    """Between the other two."""
    record = or_none(input)
    assert (None if record is None else record.href) == href


@pytest.mark.parametrize(
    ("input", "expected"),
    [
        ("blob:https://h/x", "https://h"),
        ("blob:http://h:80/x", "http://h"),
        ("blob:ftp://h/x", "null"),
        ("blob:blob:https://h/", "null"),
        ("blob:file:///x", "null"),
        ("blob:/https:b:0/x", "null"),
        ("blob:", "null"),
        ("ftp://h/", "ftp://h"),
        ("foo://h/", "null"),
    ],
)
def test_an_origin_of_2024(input: str, expected: str) -> None:
    """A blob URL's is that of an http or https URL in its path."""
    assert parse(input).origin == expected


@pytest.mark.parametrize(
    ("url", "attribute", "value", "href"),
    [
        ("data:a  #b", "hash", "", "data:a"),
        ("data:a  ?b#c", "hash", "", "data:a  ?b"),
        ("data:a  ?b", "search", "", "data:a"),
        ("data:a  ?b#c", "search", "", "data:a  #c"),
        ("http://h/", "hostname", "x:8", "http://h/"),
        ("foo:/a", "pathname", "", "foo:/"),
        ("http://h/", "pathname", "a^b", "http://h/a^b"),
    ],
)
def test_a_setter_of_2024(url: str, attribute: Any, value: str, href: str) -> None:
    """What takes the query and the fragment away takes the spaces with them."""
    assert set_attribute(parse(url), attribute, value).href == href


def test_records_of_two_years_are_not_mixed_up() -> None:
    """Neither as bases, nor for setters, nor by comparing."""
    old, new = url_standard_2020.parse("http://u:p@h/a"), parse("http://u:p@h/a")
    assert old.href == new.href and old != new
    assert repr(new) == "URLRecord2024('http://***:***@h/a')"
    with pytest.raises(TypeError, match="a URLRecord2024 or None"):
        parse("b", old)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a URLRecord2020 or None"):
        url_standard_2020.parse("b", new)
    with pytest.raises(TypeError, match="must be a URLRecord2024"):
        set_attribute(old, "hash", "")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="compared with its like"):
        new.equals(old)
    assert parse("b", new).href == "http://u:p@h/b"

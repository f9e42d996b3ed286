"""`weburl.history.url_standard_2020`, against its document."""

from __future__ import annotations

import pytest

from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import (
    get_attribute,
    parse,
    set_attribute,
)


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
    with pytest.raises(TypeError, match="must be text, not int"):
        set_attribute(parse("http://h/"), "port", 80)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a value of type str"):
        set_attribute("http://h/", "port", "80")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no encoding with the label"):
        parse("http://h/", encoding="no such")
    with pytest.raises(LegacyURLError, match="in the base: there is no host"):
        parse("a", "http://")
    assert parse("a", parse("http://h/")).href == "http://h/a"


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


def test_href_is_an_attribute_and_search_params_are_none() -> None:
    """§6.1, whose other getters are those of today's machine for the same record."""
    record = parse("http://u:p@h:8/a/b?c#d")
    assert get_attribute(record, "href") == record.href
    assert get_attribute(record, "origin") == "http://h:8"
    with pytest.raises(ValueError, match="no attribute 'searchParams'"):
        get_attribute(record, "searchParams")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a value of type str"):
        get_attribute(record.href, "href")  # type: ignore[arg-type]

"""Tests of `django_whatwg_url.column.values`: turning anything into a URL attribute's value."""

# Pickles of our own.

from __future__ import annotations

import enum

import pytest
from django.utils.functional import lazystr

import weburl
from django_whatwg_url.column.values import (
    UnparsableURL,
    canonical,
    text_of,
    to_url,
)
from weburl import URLRecord, parse


def test_text_that_parses_becomes_its_record() -> None:
    """Any spelling of a URL gives the one record that a browser makes of it."""
    assert to_url(" HTTP://EXAMPLE.com/a/../b\n") == parse("http://example.com/b")


def test_text_of_a_subclass_is_the_text_that_it_is_made_of() -> None:
    """A member of an enumeration prints as its name."""

    class Link(str, enum.Enum):  # noqa: UP042  # the kind that prints as its name
        HOME = "https://example.com/"
        BROKEN = "https://example.com:99999"

    assert to_url(Link.HOME) == parse("https://example.com/")
    broken = to_url(Link.BROKEN)
    assert isinstance(broken, UnparsableURL)
    assert broken == "https://example.com:99999"
    assert type(text_of(Link.HOME)) is str


@pytest.mark.parametrize("nothing", [None, ""])
def test_none_and_the_empty_string_are_none(nothing: str | None) -> None:
    """An empty string is no URL."""
    assert to_url(nothing) is None


def test_a_record_stays_the_same_object() -> None:
    """Records are immutable, so there is nothing to copy."""
    record = parse("https://example.com/")
    assert to_url(record) is record


def test_lazy_text_and_the_mutable_url_are_read_as_their_text() -> None:
    """Every value is converted with str()."""
    assert to_url(lazystr("https://example.com")) == parse("https://example.com/")
    assert to_url(weburl.URL("https://example.com")) == parse("https://example.com/")


@pytest.mark.parametrize(
    "junk", ["bad", "   ", "http://", "https://a:99999/", "\ud800", 5, b"x", []]
)
def test_what_does_not_parse_keeps_its_text_and_names_the_error(junk: object) -> None:
    """Nothing raises; the text survives unchanged, with the error beside it."""
    value = to_url(junk)
    assert isinstance(value, UnparsableURL)
    assert value == str(junk)
    assert value.error.type is not None


def test_unparsable_text_says_so_in_its_repr() -> None:
    """It does not look like a URL in a shell or a log."""
    value = to_url("https://example.com:99999/")
    assert isinstance(value, UnparsableURL)
    assert repr(value).startswith("<UnparsableURL 'https://example.com:99999/': ")
    assert value.error.reason in repr(value)


def test_unparsable_text_is_plain_text_elsewhere() -> None:
    """str(), equality, hash and formatting are the same as for the text."""
    value = to_url("bad")
    assert isinstance(value, str)
    assert str(value) == "bad" and type(str(value)) is str
    assert {value} == {"bad"}
    assert f"{value}!" == "bad!"


def test_unparsable_text_stays_what_it_is() -> None:
    """Assigning it from one instance to another parses nothing anew."""
    value = to_url("bad")
    assert to_url(value) is value


def test_a_file_url_on_localhost_becomes_what_parsing_makes_of_it() -> None:
    """The standard's protocol setter can leave a host that the parser would drop."""
    url = weburl.URL("http://localhost/x")
    url.protocol = "file"
    record = url.record
    assert record.href == "file://localhost/x"
    assert canonical(record).href == "file:///x"
    assert to_url(record) == to_url(url) == parse(record.href)


@pytest.mark.parametrize(
    "text", ["https://example.com/é?q=ü#ñ", "mailto:a@b", "file:///C|/x", "data:,a b #x", "a:/.//b"]
)
def test_other_records_are_canonical_already(text: str) -> None:
    """Parsing an href again changes nothing."""
    record: URLRecord = parse(text)
    assert canonical(record) == record == parse(record.href)

"""Records in one piece: their sizes, texts that are read from them, and changes where they are."""

from __future__ import annotations

import pickle
import struct
import sys
from typing import Any, Final

import pytest

import weburl
from tests.standard.compiled.equality import general_href
from weburl import COMPILED, URLRecord
from weburl.standard.url.value import STATE

TEXTS: Final = (
    "https://ana:secret@example.com:8080/path?query#fragment",
    "https://ana@example.com/?#",
    "https://:secret@[2001:db8::1]:1/",
    "http://1.2.3.4/a/b",
    "file:///C:/x",
    "file://host/share",
    "foo://opaque%20host:0/a?b",
    "foo://u:p@h",
    "foo:///a",
    "foo:/.//a/b?c",
    "foo:/a",
    "mailto:you@example.com?subject=x",
    "data:,",
)
"""Records whose texts have different offsets."""

CHANGES: Final = {
    "protocol": ("http", "wss:", "foo", "file"),
    "username": ("", "me", "a b" * 9),
    "password": ("", "pw", "x:@" * 9),
    "host": ("h", "h:81", "a.very.long.name.example:8080", "[::1]", "[::1]:81", "1.2.3.4", ""),
    "hostname": ("h", "a.very.long.name.example", "[::1]", "h:81", ""),
    "port": ("", "1", "65535", "443", "65536"),
    "pathname": ("", "/", "x y", "//x", "/a?b#c", "/segment" * 9),
    "search": ("", "?", "?q", "a=b&" * 9),
    "hash": ("", "#", "top", "#a b" * 9),
}
"""What each attribute of a `URL` is set to."""


def parts(record: URLRecord) -> list[Any]:
    """Return the parts of a record."""
    return [getattr(record, name) for name in STATE]


@pytest.mark.parametrize("text", TEXTS)
def test_parts_make_the_same_record(text: str) -> None:
    """So do the state of a pickle and the constructor."""
    record = weburl.parse(text)
    assert record.href == text == general_href(record)
    named = {name: getattr(record, name) for name in URLRecord.__match_args__}
    for made in (URLRecord(**named), pickle.loads(pickle.dumps(record))):
        assert parts(made) == parts(record)
        assert made.href == text
        assert made == record
        assert hash(made) == hash(record)
    joined = record.join("#f")
    assert joined == record.with_fragment("f")
    assert parts(joined) == [*parts(record)[:7], "f"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", CHANGES)
def test_a_url_changes_its_record_where_it_is(text: str, name: str) -> None:
    """The result is the same for a record that someone else refers to, which does not change."""
    for first in CHANGES[name]:
        for second in CHANGES[name]:
            url, other = weburl.URL(text), weburl.URL(text)
            setattr(url, name, first)
            seen = [other.record]
            setattr(other, name, first)
            seen.append(other.record)
            hrefs = [str(record) for record in seen]
            setattr(url, name, second)
            setattr(other, name, second)
            assert url.href == other.href == general_href(url.record)
            assert parts(url.record) == parts(other.record)
            assert parts(weburl.parse(url.href)) == parts(url.record)
            assert [str(record) for record in seen] == hrefs


@pytest.mark.parametrize("size", [65_534, 65_535, 65_536, 65_537, 200_000])
def test_long_texts(size: int) -> None:
    """The offsets of a text of 65,536 bytes need more than 16 bits."""
    text = f"https://u:p@h.example:81/{'p' * (size - 30)}?q#f"
    text = text.replace("/p", f"/{'p' * (1 + size - len(text))}", 1)
    assert len(text) == size
    record = weburl.parse(text)
    assert record.href == text
    assert record.path_text == f"/{text[25:-4]}"
    assert (record.query, record.fragment, record.port) == ("q", "f", 81)
    assert pickle.loads(pickle.dumps(record)) == record
    url = weburl.URL(text)
    for change in ("", "x", "", "longer text", "y"):
        url.hash = change
        assert weburl.parse(url.href) == url.record
        assert hash(weburl.parse(url.href)) == hash(url.record)
        assert url.record.path_text == record.path_text
        assert record.with_fragment(change or None) == url.record
    url.pathname = "/short"
    assert url.href == "https://u:p@h.example:81/short?q#y"
    url.pathname = record.path_text
    assert url.record == record.with_fragment("y")
    assert record.join("/short").href == "https://u:p@h.example:81/short"
    assert record.join("?x").path == record.path


def test_texts_that_are_kept_do_not_change() -> None:
    """A text that was read before is only used again if no one refers to it."""
    names = [f"{'n' * (number % 40)}{number}.example" for number in range(1000)]
    records = [weburl.parse(f"https://{name}/{name}?{name}#{name}") for name in names]
    kept = [(record.hostname, record.query, record.fragment, record.host) for record in records]
    for record in records:
        assert record.hostname == record.query == record.fragment == str(record.host)
        assert len({record.hostname: 1, record.query: 2}) == 1
    for name, (hostname, query, fragment, host) in zip(names, kept, strict=True):
        assert name == hostname == query == fragment == str(host)
    interned = sys.intern(weburl.parse("https://interned-name.example/").hostname)
    assert weburl.parse("https://another--name.example/").hostname == "another--name.example"
    assert interned == "interned-name.example"


@pytest.mark.skipif(not COMPILED, reason="an interpreted record refers to its parts")
def test_how_many_bytes_a_record_takes() -> None:
    """It is its text and at most 68 bytes. A record that was made in two steps takes more."""
    record = weburl.parse("https://www.example.com/a/b?c=d#e")
    assert sys.getsizeof(record) <= len(record.href) + 68
    in_two_steps = pickle.loads(pickle.dumps(record))
    assert sys.getsizeof(in_two_steps) == object.__basicsize__ + 4 * struct.calcsize("P")
    assert sys.getsizeof(weburl.URL(record).record) <= len(record.href) + 68

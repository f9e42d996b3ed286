"""Tests of links in text: Unicode's own, the exceptions, and any text."""

from __future__ import annotations

import pickle
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.text.unicode_data import NEEDS_DATA, lines, links_marked
from weburl.text import MAX_OPEN_BRACKETS, Link, find_links, split


def found(text: str, **options: Any) -> list[str]:
    """Return the texts of the links in ``text``."""
    return [link.text for link in find_links(text, **options)]


@NEEDS_DATA
def test_every_line_of_unicodes_test_passes() -> None:
    """345 lines, in many scripts."""
    tested = lines("LinkDetectionTest.txt")
    assert len(tested) == 345
    wrong = [line for line in tested if found(links_marked(line)[0]) != links_marked(line)[1]]
    assert wrong == []


def test_a_link_says_where_it_is_and_where_it_goes() -> None:
    """A link without a scheme gets one."""
    text = "See Example.com/ä, or mailto:me@example.com!"
    web, mail = find_links(text)
    assert (web.start, web.end, web.text) == (4, 17, "Example.com/ä")
    assert text[web.start : web.end] == web.text
    assert web.url == weburl.parse("https://example.com/%C3%A4")
    assert not web.has_scheme
    assert mail.url == weburl.parse("mailto:me@example.com")
    assert mail.has_scheme
    assert pickle.loads(pickle.dumps(mail)) == mail
    assert repr(mail).startswith("Link(")
    assert Link.__module__ == "weburl.text"


OPTIONS: Final[list[tuple[dict[str, Any], list[str]]]] = [
    ({}, ["http://a.com", "https://b.com", "c.com", "mailto:d@d.com", "e@e.com"]),
    ({"schemes": ["https"]}, ["https://b.com", "c.com", "e@e.com"]),
    ({"schemes": ["HTTP"]}, ["http://a.com", "c.com", "e@e.com"]),
    ({"bare": False}, ["http://a.com", "https://b.com", "mailto:d@d.com", "e@e.com"]),
    ({"emails": False}, ["http://a.com", "https://b.com", "c.com", "mailto:d@d.com"]),
    ({"schemes": [], "bare": False, "emails": False}, []),
]


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_options_choose_what_is_found(options: dict[str, Any], expected: list[str]) -> None:
    """Each kind of link can be left out."""
    text = "http://a.com https://b.com c.com mailto:d@d.com e@e.com"
    assert found(text, **options) == expected


def test_the_scheme_of_a_link_without_one_can_be_http() -> None:
    """But not another one."""
    (link,) = find_links("a.com", assume_scheme="http")
    assert link.url.href == "http://a.com/"
    with pytest.raises(ValueError, match="assume_scheme"):
        find_links("a.com", assume_scheme="mailto")
    with pytest.raises(ValueError, match="have the schemes"):
        find_links("a.com", schemes=["ftp"])
    with pytest.raises(TypeError, match="not one string"):
        find_links("a.com", schemes="https")
    with pytest.raises(TypeError, match="must be text, not bytes"):
        find_links(b"a.com")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ftp://example.com/a", []),
        ("src/main.py", []),
        ("C:\\example.com", []),
        ("http://a.com:b@c.com", []),
        ("http://me:pw@c.com/", []),
        ("Mail:me@c.com", ["me@c.com"]),
        ("http://a.com@c.com/", []),
        ("https://a.com/x\u202emoc.live", ["https://a.com/x"]),
        ("exam\u00adple.com", []),
        ("https://a\u200b.com", []),
        ("example.com/\u200dx", ["example.com/\u200dx"]),
        ("example.com:65535/a", ["example.com:65535/a"]),
        ("example.com:65536/a", []),
        ("example.com:123456", []),
        ("example.com:80a", ["example.com"]),
        ("example.com:80@b", []),
        ("see\u2026example.com", ["example.com"]),
        ("（example.com）", ["example.com"]),
        ("a\uff0ecom。com", ["a\uff0ecom。com"]),
        ("HTTPS://EXAMPLE.COM", ["HTTPS://EXAMPLE.COM"]),
        ("a.com/:~:", ["a.com/:~"]),
        ("a.com#:~:", ["a.com#:~:"]),
        ("a.com#b#c(d", ["a.com#b#c(d"]),
        ("“example.com”、‘a.com’", ["example.com", "a.com"]),
        ("", []),
        (".", []),
        (".com", []),
        ("\ud800.com a\ud800.com", []),
        ("localhost/a 192.0.2.1/b", []),
    ],
)
def test_these_are_found_and_no_others(text: str, expected: list[str]) -> None:
    """What the docstring says of text that shows another address than a browser would go to."""
    assert found(text) == expected


def test_a_link_ends_before_one_more_bracket_than_can_be_open() -> None:
    """The bound is the same in a path, a query and a fragment."""
    for start in ("a.com/", "a.com?", "a.com#"):
        allowed = start + "(" * MAX_OPEN_BRACKETS
        assert found(allowed) == [allowed]
        assert found(f"{allowed}(x") == [allowed]


def test_split_gives_text_and_links_in_turn() -> None:
    """Nothing is lost, and no text is empty."""
    pieces = list(split("a.com, b.com c"))
    assert [piece if isinstance(piece, str) else piece.text for piece in pieces] == [
        "a.com", ", ", "b.com", " c",
    ]  # fmt: skip
    assert list(split("")) == []


_PIECES: Final = (
    *("https://", "http://", "mailto:", "a.com", "ü.de", "@", ".", "/", "?", "#", "=", "&", ":~:"),
    *(":80", "(", ")", "「", "」", "\u202e", "\u00ad", "\u3002", "-", "x", "%2E", "”", "\u3000"),
)
TEXTS: Final = st.lists(
    st.one_of(st.sampled_from(_PIECES), st.text(max_size=5), st.characters()), max_size=20
).map("".join)


@given(TEXTS)
def test_links_of_any_text_are_in_order_and_go_where_they_say(text: str) -> None:
    """They do not overlap, each parses to its URL, and none has credentials."""
    at = 0
    for link in find_links(text):
        assert at <= link.start < link.end <= len(text)
        assert text[link.start : link.end] == link.text
        assert weburl.parse(link.text if link.has_scheme else _with_scheme(link)) == link.url
        assert not link.url.includes_credentials
        assert link.text.isprintable() or "\u200d" in link.text or "\u200c" in link.text
        at = link.end
    joined = "".join(p if isinstance(p, str) else p.text for p in split(text))
    assert joined == text


def _with_scheme(link: Link) -> str:
    return f"mailto:{link.text}" if link.url.scheme == "mailto" else f"https://{link.text}"


@given(TEXTS)
def test_a_link_that_is_found_is_found_alone(text: str) -> None:
    """The end of a link does not depend on what follows it."""
    for link in find_links(text):
        assert found(link.text) == [link.text]

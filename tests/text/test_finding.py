"""Tests of links in text: Unicode's own, the exceptions, and any text."""

from __future__ import annotations

import pickle
import re
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests.text.unicode_data import NEEDS_DATA, lines, links_marked
from weburl.testing import urls
from weburl.text import MAX_OPEN_BRACKETS, Link, find_links, find_readings, format_link, split


def found(text: str, **options: Any) -> list[str]:
    """Return the texts of the links in ``text``."""
    return [link.text for link in find_links(text, **options)]


@NEEDS_DATA
def test_every_line_of_unicodes_test_passes() -> None:
    """345 lines, in many scripts."""
    tested = lines("LinkDetectionTest.txt")
    assert len(tested) == 345
    marked = [links_marked(line) for line in tested]
    assert [line for line, links in marked if found(line, as_uts58=True) != links] == []
    # A quotation mark ends a link in prose: Lista_d"e_vvoce.
    assert [line for line, links in marked if found(line) != links] == [
        line for line, _ in marked if '"e_vvoce' in line
    ]


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
    with pytest.raises(TypeError, match="not int"):
        find_links("a.com", schemes=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("find", [find_links, find_readings, split])
def test_only_text_has_links_and_a_link_is_plain_text(find: Any) -> None:
    """Text of a subclass may count as safe in HTML, or print as something else."""
    for wrong in (b"a.com", None, ["a.com"]):
        with pytest.raises(TypeError, match="must be text, not"):
            find(wrong)

    class Safe(str):
        __slots__ = ()

    pieces = [*find(Safe("see a.com/x ."))]
    texts = [piece.text if isinstance(piece, Link) else piece for piece in pieces]
    assert "a.com/x" in texts
    assert {type(text) for text in texts} == {str}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ftp://example.com/a", []),
        ("src/main.py", []),
        ("C:\\example.com", []),
        ("http://a.com:b@c.com", []),
        ("http://me:pw@c.com/", []),
        ("Mail:me@c.com", ["me@c.com"]),
        ("xmpp:me@c.org sip:me@c.com matrix:u/me:c.com acct:a@b.com", []),
        ("urn:x:c.com did:web:c.com urn:x,c.com SIP:me@c.com", []),
        ("view-source:https://c.com/ a.com", ["a.com"]),
        ("sip:me@c.com,https://a.com", ["https://a.com"]),
        ("Contact:me@c.com Web:c.com", ["me@c.com", "c.com"]),
        ("Info:me@c.com News:c.com DOI:https://c.com", ["me@c.com", "c.com", "https://c.com"]),
        ("news://c.com git://c.com file://c.com/", []),
        ("Views:c.com Tws:me@c.com ws:c.com", ["c.com", "me@c.com"]),
        ("onenote:https://c.com/x view-source:https://c.com", []),
        ("<sip:me@c.com>a.com", ["a.com"]),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The whole host that is written.
        ("https://secure_bank.com/verify", ["https://secure_bank.com/verify"]),
        ("http://my_site.example.com/a", ["http://my_site.example.com/a"]),
        ("https://s3.my_bucket.amazonaws.com/k", ["https://s3.my_bucket.amazonaws.com/k"]),
        ("http://exam%70le.com/ http://a.c%6fm", ["http://exam%70le.com/", "http://a.c%6fm"]),
        *((f"http://a{sign}b.com/", [f"http://a{sign}b.com/"]) for sign in "!$&+=~_"),
        *((f"http://a{sign}b.com/", []) for sign in "',;*`|^()[]{}\u2019\uff0c\uff1b"),
        ("user@sub_domain.com a@b@c.com a@b.com_c", []),
        (
            "my_site.com _dmarc.a.com good.com_bad.com",
            ["my_site.com", "_dmarc.a.com", "good.com_bad.com"],
        ),
        ("x+a.com key=a.com !a.com a.com=b a.com&b.com", []),
        ("_a.com_ ~~a.com~~ *a.com* `a.com` a.com! a.com_", ["a.com"] * 6),
        ("https://a.com_ https://a.com! https://a.com. https://a.com!?", ["https://a.com"] * 4),
        ("https://a.com_/ https://a.com&b https://a.com:80_b.com", ["https://a.com:80"]),
        # Nothing begins in the run of another address.
        ("http://localhost/a.com http://a|b.com ftp://a.com/b@c.com", []),
        ("a.jp..?x-http://)b.org", []),
        ("file:///home/me/a.com //a.com/b.com http:a.com https:/a.com", []),
        ("http://me:pw@c.com/,d.com mailto:b.com mailto:.a@b.com,c.com", []),
        ("mailto:a@e.com,b@e.com", ["mailto:a@e.com"]),
        ("http://intra/x,https://a.com ftp://x(https://b.com", ["https://a.com", "https://b.com"]),
        ('http://intra"a.com http://intra<b.com>', ["a.com", "b.com"]),
        ("git+https://a.com/x seehttps://a.com", ["https://a.com/x", "https://a.com"]),
        (
            "https://a.com/x，b.com https://a.com，b.com",
            ["https://a.com/x", "b.com", "https://a.com"],
        ),
        # The ends of links in prose.
        ('{"url":"https://a.com/x","b":1}', ["https://a.com/x"]),
        ('"https://a.com","https://b.com/y"', ["https://a.com", "https://b.com/y"]),
        (
            'src="https://e.com/i.png"/> https://e.com/a<br>next',
            ["https://e.com/i.png", "https://e.com/a"],
        ),
        *((f"请看https://a.com/x{sign}然后", ["https://a.com/x"]) for sign in "，。、；？！：…"),
        ("请看https://a.com。然后，a.com。然后", ["https://a.com"]),
        ("见a.com。然后", ["见a.com"]),
        ("com。然后 http://a b。com。然 com。然", ["b。com"]),
        ("https://t.co/abc… https://t.co…", ["https://t.co/abc", "https://t.co"]),
        (
            "Read https://a.com/x? https://a.com?! b.com/? b.com?",
            ["https://a.com/x", "https://a.com", "b.com/", "b.com"],
        ),
        ("b.com?& b.com?#", ["b.com?&", "b.com?#"]),
        (
            "**https://e.com/a** ~~https://e.com/a~~ _https://e.com/b_c_",
            ["https://e.com/a"] * 2 + ["https://e.com/b_c"],
        ),
        (
            "'https://e.com/it's' “https://e.com/a”然后 «https://e.com/a»b",
            ["https://e.com/it's"] + ["https://e.com/a"] * 2,
        ),
        (
            "https://a.com/x,https://b.com,mailto:c@d.com",
            ["https://a.com/x", "https://b.com", "mailto:c@d.com"],
        ),
        ("[a](https://a.com)[b](https://b.com/x)", ["https://a.com", "https://b.com/x"]),
        ("mailto:a@e.com?subject=x. a@e.com?subject=x", ["mailto:a@e.com?subject=x", "a@e.com"]),
    ],
)  # fmt: skip
def test_a_link_has_the_whole_host_and_nothing_more(text: str, expected: list[str]) -> None:
    """Reports of other libraries, by their kinds."""
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "http://localhost:8000/a, http://192.0.2.1/a",
            ["http://localhost:8000/a", "http://192.0.2.1/a"],
        ),
        ("http://intranet/a. (http://[::1]:80/x)", ["http://intranet/a", "http://[::1]:80/x"]),
        ("http://me@localhost/ localhost:8000 192.0.2.1 http://", []),
    ],
)  # fmt: skip
def test_any_host_can_be_found_with_a_scheme(text: str, expected: list[str]) -> None:
    """If a caller asks for it."""
    assert found(text) == []
    assert found(text, any_host=True) == expected
    assert [
        piece.text for piece in split(text, any_host=True) if isinstance(piece, Link)
    ] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://a.com/x, a.com.", ["https://a.com/x", "https://a.com/"]),
        ("(https://a.com) 'https://a.com/'. https://a.com!", ["https://a.com/"] * 3),
        ("//evil.com/", ["https://evil.com/"]),
        ("http:/evil.com http:evil.com", ["http://evil.com/"] * 2),
        ("https://user:pw@evil.com/", ["https://user:pw@evil.com/"]),
        (
            "ftp://evil.com/ HTTPS:\\\\evil.com \\\\evil.com/a",
            ["ftp://evil.com/", "https://evil.com/", "https://evil.com/a"],
        ),
        ("https:///evil.com", ["https://evil.com/"]),
        ("http://localhost/a", ["http://localhost/a"]),
        ("https://good.com,evil.com/", ["https://good.com/", "https://good.com,evil.com/"]),
        ("https://good.com'x@evil.com/", ["https://good.com'x@evil.com/"]),
        ("x+evil.com", ["https://evil.com/"]),
        ("https://good.com/,https://me@evil.com", ["https://good.com/", "https://me@evil.com/"]),
        ("https://good.com/(https://me@evil.com", ["https://good.com/(https://me@evil.com"]),
        ("and//or he//she // x.com", ["https://x.com/"]),
        ("me@a.com", ["mailto:me@a.com"]),
        (
            "good.com/https://evil.com/ https://good.com",
            ["https://good.com/https://evil.com/", "https://good.com/", "https://evil.com/"],
        ),
        ("x-.de/https://evil.com/", ["https://x-.de/", "https://evil.com/"]),
        ("\u0661.de/https://evil.com/", ["https://evil.com/"]),
    ],
)  # fmt: skip
def test_readings_have_what_a_browser_may_open(text: str, expected: list[str]) -> None:
    """Also what is not a link."""
    assert [link.url.href for link in find_readings(text)] == expected


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


_SIGNS: Final = st.sampled_from("!$&'()*+,-./:;=?@[]^_`{|}~%|\\ \"<>\n")
ADDRESSES: Final = st.lists(
    st.one_of(
        st.sampled_from(("https://", "http://", "mailto:", "ftp://", "//", "a.com", "b.org", "@")),
        st.sampled_from(
            ("good.com", "%70", "x", "1", "localhost", "/", "?", "#", ".", ",https://")
        ),
        _SIGNS,
    ),
    max_size=14,
).map("".join)
_ENDS_RUN: Final = re.compile(r"[\s\"<>]|,(?=(?:https?://|mailto:))")
_HOST: Final = re.compile(r"https?://([^\s\"<>/?#\\',;()*\[\]`{}|^:@]*)")


@given(ADDRESSES)
def test_the_host_of_a_link_is_the_host_of_its_run(text: str) -> None:
    """As a browser reads it, from the scheme up to what ends a host in prose."""
    for link in find_links(text):
        if link.has_scheme and link.url.scheme != "mailto":
            written = _HOST.match(link.text)
            whole = _HOST.match(text, link.start)
            assert written is not None and whole is not None
            rest = whole[1].removeprefix(written[1])
            assert rest.strip(".!$&+=_~%") == "" or text[link.end : link.end + 1] == "", rest
            assert weburl.parse(f"https://{written[1]}").host == link.url.host


@given(ADDRESSES)
def test_no_link_begins_in_the_run_of_another_address(text: str) -> None:
    """What comes after a scheme, or after two slashes, has one of its own or is no link."""
    for link in find_links(text):
        begin = max((m.end() for m in _ENDS_RUN.finditer(text, 0, link.start + 1)), default=0)
        before = text[begin : link.start]
        if not link.has_scheme:
            assert "//" not in before and not before.endswith(("@", "mailto:"))
            sign = text[link.start - 1 : link.start] if link.start else ""
            assert (
                sign not in ("_", "%", "+", "=", "&", "$", "!", "~")
                or text[link.end : link.end + 1] == sign
            )
        elif "//" in before:
            assert text[link.start - 1] in ",;'()[]{}*`|"


@given(ADDRESSES, st.booleans(), st.booleans(), st.booleans())
def test_readings_include_all_links(text: str, bare: bool, emails: bool, any_host: bool) -> None:
    """A validator sees at least what a page links, whatever the options of the page."""
    readings = {(link.start, link.url) for link in find_readings(text)}
    links = find_links(text, bare=bare, emails=emails, any_host=any_host)
    assert {(link.start, link.url) for link in links} <= readings


@given(urls(schemes=["http", "https"]), st.sampled_from(["", "(", "'", "“", "*", "x: "]))
def test_any_url_is_found_again_as_it_is_formatted(record: weburl.URLRecord, before: str) -> None:
    """With any host, even one with signs."""
    text = format_link(record)
    links = [link.text for link in find_links(before + text, any_host=True)]
    assert links == [text]

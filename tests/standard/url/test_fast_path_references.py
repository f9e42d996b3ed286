"""`url.fast_path_references` joins references as the parser does, or declines them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weburl
from weburl.standard.infra.errors import Failure
from weburl.standard.url.api import parse_generally as parse_url
from weburl.standard.url.fast_path_regex import join_quickly
from weburl.standard.url.record import URLRecord

BASES = [
    weburl.parse(text)
    for text in (
        "https://example.com/a/b/c?d=e#f",
        "http://user:pw@h:8080/",
        "https://h/a",
        "http://[::1]//x//y/?",
        "https://1.2.3.4/a/%2e%2",
        "ws://h/a/b",
        "file:///C:/a/b",
        "file:///a/b",
        "foo://h/a/b?c",
        "foo:/a/b",
        "mailto:a/b",
    )
]
PIECES = st.sampled_from(
    [
        *(
            "/",
            "//",
            ".",
            "..",
            "../",
            "./",
            "?",
            "#",
            ":",
            "%",
            "%2e",
            "%2E",
            "%41",
            "\\",
            "|",
            "@",
        ),
        *(
            "a",
            "b.c",
            "C|",
            "C:",
            "http:",
            "https://h/",
            "&=",
            " ",
            "\t",
            "\u00e9",
            "'",
            '"',
            "{",
            "",
            "1",
            "\x00",
            "\ud800",
            "[::0]",
            "u@h",
        ),
    ]
)
references = st.lists(PIECES, max_size=8).map("".join)


def check(text: str, base: URLRecord) -> bool:
    """Compare a join with the parser, and return whether the regexes take ``text``."""
    record = join_quickly(base, text)
    if record is None:
        return False
    try:
        expected = parse_url(text, base, "utf-8", None)
    except Failure:
        pytest.fail(f"{text!r} does not parse")
    assert record == expected
    assert record.href == expected.href
    return True


@given(references, st.sampled_from(BASES))
@example("..", BASES[0])
@example("...", BASES[0])
@example("../..", BASES[0])
@example("../.a", BASES[0])
@example(".//", BASES[0])
@example("..//a", BASES[0])
@example("./a:b", BASES[0])
@example("a/..", BASES[0])
@example("/%2e", BASES[0])
@example("///", BASES[0])
@example("", BASES[4])
def test_references_are_declined_or_joined_as_the_parser_joins_them(
    text: str, base: URLRecord
) -> None:
    """The bases have many schemes, hosts and paths."""
    check(text, base)


@pytest.mark.parametrize("up", [0, 1, 2, 3, 4, 5, 5_000])
@pytest.mark.parametrize("path", ["/", "/a", "/a/", "/a//b/c", "/x" * 4_999])
def test_a_reference_climbs_up_to_the_root(path: str, up: int) -> None:
    """More dot segments change nothing."""
    base = weburl.parse(f"https://h{path}?q")
    for text in ("../" * up + "end", "./" + "../" * up, "../" * up + "?r"):
        assert join_quickly(base, text) == parse_url(text, base, "utf-8", None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a/b.c/",
        "/",
        "/a?b:c#d",
        "./",
        "../",
        "../../../../x",
        "./../a",
        "?a:b",
        "#",
        "?",
        "a.b",
    ],
)
def test_common_references_are_taken(text: str) -> None:
    """The base is an http or https URL."""
    assert check(text, BASES[0])
    assert check(text, BASES[1])


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "a/..",
        "/./a/../b",
        "././a/./././b",
        "../.././c d/",
        "/%2e%2E/%2e/%20/%2",
        "a/%2e/b",
        " a b\x00 ",
        "\\a\\..\\b",
        "a\\b:c",
        "?'\"",
        "#`<>",
        "a{b}?q#f",
        "/\u00e9?\u00e9#\U0001f600",
        " ",
        " ?x ",
        "a/\x7f",
        "//h",
        "//EXAMPLE.com:8080/./ x",
        "HTTPS://H/ a",
        "https://1.2.3.4:60000/",
    ],
)
def test_what_needs_more_than_cutting_is_taken_too(text: str) -> None:
    """The references have dot segments, backslashes, characters to encode, or their own host."""
    assert check(text, BASES[0])
    assert check(text, BASES[1])


@pytest.mark.parametrize(
    "text",
    [
        "a:b:\u00e9 ?",
        ":a",
        "/\\h",
        "\\\\h",
        "///h",
        "a\tb",
        "/\n/h",
        "\ud800",
        "https:a",
        "//",
        "//u:p@[::1]/",
        "ftp://h/",
        "foo:bar",
    ],
)
def test_what_the_parser_must_decide_is_declined(text: str) -> None:
    """The references have credentials, other schemes, unusual slashes, tabs or surrogates."""
    assert not check(text, BASES[0])
    assert not check(text, BASES[1])

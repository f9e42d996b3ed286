"""`weburl.parsing.fast_path_regex`: references; what it says of whole URLs is in `test_build`."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weburl
from weburl.infra.errors import Failure
from weburl.parsing.fast_path_regex import join_quickly
from weburl.parsing.parser import parse_url
from weburl.records.record import URLRecord

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
            "",
            "1",
        ),
    ]
)
references = st.lists(PIECES, max_size=8).map("".join)


def check(text: str, base: URLRecord) -> bool:
    """Hold a join to the parser; return whether the regexes take it."""
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
def test_references_are_joined_as_the_parser_joins_them(text: str, base: URLRecord) -> None:
    """Or declined."""
    check(text, base)


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
def test_what_references_are_mostly_like_is_taken(text: str) -> None:
    """Behind an http or https base."""
    assert check(text, BASES[0])
    assert check(text, BASES[1])


@pytest.mark.parametrize("text", ["a:b", "//h", "/\\h", "\\", "a/..", "a b", "..", "a/%2e/b"])
def test_what_needs_more_than_cutting_is_declined(text: str) -> None:
    """A scheme or a host of its own, dot segments inside, what is to be percent-encoded."""
    assert not check(text, BASES[0])

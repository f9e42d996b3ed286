"""`weburl.infra.build`, and the two bodies of what is compiled: loops, and regexes."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl.parsing.parser
from tests.strategies import url_texts
from tests.wpt import load_cases
from weburl.infra import code_points, loops
from weburl.infra.build import COMPILED
from weburl.infra.code_points import PLAIN_DOMAIN, PercentEncodeSet
from weburl.infra.errors import Failure
from weburl.infra.percent_encoding import utf8_percent_encode
from weburl.parsing import fast_path_loops, fast_path_regex
from weburl.parsing.parser import parse_url
from weburl.records.record import URLRecord

PERCENT_ENCODE_SETS = [
    value for value in vars(code_points).values() if isinstance(value, PercentEncodeSet)
]

# Texts that are canonical, or nearly, which is where two bodies could part.
_PIECES = st.sampled_from(
    [
        *(
            "https://",
            "http://",
            "ftp://",
            "HTTPS://",
            " Http://",
            "https:/",
            "EXAMPLE.com",
            "example.com",
            "a-b.c",
            "xn--a",
        ),
        *("a--b", "-", ".", "..", "1.2", "0x1", "a1", "_", "x.com", "co.uk.", ":", ":1", ":80"),
        *(":443", ":0", ":65535", ":12345", ":8080", "/", "//", "/.", "/..", "/%2e", "/%2E", "/%"),
        *("/%20", ".a", "a.b", "%2e", "%", "?", "??", "#", "##", "?a=b&c", "'", '"', "<", "`", "{"),
        *(
            "|",
            "^",
            "\\",
            "@",
            "user@",
            " ",
            "\t",
            "\n",
            "\x00",
            "\x7f",
            "\x80",
            "\u00e9",
            "\ud800",
        ),
        *("[::1]", "[", "]", "~", "!", "$", "+", "(", "=", ";", ","),
    ]
)
near_canonical = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["https://", "http://", "\x00 HttpS://", "https:", ""]),
        st.sampled_from(["example.com", "EXAMPLE.Com", "a.b-c.d", "x", "h_1.io", ""]),
        st.lists(_PIECES, max_size=6).map("".join),
    ),
)


def test_the_build_is_the_one_that_was_asked_for() -> None:
    """By WEBURL_EXPECTED_BUILD, "compiled" or "interpreted", as CI sets it."""
    expected = os.environ.get("WEBURL_EXPECTED_BUILD")
    if expected is None:
        pytest.skip("WEBURL_EXPECTED_BUILD names no build")
    assert expected == ("compiled" if COMPILED else "interpreted")
    assert weburl.parsing.parser.__file__.endswith(".py") is not COMPILED


def parsed(text: str) -> URLRecord | None:
    """Return what the parser makes of a text, without a fast path."""
    try:
        return parse_url(text, None, "utf-8", None)
    except Failure:
        return None


def check_fast_path(text: str) -> bool:
    """Hold both bodies against each other and the parser; return whether they take ``text``."""
    is_canonical = fast_path_loops.is_canonical(text)
    assert bool(fast_path_regex.is_canonical(text)) is is_canonical
    record = fast_path_loops.parse_canonical(text)
    assert fast_path_regex.parse_canonical(text) == record
    assert (record is not None) is is_canonical
    if record is not None:
        assert record == parsed(text)
        assert record.href == text
        assert type(record.host) is weburl.Domain
    is_parsable = fast_path_loops.is_parsable(text)
    assert bool(fast_path_regex.is_parsable(text)) is is_parsable
    if is_parsable:
        assert parsed(text) is not None
    return is_canonical


@given(near_canonical | url_texts | st.text())
def test_the_fast_path_takes_only_what_is_its_own_href(text: str) -> None:
    """As the parser parses it, and whichever body there is."""
    check_fast_path(text)


def test_the_fast_path_takes_what_it_is_for() -> None:
    """And the test above does not only see it decline."""
    for text in (
        "https://example.com/",
        "http://example.com/a/b.c?d=e#f",
        "https://www.example.co.uk:8080//a/?#",
        "https://a_b-c.d/%41",
        "http://x.com/%D0%9F?%2e/../#/..",
    ):
        assert check_fast_path(text), text
    taken = [
        check_fast_path(case["input"].replace("\n", "")) for case in load_cases("urltestdata.json")
    ]
    assert len(taken) >= 800
    assert sum(taken) >= 20


@given(
    st.text(st.characters(max_codepoint=0x250) | st.characters()),
    st.sampled_from(PERCENT_ENCODE_SETS),
)
def test_a_loop_percent_encodes_as_the_regex_does(
    text: str, percent_encode_set: PercentEncodeSet
) -> None:
    """Over all of Unicode but surrogates, which no text has at that point."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    encoded = percent_encode_set.pattern.sub(
        lambda run: "".join(f"%{byte:02X}" for byte in run[0].encode()), text
    )
    assert loops.percent_encode(text, percent_encode_set) == encoded
    assert utf8_percent_encode(text, percent_encode_set) == encoded


@given(st.text("ab01_.-xn%/:\u00e9", max_size=12), st.text("/:?", max_size=2))
def test_a_loop_finds_the_plain_domain_that_the_regex_finds(text: str, behind: str) -> None:
    """Up to what is in no domain."""
    end = loops.plain_domain_end(text, 0, loops.IN_LOWER_CASE)
    if PLAIN_DOMAIN.fullmatch(text):
        assert end == len(text)
        assert loops.plain_domain_end(text + behind, 0, loops.IN_LOWER_CASE) == len(text)
    else:
        assert end != len(text) or not text

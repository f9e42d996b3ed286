"""`infra.percent_encoding` encodes and decodes percent-encoded bytes, in any encoding."""

from __future__ import annotations

import re
import sys
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.wpt import load_cases
from weburl import parse
from weburl.standard.infra.code_points import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    COMPONENT_PERCENT_ENCODE_SET,
    FORM_URLENCODED_PERCENT_ENCODE_SET,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    PercentEncodeSet,
)
from weburl.standard.infra.percent_encoding import (
    percent_decode,
    percent_decode_to_text,
    percent_encode_after_encoding,
    utf8_percent_encode,
)

SETS = (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FRAGMENT_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    COMPONENT_PERCENT_ENCODE_SET,
    FORM_URLENCODED_PERCENT_ENCODE_SET,
)
EVERY_SCALAR_VALUE = "".join(
    chr(code_point)
    for code_point in range(sys.maxunicode + 1)
    if not 0xD800 <= code_point <= 0xDFFF
)
scalar_texts = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u203d%25%2E", "\u203d%."),
        ("%C3%A9", "\u00e9"),
        ("\u00e9%C3", "\u00e9\ufffd"),
        ("%C3(", "\ufffd("),
        ("%EF%BB%BFa", "\ufeffa"),
        ("%ED%A0%80", "\ufffd\ufffd\ufffd"),
        ("%F0%9F%92", "\ufffd"),
        ("%F0%9F%92\u00e9", "\ufffd\u00e9"),
        ("%00", "\0"),
        ("100%", "100%"),
    ],
)
def test_decoding_to_text_replaces_what_is_not_utf_8_and_keeps_a_bom(
    text: str, expected: str
) -> None:
    """A truncated sequence becomes one U+FFFD, and so does each byte of a surrogate."""
    assert percent_decode_to_text(text) == expected


@pytest.mark.parametrize("percent_encode_set", SETS)
def test_encoding_is_that_of_the_interpreter_for_every_scalar_value(
    percent_encode_set: PercentEncodeSet,
) -> None:
    """`quote` takes the safe characters, but never encodes the tilde."""
    safe = "".join(chr(code) for code in range(0x80) if chr(code) not in percent_encode_set)
    expected = quote(EVERY_SCALAR_VALUE, safe=safe)
    if "~" in percent_encode_set:
        expected = expected.replace("~", "%7E")
    assert utf8_percent_encode(EVERY_SCALAR_VALUE, percent_encode_set) == expected


@given(scalar_texts)
def test_what_the_component_set_encodes_decodes_to_the_same_text(text: str) -> None:
    """The encoded text is ASCII."""
    encoded = utf8_percent_encode(text, COMPONENT_PERCENT_ENCODE_SET)
    assert encoded.isascii()
    assert percent_decode(encoded.encode()) == text.encode()
    assert percent_decode_to_text(encoded) == text


@given(scalar_texts, st.sampled_from(SETS[:-2]))
def test_encoding_again_changes_nothing_where_a_component_is_parsed(
    text: str, percent_encode_set: PercentEncodeSet
) -> None:
    """So the href of a URL parses to the same URL."""
    once = utf8_percent_encode(text, percent_encode_set)
    assert utf8_percent_encode(once, percent_encode_set) == once


@pytest.mark.parametrize(
    ("encoding", "text", "percent_encode_set", "expected"),
    [
        ("shift_jis", " ", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%20"),
        ("shift_jis", "\u2261", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%81%DF"),
        ("shift_jis", "\u203d", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%26%238253%3B"),
        ("iso-2022-jp", "\u00a5", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%1B(J\\%1B(B"),
        ("utf-8", "1+1 \u2261 2%20", FORM_URLENCODED_PERCENT_ENCODE_SET, "1%2B1+%E2%89%A1+2%2520"),
        ("utf-8", " '", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%20%27"),
        ("windows-1252", "\u20ac\u00e9'", SPECIAL_QUERY_PERCENT_ENCODE_SET, "%80%E9%27"),
        ("windows-1252", "\u03b1\u03b2", SPECIAL_QUERY_PERCENT_ENCODE_SET,
         "%26%23945%3B%26%23946%3B"),
        ("windows-1252", "", SPECIAL_QUERY_PERCENT_ENCODE_SET, ""),
        ("iso-2022-jp", "\u3042a\u3042", SPECIAL_QUERY_PERCENT_ENCODE_SET,
         "%1B$B$%22%1B(Ba%1B$B$%22%1B(B"),
    ],
)  # fmt: skip
def test_encoding_with_a_legacy_encoding_gives_the_standards_examples(
    encoding: str, text: str, percent_encode_set: PercentEncodeSet, expected: str
) -> None:
    """A character that the encoding lacks is written as a number. ISO-2022-JP keeps its state."""
    assert percent_encode_after_encoding(encoding, text, percent_encode_set) == expected


@given(scalar_texts, st.sampled_from(SETS[:-1]))
def test_encoding_after_utf_8_is_utf_8_percent_encoding(
    text: str, percent_encode_set: PercentEncodeSet
) -> None:
    """Only the form-urlencoded set has a special rule, for the space."""
    assert percent_encode_after_encoding("utf-8", text, percent_encode_set) == utf8_percent_encode(
        text, percent_encode_set
    )


def test_queries_of_web_platform_tests_are_encoded_as_expected() -> None:
    """A query uses the encoding of the case, and a fragment always UTF-8."""
    cases = load_cases("percent-encoding.json")
    compared = 0
    for case in cases:
        input, outputs = case["input"], case["output"]
        for encoding, expected in outputs.items():
            record = parse(f"https://doesnotmatter.example/?{input}#{input}", encoding=encoding)
            assert (encoding, record.query) == (encoding, expected)
            assert record.fragment == outputs["utf-8"]
            compared += 1
    assert (len(cases), compared) == (7, 16)


def literally_decoded(data: bytes) -> bytes:
    """Return what each percent sign with two hex digits makes of data, by a regex."""
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes.fromhex(found[1].decode()), data)


pieces = st.sampled_from([b"%", b"2", b"5", b"a", b"F", b"g", b"+", b"-", b" ", b"\n", b"\xb2"])


@given(st.lists(pieces, max_size=9).map(b"".join) | st.binary(max_size=9))
@example(b"%2541")
@example("".join(f"%{byte:02x}%{byte:02X}" for byte in range(256)).encode())
def test_a_percent_sign_and_two_hex_digits_are_a_byte(data: bytes) -> None:
    """Other percent signs are kept, and nothing is decoded twice."""
    assert percent_decode(data) == literally_decoded(data)


@given(
    st.integers(0, 6), st.binary(max_size=8), st.sampled_from((b"%41", b"%4", b"%", b"%%41", b"4%"))
)
def test_long_data_is_decoded_as_short_data_is(before: int, after: bytes, unit: bytes) -> None:
    """Long data is decoded in pieces, which must not split a percent-encoded byte."""
    data = b"x" * before + unit * 12_000 + after
    assert percent_decode(data) == literally_decoded(data)

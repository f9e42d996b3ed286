"""`infra.form_urlencoded` has a parser and a serializer, which undo each other."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.standard.infra.encodings import get_output_encoding
from weburl.standard.infra.form_urlencoded import parse_form_urlencoded, serialize_form_urlencoded

scalar_values = st.text(st.characters(codec="utf-8"), max_size=8)
pair_lists = st.lists(st.tuples(scalar_values, scalar_values), max_size=6)


def test_every_ascii_code_point_but_a_few_is_encoded() -> None:
    """Letters, digits and four marks are kept, and a space becomes a plus."""
    for byte in range(0x80):
        char = chr(byte)
        if char in string.ascii_letters + string.digits + "*-._":
            expected = char
        elif char == " ":
            expected = "+"
        else:
            expected = f"%{byte:02X}"
        assert serialize_form_urlencoded([(char, char)]) == f"{expected}={expected}"


@pytest.mark.parametrize(
    ("pairs", "text"),
    [
        ([], ""),
        ([("", "")], "="),
        ([("a", "")], "a="),
        ([("a", "1"), ("a", "2")], "a=1&a=2"),
        ([("a b", "c d")], "a+b=c+d"),
        ([("a\r\nb", "\n\r")], "a%0D%0Ab=%0A%0D"),
        ([("é", "\u0301")], "%C3%A9=%CC%81"),
    ],
)
def test_pairs_are_serialized(pairs: list[tuple[str, str]], text: str) -> None:
    """Newlines and Unicode are not normalized."""
    assert serialize_form_urlencoded(pairs) == text


def test_the_standards_example_of_a_form_in_shift_jis() -> None:
    """The row of the table in §1.3 has a space, a plus and a character that cannot be encoded."""
    encoding = get_output_encoding("Shift_JIS")
    serialized = serialize_form_urlencoded([("q", "1+1 ≡ 2%20‽")], encoding)
    assert serialized == "q=1%2B1+%81%DF+2%2520%26%238253%3B"


def test_a_legacy_encoding_applies_to_names_too() -> None:
    """In windows-1252, a missing character becomes a numeric reference."""
    serialized = serialize_form_urlencoded([("né", "€"), ("ж", "ü")], "windows-1252")
    assert serialized == "n%E9=%80&%26%231078%3B=%FC"


def test_iso_2022_jp_starts_anew_in_every_name_and_value() -> None:
    """Each is encoded separately, so it ends in ASCII."""
    serialized = serialize_form_urlencoded([("¥", "あ"), ("a", "b")], "iso-2022-jp")
    assert serialized == "%1B%28J%5C%1B%28B=%1B%24B%24%22%1B%28B&a=b"


@given(pair_lists)
def test_parsing_what_was_serialized_gives_the_pairs_again(pairs: list[tuple[str, str]]) -> None:
    """This holds for all names and values."""
    serialized = serialize_form_urlencoded(pairs)
    assert serialized.isascii()
    assert parse_form_urlencoded(serialized) == pairs


@given(scalar_values)
def test_serializing_what_was_parsed_settles(text: str) -> None:
    """Text is canonical after one round, so a second one does not change it."""
    once = serialize_form_urlencoded(parse_form_urlencoded(text))
    assert serialize_form_urlencoded(parse_form_urlencoded(once)) == once


def test_a_million_pairs_and_a_megabyte_of_one_name_are_taken() -> None:
    """They take linear time, and no recursion."""
    assert len(parse_form_urlencoded("a=b&" * 1_000_000)) == 1_000_000
    assert parse_form_urlencoded("%41" * 400_000) == [("A" * 400_000, "")]
    assert parse_form_urlencoded("&" * 1_000_000) == []
    assert serialize_form_urlencoded([("é" * 400_000, "")]) == "%C3%A9" * 400_000 + "="


@given(st.text(st.characters(codec="utf-8")) | st.text("a=&+%1f\xe9\u2603\ufeff"))
def test_text_is_parsed_as_its_bytes_in_utf_8(text: str) -> None:
    """The standard's parser takes bytes, so text must be encoded first."""
    assert parse_form_urlencoded(text) == parse_form_urlencoded(text.encode())


@given(
    st.binary() | st.lists(st.sampled_from([b"=", b"&", b"+", b"%e2", b"\x98", b"a"])).map(b"".join)
)
def test_bytes_are_parsed_as_the_literal_steps_parse_them(data: bytes) -> None:
    """The literal steps read one byte after the other."""
    output = []
    for sequence in data.split(b"&"):
        if not sequence:
            continue
        name, value = sequence.split(b"=", 1) if b"=" in sequence else (sequence, b"")
        decoded = []
        for part in (name.replace(b"+", b" "), value.replace(b"+", b" ")):
            out, at = bytearray(), 0
            while at < len(part):
                digits = part[at + 1 : at + 3]
                if (
                    part[at] == 0x25
                    and len(digits) == 2
                    and all(digit in b"0123456789abcdefABCDEF" for digit in digits)
                ):
                    out.append(int(digits, 16))
                    at += 3
                else:
                    out.append(part[at])
                    at += 1
            decoded.append(out.decode("utf-8", "replace"))
        output.append(tuple(decoded))
    assert parse_form_urlencoded(data) == output

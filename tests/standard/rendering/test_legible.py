"""`weburl.standard.rendering.legible` decodes percent-encoded text that people can read."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.standard.rendering.legible import (
    FIRST_STRONG_ISOLATE,
    POP_DIRECTIONAL_ISOLATE,
    beginning_of,
    decode_for_people,
)
from weburl.standard.rendering.spoofing import legible

ISOLATES = re.compile(f"[{FIRST_STRONG_ISOLATE}{POP_DIRECTIONAL_ISOLATE}]")

encoded_texts = st.lists(
    st.one_of(
        st.text(max_size=4).map(lambda text: quote(text.encode("utf-8", "replace"))),
        st.sampled_from(
            ("%", "%4", "%41", "%e9", "%F0%A0%80%80", "%C3%A9", "%c3%a9", "%C3", "%A9", "%D7%90",
             "%E0%A5%87", "/", "a", "4", "1", "%25", "%2E", "%34", "%E3%83%8E", "%E0%A4%A6",
             "%F0%9F%94%92")
        ),
    ),
    max_size=8,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("encoded", "shown"),
    [
        ("abc", "abc"),
        ("%61%62%2D%5f%7E%39", "%61%62%2D%5f%7E%39"),
        ("%C3%BCber%20%C3%A9", "über%20é"),
        ("%c3%a9%C3%a9%c3%A9", "%c3%a9%C3%a9%c3%A9"),
        ("%E6%97%A5%E6%9C%AC", "日本"),
        ("%00%0A%20%22%23%25%2B", "%00%0A%20%22%23%25%2B"),
        ("%2F%3A%3C%3F%40%5C%7F", "%2F%3A%3C%3F%40%5C%7F"),
        ("%2e%2E%2541", "%2e%2E%2541"),
        ("a%CC%81", "a%CC%81"),
        ("%E2%81%84%EF%BC%8F%CA%94", "%E2%81%84%EF%BC%8F%CA%94"),
        ("%F0%9F%94%92%E2%80%AE%E2%80%8B", "%F0%9F%94%92%E2%80%AE%E2%80%8B"),
        ("%E2%80%A6", "%E2%80%A6"),
        ("%EF%BB%BF%C3%A9", "%EF%BB%BFé"),
        ("%E9t%E9", "%E9t%E9"),
        ("%C3%A9%E9%41", "%C3%A9%E9%41"),
        ("%C0%AF%ED%A0%80%F4%90%80%80", "%C0%AF%ED%A0%80%F4%90%80%80"),
        ("%%341", "%%341"),
        ("%4%31", "%4%31"),
        ("%%C3%A9%C%C3%A9", "%é%Cé"),
        ("%zz%41", "%zz%41"),
        ("m%E3%83%8Ea", "m%E3%83%8Ea"),
        ("/%E3%83%8E%E3%83%BC%E3%83%88", "/ノート"),
    ],
)  # fmt: skip
def test_what_can_be_read_is_decoded_and_the_rest_stays(encoded: str, shown: str) -> None:
    """Letters beyond ASCII are decoded. ASCII, invisible characters and broken UTF-8 are not."""
    assert decode_for_people(encoded, right_to_left=True) == shown


def test_nothing_of_ascii_is_decoded() -> None:
    """The parser would not encode it again, so it would be another URL."""
    encoded = [f"x%{code:02X}y" for code in range(128)]
    assert [decode_for_people(text, right_to_left=True) for text in encoded] == encoded


def test_words_from_right_to_left_are_isolated_one_by_one_or_stay_encoded() -> None:
    """Delimiters and escapes are outside of the isolates."""
    encoded = "%D7%90%D7%91%20%D7%92=%D9%A1%C3%A9"
    assert decode_for_people(encoded, right_to_left=True) == (
        "\u2068\u05d0\u05d1\u2069%20\u2068\u05d2\u2069=\u2068\u0661é\u2069"
    )
    assert decode_for_people(encoded, right_to_left=False) == encoded


def test_encoded_isolates_are_not_decoded() -> None:
    """Only our own marks can isolate text."""
    encoded = "%E2%81%A6%E2%81%A8%E2%81%A9"
    assert decode_for_people(encoded, right_to_left=True) == encoded


@given(encoded_texts, st.booleans())
def test_what_is_decoded_is_encoded_again_by_the_parser(encoded: str, right_to_left: bool) -> None:
    """The result is the same text."""
    shown = ISOLATES.sub("", decode_for_people(encoded, right_to_left=right_to_left))
    assert "".join(char if char < "\x7f" else quote(char.encode()) for char in shown) == encoded


@given(encoded_texts, st.booleans())
def test_all_that_is_shown_beyond_ascii_is_legible(encoded: str, right_to_left: bool) -> None:
    """Isolates come in pairs, and are not nested."""
    shown = decode_for_people(encoded, right_to_left=right_to_left)
    isolates = "".join(ISOLATES.findall(shown))
    assert isolates == "\u2068\u2069" * (len(isolates) // 2)
    # An escape is one unit, so its last digit does not count as a neighbour.
    plain = re.sub("%[0-9A-Fa-f]{2}", "%", ISOLATES.sub("", shown))
    for run in re.finditer("[^\0-\x7f]+", plain):
        before, after = plain[run.start() - 1 : run.start()], plain[run.end() : run.end() + 1]
        assert all(legible(run[0], before, after))


@given(encoded_texts.map(lambda text: text * 8), st.integers(1, 20))
def test_the_beginning_of_a_text_shows_what_all_of_it_shows(encoded: str, length: int) -> None:
    """Bytes that are not UTF-8, later in the text, are the exception."""
    beginning = beginning_of(encoded, length)
    assert encoded.startswith(beginning)
    shown = ISOLATES.sub("", decode_for_people(beginning, right_to_left=True))
    assert beginning == encoded or len(shown) > length
    if "\ufffd" not in ISOLATES.sub("", _decoded(encoded)):
        whole = ISOLATES.sub("", decode_for_people(encoded, right_to_left=True))
        assert whole[:length] == shown[:length]


def test_as_much_of_a_text_is_taken_as_could_be_shown_of_it() -> None:
    """Each code point that is shown takes twelve characters."""
    encoded = "%F0%A0%80%80" * 100
    for length in range(1, 90):
        shown = decode_for_people(beginning_of(encoded, length), right_to_left=True)
        assert shown == "\U00020000" * len(shown)
        assert len(shown) > length


def _decoded(encoded: str) -> str:
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(encoded).decode("utf-8", "replace")


@pytest.mark.parametrize("escape", ["%41", "%C3%A9", "%E6%97%A5", "%F0%A0%80%80", "%E9"])
@pytest.mark.parametrize("offset", range(13))
def test_no_escape_is_cut_in_two(escape: str, offset: int) -> None:
    """The cut can be at any offset."""
    beginning = beginning_of("x" * offset + escape * 50, 2)
    rest = beginning[offset:]
    assert rest == escape * (len(rest) // len(escape))
    assert len(beginning) < 60

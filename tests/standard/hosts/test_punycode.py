"""Compares `hosts.punycode` with Python's slower codec."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weburl.standard.hosts import punycode
from weburl.standard.hosts.punycode import decode, encode

# Few code points repeated, and all of them.
labels = st.text(
    st.sampled_from("aZ0-\x7f\x80\xe9\u03c3\u65e5\U0001f4a9\U0010ffff"), max_size=12
) | st.text(max_size=12)
# Digits, delimiters and what is neither.
encoded_texts = st.text(st.sampled_from("abcdwxyzABZ0189--_."), max_size=10) | st.text(
    st.characters(max_codepoint=0x7F), max_size=10
)


def decoded_by_the_interpreter(text: str) -> str | None:
    """Return what the codec makes of a text, or None if it refuses the text.

    It takes a delimiter with nothing before it, which is no delimiter to the RFC.
    """
    if text.rfind("-") == 0:
        return None
    try:
        return text.encode("ascii").decode("punycode")
    except UnicodeError:
        return None


def as_if_long(function: Callable[[str], str | None], text: str) -> str | None:
    """Return what a function makes of a text, by way of the tree and the arrays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(punycode, "_SHORT", -1)
        return function(text)


def test_a_number_of_many_digits_gives_none_before_it_has_grown() -> None:
    """Reading stops at the last code point."""
    for size in (1024, 1025, 1_000_000):
        assert decode("9" * size) is None
        assert decode("a" * 100 + "-" + "9" * (size - 101)) is None


@given(labels)
@example("\u00e9" * 100)
@example("\U0010ffff\x80" * 50)
@example("\U0010ffff" * 3)
@example("\u4e00\u9fa5\u9fa5\ud7a3")
@example("b\xfccher-\xfc")
@example("PorquénopuedensimplementehablarenEspañol")
@example("-> $1.00 <-")
def test_encoding_is_that_of_the_interpreter(label: str) -> None:
    """Both ways of encoding are compared with the codec, which takes quadratic time."""
    encoded = label.encode("punycode").decode("ascii")
    assert encode(label) == encoded
    assert as_if_long(encode, label) == encoded
    assert decode(encoded) == label


@pytest.mark.parametrize("basic", ["", "a", "a-b"])
def test_a_second_code_point_follows_at_every_distance(basic: str) -> None:
    """Deltas of many sizes follow one another, and the result is the codec's."""
    sizes = [0, 1, 2, 9, 10, 25, 26, 35, 36, 100, 285, 286, 910, 911, 5000, 31_000, 900_000]
    for first in sizes:
        for second in sizes:
            code_points = (0x80 + first + second, 0x80 + first, 0x87 + first + second)
            label = basic + "".join(chr(min(one, 0x10FFFF)) for one in code_points)
            encoded = label.encode("punycode").decode("ascii")
            assert encode(label) == encoded
            assert decode(encoded) == label


@given(encoded_texts)
@example("a-b-9ca")
@example("99zzz")
@example("9CAAA")
@example("\u00e9-9ca")
@example("\uff11")
@example("-9ca")
@example("99999999")
@example("en32g")
@example("a-99999999999999999999999")
@example("9ca\n")
def test_decoding_is_that_of_the_interpreter(text: str) -> None:
    """This includes text that cannot be decoded."""
    expected = decoded_by_the_interpreter(text)
    assert decode(text) == expected
    assert as_if_long(decode, text) == expected


@given(encoded_texts)
def test_what_decodes_encodes_to_the_same_text(text: str) -> None:
    """Only the case of the digits may differ, because each label has one Punycode form."""
    label = decode(text)
    if label is not None and "-" not in text:
        assert encode(label) == text.lower()
    elif label is not None:
        basic, _, digits = text.rpartition("-")
        assert encode(label) == f"{basic}-{digits.lower()}"


def test_a_long_label_is_decoded_again() -> None:
    """It has a hundred thousand code points, for which the codec would take minutes."""
    label = "".join(chr(0x4E00 + at * 7919 % 20000) + "ab"[at % 2] for at in range(50_000))
    assert decode(encode(label)) == label


def test_long_labels_are_written_as_the_interpreter_writes_them() -> None:
    """Labels with more than 1,024 code points are encoded in another way."""
    chance = Random(1)
    letters = "a-\x80\u00e9\u0434\u05d0\u4f8b\ud7ff\ue000\U00010000\U0001f600\U0010ffff"
    for length in (1023, 1024, 1025, 2500):
        for _ in range(5):
            some = chance.sample(letters, chance.randint(1, len(letters)))
            label = "".join(chance.choices(some, k=length)) + "\u00e9"
            encoded = label.encode("punycode").decode("ascii")
            assert encode(label) == encoded
            assert decode(encoded) == label

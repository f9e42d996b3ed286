"""`infra.strings` has the terms of the Infra Standard, and offsets."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given

from tests.reference.terms import to_scalar_value_string as reference_scalar_values
from tests.strategies import NOISE, SURROGATES, joined
from weburl.standard.infra.strings import (
    ascii_lowercase,
    find_tab_or_newline,
    remove_tabs_and_newlines,
    strip_c0_control_or_space,
    to_scalar_value_string,
    trimmed_span,
)

EVERY_CODE_POINT = "".join(map(chr, range(sys.maxunicode + 1)))
TRIMMED = {chr(code_point) for code_point in range(0x21)}

noisy_texts = joined((*NOISE, *SURROGATES, "a", "\u00e9", "\U0001f4a9"), max_size=8)


def test_ascii_lowercase_changes_a_to_z_and_nothing_else() -> None:
    """The text has all code points, including surrogates."""
    expected = "".join(
        chr(ord(char) + 0x20) if "A" <= char <= "Z" else char for char in EVERY_CODE_POINT
    )
    assert ascii_lowercase(EVERY_CODE_POINT) == expected


@given(noisy_texts)
def test_scalar_values_are_those_of_the_reference(text: str) -> None:
    """The reference replaces each match of a regex, and here an encoder does it."""
    assert to_scalar_value_string(text) == reference_scalar_values(text)


def test_every_code_point_alone_is_a_scalar_value_or_replaced() -> None:
    """A letter between them prevents pairs of surrogates."""
    joined_by_a = "a".join(EVERY_CODE_POINT)
    expected = "a".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in EVERY_CODE_POINT)
    assert to_scalar_value_string(joined_by_a) == expected


def test_stripping_takes_c0_controls_and_spaces_and_no_other_whitespace() -> None:
    """U+0085, U+00A0 and others that `str.strip` would remove are kept."""
    stripped = {char for char in EVERY_CODE_POINT if strip_c0_control_or_space(char) == ""}
    assert stripped == TRIMMED


@given(noisy_texts)
def test_the_trimmed_span_contains_the_stripped_text(text: str) -> None:
    """This holds even if the stripped text is empty."""
    start, end = trimmed_span(text)
    assert 0 <= start <= end <= len(text)
    assert text[start:end] == strip_c0_control_or_space(text)


def test_tabs_and_newlines_are_three_code_points() -> None:
    """Of all code points, only tab, line feed and carriage return are removed."""
    removed = {char for char in EVERY_CODE_POINT if remove_tabs_and_newlines(char) == ""}
    assert removed == set("\t\n\r")
    kept = EVERY_CODE_POINT.replace("\t", "").replace("\n", "").replace("\r", "")
    assert remove_tabs_and_newlines(EVERY_CODE_POINT) == kept


@pytest.mark.parametrize(
    ("text", "start", "found"),
    [("", 0, -1), ("ab\x0b\x0c\x85\u2028", 0, -1), ("a\tb\nc\r", 0, 1), ("a\tb\nc\r", 2, 3),
     ("a\tb\nc\r", 4, 5), ("a\tb", 2, -1)],
)  # fmt: skip
def test_the_first_tab_or_newline_is_found_from_a_start(text: str, start: int, found: int) -> None:
    """The result is -1 if there is none."""
    assert find_tab_or_newline(text, start) == found

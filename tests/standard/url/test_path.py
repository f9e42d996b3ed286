"""`url.path` has segments, dot segments, shortening, Windows drive letters and URL units."""

from __future__ import annotations

import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.terms import is_url_code_point, starts_with_two_ascii_hex_digits
from weburl.standard.infra.errors import ErrorList
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.url.path import (
    is_normalized_windows_drive_letter,
    is_windows_drive_letter,
    parse_path,
    starts_with_a_windows_drive_letter,
)
from weburl.standard.url.value import serialize_path


def parsed(text: str, *before: str, scheme: str = "https") -> tuple[str, ...]:
    """Return the segments of a path that continues after ``before``."""
    path = parse_path(text, serialize_path(before), scheme, scheme in SPECIAL_SCHEMES)
    return tuple(path.split("/")[1:])


@pytest.mark.parametrize("count", range(9))
@pytest.mark.parametrize(
    ("start", "end"), [("", ""), ("a/", "b"), ("../", "."), ("%2e/", "%2E/..")]
)
def test_a_run_of_single_dots_is_resolved(start: str, count: int, end: str) -> None:
    """Each pass over a run removes half of it."""
    assert parsed(f"{start}{'./' * count}{end}", "x", "y") == parsed(f"{start}{end}", "x", "y")
    assert "." not in parsed(f"{start}{'./' * count}{end}", "x", "y")


def test_a_windows_drive_letter_is_an_ascii_letter_and_a_colon_or_bar() -> None:
    """Every code point is tried as the letter, as the sign, and after them."""
    letters, signs, normalized, after = "", "", "", ""
    for code_point in map(chr, range(sys.maxunicode + 1)):
        letters += code_point if is_windows_drive_letter(f"{code_point}:") else ""
        signs += code_point if is_windows_drive_letter(f"c{code_point}") else ""
        normalized += code_point if is_normalized_windows_drive_letter(f"c{code_point}") else ""
        after += code_point if starts_with_a_windows_drive_letter(f"/c|{code_point}", 1) else ""
    assert sorted(letters) == sorted(string.ascii_letters)
    assert (signs, normalized, after) == (":|", ":", "#/?\\")


@given(st.text(st.sampled_from("a%4Fg \\/\u00e9\ufdd0\x7f"), max_size=12))
def test_url_unit_errors_are_those_of_the_standards_two_conditions(text: str) -> None:
    """The conditions are checked for one code point after the other."""
    expected = [
        at
        for at, char in enumerate(text)
        if not (is_url_code_point(char) or char == "%")
        or (char == "%" and not starts_with_two_ascii_hex_digits(text, at + 1))
    ]
    errors = ErrorList()
    errors.add_url_units(text, 0)
    assert [error.start for error in errors.recorded] == expected

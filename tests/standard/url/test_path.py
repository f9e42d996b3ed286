"""`url.path` has segments, dot segments, shortening, Windows drive letters and URL units."""

from __future__ import annotations

import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import machine
from tests.reference.records import ReferenceRecord
from tests.reference.terms import is_url_code_point, starts_with_two_ascii_hex_digits
from tests.strategies import paths
from weburl.standard.infra.errors import ErrorList
from weburl.standard.infra.errors import ValidationErrorType as Type
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import remove_tabs_and_newlines, to_scalar_value_string
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


@given(paths, st.sampled_from(("https", "file", "foo")), st.sampled_from(((), ("a",), ("C:",))))
def test_a_path_is_that_of_the_reference(text: str, scheme: str, before: tuple[str, ...]) -> None:
    """The reference runs in its path state with a state override."""
    url = ReferenceRecord(scheme=scheme, path=list(before))
    machine.basic_url_parse(text, url=url, state_override=machine.State.PATH)
    prepared = remove_tabs_and_newlines(to_scalar_value_string(text))
    assert list(parsed(prepared, *before, scheme=scheme)) == url.path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a/b%41~\u00e9", []),
        ("a b", [(Type.INVALID_URL_UNIT, 11, 12)]),
        ("%", [(Type.INVALID_URL_UNIT, 10, 11)]),
        ("%4%zz%41", [(Type.INVALID_URL_UNIT, 10, 11), (Type.INVALID_URL_UNIT, 12, 13)]),
        ("[]", [(Type.INVALID_URL_UNIT, 10, 11), (Type.INVALID_URL_UNIT, 11, 12)]),
        ("\ufdd0\ufffe", [(Type.INVALID_URL_UNIT, 10, 11), (Type.INVALID_URL_UNIT, 11, 12)]),
        ("a\\", [(Type.INVALID_URL_UNIT, 11, 12)]),
    ],
)
def test_each_code_point_that_is_no_url_unit_is_an_error(
    text: str, expected: list[tuple[Type, int, int]]
) -> None:
    """The text is at offset 10."""
    errors = ErrorList()
    errors.add_url_units(text, 10)
    assert errors.recorded == [(*error, False) for error in expected]


def test_a_backslash_that_separates_is_an_error_about_that() -> None:
    """It is not reported as an invalid URL unit too."""
    errors = ErrorList()
    errors.add_url_units("\\ ", 0, backslash_separates=True)
    assert errors.recorded == [
        (Type.INVALID_REVERSE_SOLIDUS, 0, 1, False),
        (Type.INVALID_URL_UNIT, 1, 2, False),
    ]


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

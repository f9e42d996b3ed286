"""Compares the regexes of `code_point_regexes` and derived tables with sets of code points."""

from __future__ import annotations

import re
import string
import sys
from itertools import pairwise

import pytest

from weburl.standard.infra import code_points
from weburl.standard.infra.code_point_regexes import (
    FORBIDDEN_DOMAIN_CODE_POINT,
    FORBIDDEN_HOST_CODE_POINT,
    PERCENT_ENCODED_BYTE,
    SCHEME,
    SCHEME_AND_COLON,
)
from weburl.standard.infra.code_points import (
    COMPONENT_PERCENT_ENCODE_SET,
    DOUBLE_DOT_SEGMENTS,
    FORBIDDEN_DOMAIN_CODE_POINTS,
    FORBIDDEN_HOST_CODE_POINTS,
    FORM_URLENCODED_PERCENT_ENCODE_SET,
    SINGLE_DOT_SEGMENTS,
    PercentEncodeSet,
    character_class,
)
from weburl.standard.infra.url_units import (
    NOT_A_URL_CODE_POINT_NOR_PERCENT,
    NOT_A_URL_UNIT,
    PERCENT_WITHOUT_TWO_HEX_DIGITS,
)

EVERY_CODE_POINT = "".join(map(chr, range(sys.maxunicode + 1)))
LETTERS = set(string.ascii_letters)
HEX_DIGITS = set(string.hexdigits)
C0_CONTROLS = set(map(chr, range(0x20)))

# The ASCII members of each set, without the C0 controls and U+007F, written out in full.
PERCENT_ENCODE_SETS = {
    "C0_CONTROL": "",
    "FRAGMENT": ' "<>`',
    "QUERY": ' "#<>',
    "SPECIAL_QUERY": " \"#'<>",
    "PATH": ' "#<>?^`{}',
    "USERINFO": ' "#/:;<=>?@[\\]^`{|}',
    "COMPONENT": ' "#$%&+,/:;<=>?@[\\]^`{|}',
    "FORM_URLENCODED": " !\"#$%&'()+,/:;<=>?@[\\]^`{|}~",
}


def percent_encode_set(name: str) -> PercentEncodeSet:
    """Return the percent-encode set with a name."""
    found = getattr(code_points, f"{name}_PERCENT_ENCODE_SET")
    assert isinstance(found, PercentEncodeSet)
    return found


def url_code_points() -> str:
    """Return the URL code points in order, from the standard's ranges."""
    ascii_ones = set(string.ascii_letters + string.digits + "!$&'()*+,-./:;=?@_~")
    ranges = [(0xA0, 0xD7FF), (0xE000, 0xFDCF), (0xFDF0, 0xFFFD)]
    ranges += [(plane << 16, plane << 16 | 0xFFFD) for plane in range(1, 0x11)]
    return "".join(sorted(ascii_ones)) + "".join(
        EVERY_CODE_POINT[first : last + 1] for first, last in ranges
    )


def unmatched(pattern: re.Pattern[str]) -> str:
    """Return the code points that the pattern does not match, in order."""
    return pattern.sub("", EVERY_CODE_POINT)


def matched(pattern: re.Pattern[str]) -> str:
    """Return the code points that the pattern matches, in order."""
    return "".join(pattern.findall(EVERY_CODE_POINT))


def after_each(before: str, after: str = "") -> str:
    """Return all code points, each between ``before`` and ``after``, with NUL before each piece."""
    return "".join([f"\0{before}{char}{after}" for char in EVERY_CODE_POINT])


def test_every_percent_encode_set_is_tested() -> None:
    """A new set must be added here."""
    suffix = "_PERCENT_ENCODE_SET"
    names = {name.removesuffix(suffix) for name in vars(code_points) if name.endswith(suffix)}
    assert names == set(PERCENT_ENCODE_SETS)


@pytest.mark.parametrize("name", PERCENT_ENCODE_SETS)
def test_a_percent_encode_set_holds_what_the_standard_lists(name: str) -> None:
    """It also has the C0 controls, U+007F, and everything beyond ASCII."""
    percent_encoded = percent_encode_set(name)
    expected = C0_CONTROLS | {"\x7f"} | set(PERCENT_ENCODE_SETS[name])
    assert {char for char in EVERY_CODE_POINT[:0x80] if char in percent_encoded} == expected
    assert percent_encoded.members == expected - {"\x7f"}
    assert all(char in percent_encoded for char in "\x80\xa0\xe9\ud800\uffff\U00010000\U0010ffff")


@pytest.mark.parametrize("name", PERCENT_ENCODE_SETS)
def test_the_pattern_of_a_percent_encode_set_matches_its_members_in_runs(name: str) -> None:
    """Each run is as long as possible, over all code points in order."""
    percent_encoded = percent_encode_set(name)
    left = [char for char in EVERY_CODE_POINT[:0x80] if char not in percent_encoded]
    assert unmatched(percent_encoded.pattern) == "".join(left)
    runs = percent_encoded.pattern.findall(EVERY_CODE_POINT)
    gaps = pairwise(left)
    assert len(runs) == 2 + sum(ord(after) != ord(before) + 1 for before, after in gaps)


@pytest.mark.parametrize("name", PERCENT_ENCODE_SETS)
def test_the_table_of_a_percent_encode_set_encodes_its_members(name: str) -> None:
    """A byte is percent-encoded with two uppercase digits, or kept."""
    percent_encoded = percent_encode_set(name)
    expected = [
        f"%{byte:02X}" if chr(byte) in percent_encoded else chr(byte) for byte in range(256)
    ]
    assert list(percent_encoded.encoded) == expected


def test_the_two_widest_percent_encode_sets_leave_what_the_standard_notes() -> None:
    """The component set does what `encodeURIComponent` does."""
    alphanumeric = LETTERS | set(string.digits)
    left = set(unmatched(COMPONENT_PERCENT_ENCODE_SET.pattern))
    assert left == alphanumeric | set("-_.!~*'()")
    left = set(unmatched(FORM_URLENCODED_PERCENT_ENCODE_SET.pattern))
    assert left == alphanumeric | set("*-._")


def test_adding_to_a_percent_encode_set_leaves_it_as_it_is() -> None:
    """`plus` returns another set."""
    before = percent_encode_set("QUERY")
    after = before.plus("az")
    assert "a" in after
    assert "z" in after
    assert "a" not in before
    assert before.pattern.search("a") is None
    assert after.pattern.search("a") is not None


def test_a_character_class_takes_what_is_special_inside_brackets_literally() -> None:
    """It matches only the ASCII code points that it was made of."""
    members = set("^-]\\[az|&~\0\n")
    assert set(matched(re.compile(f"[{character_class(members)}]"))) == members


def test_the_pattern_of_forbidden_host_code_points_matches_the_set() -> None:
    """There are seventeen, all of them ASCII."""
    assert len(FORBIDDEN_HOST_CODE_POINTS) == 17
    assert set("\0\t\n\r #/:<>?@[\\]^|") == FORBIDDEN_HOST_CODE_POINTS
    assert set(matched(FORBIDDEN_HOST_CODE_POINT)) == FORBIDDEN_HOST_CODE_POINTS


def test_the_pattern_of_forbidden_domain_code_points_matches_the_set() -> None:
    """They are the forbidden host code points, the C0 controls, "%" and U+007F."""
    expected = FORBIDDEN_HOST_CODE_POINTS | C0_CONTROLS | {"%", "\x7f"}
    assert expected == FORBIDDEN_DOMAIN_CODE_POINTS
    assert set(matched(FORBIDDEN_DOMAIN_CODE_POINT)) == FORBIDDEN_DOMAIN_CODE_POINTS


def test_what_is_no_url_code_point_nor_percent_is_outside_the_standards_ranges() -> None:
    """The ranges are some of ASCII, and U+00A0 to U+10FFFF without surrogates and noncharacters."""
    without_percent = EVERY_CODE_POINT.replace("%", "")
    left = NOT_A_URL_CODE_POINT_NOR_PERCENT.sub("", without_percent)
    assert left == url_code_points()
    assert NOT_A_URL_CODE_POINT_NOR_PERCENT.search("%") is None
    assert NOT_A_URL_UNIT.sub("", without_percent) == url_code_points()
    assert NOT_A_URL_UNIT.sub("", EVERY_CODE_POINT) == url_code_points()


def test_a_percent_sign_needs_two_ascii_hex_digits_after_it() -> None:
    """Every code point is tried as the first and as the second digit."""
    first, second = after_each("%", "0"), after_each("%0")
    digits = sorted(HEX_DIGITS)
    assert PERCENT_ENCODED_BYTE.findall(first) == [f"%{digit}0" for digit in digits]
    assert PERCENT_ENCODED_BYTE.findall(second) == [f"%0{digit}" for digit in digits]
    # A "%" in the place of a digit does not begin a percent-encoded byte either.
    wrong = len(EVERY_CODE_POINT) - len(digits) + 1
    assert len(PERCENT_WITHOUT_TWO_HEX_DIGITS.findall(first)) == wrong
    assert len(PERCENT_WITHOUT_TWO_HEX_DIGITS.findall(second)) == wrong
    assert PERCENT_WITHOUT_TWO_HEX_DIGITS.findall("%4 %g0 %") == ["%", "%", "%"]
    assert NOT_A_URL_UNIT.findall("%41%4%zz%") == ["%", "%", "%"]


def test_a_scheme_is_a_letter_and_then_letters_digits_and_three_signs() -> None:
    """The scheme of a record is lowercase. Text may have any case."""
    lower = set(string.ascii_lowercase)
    others = set(string.digits) | set("+-.")
    assert set(SCHEME.findall(after_each(""))) == lower
    assert set(SCHEME.findall(after_each("a"))) == {"a", *(f"a{char}" for char in lower | others)}
    assert set(SCHEME_AND_COLON.findall(after_each("", ":"))) == LETTERS
    found = set(SCHEME_AND_COLON.findall(after_each("a", ":")))
    # The single "a" is from the "::" in the text.
    assert found == {"a", *(f"a{char}" for char in LETTERS | others)}


def test_a_scheme_ends_at_the_first_colon() -> None:
    """Text without a colon has no scheme."""
    found = SCHEME_AND_COLON.match("HtTp:foo:bar")
    assert found is not None
    assert found[1] == "HtTp"
    assert SCHEME_AND_COLON.match("http") is None
    assert SCHEME_AND_COLON.match(" http:") is None
    assert SCHEME.fullmatch("http\n") is None


def test_dot_segments_are_dots_and_percent_encoded_dots_in_either_case() -> None:
    """There are three ways to write a single dot, and nine to write two."""
    single = {".", "%2e", "%2E"}
    assert single == SINGLE_DOT_SEGMENTS
    assert {one + two for one in single for two in single} == DOUBLE_DOT_SEGMENTS
    assert len(DOUBLE_DOT_SEGMENTS) == 9

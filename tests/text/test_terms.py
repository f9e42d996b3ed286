"""Tests of the properties of code points, over all of Unicode."""

from __future__ import annotations

from typing import Final

import unicodedata2

from tests.text.unicode_data import NEEDS_DATA, property_values
from weburl.text.terms import (
    OPENING,
    UNICODE_VERSION,
    Term,
    effect_of,
    is_email,
    is_hidden,
    term_of,
)

ALL: Final = range(0x110000)


def test_the_tables_are_of_the_version_of_unicode_that_the_libraries_have() -> None:
    """The regex package and unicodedata2 are of one version."""
    assert unicodedata2.unidata_version == UNICODE_VERSION


@NEEDS_DATA
def test_link_term_is_unicodes_for_every_code_point() -> None:
    """All 0x110000, those that the file does not list too."""
    expected = dict(property_values("LinkTerm.txt"))
    assert len(expected) == 172774
    wrong = [c for c in ALL if term_of(chr(c)).value != expected.get(c, "Hard")]
    assert wrong == []


@NEEDS_DATA
def test_link_email_is_unicodes_for_every_code_point() -> None:
    """All 0x110000."""
    expected = {code_point for code_point, _ in property_values("LinkEmail.txt")}
    assert len(expected) > 100_000
    assert [c for c in ALL if is_email(chr(c)) != (c in expected)] == []


@NEEDS_DATA
def test_the_pairs_of_brackets_are_unicodes() -> None:
    """All 65."""
    pairs = {chr(close): chr(int(value, 16)) for close, value in property_values("LinkBracket.txt")}
    assert len(pairs) == 65
    assert pairs == OPENING


def test_what_cannot_be_seen_ends_a_link() -> None:
    """Bidi controls, a soft hyphen and blanks do; joiners and variation selectors do not."""
    for char in "\u202e\u2066\u061c\u00ad\u200b\u2060\ufeff\u3164\U000e0041":
        assert is_hidden(char), ascii(char)
        assert effect_of(char) is Term.HARD
    for char in "\u200c\u200d\ufe0fa.)\U000e0100":
        assert not is_hidden(char), ascii(char)
        assert effect_of(char) is term_of(char)

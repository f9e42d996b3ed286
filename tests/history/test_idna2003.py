"""`weburl.history.idna2003`: ToASCII of RFC 3490, with the rules of STD 3."""

from __future__ import annotations

from encodings.idna import ToASCII
from stringprep import map_table_b2
from unicodedata import ucd_3_2_0

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.history.errors import LegacyURLError
from weburl.history.idna2003 import domain_to_ascii
from weburl.history.nameprep import map_and_normalize, map_by_table_b2


@pytest.mark.parametrize(
    ("domain", "ascii_domain"),
    [
        ("Example.COM", "Example.COM"),
        ("B\u00fccher.example", "xn--bcher-kva.example"),
        ("fa\u00df.example", "fass.example"),
        ("a\u3002b\uff0ec\uff61d", "a.b.c.d"),
        ("example.", "example."),
        ("1.2.3.4", "1.2.3.4"),
        ("a" * 63, "a" * 63),
        ("\u00ad" * 1000 + "\u00e9", "xn--9ca"),
        ("\u0221", "xn--6la"),
    ],
)
def test_a_domain_to_ascii(domain: str, ascii_domain: str) -> None:
    """ASCII labels stay as they are; an unassigned code point is allowed."""
    assert domain_to_ascii(domain) == ascii_domain


@pytest.mark.parametrize(
    "domain",
    ["", ".", "a..b", ".a", "a_b", "-a", "a-", "a b", "a" * 64, "\u00e9" * 64, "xn--\u00e9",
     "\u00ad", "\u05d0a", "\u00e9" * 300, "\ufffd", "a\x00", "\u2100", "a.b.."],
)  # fmt: skip
def test_a_domain_that_is_none(domain: str) -> None:
    """Empty and long labels, what is no letter, digit or hyphen, and what nameprep refuses."""
    with pytest.raises(LegacyURLError, match="label of the host"):
        domain_to_ascii(domain)


def _is_of_unicode_3_2(char: str) -> bool:
    return ucd_3_2_0.category(char) != "Cn" and char not in YOUNGER_LOWERCASE


# What 3.2 had, and has a lowercase since; the Georgian and the Cherokee letters are runs.
YOUNGER_LOWERCASE = frozenset(
    [
        *map(chr, range(0x10A0, 0x10C6)),
        *map(chr, range(0x13A0, 0x13F5)),
        "\u04c0",
        "\u2132",
        "\u2183",
    ]
)


@given(st.text(st.characters(exclude_characters=".\u3002\uff0e\uff61", codec="utf-8"), max_size=8))
def test_a_label_is_the_standard_librarys_where_std3_lets_it_be(label: str) -> None:
    """Its ToASCII has no UseSTD3ASCIIRules, and is right otherwise, for what 3.2 had."""
    label = "".join(filter(_is_of_unicode_3_2, label))
    try:
        result = domain_to_ascii(label)
    except LegacyURLError:
        return
    assert result.encode() == ToASCII(label)
    assert all(char.isalnum() or char == "-" for char in result)


@pytest.mark.parametrize(
    ("domain", "ascii_domain"),
    [
        ("\u13a0.example", "xn--58d.example"),
        ("\u1e9e.example", "xn--kkg.example"),
        *[
            (char, "xn--" + folded.encode("punycode").decode())
            for char, folded in (
                ("\u10a0", "\u10a0"),
                ("\u04c0", "\u04c0"),
                ("\u0220", "\u019e"),
                ("\u0130", "i\u0307"),
                ("\u1c90", "\u1c90"),
                ("\ua640", "\ua640"),
                ("\U00010400", "\U00010428"),
                ("\U0001e900", "\U0001e900"),
            )
        ],
    ],
)
def test_case_is_folded_as_unicode_3_2_folds_it(domain: str, ascii_domain: str) -> None:
    """Not by the running Python: what got its lowercase since, or is younger, stays as it is."""
    assert domain_to_ascii(domain) == ascii_domain


@pytest.mark.nightly
def test_table_b2_leaves_126_letters_that_have_a_lowercase_today() -> None:
    """And every code point that 3.2 did not have; for the others it is the library's.

    Python 3.14.8 leaves the 126, too.
    """
    kept = set()
    for char in map(chr, range(0x110000)):
        if ucd_3_2_0.category(char) == "Cn":
            assert map_by_table_b2(char) == char
        elif map_by_table_b2(char) != map_table_b2(char):
            assert map_by_table_b2(char) == char
            kept.add(char)
    assert kept in (YOUNGER_LOWERCASE, set())
    assert {
        char for char in YOUNGER_LOWERCASE if map_by_table_b2(char) == char
    } == YOUNGER_LOWERCASE
    assert len(YOUNGER_LOWERCASE) == 126


def test_what_unicode_3_2_did_not_have_neither_moves_nor_combines() -> None:
    """U+0358 has a combining class since 4.1, and U+11099 and U+110BA make one since 5.2."""
    assert map_and_normalize("a\u0358\u0323") == "a\u0358\u0323"
    assert map_and_normalize("\U00011099\U000110ba") == "\U00011099\U000110ba"
    assert map_and_normalize("a\u0301\u0323") == "\u1ea1\u0301"

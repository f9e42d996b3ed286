"""`weburl.history.idna2003`: ToASCII of RFC 3490, with the rules of STD 3."""

from __future__ import annotations

from encodings.idna import ToASCII

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.history.errors import LegacyURLError
from weburl.history.idna2003 import domain_to_ascii


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


@given(st.text(st.characters(exclude_characters=".\u3002\uff0e\uff61", codec="utf-8"), max_size=8))
def test_a_label_is_the_standard_librarys_where_std3_lets_it_be(label: str) -> None:
    """Its ToASCII has no UseSTD3ASCIIRules."""
    try:
        result = domain_to_ascii(label)
    except LegacyURLError:
        return
    assert result.encode() == ToASCII(label)
    assert all(char.isalnum() or char == "-" for char in result)

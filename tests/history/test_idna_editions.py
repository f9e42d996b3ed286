"""`weburl.history.idna_editions`: names of hosts by the tables of 2020 and 2024."""

from __future__ import annotations

import unicodedata
from unicodedata import ucd_3_2_0

import pytest

from weburl.history.idna_editions import UNICODE_13, UNICODE_15_1, Edition

OLD_AND_REFUSED = frozenset(
    [0x04C0, *range(0x10A0, 0x10C6), 0x115F, 0x1160, 0x17B4, 0x17B5, 0x1806, 0x180E, 0x2061, 0x2062,
     0x2063, *range(0x206A, 0x2070), 0x2132, 0x2183, 0x3164, 0xFFA0, *range(0x1D173, 0x1D17B),
     0x2F868, 0x2F874, 0x2F91F, 0x2F95F, 0x2F9BF]
)  # fmt: skip


@pytest.mark.parametrize(("edition", "count"), [(UNICODE_13, 29006), (UNICODE_15_1, 23066)])
def test_what_was_refused_is_71_old_code_points_and_whatever_is_younger(
    edition: Edition, count: int
) -> None:
    """Counted once beside the tables of those years."""
    refused = [
        code_point for code_point in range(0x110000) if edition.refused.match(chr(code_point))
    ]
    assert len(refused) == count
    old = {code_point for code_point in refused if ucd_3_2_0.category(chr(code_point)) != "Cn"}
    assert old == OLD_AND_REFUSED
    assert len(old) == 71


def test_what_the_running_python_does_not_know_yet_was_refused_where_it_is_valid() -> None:
    """Its tables are those of Unicode 14 at least, and what it lacks came later than 2020."""
    assert unicodedata.unidata_version >= "14"
    for code_point in (0x9FFD, 0x1F6DC, 0x31350, 0x2EBF0, 0x1E5D0):
        assert UNICODE_13.refused.match(chr(code_point))
    assert UNICODE_15_1.refused.match(chr(0x1E5D0))
    assert not UNICODE_15_1.refused.match(chr(0x2EBF0))


@pytest.mark.parametrize(
    ("domain", "in_2020", "in_2024"),
    [
        ("\u1e9e.example", "ss.example", "xn--zca.example"),
        ("\u04c0.example", None, None),
        ("a\u2061b", None, None),
        ("xn--d5a", None, None),
        ("\U0001f6dc", None, "xn--y98h"),
        ("fa\u00df.de", "xn--fa-hia.de", "xn--fa-hia.de"),
        ("xn--abc-", "abc", None),
        ("xn--", "", None),
        ("xn--xn--a-", "xn--a", None),
        ("a\u2260b", "xn--ab-evs", "xn--ab-evs"),
        ("", "", None),
    ],
)
def test_a_domain_to_ascii_by_the_tables_of_its_day(
    domain: str, in_2020: str | None, in_2024: str | None
) -> None:
    """Refused, mapped and decoded as then."""
    if domain == "\U0001f6dc":
        in_2024 = "xn--" + domain.encode("punycode").decode()
    if domain == "a\u2260b":
        in_2020 = in_2024 = "xn--" + domain.encode("punycode").decode()
    assert UNICODE_13.to_ascii(domain) == in_2020
    assert UNICODE_15_1.to_ascii(domain) == in_2024


@pytest.mark.parametrize(
    ("domain", "is_valid"),
    [
        ("example", True),
        ("-a", True),
        ("ab--c", True),
        ("a_b", False),
        ("a\u2260b", False),
        ("example.", False),
        ("", False),
        ("a" * 63, True),
        ("a" * 64, False),
        (".".join(["a" * 49] * 5), True),
        (".".join(["a" * 50] * 5), False),
        ("1.2.3.4.5", True),
    ],
)
def test_a_domain_to_ascii_that_is_strict(domain: str, is_valid: bool) -> None:
    """Letters, digits and hyphens wherever they stand, and the lengths of DNS."""
    assert (UNICODE_13.to_ascii(domain, be_strict=True) is not None) is is_valid
    assert (UNICODE_15_1.to_ascii(domain, be_strict=True) is not None) is is_valid

"""Tests of `hosts.uts46` for mapping, validity, joiners, bidi and lengths.

web-platform-tests leave the bidi rows of Unicode's test file out, so that the rule here is read
from RFC 5893.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from unicodedata import is_normalized

import idna.idnadata
import pytest
from hypothesis import given
from hypothesis import strategies as st
from idna.uts46data import uts46_statuses

from weburl.standard.hosts import uts46
from weburl.standard.hosts.uts46 import to_ascii, to_ascii_unless_forbidden, to_unicode
from weburl.standard.infra import unicode_data
from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT

ALEF, BEH = "\u05d0", "\u0628"
HEBREW_POINT = "\u05b0"
ARABIC_DIGIT, EXTENDED_ARABIC_DIGIT = "\u0660", "\u06f0"
ZWNJ, ZWJ = "\u200c", "\u200d"
KA, VIRAMA = "\u0915", "\u094d"

domains = st.text(
    st.sampled_from(
        "ab1-.\xdf\xe9\u0130\u03c2\u0301\u0323\u00ad\u3002\uff21\u1100\u1161\u65e5"
        f"{ALEF}{BEH}{HEBREW_POINT}{ARABIC_DIGIT}{ZWNJ}{ZWJ}{KA}{VIRAMA}\U0001f4a9"
    ),
    max_size=8,
)


def xn(label: str) -> str:
    """Return the A-label of a label, as Python's codec encodes it."""
    return "xn--" + label.encode("punycode").decode("ascii")


def test_the_tables_are_of_one_unicode_version() -> None:
    """Mapping and statuses are from one package, and the other properties from another."""
    unicodedata2 = pytest.importorskip("unicodedata2", reason="Pyodide has no unicodedata2.")
    assert idna.idnadata.__version__ == unicodedata2.unidata_version


@pytest.mark.parametrize(
    "domain",
    [
        chr(0xD800),
        "\u0378",
        "\U000e0001",
        "\U0010ffff",
        "\u2488a",
        "\ufdfa",
        "\u0301a",
        "\u0903",
        xn("\u00c9"),
        xn("\u00ad"),
        xn("\u0301a"),
        xn("xn--\u00e9"),
        "xn--",
        "xn--abc-",
        "xn--zzzzzzzz",
        "xn--\u00e9",
        "a.xn--0.b",
    ],
)
def test_a_label_that_is_not_valid_fails_strict_or_not(domain: str) -> None:
    """It has a wrong character, begins with a mark, or is an A-label that mapping changes.

    U+FDFA is mapped to words with spaces between them, which break the bidi rule.
    """
    assert to_ascii(domain, False) is None
    assert to_ascii(domain, True) is None
    assert to_unicode(domain) is None


@pytest.mark.parametrize("label", ["fa\u00df", "\u65e5\u672c\u8a9e", "\u03c3\u03c2", "a\u00e9-b"])
def test_an_a_label_is_kept_in_either_case(label: str) -> None:
    """Uppercase is mapped before the digits are read."""
    assert to_ascii(xn(label), True) == xn(label)
    assert to_ascii(xn(label).upper(), True) == xn(label)
    assert to_unicode(xn(label).upper()) == label


# --- the strict flags ------------------------------------------------------------------------


def test_a_label_has_63_code_points_at_most_in_its_ascii_form() -> None:
    """They include "xn--", and are counted after encoding."""
    longest = next(
        "\u00e9" + "a" * size for size in range(64) if len(xn("\u00e9" + "a" * size)) == 63
    )
    assert to_ascii(longest, True) == xn(longest)
    assert to_ascii(longest + "a", False) == xn(longest + "a")
    assert len(xn(longest + "a")) == 64
    assert to_ascii(longest + "a", True) is None


def test_a_domain_has_253_code_points_at_most_in_its_ascii_form() -> None:
    """They include the dots."""
    labels = [xn("\u00e9"), "a" * 63, "a" * 63, "a" * 63]
    rest = 253 - len(".".join(labels)) - 1
    longest = ".".join([*labels, "a" * rest])
    assert len(longest) == 253
    unicode_domain = longest.replace(xn("\u00e9"), "\u00e9", 1)
    assert to_ascii(unicode_domain, True) == to_ascii(longest, True) == longest
    assert to_ascii(unicode_domain + "a", True) is None
    assert to_ascii(longest + "a", True) is None
    assert to_ascii(unicode_domain + "a", False) == longest + "a"


@given(domains, st.booleans())
def test_to_ascii_gives_ascii_that_stays_and_reads_back(domain: str, be_strict: bool) -> None:
    """The Unicode form gives the same. A strict domain passes without strictness too."""
    result = to_ascii(domain, be_strict)
    if result is None:
        return
    assert result.isascii()
    assert to_ascii(result, be_strict) == result
    unicode_domain = to_unicode(domain)
    assert unicode_domain is not None
    assert to_unicode(result) == unicode_domain
    assert to_ascii(unicode_domain, be_strict) == result
    assert to_ascii(domain, False) == result


@given(domains)
def test_to_unicode_fails_where_to_ascii_does_when_it_is_not_strict(domain: str) -> None:
    """They share every check."""
    assert (to_unicode(domain) is None) == (to_ascii(domain, False) is None)


def test_every_status_of_the_table_is_one_of_five() -> None:
    """An unknown status would be taken for one of them."""
    assert set(uts46_statuses) == set(b"VMDIX")


# --- what is remembered ----------------------------------------------------------------------


@pytest.fixture
def nothing_remembered() -> Iterator[None]:
    """Make the module forget what it knows of code points, before the test and after it."""
    for remembered in (uts46._kinds, uts46._mapped_to):
        remembered.clear()
    yield
    for remembered in (uts46._kinds, uts46._mapped_to):
        remembered.clear()


@given(domains, st.booleans())
def test_what_is_remembered_of_code_points_changes_no_answer(domain: str, be_strict: bool) -> None:
    """The answer is the same the first time, the second time, and for the mapped domain."""
    uts46._kinds.clear()
    first = to_ascii(domain, be_strict), to_unicode(domain), to_ascii_unless_forbidden(domain)
    mapped = uts46.map_and_normalize(domain)
    for text in (domain, mapped):
        again = to_ascii(text, be_strict), to_unicode(text), to_ascii_unless_forbidden(text)
        assert again == first, text


@pytest.mark.parametrize(
    ("known", "domain", "result"),
    [
        ("\u0915\u093e", "\u0915.\u093e", None),
        ("\u0915\u093e", "\u093e\u0915", None),
        ("\u0915\u093e", "\u0915\u093e.a", f"{xn(KA + chr(0x93E))}.a"),
        ("x\u0301", "e\u0301", xn("\u00e9")),
        ("x\u0301", "a.e\u0301", f"a.{xn(chr(0xE9))}"),
        ("x\u0301", "a.\u0301", None),
        ("\u00e9", "xn--\u00e9", None),
        ("\u00e9", "\u00e9.xn--a", None),
        ("\u00e9", "\u00e9.xn--fa-hia", f"{xn(chr(0xE9))}.xn--fa-hia"),
        ("\u00e9", "\u00e9.axn--", f"{xn(chr(0xE9))}.axn--"),
        ("\u00e9", "\u00e9..-.", f"{xn(chr(0xE9))}..-."),
    ],
)
def test_a_domain_of_ordinary_code_points_is_not_always_valid(
    nothing_remembered: None, known: str, domain: str, result: str | None
) -> None:
    """It may begin with a mark, compose, or have an A-label."""
    to_ascii(known, False)
    assert uts46._ordinary.issuperset(domain)
    assert to_ascii(domain, False) == result
    assert to_ascii_unless_forbidden(domain) == result


def test_only_what_stays_as_it_is_in_every_domain_is_ordinary(nothing_remembered: None) -> None:
    """Every code point is tried, and the memory for them is limited."""
    ordinary = 0
    for code_point in range(0x80, sys.maxunicode + 1):
        char = chr(code_point)
        if not unicode_data.knows(char):
            continue
        kind = uts46._kinds[code_point]
        is_mark = unicode_data.category(char).startswith("M")
        assert len(uts46._kinds) <= 1 << 15
        assert len(uts46._ordinary) <= (1 << 15) + 0x80
        if char in uts46._ordinary:
            ordinary += 1
            assert kind in set("LENOX")
            assert uts46._mapped_to[code_point] == char
            assert unicode_data.bidirectional(char) not in {"R", "AL", "AN", "BN"}
            assert (char in uts46._marks) == is_mark
    assert ordinary > 140_000
    assert 2000 < len(uts46._marks) < 3000


@pytest.mark.parametrize(
    "domain", ["\u00e9/", "\u00e9.\uff1a", "\u2100", "\u00e9 ", "\uff1c.\u00e9", "\u00e9%41"]
)
def test_a_result_with_a_forbidden_code_point_is_none(domain: str) -> None:
    """The domain has the code point before mapping, or only after it."""
    result = to_ascii(domain, False)
    assert result is not None
    assert FORBIDDEN_DOMAIN_CODE_POINT.search(result)
    assert to_ascii_unless_forbidden(domain) is None
    assert to_ascii_unless_forbidden("=\u0338") == to_ascii("=\u0338", False)
    assert to_ascii_unless_forbidden("<\u0338") == to_ascii("<\u0338", False)


def satisfies_bidi_rule(kinds: tuple[str, ...]) -> bool:
    """Return whether a label of these kinds satisfies RFC 5893, section 2, condition by condition.

    "R" is for R and AL, "A" for AN, "E" for EN, "N" for NSM, "J" for BN, and "O" for ES, CS, ET and
    ON.
    """
    if not kinds:
        return True
    if kinds[0] not in ("R", "L"):  # 1
        return False
    last = next((kind for kind in reversed(kinds) if kind != "N"), "N")
    if kinds[0] == "R":
        return (
            all(kind in "RAEOJN" for kind in kinds)  # 2
            and last in "REA"  # 3
            and not ("E" in kinds and "A" in kinds)  # 4
        )
    return all(kind in "LEOJN" for kind in kinds) and last in "LE"  # 5, 6


def test_the_bidi_rule_is_that_of_the_rfc_for_all_short_labels() -> None:
    """Labels with at most five code points are alone, or before or after others."""
    labels = [kinds for size in range(6) for kinds in product("LRAENOJX", repeat=size)]
    assert len(labels) == 37449
    for kinds in labels:
        expected = satisfies_bidi_rule(kinds)
        label = "".join(kinds)
        for domain in (label, f"RN.{label}", f"{label}.LEO.R" if not expected else f"{label}.LN."):
            assert (uts46._bidi_rule().fullmatch(domain) is not None) == expected, domain


def test_the_bidi_rule_takes_linear_time() -> None:
    """A bad ending does not make the regex try other ways to read the beginning."""
    for kinds in ("RN" * 500_000 + "O", "R" * 1_000_000 + "L", "RE.R." * 200_000 + "X"):
        assert uts46._bidi_rule().fullmatch(kinds) is None
    assert uts46._bidi_rule().fullmatch("RRNN." * 200_000) is not None


# A code point of each class that a label may have, and one that needs another before it.
CLASSES = {
    "a": "L",
    "\u00e9": "L",
    ALEF: "R",
    BEH: "R",
    ARABIC_DIGIT: "A",
    "1": "E",
    EXTENDED_ARABIC_DIGIT: "E",
    HEBREW_POINT: "N",
    VIRAMA + ZWJ: "NJ",
    **dict.fromkeys("+,\u20ac!", "O"),
}


def test_domains_satisfy_the_bidi_rule_or_fail() -> None:
    """Alone, before and after a right-to-left label; as they are and as A-labels.

    Without a right-to-left label, the rule does not apply.
    """
    failed = 0
    for pieces in (pieces for size in (1, 2, 3) for pieces in product(CLASSES, repeat=size)):
        label = "".join(pieces)
        if not is_normalized("NFC", label):
            continue
        for domain in (label, f"{label}.{ALEF}", f"{ALEF}.{label}"):
            kinds = tuple("".join(map(CLASSES.__getitem__, pieces)))
            is_bidi = domain != label or not {"R", "A"}.isdisjoint(kinds)
            fails = kinds[0] == "N" or (is_bidi and not satisfies_bidi_rule(kinds))
            failed += fails
            encoded = ".".join(x if x.isascii() else xn(x) for x in domain.split("."))
            expected = None if fails else encoded
            assert to_ascii(domain, False) == to_ascii(encoded, False) == expected, domain
            assert (to_unicode(domain) is None) == (to_unicode(encoded) is None) == fails
    assert failed > 2000

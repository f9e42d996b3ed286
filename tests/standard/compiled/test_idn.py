"""Tests of `compiled.idn`, and of `standard.hosts.uts46` without strict rules."""

from __future__ import annotations

import unicodedata

import pytest
import unicodedata2
from hypothesis import example, given
from hypothesis import strategies as st

from tests.wpt import load_cases
from weburl import COMPILED
from weburl.standard.hosts import punycode, uts46
from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT

if not COMPILED:
    pytest.skip("there is nothing in C", allow_module_level=True)

from weburl.standard.compiled.idn import domain_to_ascii

CODE_POINTS = [chr(code) for code in range(0x80, 0x110000) if not 0xD800 <= code < 0xE000]
# A code point alone; in labels of both directions; after a letter and a mark, and before a mark,
# which it may compose with; where a joiner may be; and between letters of Hangul.
CONTEXTS = (
    "{}",
    "a{}b.\u05d0",
    "\u05d0{}\u05d0",
    "e\u0323{}",
    "\u00e9{}\u0301",
    "\u0915\u094d{}\u0915",
    "\u0628{}\u0628",
    "\u1100{}\u11a8",
)

ALPHABETS = (
    "ab1-.xn--\xdf\xe9\u0130\u03c2\u0301\u0323\u00ad\u3002\uff21\u1100\u1161\u11a8\u65e5\U0001f4a9",
    "a1-.\u05d0\u05b0\u05bc\u0628\u0646\u0660\u06cc\u06f0\u064b\u064e\u0651\u0653\u200c\u200d",
    "a.\u0915\u093c\u0958\u094d\u0928\u093f\u200c\u200d\u09c7\u09be\u09d7\u0b92\u0bd7\u0e01\u0e31\u0e33",
    "e\u0327\u0328\u031b\u0302\u0345\u1e08\u1ec7\u01ed\u03b1\u1f84\u1fbc\u212b\u0344\ufdfa\ufb1d",
)
labels = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    *(st.text(st.sampled_from(alphabet), max_size=12) for alphabet in ALPHABETS),
)


def a_label(label: str) -> str:
    """Return ``label`` in Punycode, even if that is not valid."""
    return label if label.isascii() else f"xn--{punycode.encode(label)}"


def check(domain: str) -> str | None:
    """Compare the compiled result with `uts46`. It may be None only if the host is invalid."""
    expected = uts46.to_ascii(domain, be_strict=False)
    result = domain_to_ascii(domain)
    if expected is None or (result is None and FORBIDDEN_DOMAIN_CODE_POINT.search(expected)):
        assert result is None, (domain, result)
    else:
        assert result == expected, domain
    return result


def test_every_code_point_alone_and_beside_others_comes_out_alike() -> None:
    """A code point that no label may have is always declined."""
    taken = 0
    for char in CODE_POINTS:
        if uts46._mapping(ord(char)) == char and not uts46._kind(ord(char)):
            assert domain_to_ascii(char) is None
            assert domain_to_ascii(f"\u0915\u094d{char}\u0915") is None
        else:
            # Ideographs and syllables are many, and alike.
            is_one_of_many = "\u3400" <= char < "\ud7a4" or char >= "\U00020000"
            contexts = CONTEXTS[::7] if is_one_of_many else CONTEXTS
            taken += sum(check(context.format(char)) is not None for context in contexts)
    assert taken > 300_000


def test_every_code_point_in_punycode_comes_out_alike() -> None:
    """They include surrogates, and what mapping or normalization would change."""
    taken = 0
    for code in range(0x80, 0x30000):
        taken += check(f"xn--{punycode.encode(chr(code))}") is not None
        if code < 0x3100:
            check(f"xn--{punycode.encode(chr(code) + chr(0x301))}.a")
    assert taken > 100_000


@pytest.mark.parametrize(
    ("name", "count"),
    [("IdnaTestV2.json", 2671), ("IdnaTestV2-removed.json", 20), ("toascii.json", 87)],
)
def test_the_domains_of_web_platform_tests_come_out_alike(name: str, count: int) -> None:
    """Surrogates are replaced before."""
    cases = load_cases(name)
    assert len(cases) == count
    for case in cases:
        check(case["input"].encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


@given(st.lists(labels, min_size=1, max_size=4))
@example(["\u00e9\u0323"])
@example(["\u0623\u0655"])
@example(["\u0130stanbul"])
@example(["\u09ac\u09be\u0982\u09b2\u09be"])
@example(["\u0939\u093f\u0928\u094d\u0926\u0940"])
@example(["xn--xn---epa"])
def test_domains_come_out_alike(parts: list[str]) -> None:
    """Labels are in Unicode, in Punycode and in uppercase."""
    domain = ".".join(parts)
    check(domain)
    check(domain.upper())
    check(".".join(map(a_label, parts)))
    check(".".join(map(a_label, unicodedata.normalize("NFC", domain).split("."))))


def test_e_acute_and_a_dot_below_change_places() -> None:
    """A mark that composes with nothing moves before the mark that a letter was composed with."""
    assert check("\u00e9\u0323") == "xn--lsa503l"
    assert check("xn--9ca45i") is None


@pytest.mark.parametrize("size", [48, 49, 255, 256, 257, 511, 512, 513, 3000])
def test_labels_of_every_size_come_out_alike(size: int) -> None:
    """Short labels are on the stack, and are sorted and counted differently from long ones."""
    kinds = (
        "\u00e9" * size,
        "".join(chr(0x4E00 + at * 7919 % 20000) for at in range(size)),
        "".join(chr(0x4E00 + at * 7919 % 20000) + "ab"[at % 2] for at in range(size)),
        "a" * size + "\u00e9",
        "".join("\u0628\u0645\u064e"[at % 3] for at in range(size)),
        "i\u0307\u0323" * size,
        "\U0001f600\U0010fffd"[:1] * size,
    )
    for label in kinds:
        assert check(label) is not None
        assert check(a_label(unicodedata.normalize("NFC", label))) is not None
        check(f"xn--{'9' * size}")
        check(f"xn--{'a' * size}")
        check(f"xn--9ca{'a' * size}")


def test_nothing_is_valid_that_normalization_changes_by_itself() -> None:
    """The quick check relies on it, because it looks only at neighbours."""
    from weburl.standard.compiled.code_point_facts import INERT, MAPPED, VALID, facts_of

    changing = {
        part
        for char in CODE_POINTS
        if (parts := unicodedata2.decomposition(char).split()) and not parts[0].startswith("<")
        for part in parts[1:]
    }
    seconds = {chr(int(part, 16)) for part in changing} | {
        chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
    }
    for char in CODE_POINTS[:0x32000]:  # only tags and selectors are assigned after it
        facts, _, combining_class, replacement = facts_of(ord(char))
        assert combining_class == unicodedata2.combining(char)
        if facts & (VALID | MAPPED):
            assert unicodedata2.normalize("NFC", replacement) == replacement
        if facts & INERT:
            assert seconds.isdisjoint(replacement)
            assert not any(map(unicodedata2.combining, replacement))

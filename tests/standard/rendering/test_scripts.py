"""Compares the table of scripts with the regex package, for all of Unicode."""

from __future__ import annotations

from typing import Final

import regex
import unicodedata2

from weburl.standard.rendering import scripts, spoofing

RECOMMENDED: Final = (
    "Arabic", "Armenian", "Bengali", "Bopomofo", "Cyrillic", "Devanagari", "Ethiopic", "Georgian",
    "Greek", "Gujarati", "Gurmukhi", "Hangul", "Han", "Hebrew", "Hiragana", "Kannada", "Katakana",
    "Khmer", "Lao", "Latin", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu",
    "Thaana", "Thai", "Tibetan",
)  # fmt: skip
PATTERNS: Final = {
    name: regex.compile(rf"(?!\p{{Script=Inherited}})\p{{Script_Extensions={name}}}")
    for name in RECOMMENDED
}


def asked_about() -> list[str]:
    """Return the code points whose scripts `spoofing` looks up."""
    return [
        char
        for char in map(chr, range(0x80, 0x110000))
        if unicodedata2.category(char) in ("Ll", "Lu", "Lo", "Lm", "Mn", "Mc", "Nd")
        and char not in spoofing._LIKE_DELIMITERS
        and (char in spoofing._ORDINARY_ALL_THE_SAME or spoofing._is_its_own_normal_form(char))
    ]


def the_table(expected: dict[str, tuple[str, ...]]) -> str:
    """Return the table with these scripts, in ranges that are as long as possible."""
    ranges: list[tuple[str, str, tuple[str, ...]]] = []
    for char, names in expected.items():
        if ranges and ranges[-1][2] == names:
            ranges[-1] = (ranges[-1][0], char, names)
        else:
            ranges.append((char, char, names))
    return "".join(
        f"{ord(first):04X}{f'-{ord(last):04X}' if last > first else ''} {' '.join(names)}\n"
        for first, last, names in ranges
        if names
    )


def test_every_code_point_has_the_scripts_that_the_regex_package_says() -> None:
    """It checks those that `spoofing` looks up. If Unicode has changed, it prints the new table."""
    expected = {
        char: tuple(name for name in RECOMMENDED if PATTERNS[name].match(char))
        for char in asked_about()
    }
    differ = [char for char in expected if scripts.scripts_of(char) != set(expected[char])]
    assert differ == [], the_table(expected)
    assert len(expected) > 150_000
    assert len(scripts._ROWS) == the_table(expected).count("\n")


def test_the_table_has_the_recommended_scripts() -> None:
    """It has no other scripts."""
    assert set(RECOMMENDED) == scripts.SCRIPTS

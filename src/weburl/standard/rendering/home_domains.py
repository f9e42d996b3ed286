"""Top-level domains whose readers know a script, and Latin letters that only some alphabets have.

A script is at home under the domains of the countries where an official language is written in it,
according to CLDR, and under every top-level domain that is itself written in it. Chromium has the
same rule with fewer domains: am; bg, by, kz, ru, su, ua, uz; er, et; ge; gr; il; mm; th. Firefox
has it for Cyrillic. It does no harm to list a domain whose registry refuses names in the script.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SCRIPTS: Final = {
    "Arabic": "ae af bh dj dz eg er il in iq ir jo km kw lb ly ma mr om pk ps qa sa sd so sy td tn"
    " ye",
    "Armenian": "am",
    "Bengali": "bd in",
    "Bopomofo": "tw",
    "Cyrillic": "ba bg by kg kz mk mn rs ru su tj ua uz",
    "Devanagari": "in np",
    "Ethiopic": "er et",
    "Georgian": "ge",
    "Greek": "cy gr",
    "Gujarati": "in",
    "Gurmukhi": "in",
    "Han": "cn hk jp mo sg tw",
    "Hangul": "kp kr",
    "Hebrew": "il",
    "Hiragana": "jp",
    "Kannada": "in",
    "Katakana": "jp",
    "Khmer": "kh",
    "Lao": "la",
    "Malayalam": "in",
    "Myanmar": "mm",
    "Oriya": "in",
    "Sinhala": "lk",
    "Tamil": "in lk sg",
    "Telugu": "in",
    "Thaana": "mv",
    "Thai": "th",
    "Tibetan": "bt cn in",
}

HOMES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {script: frozenset(domains.split()) for script, domains in _SCRIPTS.items()}
)
"""The top-level domains where each script is at home, without those that are written in it."""

LATIN_LETTERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        letter: frozenset(domains.split())
        for letter, domains in {
            "ı": "az tr",
            "ə": "az",
            "þ": "fo is",
            "æ": "dk fo gl is no",
            "œ": "be ca ch fr lu",
            "ơ": "vn",
            "ɓ": "ne ng",
            "ɗ": "ne ng",
            "ƙ": "ne ng",
        }.items()
    }
)
"""Letters that look like one or two of ASCII, and the domains whose readers expect them."""

"""The scripts of letters, marks and digits, and the top-level domains whose readers know them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final

# Script_Extensions of Unicode 18: a table (`scripts.txt`) instead of a library, because it is
# small, and because there are no wheels of libraries with this data for some interpreters. It has
# only the scripts of living languages that everyone may use in names, and is right only for code
# points that `spoofing` looks up: a range may cover others. A test compares it with the regex
# package, and prints the new table if they differ.
_TABLE: Final = files(__package__).joinpath("scripts.txt").read_text("utf-8")
_ROWS: Final = [row.split() for row in _TABLE.splitlines() if not row.startswith("#")]
_STARTS: Final = [int(row[0].partition("-")[0], 16) for row in _ROWS]
_ENDS: Final = [int(row[0].rpartition("-")[2], 16) for row in _ROWS]
_NAMES: Final = [frozenset(row[1:]) for row in _ROWS]
SCRIPTS: Final = frozenset[str]().union(*_NAMES)
"""The names of all scripts in the table, such as "Latin"."""

_NO_SCRIPT: Final[frozenset[str]] = frozenset()


def scripts_of(char: str) -> frozenset[str]:
    """Return the scripts that ``char`` is used with, without those that only scholars use.

    ``char`` must be a letter, a mark or a decimal digit beyond ASCII in its own normal form.
    """
    at = bisect_right(_STARTS, ord(char)) - 1
    return _NAMES[at] if at >= 0 and ord(char) <= _ENDS[at] else _NO_SCRIPT


# --- where scripts are at home -------------------------------------------------------------------

# A script is at home under the domains of the countries where an official language is written in
# it, according to CLDR, and under every top-level domain that is itself written in it. Chromium has
# the same rule with fewer domains: am; bg, by, kz, ru, su, ua, uz; er, et; ge; gr; il; mm; th.
# Firefox has it for Cyrillic. It does no harm to list a domain whose registry refuses names in the
# script.
_HOMES: Final = {
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
    {script: frozenset(domains.split()) for script, domains in _HOMES.items()}
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

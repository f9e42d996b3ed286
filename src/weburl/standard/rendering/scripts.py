"""The scripts that letters, marks and digits are used with: Script_Extensions of Unicode 18.

A table instead of a library, because it is small, and because there are no wheels of libraries with
this data for some interpreters. It has only the scripts of living languages that everyone
may use in names, and is right only for code points that `spoofing` looks up: a range may cover
others. A test compares it with the regex package, and prints the new table if they differ.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

# The first and last code points of a range, and the scripts of each code point in it.
# Spec: https://www.unicode.org/reports/tr24/#Script_Extensions, of the scripts in
# https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts
_TABLE: Final = """
00C0-02AF Latin
02C7 Bopomofo Latin
02C9 Bopomofo Latin
02CD Latin
0370-03E1 Greek
03F3-03FF Greek
0400-0484 Cyrillic
0487-052F Cyrillic
0531-0588 Armenian
0591-05F2 Hebrew
0610-064A Arabic
0656-065F Arabic
0661-0669 Arabic Thaana
066E-066F Arabic
0671-06FF Arabic
0750-077F Arabic
0780-07B1 Thaana
0870-08FF Arabic
0900-0950 Devanagari
0955-097F Devanagari
0980-09FE Bengali
0A01-0A75 Gurmukhi
0A81-0AFF Gujarati
0B01-0B71 Oriya
0B82 Tamil
0B83 Kannada Malayalam Tamil Telugu
0B85-0BEF Tamil
0C00-0C6F Telugu
0C80-0CF3 Kannada
0D00-0D7F Malayalam
0D81-0DF3 Sinhala
0E01-0E59 Thai
0E81-0EDF Lao
0F00-0FC6 Tibetan
1000-109D Myanmar
10A0-10FF Georgian
1200-138F Ethiopic
1780-17E9 Khmer
1C89-1C8A Cyrillic
1C90-1CBF Georgian
1CE1 Bengali Devanagari
1CE9 Devanagari
1CEA Bengali Devanagari
1CEB-1CEC Devanagari
1CEE-1CF1 Devanagari
1CF2 Bengali Devanagari Kannada Malayalam Oriya Sinhala Telugu
1CF3 Devanagari
1CF5-1CF7 Bengali
1D00-1D25 Latin
1D26-1D2A Greek
1D2B Cyrillic
1D2F-1D9A Latin
1E00-1EFF Latin
1F00-1FFA Greek
2132-2184 Latin
2C60-2C7F Latin
2D00-2D2D Georgian
2D80-2DDE Ethiopic
2DE0-2DFF Cyrillic
3005-3006 Han
303C Han Hiragana Katakana
3041-3096 Hiragana
309D-309E Hiragana
30A1-30FA Katakana
30FC Hiragana Katakana
30FD-30FE Katakana
3105-31BF Bopomofo
31F0-31FF Katakana
3400-9FFF Han
A640-A69F Cyrillic
A722-A787 Latin
A78B-A7FF Latin
A8E0-A8F0 Devanagari
A8F1 Bengali Devanagari
A8F2 Devanagari
A8F3 Devanagari Tamil
A8F4-A8FF Devanagari
A9E0-A9FE Myanmar
AA60-AA7F Myanmar
AB01-AB2E Ethiopic
AB30-AB64 Latin
AB65 Greek
AB66-AB68 Latin
AC00-D7A3 Hangul
FA0E-FA29 Han
FB1E Hebrew
FE2E-FE2F Cyrillic
FE73 Arabic
10780 Latin
10EC2-10EFF Arabic
11301 Tamil
11303 Tamil
1133C Tamil
116D0-116E3 Myanmar
11B0A Devanagari
11DF0-11DF1 Bengali
16FE3 Han
16FF0-16FF3 Han
1AFF0-1B000 Katakana
1B001-1B11F Hiragana
1B120-1B128 Katakana
1B132-1B152 Hiragana
1B155-1B168 Katakana
1DF00-1DF96 Latin
1E08F Cyrillic
1E7E0-1E7FE Ethiopic
20000-33479 Han
"""

_ROWS: Final = [row.split() for row in _TABLE.splitlines()[1:]]
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

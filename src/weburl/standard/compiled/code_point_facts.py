"""The facts about a code point that decide whether a label may contain it.

`code_points` asks for them once for each code point of a page that a host needs, so this is plain
Python and calls the Unicode libraries.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from idna.idnadata import joining_types
from idna.intranges import intranges_contain
from idna.uts46data import uts46_replacements, uts46_starts, uts46_statuses

from weburl.standard.infra import unicode_data
from weburl.standard.infra.code_points import FORBIDDEN_DOMAIN_CODE_POINTS

# The facts, as bits. A code point with none of the first three is disallowed.
VALID: Final = 1
MAPPED: Final = 2
IGNORED: Final = 4
INERT: Final = 8  # its mapping stays in NFC, whatever code points surround it
RIGHT_TO_LEFT: Final = 16  # makes a domain a bidi domain name
MARK: Final = 32
JOINER: Final = 64
VIRAMA: Final = 128

_VALID, _MAPPED, _DEVIATION, _IGNORED = b"VMDI"
_RIGHT_TO_LEFT_CLASSES: Final = frozenset({"R", "AL", "AN"})
_JOINERS: Final = frozenset({0x200C, 0x200D})
_COMBINING_CLASS_OF_VIRAMAS: Final = 9
# Letters of Hangul and Kirat Rai that compose with the letter before them. All other code points
# that do so are marks.
_COMPOSING_LETTERS: Final = (
    range(0x1161, 0x1176),
    range(0x11A8, 0x11C3),
    range(0x16D63, 0x16D6B),
)

# The bidi classes that RFC 5893 distinguishes, and the joining types of RFC 5892, as numbers.
BIDI_CLASSES: Final = {"L": 1, "R": 2, "AL": 2, "AN": 3, "EN": 4, "NSM": 5} | dict.fromkeys(
    ("ES", "CS", "ET", "ON", "BN"), 6
)
JOINING_TYPES: Final = {"L": 1, "R": 2, "D": 3, "T": 4}


def facts_of(code_point: int) -> tuple[int, int, int, str]:
    """Return the facts, the classes, the combining class and the mapping of a code point.

    The classes are one number: the bidi class plus eight times the joining type.
    """
    char = chr(code_point)
    direction: str = unicode_data.bidirectional(char)
    facts = RIGHT_TO_LEFT if direction in _RIGHT_TO_LEFT_CLASSES else 0
    if unicode_data.category(char).startswith("M"):
        facts |= MARK
    if code_point in _JOINERS:
        facts |= JOINER
    combining_class: int = unicode_data.combining(char)
    if combining_class == _COMBINING_CLASS_OF_VIRAMAS:
        facts |= VIRAMA
    index = bisect_right(uts46_starts, code_point) - 1
    status = uts46_statuses[index]
    replacement = char
    # `idn` lowercases ASCII before it asks for facts, and all other ASCII is valid. The general
    # parser says what a host needs that has a code point that the tables lack.
    if not unicode_data.knows(char):
        facts &= ~(MARK | VIRAMA)
    elif code_point < 0x80 or status in (_VALID, _DEVIATION):
        # `idn` relies on this: NFC never changes a valid code point that stands by itself.
        facts |= VALID if unicode_data.normalize("NFC", char) == char else 0
    elif status == _IGNORED:
        facts |= IGNORED
    elif status == _MAPPED:
        replacement = uts46_replacements[index] or ""
        # A mapping to a forbidden code point makes `idn` decline; the general parser reports it.
        if FORBIDDEN_DOMAIN_CODE_POINTS.isdisjoint(replacement):
            facts |= MAPPED
    if all(map(_is_inert, replacement)):
        facts |= INERT
    classes = BIDI_CLASSES.get(direction, 0) | _joining_type(code_point) << 3
    return facts, classes, combining_class, replacement


def _is_inert(char: str) -> bool:
    """Return whether NFC never changes ``char``, whatever surrounds it; False for marks."""
    code_point = ord(char)
    return (
        not unicode_data.category(char).startswith("M")
        and not any(code_point in letters for letters in _COMPOSING_LETTERS)
        and unicode_data.normalize("NFC", char) == char
    )


def _joining_type(code_point: int) -> int:
    for joining_type, number in JOINING_TYPES.items():
        if intranges_contain(code_point, joining_types.get(joining_type, ())):
            return number
    return 0

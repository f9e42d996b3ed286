"""Regular expressions that find text in a URL, however it is percent-encoded there.

In the query of a URL, the value "a é" may be written "a+%C3%A9", "a%20%c3%a9" or "%61+%C3%A9". The
expressions match the same in SQLite (Python's ``re``), PostgreSQL, MariaDB (PCRE) and MySQL (ICU),
and take time linear in the length of the URL. The SQL that uses them is in `encoded` and
`decoding`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import ClassVar, Final

import attrs

LONGEST_OPERAND: Final = 1000
"""How many bytes of UTF-8 an operand may have. Databases limit the size of an expression."""

MOST_REPLACEMENTS: Final = 4
"""How many U+FFFD an operand may have. PostgreSQL needs minutes to compile hundreds of them."""

LARGEST: Final = 60_000
"""The largest `size` of an expression. PCRE refuses one of 64 kB."""


class Within(Enum):
    """A place for text in a query. Its value is the characters to percent-encode there."""

    NAME = "&#+%="
    VALUE = "&#+%"


_HEX: Final = "[0-9A-Fa-f]"
_CONTINUATION: Final = f"%[89ABab]{_HEX}"
_LEAD_OF_2: Final = f"%(?:[Cc][2-9A-Fa-f]|[Dd]{_HEX})"
_LEAD_OF_3: Final = "%[Ee][1-9ABCEFabcef]"

VALID_SEQUENCE: Final = (
    f"(?:{_LEAD_OF_2}{_CONTINUATION}"
    f"|(?:%[Ee]0%[ABab]{_HEX}|%[Ee][Dd]%[89]{_HEX}|{_LEAD_OF_3}{_CONTINUATION}){_CONTINUATION}"
    f"|(?:%[Ff]0%[9ABab]{_HEX}|%[Ff]4%8{_HEX}|%[Ff][1-3]{_CONTINUATION})"
    f"{_CONTINUATION}{_CONTINUATION})"
)
"""A character outside ASCII, percent-encoded. It cannot begin with %E0%80 or %ED%A0."""

INVALID_SEQUENCE: Final = (
    f"(?:{_CONTINUATION}|%[Cc][01]|%[Ff][5-9A-Fa-f]"
    f"|{_LEAD_OF_2}(?!{_CONTINUATION})"
    f"|%[Ee]0(?!%[ABab]{_HEX})|%[Ee]0%[ABab]{_HEX}(?!{_CONTINUATION})"
    f"|%[Ee][Dd](?!%[89]{_HEX})|%[Ee][Dd]%[89]{_HEX}(?!{_CONTINUATION})"
    f"|{_LEAD_OF_3}(?:{_CONTINUATION})?(?!{_CONTINUATION})"
    f"|%[Ff]0(?!%[9ABab]{_HEX})|%[Ff]0%[9ABab]{_HEX}(?:{_CONTINUATION})?(?!{_CONTINUATION})"
    f"|%[Ff]4(?!%8{_HEX})|%[Ff]4%8{_HEX}(?:{_CONTINUATION})?(?!{_CONTINUATION})"
    f"|%[Ff][1-3](?:{_CONTINUATION}(?:{_CONTINUATION})?)?(?!{_CONTINUATION}))"
)
"""Percent-encoded bytes that decode to one U+FFFD. It must be matched where a character begins."""

REPLACEMENT: Final = "\ufffd"
"""The character that invalid UTF-8 decodes to."""


def size(pattern: str) -> int:
    """Return an upper bound for the bytes that PCRE needs to compile ``pattern``."""
    return 2 * len(pattern) + 32 * pattern.count("[")


def weight(text: str) -> int:
    """Return how much of `LONGEST_OPERAND` a string uses, for an expression that finds several."""
    return len(text.encode()) + text.count(REPLACEMENT) * (LONGEST_OPERAND // MOST_REPLACEMENTS)


def written(text: str, within: Within) -> str:
    """Return an expression for every way to write ``text``, which has no lone surrogates."""
    return "".join(_written_character(char, within) for char in text)


@lru_cache(maxsize=1024)
def _written_character(char: str, within: Within) -> str:
    encoded = "".join(map(_written_byte, char.encode()))
    if char == REPLACEMENT:
        return _any_of([encoded, INVALID_SEQUENCE])
    if not char.isascii():
        return encoded
    if char == "%":
        return f"%(?:25|(?!{_HEX}{{2}}))"  # Or a percent sign that does not encode a byte.
    if char == " ":
        return f"(?:[+]|{encoded})"
    if char in within.value or not char.isprintable():
        return encoded
    return f"(?:{_literal(char)}|{encoded})"


def _written_byte(byte: int) -> str:
    digits = [dict.fromkeys((digit, digit.lower())) for digit in f"{byte:02X}"]
    # Not [Cc]3, because PCRE keeps 32 bytes for each set, and has only 64 kB for an expression.
    return "%" + _any_of(map("".join, product(*digits)))


def _any_of(alternatives: Iterable[str]) -> str:
    found = list(alternatives)
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def _literal(char: str) -> str:
    return char if char.isalnum() or char in "-_~!@/:;,='\"<>& " else f"\\{char}"


_NOT_PLAIN: Final = re.compile("[^A-Za-z0-9._~-]+")


def plain_piece(before: str, delimiter: str = "", text: str = "") -> str:
    """Return the longest piece of ``before`` and ``text`` that needs no percent-encoding.

    ``delimiter``: the characters between them. If it is "", they may be apart in the URL.
    """
    joined = (delimiter or "\0").join(_NOT_PLAIN.sub("\0", each) for each in (before, text))
    return max(joined.split("\0"), key=len)


def encoded_plain(piece: str) -> dict[str, str]:
    """Return the hexadecimal digits that percent-encode the characters of a plain piece.

    The keys are first digits, and the values are their second digits, or "" for any digit.
    """
    found: dict[str, str] = {}
    for char in sorted(set(piece)):
        code = f"{ord(char):02X}"
        first, second = code[0], code[1]
        if first in "4567":
            found[first] = ""
        elif char in _PLAIN_OTHERS:
            found[first] = f"{found.get(first, '')}{second}"
            if second.isalpha():
                found[first] += second.lower()
    return found


_PLAIN_OTHERS: Final = "0123456789-."


# Where the value of a parameter is.


_QUERY: Final = "^[^?#]*[?]"
_ANY_VALUE: Final = "[^&#]*"
# Matches after a value. "$" would also match before a newline on some databases.
_END_OF_VALUE: Final = "(?![^&#])"


@attrs.frozen
class Place:
    """Where a value is in a URL. ``before``: an expression for everything before it."""

    before: str
    whole: ClassVar[str] = _ANY_VALUE
    end: ClassVar[str] = _END_OF_VALUE

    def holding_something(self) -> str:
        """Return an expression that finds this place, whatever the value is."""
        return f"{self.before}{self.whole}{self.end}"

    def holding(self, texts: Iterable[str]) -> str:
        """Return an expression that finds this place if its value is one of ``texts``."""
        value = _any_of(written(each, Within.VALUE) for each in texts)
        return f"{self.before}{value}{self.end}"


def any_param(name: str) -> Place:
    """Return the place of each value of the parameter ``name``, which is decoded."""
    return _param(f"(?:[^#]*&)?{_named(name)}")


def first_param(name: str, vendor: str) -> Place:
    """Return the place of the first value of the parameter ``name``, which is decoded."""
    named = _named(name)
    # A possessive quantifier needs no memory for each round. PostgreSQL has none, and does not
    # need it.
    repeated = "*" if vendor == "postgresql" else "*+"
    return _param(f"(?:(?!{named}){_ANY_VALUE}&){repeated}{named}")


def _param(pair: str) -> Place:
    return Place(f"{_QUERY}{pair}(?:=|{_END_OF_VALUE})")


def _named(name: str) -> str:
    """Return an expression for ``name`` at the start of a pair."""
    # "&&" contains no pair, so it does not mean a pair with an empty name.
    return f"{written(name, Within.NAME)}{'(?![^=&#])' if name else '(?==)'}"

"""Terms of the Infra standard that the URL Standard uses.

Functions from text to text. Nothing here depends on what a URL is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_ASCII_UPPER_TO_LOWER: Final = {upper: upper + 32 for upper in range(0x41, 0x5B)}
C0_CONTROL_OR_SPACE: Final = "".join(map(chr, range(0x21)))
# Printable according to Unicode, but nothing shows: Hangul fillers and the empty Braille cell.
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# People read messages, so the middle of longer text is left out.
_LONGEST_SHOWN: Final = 100


def is_visible(code_point: str) -> bool:
    """Return whether ``code_point``, text of length 1, shows as itself where it is printed.

    Controls, lone surrogates, spaces other than U+0020, marks that change the direction of writing
    and blank letters such as U+3164 do not. The answer is the same in each Python, whose own tables
    are of another version of Unicode.
    """
    if code_point.isascii():
        return code_point.isprintable()
    from weburl.standard.infra.unicode_data import category

    return category(code_point)[0] not in "CZ" and code_point not in _BLANK_LETTERS


def require_text(value: object, what: str) -> str:
    """Return ``value`` if it is text, or raise TypeError with ``what`` in its message.

    ``what``: a noun with its article, such as "a URL".
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {type(value).__name__}")
    return value


def ascii_lowercase(text: str) -> str:
    """Return ``text`` with A-Z replaced by a-z and nothing else changed.

    ``str.lower`` follows Unicode: it turns the Kelvin sign into "k".

    Spec: https://infra.spec.whatwg.org/#ascii-lowercase
    """
    return text.lower() if text.isascii() else text.translate(_ASCII_UPPER_TO_LOWER)


def to_scalar_value_string(text: str) -> str:
    """Return ``text`` with every lone surrogate replaced by U+FFFD.

    A high and a low surrogate written as two code points become one code point, as in a browser,
    whose strings are made of UTF-16 code units.

    Spec: https://infra.spec.whatwg.org/#javascript-string-convert
    """
    return text if type(text) is str and text.isascii() else _by_way_of_utf_16(text, "replace")


def join_surrogate_pairs(text: str) -> str:
    """Return ``text`` with the code point for each surrogate pair. Lone surrogates are kept."""
    return (
        text if type(text) is str and text.isascii() else _by_way_of_utf_16(text, "surrogatepass")
    )


def exact(text: str) -> str:
    """Return ``text`` as a plain `str`, even if it is of a subclass.

    Text of a subclass may print as something else, like a member of an `enum.Enum`, or count as
    safe in HTML.
    """
    return text if type(text) is str else str.__str__(text)


@cache  # compiling it takes a hundredth of the time of importing this package
def _surrogate() -> re.Pattern[str]:
    return re.compile(r"[\ud800-\udfff]")


def _by_way_of_utf_16(text: str, lone_surrogates: str) -> str:
    """Join surrogate pairs; ``lone_surrogates`` is the codec's error handler for the others."""
    text = exact(text)
    if _surrogate().search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", lone_surrogates)


def strip_c0_control_or_space(text: str) -> str:
    """Return ``text`` without the code points U+0000 to U+0020 at its two ends."""
    return text.strip(C0_CONTROL_OR_SPACE)


def trimmed_span(text: str) -> tuple[int, int]:
    """Return the start and the end of the text that `strip_c0_control_or_space` keeps."""
    start = len(text) - len(text.lstrip(C0_CONTROL_OR_SPACE))
    return start, start + len(text.strip(C0_CONTROL_OR_SPACE))


@cache
def _tab_or_newline() -> re.Pattern[str]:
    return re.compile("[\t\n\r]")


def find_tab_or_newline(text: str, start: int = 0) -> int:
    """Return the index of the first ASCII tab or newline in ``text`` from ``start``, or -1."""
    found = _tab_or_newline().search(text, start)
    return -1 if found is None else found.start()


def remove_tabs_and_newlines(text: str) -> str:
    """Return ``text`` without ASCII tabs and newlines.

    Spec: https://infra.spec.whatwg.org/#ascii-tab-or-newline
    """
    # A regex would make a list of the text between them, which takes twenty times the memory.
    return text.replace("\t", "").replace("\n", "").replace("\r", "")


def shortened(text: str) -> str:
    """Return ``text``, without its middle if it is too long to read."""
    if len(text) <= _LONGEST_SHOWN:
        return text
    half = _LONGEST_SHOWN // 2
    return f"{text[:half]}…{text[-half:]}"

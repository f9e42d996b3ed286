"""Unicode's properties of code points, and its normalization forms.

Only this module imports their source. unicodedata2 has the same version of Unicode as the idna
package. Where it is missing, as in Pyodide, the interpreter's own `unicodedata` takes its place. If
that is older, `COMPLETE` is False, and `require` refuses what it lacks.

Two policies make the older tables exact for each code point that they know. Normalization never
changes for an assigned code point. Properties may change, and did for the few that are corrected
here: tests compare all code points. Nothing about hosts or URLs belongs here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

_tables: Any = unicodedata
with suppress(ImportError):
    import unicodedata2

    _tables = unicodedata2

COMPLETE: Final = tuple(map(int, _tables.unidata_version.split("."))) >= (18, 0)
"""Whether the tables have every code point of the Unicode version that this package follows."""

UNICODE_VERSION: Final[str] = _tables.unidata_version
"""The version of Unicode of the tables, such as "18.0.0"."""

normalize: Final[Callable[[str, str], str]] = _tables.normalize
"""Return text in a normalization form, such as "NFC".

Spec: https://www.unicode.org/reports/tr15/
"""

combining: Final[Callable[[str], int]] = _tables.combining
"""Return the canonical combining class of a code point, from 0 to 254."""

name: Final[Callable[[str, str], str]] = _tables.name
"""Return the name of a code point, or the second argument if it has none."""

digit: Final[Callable[[str], int]] = _tables.digit
"""Return the value of a digit, from 0 to 9. Raises ValueError for another code point."""

east_asian_width: Final[Callable[[str], str]] = _tables.east_asian_width
"""Return how wide a code point is in East Asian text, such as "W"."""

# What differs in Unicode 18 from Unicode 14, which Python 3.11 has, for a code point in both.
_CATEGORIES: Final = {"\u0295": "Lo", "\U0001171e": "Mc"}
_BIDI_CLASSES: Final = dict.fromkeys("\u1b3a\u1b3c\u1b42\U0001171e", "L") | dict.fromkeys(
    "\U0001d6c1\U0001d6fb\U0001d735\U0001d76f\U0001d7a9", "ON"
)


def _corrected_category(char: str) -> str:
    return _CATEGORIES.get(char) or str(_tables.category(char))


def _corrected_bidi_class(char: str) -> str:
    return _BIDI_CLASSES.get(char) or str(_tables.bidirectional(char))


category: Final[Callable[[str], str]] = _tables.category if COMPLETE else _corrected_category
"""Return the general category of a code point, such as "Lu", or "Cn" if the tables lack it."""

bidirectional: Final[Callable[[str], str]] = (
    _tables.bidirectional if COMPLETE else _corrected_bidi_class
)
"""Return the bidi class of a code point, such as "AL", or "" if the tables lack it."""


def knows(char: str) -> bool:
    """Return whether the tables say what ``char`` is, a code point that is assigned today."""
    return COMPLETE or category(char) != "Cn"


def require(text: str) -> None:
    """Raise an ImportError if ``text``, of code points assigned today, needs unicodedata2."""
    unknown = next((char for char in text if not knows(char)), None)
    if unknown is not None:
        raise ImportError(
            f"Hosts with U+{ord(unknown):04X} need unicodedata2, which is not installed or cannot"
            " be loaded here. An isolated subinterpreter cannot load it. Python's own tables are"
            f" of Unicode {UNICODE_VERSION}, which does not have this character.",
            name="unicodedata2",
        )

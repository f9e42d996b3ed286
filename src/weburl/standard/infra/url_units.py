"""URL units: the code points that belong in a URL, and well-formed percent-encoded bytes.

Only reports and the grammar need them, and the regexes are slow to compile. So the parser imports
this module only when a caller collects errors.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.code_points import ASCII_ALPHANUMERIC, character_class

# Spec: #url-code-points, #url-units
ASCII_URL_CODE_POINTS: Final = ASCII_ALPHANUMERIC | frozenset("!$&'()*+,-./:;=?@_~")
_NON_ASCII_URL_CODE_POINTS: Final = "\\xa0-\\ud7ff\\ue000-\\ufdcf\\ufdf0-\\ufffd" + "".join(
    f"\\U{plane:04x}0000-\\U{plane:04x}fffd" for plane in range(1, 17)
)
_URL_CODE_POINT_CLASS: Final = character_class(ASCII_URL_CODE_POINTS) + _NON_ASCII_URL_CODE_POINTS
NOT_A_URL_CODE_POINT_NOR_PERCENT: Final = re.compile(f"[^{_URL_CODE_POINT_CLASS}%]")
PERCENT_WITHOUT_TWO_HEX_DIGITS: Final = re.compile("%(?![0-9A-Fa-f]{2})")
NOT_A_URL_UNIT: Final = re.compile(
    f"{NOT_A_URL_CODE_POINT_NOR_PERCENT.pattern}|{PERCENT_WITHOUT_TWO_HEX_DIGITS.pattern}"
)

_NOT_URL_UNITS: Final = re.compile(
    f"{NOT_A_URL_CODE_POINT_NOR_PERCENT.pattern}+|{PERCENT_WITHOUT_TWO_HEX_DIGITS.pattern}"
)


def count_url_unit_errors(text: str, at: int) -> int:
    """Return how many code points of ``text`` from the offset ``at`` are not URL units.

    This is faster than `NOT_A_URL_UNIT` and needs no memory. A long text can have an error at each
    code point.
    """
    return sum(found.end() - found.start() for found in _NOT_URL_UNITS.finditer(text, at))

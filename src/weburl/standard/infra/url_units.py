"""URL units: the code points that belong in a URL, and well-formed percent-encoded bytes.

Only reports and the grammar need them, and the regexes are slow to compile. So the parser imports
this module only when a caller collects errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from weburl.standard.infra.code_points import ASCII_ALPHANUMERIC, character_class
from weburl.standard.infra.errors import ValidationErrorType

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
    """Return how many errors `url_unit_errors` yields for ``text`` from the offset ``at``.

    It is faster and needs no memory: a long text can have an error at each code point.
    """
    return sum(found.end() - found.start() for found in _NOT_URL_UNITS.finditer(text, at))


def url_unit_errors(
    text: str, *, backslash_separates: bool = False
) -> Iterable[tuple[ValidationErrorType, int, int]]:
    """Yield an error for each code point of ``text`` that is not a URL unit.

    Args: ``backslash_separates``: whether a backslash counts as a slash; then it has an error of
    its own.

    Returns: the type of each error, and its start and end in ``text``.

    Spec: #url-units
    """
    for found in NOT_A_URL_UNIT.finditer(text):
        is_separator = backslash_separates and found[0] == "\\"
        yield (
            ValidationErrorType.INVALID_REVERSE_SOLIDUS
            if is_separator
            else ValidationErrorType.INVALID_URL_UNIT,
            found.start(),
            found.end(),
        )

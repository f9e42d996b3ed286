"""RFC 3491: nameprep, with the tables of Unicode 3.2 that the RFC requires.

The tables are the standard library's `stringprep` and `ucd_3_2_0`. Two things there
follow the running Python rather than 3.2: lowercase, and how code points that 3.2 did not have
combine. This module corrects both.
"""

from __future__ import annotations

import stringprep
from collections.abc import Callable
from itertools import groupby
from typing import Final

# RFC 3491, section 5.
_PROHIBITED: Final[tuple[Callable[[str], bool], ...]] = (
    stringprep.in_table_c12,
    stringprep.in_table_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)


def without_what_maps_to_nothing(label: str) -> str:
    """Return ``label`` without the code points of table B.1."""
    return "".join([char for char in label if not stringprep.in_table_b1(char)])


def map_and_normalize(label: str) -> str:
    """Return ``label`` with the code points of table B.2 mapped, and in NFKC of Unicode 3.2."""
    return _nfkc("".join(map(map_by_table_b2, label)))


def is_prohibited(label: str) -> bool:
    """Return whether ``label`` contains a prohibited code point or a forbidden mix of directions.

    Document: RFC 3491, section 5, and RFC 3454, section 6.
    """
    if any(is_in_table(char) for char in label for is_in_table in _PROHIBITED):
        return True
    right_to_left = [stringprep.in_table_d1(char) for char in label]
    return any(right_to_left) and (
        not (right_to_left[0] and right_to_left[-1]) or any(map(stringprep.in_table_d2, label))
    )


def map_by_table_b2(char: str) -> str:
    """Return what table B.2 of RFC 3454 maps ``char`` to: its case folded, for use with NFKC."""
    folded = _map_by_table_b3(char)
    normalized = _nfkc(folded)
    again = _nfkc("".join(map(_map_by_table_b3, normalized)))
    return folded if normalized == again else again


def _map_by_table_b3(char: str) -> str:
    # The library falls back on str.lower(). Since 3.2, some letters got a lowercase letter that is
    # younger than 3.2, and code points have been assigned; nothing else has changed.
    mapped = stringprep.map_table_b3(char)
    return char if any(map(_is_unassigned, char + mapped)) else mapped


def _nfkc(text: str) -> str:
    # An unassigned code point does not decompose, move or combine. The library, asked for 3.2,
    # would let it move and combine by today's tables.
    from weburl.standard.infra.unicode_data import ucd_3_2_0  # It has big tables.

    return "".join(
        "".join(run) if is_unassigned else ucd_3_2_0.normalize("NFKC", "".join(run))
        for is_unassigned, run in groupby(text, _is_unassigned)
    )


def _is_unassigned(char: str) -> bool:
    from weburl.standard.infra.unicode_data import ucd_3_2_0

    return ucd_3_2_0.category(char) == "Cn"

"""Which of two components is more specific.

The standard does not have it yet. This is what web-platform-tests expect of browsers.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from weburl.patterns.component import Component
from weburl.patterns.parts import Modifier, Part, PartType

_RANK_OF_TYPE: Final[dict[PartType, int]] = {
    "full-wildcard": 0,
    "segment-wildcard": 1,
    "regexp": 2,
    "fixed-text": 3,
}
_RANK_OF_MODIFIER: Final[dict[Modifier, int]] = {
    "zero-or-more": 0,
    "optional": 1,
    "one-or-more": 2,
    "none": 3,
}
_NOTHING: Final = Part("fixed-text", "", "none")


def compare_components(left: Component, right: Component) -> int:
    """Return 1 if ``left`` is more specific than ``right``, -1 if it is less so, and 0 otherwise.

    Where one has no more parts, it counts as fixed text that is empty.
    """
    for left_part, right_part in zip_longest(left.parts, right.parts, fillvalue=_NOTHING):
        left_rank, right_rank = _rank(left_part), _rank(right_part)
        if left_rank != right_rank:
            return 1 if left_rank > right_rank else -1
    return 0


def _rank(part: Part) -> tuple[int, int, str, str, str]:
    """Return a part as a value that orders it. Its name does not matter."""
    return (
        _RANK_OF_TYPE[part.type],
        _RANK_OF_MODIFIER[part.modifier],
        part.prefix,
        part.value,
        part.suffix,
    )

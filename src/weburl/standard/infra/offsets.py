"""Offsets in text that preparation changes: reports and the viewer point into the caller's text.

Apart from `strings`, because parsing needs none of it.
"""

from __future__ import annotations

import re
from typing import Final

_SURROGATE_PAIR: Final = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")
# What preparation drops inside an input: tabs and newlines, and the second code point of a
# surrogate pair that was written as two.
_DROPPED: Final = re.compile(r"[\t\n\r]+|(?<=[\ud800-\udbff])[\udc00-\udfff]")


def code_point_end(text: str, at: int) -> int:
    """Return where the code point at ``at`` ends: after both halves of a surrogate pair."""
    return at + 2 if _SURROGATE_PAIR.match(text, at) else at + 1


def offsets_before_preparation(original: str, wanted: set[int], start: int) -> dict[int, int]:
    """Map offsets in a prepared input back to offsets in the text it was made from.

    Args: ``original``: the caller's text. ``wanted``: offsets in code points, from 0 to the length
    of the prepared input, which `to_scalar_value_string`, trimming and `remove_tabs_and_newlines`
    made. ``start``: where the trimmed text begins in ``original``.

    Returns: the offset in ``original`` for each wanted one. Takes one pass over the text, however
    many offsets are wanted.
    """
    dropped = _DROPPED.finditer(original, start)
    drop = next(dropped, None)
    shift = start
    answer: dict[int, int] = {}
    for offset in sorted(wanted):
        while drop is not None and drop.start() <= offset + shift:
            shift += drop.end() - drop.start()
            drop = next(dropped, None)
        answer[offset] = offset + shift
    return answer

"""The viewer's style sheet for a part of a page: it styles nothing outside of that."""

from __future__ import annotations


def within(selector: str, sheet: str) -> str:
    """Return ``sheet`` for what is inside of ``selector``, which takes the place of ``:root``.

    What the sheet says of `html` and `body` then matches nothing.
    """
    return f"{selector} {{\n{sheet.replace(':root {', '& {')}}}\n"

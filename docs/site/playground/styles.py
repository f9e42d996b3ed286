"""Limits the viewer's style sheet to a part of a page."""

from __future__ import annotations


def within(selector: str, sheet: str) -> str:
    """Return ``sheet`` limited to elements inside ``selector``, which replaces ``:root``.

    Rules for `html` and `body` then match nothing.
    """
    return f"{selector} {{\n{sheet.replace(':root {', '& {')}}}\n"

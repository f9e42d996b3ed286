"""Finds where code compares a value with text, which is nearly always a mistake.

A record, a host or an origin never equals text, so ``url.host == "example.com"`` is False and a
deny list written that way refuses nothing. `comparison_warnings` warns, and is loaded for the first
such comparison.
"""

from __future__ import annotations


class KeptText(str):
    """Text that a field keeps in the place of a value. Comparing the two is not a mistake."""

    __slots__ = ()


def unequal(value: object, other: object) -> bool:
    """Return what ``__eq__`` returns for a value of another type. Warns if that is text."""
    if isinstance(other, str) and other != "" and not isinstance(other, KeptText):
        from weburl.standard.infra.comparison_warnings import warn

        warn(type(value).__name__)
    return NotImplemented  # type: ignore[no-any-return]  # as from every `__eq__`

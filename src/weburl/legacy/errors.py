"""The one exception of the older rules."""

from __future__ import annotations

__all__ = ["LegacyURLError"]


class LegacyURLError(ValueError):
    """Text that is no URL under the rules asked, or that they cannot resolve.

    The message says why, in words; it never quotes the text, which may hold a password.
    """

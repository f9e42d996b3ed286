"""The exception that all older rules raise."""

from __future__ import annotations

__all__ = ["LegacyURLError"]


class LegacyURLError(ValueError):
    """Raised for text that is not a URL by the older rules, or that they cannot resolve.

    The message explains why. It never quotes the text, which may contain a password.
    """

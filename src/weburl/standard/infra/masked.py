"""A string without its secrets, and where they were. `masking` finds them."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

MASK: Final = "***"
"""What is shown for a secret. Its length says nothing about the length of the secret."""


class Secret(NamedTuple):
    """The place of a secret in a string, and of its mask in the masked string."""

    start: int
    end: int
    mask: int


class Masked(NamedTuple):
    """A string with `MASK` for each secret, and the places of the secrets, in order."""

    text: str
    secrets: tuple[Secret, ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of the original text is in `text`. It never cuts a mask in two."""
        first = self._offset(start, inside=0)
        return first, first if start == end else self._offset(end, inside=len(MASK))

    def culprit(self, start: int, end: int) -> str:
        """Return what is shown for a span of the original text."""
        start, end = self.place(start, end)
        return self.text[start:end]

    def _offset(self, at: int, *, inside: int) -> int:
        number = bisect_right(self.secrets, at, key=lambda secret: secret.start)
        if not number:
            return at
        secret = self.secrets[number - 1]
        if at >= secret.end:
            return at - secret.end + secret.mask + len(MASK)
        return secret.mask + (inside if at > secret.start else 0)

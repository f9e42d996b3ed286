"""The error of this room. Every text that is not a pattern raises it, and nothing else."""

from __future__ import annotations

import re
from typing import Any, Final

from weburl.standard.infra.credentials import (
    masked_before_at_sign,
    masking,
    masking_all,
    masking_before_at_sign,
)
from weburl.standard.infra.explanations import printable
from weburl.standard.infra.masked import Masked

_CONTEXT: Final = 36  # code points shown on either side of a culprit
_QUOTED: Final = re.compile("'[^']{3,}'")
_SECRET_COMPONENTS: Final = ("username", "password")


class URLPatternError(ValueError):
    """Raised for text that is not a URL pattern, and for a pattern that cannot do what is asked.

    ``str()`` returns the reason and, if the error has a place, two lines that show it. Usernames
    and passwords are masked there.

    Args:
        reason: what is wrong, one sentence.
        input: the text with the error: the pattern of one component, or the whole pattern if
            ``component`` is None.
        component: the component whose pattern ``input`` is, such as "pathname", or None.
        start: where the error begins in ``input``, as an offset in code points, or None if the
            error has no place.
        end: where it ends, or None. It is the same as ``start`` if something is missing there.
        expected: what the pattern needs there instead, or "".
    """

    __module__ = "weburl"

    def __init__(
        self,
        reason: str,
        input: str,
        component: str | None = None,
        start: int | None = None,
        end: int | None = None,
        expected: str = "",
    ) -> None:
        super().__init__(reason)  # only what is safe to log becomes `args`
        self.reason: Final = reason
        self.input: Final = input
        self.component: Final = component
        self.start: Final = start
        self.end: Final = end
        self.expected: Final = expected

    @property
    def token(self) -> str:
        """The text from `start` to `end`; "" if the error has no place or something is missing."""
        return "" if self.start is None else self.input[self.start : self.end]

    @property
    def input_without_credentials(self) -> str:
        """The input, with "***" for what may be a username or a password."""
        return without_credentials(self).text

    @property
    def culprit(self) -> str:
        """The text from `start` to `end`, with "***" for what may be a username or a password."""
        if self.start is None:
            return ""
        end = self.start if self.end is None else self.end
        return without_credentials(self).culprit(self.start, end)

    def __str__(self) -> str:
        of = f"In the {self.component}: " if self.component else ""
        expected = f" Expected {self.expected}." if self.expected else ""
        return "\n  ".join([f"{of}{self.reason}{expected}", *self._caret_lines()])

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.reason, self.input, self.component, self.start, self.end, self.expected)
        return type(self), given, self.__dict__

    def __repr__(self) -> str:
        return f"URLPatternError({self.reason!r}, {self.input_without_credentials!r})"

    def _caret_lines(self) -> list[str]:
        """Return two lines: the part of the pattern around the place, and carets under it."""
        if self.start is None or not self.input:
            return []
        shown = without_credentials(self)
        text = shown.text
        start, end = shown.place(self.start, self.start if self.end is None else self.end)
        end = min(end, start + 2 * _CONTEXT)
        left, right = max(0, start - _CONTEXT), min(len(text), end + _CONTEXT)
        before = ("\u2026" if left else "") + printable(text[left:start])
        culprit = printable(text[start:end])
        after = printable(text[end:right]) + ("\u2026" if right < len(text) else "")
        return [before + culprit + after, " " * len(before) + "^" * max(len(culprit), 1)]


def without_credentials(error: URLPatternError) -> Masked:
    """Return the input of an error with everything masked that may be a username or a password."""
    if error.component in _SECRET_COMPONENTS:
        return masking_all(error.input)
    if error.component is not None:
        # A brace that is not closed, or a "/", "?" or "#" in a password, hides the "@" after
        # credentials from the parser.
        return masking_before_at_sign(error.input)
    return masking(error.input)


def in_component(error: URLPatternError, component: str) -> URLPatternError:
    """Return the same error, for the pattern of this component.

    If the component has an "@", it may contain credentials, so the reason quotes only punctuation.
    """
    reason = error.reason
    if _QUOTED.search(reason) and masked_before_at_sign(error.input) != error.input:
        reason = "This text is not allowed here."
    return URLPatternError(reason, error.input, component, error.start, error.end, error.expected)

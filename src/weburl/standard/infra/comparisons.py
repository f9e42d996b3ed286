"""Finds where code compares a value with text, which is nearly always a mistake, and warns.

A record, a host or an origin never equals text, so ``url.host == "example.com"`` is False and a
deny list written that way refuses nothing.
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from typing import Final


class KeptText(str):
    """Text that a field keeps in the place of a value. Comparing the two is not a mistake."""

    __slots__ = ()


def unequal(value: object, other: object) -> bool:
    """Return what ``__eq__`` returns for a value of another type. Warns if that is text."""
    if isinstance(other, str) and other != "" and not isinstance(other, KeptText):
        _warn(type(value).__name__)
    return NotImplemented  # type: ignore[no-any-return]  # as from every `__eq__`


class ComparedWithTextWarning(UserWarning):
    """Code compares a value of `weburl` with text by ``==``, ``!=`` or ``in``. They never match.

    Python shows it once for each line. Compare ``str(value)`` with the text, or ``url.hostname``
    with the name of a host. ``warnings.simplefilter("ignore", weburl.ComparedWithTextWarning)``
    turns it off, and "error" instead of "ignore" makes it an error.

    A set and a dict compare hashes first, so there it is not given. Nor is it for "", with which
    Django compares every value.
    """

    __module__ = "weburl"


@cache
def _libraries() -> tuple[str, ...]:
    """Return how the names of the files of libraries begin."""
    import os
    import sysconfig  # takes a while to load, and few programs need it
    from pathlib import Path

    installed = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    directories = {str(Path(__file__).parents[2]), *installed}
    # With a separator at the end, so that no other directory begins with the same text.
    return tuple(f"{directory}{os.sep}" for directory in directories if directory)


_HINTS: Final = {
    "URLRecord": 'str(url) == "https://…", or url == weburl.parse("https://…")',
    "URL": 'url.href == "https://…"',
    "URLSearchParams": "str(params) == …",
    "TupleOrigin": 'str(origin) == "https://…"',
    "OpaqueOrigin": 'isinstance(origin, OpaqueOrigin): "null" names no origin',
    "SchemeAndHost": 'str(site) == "https://…"',
    "URLPattern": "pattern.test(text)",
    "RelativeReference": "str(reference) == …",
}
_OF_HOSTS: Final = 'url.hostname == "example.com", or str(host) == "example.com"'


def _warn(kind: str) -> None:
    """Warn of a comparison in the innermost line that is not in a library.

    A library is this package, and everything in Python's own directories. So the line of a test is
    named, and not a line of ``assertEqual``.
    """
    message = (
        f"A value of the type {kind} is never equal to text. Write {_HINTS.get(kind, _OF_HOSTS)}."
    )
    if sys.version_info >= (3, 12):
        warnings.warn(message, ComparedWithTextWarning, skip_file_prefixes=_libraries())
    else:
        warnings.warn(message, ComparedWithTextWarning, stacklevel=_level_outside_libraries())


if sys.version_info < (3, 12):

    def _level_outside_libraries() -> int:
        """Return the ``stacklevel`` for `_warn` of the innermost line that is not in a library."""
        libraries, level = _libraries(), 1
        frame = sys._getframe(1)  # noqa: SLF001  # `warnings` of Python 3.11 has no other way
        while frame.f_code.co_filename.startswith(libraries) and frame.f_back is not None:
            frame, level = frame.f_back, level + 1
        return level

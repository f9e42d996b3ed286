"""Warns where code compares a value with text. `comparisons` says when."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any, Final

import attrs


class ComparedWithTextWarning(UserWarning):
    """Code compares a value of `weburl` with text by ``==``, ``!=`` or ``in``. They never match.

    Python shows it once for each line. Compare ``str(value)`` with the text, or ``url.hostname``
    with the name of a host. ``warnings.simplefilter("ignore", weburl.ComparedWithTextWarning)``
    turns it off, and "error" instead of "ignore" makes it an error.

    A set and a dict compare hashes first, so there it is not given. Nor is it for "", with which
    Django compares every value.
    """

    __module__ = "weburl"


@attrs.frozen
class CodePlace:
    """A place in code: where the file ``filename`` has the ``line``.

    ``registry``: a dict in which Python keeps which warnings it has shown for that file.
    """

    __module__ = "weburl.integrations.building_blocks"

    filename: str
    line: int
    registry: dict[Any, Any]


_find_place: Callable[[FrameType], CodePlace | None] | None = None
_of_frameworks: tuple[str, ...] = ()


def use_code_places(find_place: Callable[[FrameType], CodePlace | None], *directories: str) -> None:
    """Let a framework say where a comparison is written: in a template, for example.

    Args:
        find_place: gets each frame, from the comparison outwards. It returns the place that this
            frame works for, or None.
        directories: those of the framework, which are never the place.
    """
    global _find_place, _of_frameworks
    _find_place, _of_frameworks = find_place, directories
    _libraries.cache_clear()


@cache
def _libraries() -> tuple[str, ...]:
    """Return how the names of the files of libraries begin."""
    import os
    import sysconfig  # takes a while to load, and few programs need it
    from pathlib import Path

    installed = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    directories = {str(Path(__file__).parents[2]), *installed, *_of_frameworks}
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


def warn(kind: str) -> None:
    """Warn of a comparison by the caller of the method that called the caller of this function."""
    method = sys._getframe(2)  # noqa: SLF001  # `warnings` has no other way either
    place = _place_of(method.f_back or method)
    message = (
        f"A value of the type {kind} is never equal to text. Write {_HINTS.get(kind, _OF_HOSTS)}."
    )
    warnings.warn_explicit(
        message,
        ComparedWithTextWarning,
        place.filename,
        place.line,
        registry=place.registry,
    )


def _place_of(innermost: FrameType) -> CodePlace:
    """Return the line that compares: not one of a library, such as that of ``assertEqual``."""
    libraries = _libraries()
    frame: FrameType | None = innermost
    while frame is not None:
        place = None if _find_place is None else _find_place(frame)
        if place is not None:
            return place
        if not frame.f_code.co_filename.startswith(libraries):
            break
        frame = frame.f_back
    found = frame or innermost
    registry = found.f_globals.setdefault("__warningregistry__", {})
    return CodePlace(found.f_code.co_filename, found.f_lineno, registry)

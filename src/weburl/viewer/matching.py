"""Matches a URL with a pattern, component by component, as plain values for JSON."""

from __future__ import annotations

from typing import Any, Final

from weburl.patterns.by_component import component_matches, takes_linear_time
from weburl.patterns.errors import URLPatternError, without_credentials
from weburl.patterns.pattern import URLPattern
from weburl.standard.url.record import URLRecord

MAX_PATTERN: Final = 2_000
"""The largest number of code points of a pattern that is read."""

MAX_PRODUCT: Final = 10_000_000
"""The largest product of the lengths of a pattern and a URL: a match can take as many steps."""

_TOO_LONG: Final = f"The pattern is longer than {MAX_PATTERN:,} characters."
_TOO_LONG_TOGETHER: Final = "The pattern and the URL are too long to be matched here."
_UNBOUNDED: Final = (
    "This regular expression is not run here, because it could take too long: it has "
    "“^”, “$”, “\\b”, “\\B” or a lookaround."
)


def matching(text: str, base: str | None, record: URLRecord | None) -> dict[str, Any]:
    """Return whether ``record`` matches the pattern ``text``.

    Args:
        text: The pattern, relative to ``base``.
        base: The text of the base URL, or None.
        record: The URL, or None if it does not parse.

    In the result, "error" explains why nothing was matched. "matches" is None then, and
    "components" is empty. The same is true if there is no URL.
    """
    found: dict[str, Any] = {
        "text": text,
        "error": None,
        "pattern": None,
        "matches": None,
        "components": [],
    }
    if len(text) > MAX_PATTERN:
        return found | {"error": _error(_TOO_LONG)}
    try:
        pattern = URLPattern(text, base)
    except URLPatternError as error:
        return found | {"error": _error_of(error)}
    found["pattern"] = str(pattern)
    if not takes_linear_time(pattern):
        return found | {"error": _error(_UNBOUNDED)}
    if record is None:
        return found
    if len(text) * len(record.href) > MAX_PRODUCT:
        return found | {"error": _error(_TOO_LONG_TOGETHER)}
    components = component_matches(pattern, record) or ()
    return found | {
        "matches": all(component.matched for component in components),
        "components": [
            {
                "name": component.name,
                "pattern": component.pattern,
                "input": component.input,
                "matches": component.matched,
                "groups": [list(group) for group in component.groups or ()],
            }
            for component in components
        ],
    }


def _error(message: str) -> dict[str, Any]:
    return {
        "message": message,
        "expected": "",
        "component": None,
        "input": "",
        "start": None,
        "end": None,
    }


def _error_of(error: URLPatternError) -> dict[str, Any]:
    shown = without_credentials(error)
    place: tuple[int | None, int | None] = (None, None)
    if error.start is not None:
        place = shown.place(error.start, error.start if error.end is None else error.end)
    return {
        "message": error.reason,
        "expected": error.expected,
        "component": error.component,
        "input": shown.text,
        "start": place[0],
        "end": place[1],
    }

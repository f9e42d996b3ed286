"""Matches a URL with a pattern, component by component, as plain values for JSON."""

from __future__ import annotations

from typing import Any, Final

from weburl.patterns.errors import URLPatternError, without_credentials
from weburl.patterns.init import components_of_record
from weburl.patterns.matchers import Backtracking
from weburl.patterns.pattern import URLPattern, components_of
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
    values = components_of_record(record)
    components = []
    for name, component in components_of(pattern).items():
        groups = component.groups(values[name])
        components.append(
            {
                "name": name,
                "pattern": component.pattern_string,
                "input": values[name],
                "matches": groups is not None,
                "groups": [list(group) for group in groups or ()],
            }
        )
    matches = all(each["matches"] for each in components)
    return found | {"matches": matches, "components": components}


def takes_linear_time(pattern: URLPattern) -> bool:
    """Return whether every match takes time linear in the URL: no backtracking engine is used."""
    components = components_of(pattern).values()
    return not any(isinstance(component.matcher, Backtracking) for component in components)


def _error(message: str) -> dict[str, Any]:
    return _error_of(URLPatternError(message, ""))


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

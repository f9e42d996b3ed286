"""Generates text that a component matches from the text of its groups.

The standard does not have it yet. This is what web-platform-tests expect of browsers.
"""

from __future__ import annotations

from collections.abc import Mapping

from weburl.patterns.component import Component
from weburl.patterns.errors import URLPatternError
from weburl.patterns.parts import Part
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.strings import require_text, to_scalar_value_string


def generate_a_component(component: Component, name: str, groups: Mapping[str, str]) -> str:
    """Return the text that ``component`` matches with these groups.

    Raises `URLPatternError` if there is no such text, or more than one.
    """
    pieces: list[str] = []
    for part in component.parts:
        if part.modifier != "none" or part.type in ("regexp", "full-wildcard"):
            raise _error(
                component,
                name,
                "Text can only be generated for fixed text and groups such as :name.",
            )
        if part.type == "fixed-text":
            pieces.append(part.value)
        else:
            pieces += (part.prefix, _text_of_group(component, name, part, groups), part.suffix)
    text = "".join(pieces)
    if component.groups(text) is None or not _is_canonical(component, text):
        raise _error(component, name, "With these groups, a URL would have something else there.")
    return text


def _text_of_group(component: Component, name: str, part: Part, groups: Mapping[str, str]) -> str:
    """Return the text of a group, encoded."""
    if part.name not in groups:
        raise _error(component, name, f"The group {quoted(part.name)} has no text.")
    value = require_text(groups[part.name], "the text of a group")
    try:
        encoded = component.encode(to_scalar_value_string(value))
    except URLPatternError as error:
        raise _error(component, name, error.reason) from None
    delimiter = component.options.delimiter
    if not encoded or (delimiter and delimiter in encoded):
        raise _error(
            component, name, f"The group {quoted(part.name)} cannot be empty or span segments."
        )
    return encoded


def _is_canonical(component: Component, text: str) -> bool:
    """Return whether a URL would have the text as it is."""
    try:
        return component.encode(text) == text
    except URLPatternError:
        return False


def _error(component: Component, name: str, reason: str) -> URLPatternError:
    return URLPatternError(reason, component.pattern_string, name)

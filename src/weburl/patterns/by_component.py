"""Matches a URL component by component, as the viewer and ``match`` show it."""

from __future__ import annotations

import attrs

from weburl.patterns.backtracking import Backtracking
from weburl.patterns.pattern import URLPattern, URLPatternInput, components_of, values_of
from weburl.standard.url.record import AnyURL


@attrs.frozen
class ComponentMatch:
    """The result of one component of a pattern for a URL.

    Args:
        name: the component, such as "pathname".
        pattern: its pattern in the normal form.
        input: what the URL has there.
        groups: the name and the text of each group, or None if the component does not match. The
            text is None for a group that took no part.
    """

    name: str
    pattern: str
    input: str
    groups: tuple[tuple[str, str | None], ...] | None

    @property
    def matched(self) -> bool:
        """Whether the component matches."""
        return self.groups is not None


def component_matches(
    pattern: URLPattern, input: URLPatternInput, base: AnyURL | None = None
) -> tuple[ComponentMatch, ...] | None:
    """Return what each component makes of a URL, or None for text that does not parse.

    The pattern matches if all of them do.
    """
    values = values_of(input, base)
    if values is None:
        return None
    return tuple(
        ComponentMatch(name, component.pattern_string, values[name], component.groups(values[name]))
        for name, component in components_of(pattern).items()
    )


def takes_linear_time(pattern: URLPattern) -> bool:
    """Return whether every match takes time linear in the URL: no backtracking engine is used."""
    components = components_of(pattern).values()
    return not any(isinstance(component.matcher, Backtracking) for component in components)

"""One component of a pattern, compiled: matching, comparing two, and generating text.

Spec: https://urlpattern.spec.whatwg.org/#component
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Final

import attrs

from weburl.patterns.canonicalization import canonicalize_a_protocol
from weburl.patterns.errors import URLPatternError, in_component
from weburl.patterns.expressions import regular_expression_and_name_list
from weburl.patterns.matchers import Exactly, Matcher, NotSupportedError, matcher_of
from weburl.patterns.pattern_strings import (
    DEFAULT_OPTIONS,
    EncodingCallback,
    Modifier,
    Options,
    Part,
    PartType,
    generate_a_pattern_string,
    parse_a_pattern_string,
)
from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import require_text, to_scalar_value_string


@attrs.frozen(eq=False)
class Component:
    """The pattern of one component, ready to match.

    Spec: #component
    """

    pattern_string: str
    parts: tuple[Part, ...]
    options: Options
    encode: EncodingCallback
    names: tuple[str, ...]
    """The names of its groups. Spec: #component-group-name-list."""
    has_regexp_groups: bool
    matcher: Matcher

    def groups(self, text: str) -> tuple[tuple[str, str | None], ...] | None:
        """Return the name and the text of each group, or None if ``text`` does not match.

        The text is None for a group that took no part.

        Spec: #create-a-component-match-result
        """
        spans = self.matcher.spans(text)
        if spans is None:
            return None
        if not self.names:
            return ()
        # The standard counts the groups inside of a regular expression, too: they shift the others.
        return tuple(
            [
                (name, None if (span := spans.get(number)) is None else text[span[0] : span[1]])
                for number, name in enumerate(self.names)
            ]
        )


def compile_a_component(
    text: str,
    encode: EncodingCallback,
    options: Options,
    name: str,
    *,
    regexp_groups: bool = True,
) -> Component:
    """Return the component of a pattern string.

    Args:
        text: the pattern string.
        encode: encodes its fixed text.
        options: how it is read.
        name: the component's name, for errors.
        regexp_groups: whether it may have groups with regular expressions.

    Raises `URLPatternError` if it is not a pattern string, or has such a group if it may not.

    Spec: #compile-a-component
    """
    try:
        parts = parse_a_pattern_string(text, options, encode)
        has_regexp_groups = any(part.type == "regexp" for part in parts)
        if has_regexp_groups and not regexp_groups:
            raise _refused(text, next(part for part in parts if part.type == "regexp"))
        node, names = regular_expression_and_name_list(text, parts, options)
        matcher = matcher_of(node, has_regexp_groups=has_regexp_groups)
    except URLPatternError as error:
        problem = in_component(error, name)
    except NotSupportedError as error:
        reason = f"Python cannot match this regular expression: {error}."
        problem = URLPatternError(reason, text, name)
    else:
        pattern_string = generate_a_pattern_string(parts, options)
        return Component(pattern_string, parts, options, encode, names, has_regexp_groups, matcher)
    # Not in a handler: the context would be an error that quotes what this one leaves out.
    raise problem


def protocol_component(text: str, *, regexp_groups: bool = True) -> Component:
    """Return the component of a protocol. Raises the errors of `compile_a_component`."""
    return compile_a_component(
        text, canonicalize_a_protocol, DEFAULT_OPTIONS, "protocol", regexp_groups=regexp_groups
    )


def matches_a_special_scheme(protocol: Component) -> bool:
    """Return whether the component of a protocol matches http, file or another special scheme.

    Spec: #protocol-component-matches-a-special-scheme
    """
    if isinstance(protocol.matcher, Exactly):
        return protocol.matcher.value in SPECIAL_SCHEMES
    return any(map(protocol.matcher.test, SPECIAL_SCHEMES))


def _refused(text: str, part: Part) -> URLPatternError:
    return URLPatternError(
        "A group with a regular expression is not allowed here.",
        text,
        start=part.value_index - 1,
        end=part.value_index + len(part.value) + 1,
        expected="a group without one, such as :name or *",
    )


# The standard does not compare components yet. This is what web-platform-tests expect of browsers.
_RANK_OF_TYPE: Final[dict[PartType, int]] = {
    "full-wildcard": 0,
    "segment-wildcard": 1,
    "regexp": 2,
    "fixed-text": 3,
}
_RANK_OF_MODIFIER: Final[dict[Modifier, int]] = {
    "zero-or-more": 0,
    "optional": 1,
    "one-or-more": 2,
    "none": 3,
}
_NOTHING: Final = Part("fixed-text", "", "none")


def compare_components(left: Component, right: Component) -> int:
    """Return 1 if ``left`` is more specific than ``right``, -1 if it is less so, and 0 otherwise.

    Where one has no more parts, it counts as fixed text that is empty.
    """
    for left_part, right_part in zip_longest(left.parts, right.parts, fillvalue=_NOTHING):
        left_rank, right_rank = _rank(left_part), _rank(right_part)
        if left_rank != right_rank:
            return 1 if left_rank > right_rank else -1
    return 0


def _rank(part: Part) -> tuple[int, int, str, str, str]:
    """Return a part as a value that orders it. Its name does not matter."""
    return (
        _RANK_OF_TYPE[part.type],
        _RANK_OF_MODIFIER[part.modifier],
        part.prefix,
        part.value,
        part.suffix,
    )


def generate_a_component(component: Component, name: str, groups: Mapping[str, str]) -> str:
    """Return the text that ``component`` matches with these groups.

    Raises `URLPatternError` unless there is exactly one such text.
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

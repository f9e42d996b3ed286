"""Makes a regular expression of a list of parts: the tree for the engines, and the names.

Spec: https://urlpattern.spec.whatwg.org/#converting-part-lists-to-regular-expressions
"""

from __future__ import annotations

from itertools import count
from typing import Final

from weburl.patterns.errors import URLPatternError
from weburl.patterns.nodes import (
    ALL,
    CannotRepeatError,
    Group,
    Node,
    OneOf,
    Repeat,
    Sequence,
    Text,
    repeated,
)
from weburl.patterns.pattern_strings import Modifier, Options, Part
from weburl.patterns.regexps import parse_a_regexp

_BOUNDS: Final[dict[Modifier, tuple[int, int | None]]] = {
    "none": (1, 1),
    "optional": (0, 1),
    "zero-or-more": (0, None),
    "one-or-more": (1, None),
}


def regular_expression_and_name_list(
    pattern: str, parts: tuple[Part, ...], options: Options
) -> tuple[Node, tuple[str, ...]]:
    """Return the tree of the regular expression of ``parts``, and the names of its groups.

    ``pattern``: the pattern string that was parsed, for errors. Raises `URLPatternError` for a
    regular expression that JavaScript refuses, or that is not supported.

    Spec: #generate-a-regular-expression-and-name-list
    """
    maker = _Maker(pattern, options)
    items = tuple(map(maker.node, parts))
    names = tuple(part.name for part in parts if part.type != "fixed-text")
    return Sequence(items), names


class _Maker:
    """Makes nodes, and keeps track of the groups so far."""

    def __init__(self, pattern: str, options: Options) -> None:
        self.pattern = pattern
        self.options = options
        self.numbers = count()
        self.inner_names: set[str] = set()

    def node(self, part: Part) -> Node:
        """Return the node of a part with its prefix, its suffix and its modifier."""
        if part.type == "fixed-text":
            return _repeated(_text(part.value, self.options), part.modifier)
        number = next(self.numbers)
        try:
            return _group(number, part, self.body(part), self.options)
        except CannotRepeatError:
            raise URLPatternError(
                "A regular expression that can match nothing is repeated, which is not supported.",
                self.pattern,
                start=part.value_index,
                end=part.value_index + len(part.value),
            ) from None

    def body(self, part: Part) -> Node:
        """Return the node of what a group captures, without its prefix and suffix."""
        if part.type == "full-wildcard":
            return Repeat(OneOf(ALL), 0, None)
        if part.type == "segment-wildcard":
            return Repeat(OneOf(ALL - {self.options.delimiter}), 1, None, is_greedy=False)
        start, end = part.value_index, part.value_index + len(part.value)
        body, names = parse_a_regexp(
            self.pattern, start, end, self.numbers, ignore_case=self.options.ignore_case
        )
        if names & self.inner_names or (names and _BOUNDS[part.modifier][1] is None):
            raise URLPatternError(
                "A group inside a regular expression has a name that is used twice.",
                self.pattern,
                start=start,
                end=end,
                expected="another name",
            )
        self.inner_names |= names
        return body


def _group(number: int, part: Part, body: Node, options: Options) -> Node:
    if not part.prefix and not part.suffix:
        if part.modifier in ("none", "optional"):
            return _repeated(Group(number, body), part.modifier)
        return Group(number, _repeated(body, part.modifier))
    prefix, suffix = _text(part.prefix, options), _text(part.suffix, options)
    if part.modifier in ("none", "optional"):
        return _repeated(Sequence((prefix, Group(number, body), suffix)), part.modifier)
    more = Repeat(Sequence((suffix, prefix, body)), 0, None)
    once = Sequence((prefix, Group(number, Sequence((body, more))), suffix))
    return _repeated(once, "optional" if part.modifier == "zero-or-more" else "none")


def _text(value: str, options: Options) -> Node:
    """Return the node of fixed text, which matches in both cases if the case is ignored."""
    if not options.ignore_case or not any(map(str.isalpha, value)):
        return Text(value)
    return Sequence(tuple(OneOf(frozenset((char.lower(), char.upper()))) for char in value))


def _repeated(item: Node, modifier: Modifier) -> Node:
    """Return a node with a modifier. Raises `CannotRepeatError`."""
    least, most = _BOUNDS[modifier]
    match item:
        case Repeat(OneOf(), inner_least, None) if most is None:
            # A repeated wildcard: one loop instead of two, one in the other, takes the same text.
            return Repeat(item.item, least and inner_least, most)
        case _:
            pass
    return repeated(item, least, most)

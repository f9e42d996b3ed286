"""The tree of a regular expression, which both engines take.

A class is a set of ASCII code points, because every component of a URL is ASCII.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import attrs

ALL: Final = frozenset(map(chr, range(0x80)))
"""Every code point that a component can contain."""


@attrs.frozen
class Text:
    """Text as it is."""

    value: str


@attrs.frozen
class OneOf:
    """One code point of a set."""

    members: frozenset[str]


@attrs.frozen
class Sequence:
    """One after the other."""

    items: tuple[Node, ...]


@attrs.frozen
class Alternatives:
    """The first of several that leads to a match."""

    options: tuple[Node, ...]


@attrs.frozen
class Repeat:
    """An item several times: at least ``min`` and at most ``max``, None for any number.

    ``is_greedy``: whether more repetitions are tried before fewer.
    """

    item: Node
    min: int
    max: int | None
    is_greedy: bool = True


@attrs.frozen
class Group:
    """A group that captures. Groups are numbered from 0, in the order in which they open."""

    number: int
    item: Node


@attrs.frozen
class Assertion:
    """A place: the start or the end of the component, or one that is or is not a word boundary."""

    kind: Literal["start", "end", "boundary", "no-boundary"]


@attrs.frozen
class Look:
    """An assertion on what follows, or on what precedes if ``is_behind``. It consumes nothing."""

    item: Node
    is_behind: bool
    is_negative: bool


Node: TypeAlias = Text | OneOf | Sequence | Alternatives | Repeat | Group | Assertion | Look

EMPTY: Final = Sequence(())


def can_be_empty(node: Node) -> bool:
    """Return whether a node can match without taking a code point."""
    match node:
        case Text(value):
            return not value
        case OneOf():
            return False
        case Sequence(items):
            return all(map(can_be_empty, items))
        case Alternatives(options):
            return any(map(can_be_empty, options))
        case Repeat(item, least):
            return least == 0 or can_be_empty(item)
        case Group(_, item):
            return can_be_empty(item)
        case Assertion() | Look():
            return True


class CannotRepeatError(Exception):
    """A repetition of what can be empty, which Python matches differently. Private to this room."""


def repeated(item: Node, least: int, most: int | None, *, is_greedy: bool = True) -> Node:
    """Return the node of a repetition. Raises `CannotRepeatError`.

    JavaScript refuses an empty repetition beyond the least number of them, which the engines do not
    know. So such a repetition becomes one of an item that cannot be empty.
    """
    if item == EMPTY or item == Text("") or (least, most) == (1, 1):
        return item
    if least == most or not can_be_empty(item):
        return Repeat(item, least, most, is_greedy)
    more = Repeat(_nonempty(item), 0, None if most is None else most - least, is_greedy)
    return Sequence((*(item,) * least, more)) if least else more


def _nonempty(node: Node) -> Node:
    """Return a node that matches the same, except nothing."""
    if not can_be_empty(node):
        return node
    match node:
        case Repeat(item, _, most, is_greedy):
            if not can_be_empty(item):
                return Repeat(item, 1, most, is_greedy)
        case Group(number, item):
            return Group(number, _nonempty(item))
        case Sequence(items):
            takers = [at for at, each in enumerate(items) if not isinstance(each, Assertion | Look)]
            if len(takers) == 1:
                at = takers[0]
                return Sequence((*items[:at], _nonempty(items[at]), *items[at + 1 :]))
        case Alternatives(options):
            return Alternatives(tuple(_nonempty(option) for option in options if option != EMPTY))
        case _:
            pass
    raise CannotRepeatError

"""Ways to match one component: each has `test`, and `spans` for where its groups are.

`matcher_of` takes the simplest one that an expression allows. Most patterns are fixed text, or
fixed text around one wildcard, and need no engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Protocol

from weburl.patterns.automaton import Automaton, NotLinearError, Spans
from weburl.patterns.nodes import (
    ALL,
    Alternatives,
    Assertion,
    Group,
    Look,
    Node,
    OneOf,
    Repeat,
    Sequence,
    Text,
)


class Matcher(Protocol):
    """Matches a whole string, or none of it."""

    def test(self, text: str) -> bool:
        """Return whether it matches."""
        ...

    def spans(self, text: str) -> Spans | None:
        """Return where the groups are in ``text``, by number, or None if it does not match."""
        ...


class Exactly:
    """Fixed text."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value: Final = value

    def test(self, text: str) -> bool:
        """Return whether it matches."""
        return text == self.value

    def spans(self, text: str) -> Spans | None:
        """Return no groups, or None if it does not match."""
        return {} if text == self.value else None


class Anything:
    """Any text, as one group."""

    __slots__ = ()

    def test(self, text: str) -> bool:  # noqa: ARG002  # as the others
        """Return True."""
        return True

    def spans(self, text: str) -> Spans | None:
        """Return the one group."""
        return {0: (0, len(text))}


class Around:
    """Fixed text, one group of anything or of one segment, and fixed text."""

    __slots__ = ("delimiter", "head", "least", "tail")

    def __init__(self, head: str, tail: str, least: int, delimiter: str | None) -> None:
        self.head: Final = head
        self.tail: Final = tail
        self.least: Final = len(head) + len(tail) + least
        """The shortest text that matches."""
        self.delimiter: Final = delimiter

    def test(self, text: str) -> bool:
        """Return whether it matches."""
        return (
            len(text) >= self.least
            and text.startswith(self.head)
            and text.endswith(self.tail)
            and (
                self.delimiter is None
                or text.find(self.delimiter, len(self.head), len(text) - len(self.tail)) < 0
            )
        )

    def spans(self, text: str) -> Spans | None:
        """Return the one group, or None if it does not match."""
        return {0: (len(self.head), len(text) - len(self.tail))} if self.test(text) else None


class Linear:
    """Fixed text, an expression for the automaton, and fixed text.

    The automaton is built when it is needed: a list of patterns tests few of them.
    """

    __slots__ = ("automaton", "head", "node", "tail")

    def __init__(self, head: str, node: Node, tail: str) -> None:
        self.head: Final = head
        self.node: Final = node
        self.tail: Final = tail
        self.automaton: Automaton | None = None

    def built(self) -> Automaton:
        """Return the automaton. Raises `NotLinearError` if there is none."""
        if self.automaton is None:
            self.automaton = Automaton(self.node)
        return self.automaton

    def test(self, text: str) -> bool:
        """Return whether it matches."""
        middle = self._middle(text)
        return middle is not None and (self.automaton or self.built()).test(middle)

    def spans(self, text: str) -> Spans | None:
        """Return where the groups are, or None if it does not match."""
        middle = self._middle(text)
        spans = None if middle is None else self.built().spans(middle)
        if spans is None or not self.head:
            return spans
        shift = len(self.head)
        return {group: (start + shift, end + shift) for group, (start, end) in spans.items()}

    def _middle(self, text: str) -> str | None:
        """Return what the automaton has to match, or None if the fixed text is not there."""
        head, tail = self.head, self.tail
        if not head and not tail:
            return text
        if len(text) < len(head) + len(tail):
            return None
        if not (text.startswith(head) and text.endswith(tail)):
            return None
        return text[len(head) : len(text) - len(tail)]


_WORD: Final = "[A-Za-z0-9_]"
_ASSERTIONS: Final = {
    "start": r"\A",
    "end": r"\Z",
    "boundary": rf"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    "no-boundary": rf"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
_LOOKS: Final = {
    (False, False): "(?=",
    (False, True): "(?!",
    (True, False): "(?<=",
    (True, True): "(?<!",
}


class NotSupportedError(Exception):
    """Raised if Python cannot run the expression, with the reason. Used only in this package."""


class Backtracking:
    """An expression that the automaton cannot run, for Python's own `re`.

    That returns to earlier choices, so it may take time exponential in the text. Raises
    `NotSupportedError` if it cannot run the expression either.
    """

    def __init__(self, node: Node) -> None:
        # Groups open in the order of their numbers.
        try:
            self._regex = re.compile(_text_of(node), re.ASCII)
        except (re.error, OverflowError, RecursionError) as error:
            raise NotSupportedError(str(error)) from None

    def test(self, text: str) -> bool:
        """Return whether the expression matches all of ``text``."""
        return self._regex.fullmatch(text) is not None

    def spans(self, text: str) -> Spans | None:
        """Return where the groups are in ``text``, or None if the expression does not match."""
        found = self._regex.fullmatch(text)
        if found is None:
            return None
        spans = enumerate(found.regs[1:])
        return {number: span for number, span in spans if span[0] >= 0}


def _text_of(node: Node) -> str:
    """Return a tree as a regular expression of Python."""
    match node:
        case Text(value):
            return re.escape(value)
        case OneOf(members):
            return _class_of(members)
        case Sequence(items):
            return "".join(map(_text_of, items))
        case Alternatives(options):
            return f"(?:{'|'.join(map(_text_of, options))})"
        case Group(_, item):
            return f"({_text_of(item)})"
        case Repeat(item, least, most, is_greedy):
            bounds = f"{{{least},{'' if most is None else most}}}"
            return f"(?:{_text_of(item)}){bounds}{'' if is_greedy else '?'}"
        case Assertion(kind):
            return _ASSERTIONS[kind]
        case Look(item, is_behind, is_negative):
            return f"{_LOOKS[is_behind, is_negative]}{_text_of(item)})"


def _class_of(members: frozenset[str]) -> str:
    if not members:
        return "(?!)"
    if members == ALL:
        return r"[\x00-\x7f]"
    return "[" + "".join(f"\\x{ord(char):02x}" for char in sorted(members)) + "]"


def matcher_of(node: Node, *, has_regexp_groups: bool) -> Matcher:
    """Return the simplest matcher for an expression.

    Raises `NotSupportedError` if there is none.
    """
    items = list(_merged(_flat(node)))
    if not items:
        return Exactly("")
    head = _taken(items, 0)
    tail = _taken(items, -1)
    if not items:
        return Exactly(head)
    if len(items) == 1 and (simple := _around(head, items[0], tail)) is not None:
        return simple
    linear = Linear(head, Sequence(tuple(items)), tail)
    if has_regexp_groups:
        try:
            linear.built()
        except NotLinearError:
            return Backtracking(node)
    return linear


def _flat(node: Node) -> Iterator[Node]:
    """Yield the items of a sequence, and of the sequences in it."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _flat(item)
    else:
        yield node


def _merged(items: Iterator[Node]) -> Iterator[Node]:
    """Yield items, with adjacent strings joined, and without empty ones."""
    texts: list[str] = []
    for item in items:
        if isinstance(item, Text):
            texts.append(item.value)
            continue
        if any(texts):
            yield Text("".join(texts))
        texts.clear()
        yield item
    if any(texts):
        yield Text("".join(texts))


def _taken(items: list[Node], index: int) -> str:
    """Remove the first or the last item if it is fixed text, and return the text."""
    item = items[index] if items else None
    if not isinstance(item, Text):
        return ""
    del items[index]
    return item.value


def _around(head: str, item: Node, tail: str) -> Matcher | None:
    """Return the matcher of a wildcard with fixed text around it, or None for another item."""
    match item:
        case Group(0, Repeat(OneOf(members), 0 | 1 as least, None)):
            left_out = ALL - members
            if len(left_out) > 1:
                return None
            if not (head or tail or least or left_out):
                return Anything()
            return Around(head, tail, least, next(iter(left_out), None))
        case _:
            return None

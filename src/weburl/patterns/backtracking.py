"""The engine for regular expressions that `automaton` cannot run: Python's own `re`.

It returns to earlier choices, so it may take time exponential in the text.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.patterns.automaton import Spans
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
    """An expression, ready to be run. Raises `NotSupportedError` if it cannot be."""

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

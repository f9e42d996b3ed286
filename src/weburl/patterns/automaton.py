"""An engine that takes time linear in the text, whatever the pattern and the text.

It reads the text twice. From the end to the start, it finds out at each place which instructions
lead to a match. Then it reads from the start to the end, and where there is a choice, takes the
first one that leads to a match. A backtracking engine finds the same match, because it tries the
choices in this order. But here no choice is ever taken back.

The set of instructions that lead to a match depends only on the set one place later and on the code
point between them. So each step is stored, and nearly all steps take one look-up.

Anchors and lookarounds cannot be run so, and neither can a repetition of what can be empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from weburl.patterns.nodes import (
    Alternatives,
    Group,
    Node,
    OneOf,
    Repeat,
    Sequence,
    Text,
    can_be_empty,
)

MAX_INSTRUCTIONS: Final = 20_000
"""The most instructions of an expression with counted repetitions, such as "{1000}"."""
_MAX_SETS: Final = 500  # that an automaton stores; then it forgets them, and finds them out again

Spans: TypeAlias = dict[int, tuple[int, int]]
"""Where each group that took part starts and ends in the text."""


class _One(NamedTuple):
    """Takes one code point."""

    members: frozenset[str]
    next: int


class _Fork(NamedTuple):
    """Continues at the first instruction if that leads to a match, or else at the second."""

    first: int
    second: int


class _Open(NamedTuple):
    """Starts a group."""

    group: int
    next: int


class _Close(NamedTuple):
    """Ends a group."""

    group: int
    next: int


_Instruction: TypeAlias = _One | _Fork | _Open | _Close | None
"""None is the end, which must be the end of the text."""
_END: Final = 0


class NotLinearError(Exception):
    """Raised if this engine cannot run the expression. Used only in this package."""


class Automaton:
    """An expression, ready to be run. Raises `NotLinearError` if it cannot be."""

    def __init__(self, node: Node) -> None:
        builder = _Builder()
        self._start = builder.build(node, _END)
        self._program = builder.program
        self._order = tuple(_in_order(builder.program))
        self._sets: dict[int, _LeadingToMatch] = {}
        self._mask_at_end = self._closed(1 << _END)

    def test(self, text: str) -> bool:
        """Return whether the expression matches all of ``text``."""
        found = self._at_end()
        for code_point in reversed(text):
            found = found[code_point]
        return found.has(self._start)

    def spans(self, text: str) -> Spans | None:
        """Return where the groups are in ``text``, or None if the expression does not match."""
        found = self._at_end()
        sets = [found]
        for code_point in reversed(text):
            found = found[code_point]
            sets.append(found)
        return self._walk(sets) if found.has(self._start) else None

    def _walk(self, sets: list[_LeadingToMatch]) -> Spans:
        """Take the first choice that leads to a match, and return where the groups are.

        ``sets``: what leads to a match at each place, from the end of the text to its start.
        """
        program = self._program
        starts: dict[int, int] = {}
        spans: Spans = {}
        at, last = 0, len(sets) - 1
        current = self._start
        while (instruction := program[current]) is not None:
            # The class is compared, because `match` would take three times as long.
            if type(instruction) is _One:
                at += 1
                current = instruction.next
            elif type(instruction) is _Fork:
                first, second = instruction
                current = first if sets[last - at].mask >> first & 1 else second
            elif type(instruction) is _Open:
                group, current = instruction
                starts[group] = at
            elif type(instruction) is _Close:
                group, current = instruction
                spans[group] = (starts[group], at)
        return spans

    def _at_end(self) -> _LeadingToMatch:
        """Return what leads to a match at the end of the input."""
        return self._set_of(self._mask_at_end)

    def _set_of(self, mask: int) -> _LeadingToMatch:
        found = self._sets.get(mask)
        if found is None:
            if len(self._sets) >= _MAX_SETS:
                # A copy, because another thread may add one at the same time.
                for stored in self._sets.copy().values():
                    stored.clear()
                self._sets.clear()
            # Two threads may both make it, which does no harm.
            found = self._sets[mask] = _LeadingToMatch(self, mask)
        return found

    def before(self, mask: int, code_point: str) -> _LeadingToMatch:
        """Return what leads to a match before a code point, if ``mask`` does after it."""
        taking = 0
        for number, instruction in enumerate(self._program):
            if (
                type(instruction) is _One
                and mask >> instruction.next & 1
                and code_point in instruction.members
            ):
                taking |= 1 << number
        return self._set_of(self._closed(taking))

    def _closed(self, mask: int) -> int:
        """Return a mask with the instructions that lead to one in it without a code point."""
        for number in self._order:
            instruction = self._program[number]
            if type(instruction) is _Fork:
                leads = mask >> instruction.first & 1 or mask >> instruction.second & 1
            else:
                assert isinstance(instruction, _Open | _Close)
                leads = mask >> instruction.next & 1
            if leads:
                mask |= 1 << number
        return mask


class _LeadingToMatch(dict[str, "_LeadingToMatch"]):
    """The instructions that lead to a match at one place: bit n is set for instruction n.

    As a mapping, it has the set one place earlier for each code point between them.
    """

    __slots__ = ("automaton", "mask")

    def __init__(self, automaton: Automaton, mask: int) -> None:
        self.automaton: Final = automaton
        self.mask: Final = mask

    def has(self, number: int) -> bool:
        """Return whether an instruction leads to a match."""
        return bool(self.mask >> number & 1)

    def __missing__(self, code_point: str) -> _LeadingToMatch:
        found = self[code_point] = self.automaton.before(self.mask, code_point)
        return found


class _Builder:
    """Builds a program from its end to its start: each instruction refers to the next one."""

    def __init__(self) -> None:
        self.program: list[_Instruction] = [None]
        self.has_counts = False

    def add(self, instruction: _Instruction) -> int:
        """Add an instruction, and return its number."""
        if self.has_counts and len(self.program) > MAX_INSTRUCTIONS:
            raise NotLinearError
        self.program.append(instruction)
        return len(self.program) - 1

    def build(self, node: Node, next: int) -> int:
        """Add the instructions of a node that lead to ``next``, and return the first of them."""
        match node:
            case Text(value):
                for code_point in reversed(value):
                    next = self.add(_One(_ONLY[code_point], next))
                return next
            case OneOf(members):
                return self.add(_One(members, next))
            case Sequence(items):
                for item in reversed(items):
                    next = self.build(item, next)
                return next
            case Alternatives(options):
                *others, last = [self.build(option, next) for option in options]
                for other in reversed(others):
                    last = self.add(_Fork(other, last))
                return last
            case Group(number, item):
                return self.add(_Open(number, self.build(item, self.add(_Close(number, next)))))
            case Repeat():
                return self.build_repeat(node, next)
            case _:
                raise NotLinearError

    def build_repeat(self, node: Repeat, next: int) -> int:
        if node.min > 1 or node.max not in (None, 1):
            self.has_counts = True
        if node.max != node.min and can_be_empty(node.item):
            raise NotLinearError
        if node.max is None:
            loop = self.add(None)
            body = self.build(node.item, loop)
            self.program[loop] = _fork(body, next, is_greedy=node.is_greedy)
            first = loop
        else:
            first = next
            for _ in range(node.max - node.min):
                body = self.build(node.item, first)
                first = self.add(_fork(body, next, is_greedy=node.is_greedy))
        for _ in range(node.min):
            first = self.build(node.item, first)
        return first


def _fork(body: int, next: int, *, is_greedy: bool) -> _Fork:
    return _Fork(body, next) if is_greedy else _Fork(next, body)


def _in_order(program: list[_Instruction]) -> Iterator[int]:
    """Yield the instructions that take no code point, each after those that it leads to.

    There is an order, because no loop is without an instruction that takes a code point.
    """
    done = [False] * len(program)
    for start in range(len(program)):
        todo = [start]
        while todo:
            number = todo[-1]
            waiting = [other for other in _next_at_once(program[number]) if not done[other]]
            if waiting and not done[number]:
                todo.extend(waiting)
                continue
            todo.pop()
            if not done[number]:
                done[number] = True
                if isinstance(program[number], _Fork | _Open | _Close):
                    yield number


def _next_at_once(instruction: _Instruction) -> tuple[int, ...]:
    """Return the instructions that follow without taking a code point."""
    match instruction:
        case _Fork(first, second):
            return (first, second)
        case _Open(_, next) | _Close(_, next):
            return (next,)
        case _:
            return ()


_ONLY: Final = {chr(number): frozenset(chr(number)) for number in range(0x80)}

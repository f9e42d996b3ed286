"""An index of patterns by the fixed text in them.

It is a tree. The first level is the hostname, then each segment of the pathname, then the others.
At each level, patterns are kept by the fixed text at both ends of the component or segment, with
a table for each pair of lengths. So a URL takes as many look-ups as there are pairs of lengths,
however many patterns there are.

What is found may match. What is not found does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Generic, NamedTuple, TypeVar

from weburl.patterns.component import Component
from weburl.patterns.pattern_strings import Part

_T = TypeVar("_T")

_FEW: Final = 4
"""So many patterns are not sorted further."""
_LEVELS: Final = (
    "hostname",
    "pathname",
    "protocol",
    "port",
    "search",
    "hash",
    "username",
    "password",
)
_IGNORE_CASE: Final = ("pathname", "search", "hash")


class Index:
    """The numbers of patterns by the fixed text of their components."""

    def __init__(self, *, ignore_case: bool) -> None:
        self._ignore_case = ignore_case
        self._components: dict[int, Mapping[str, Component]] = {}
        self._root = _Branch()

    def add(self, number: int, components: Mapping[str, Component]) -> None:
        """Add a pattern, with a number higher than those before."""
        self._components[number] = components
        self._root.numbers.append(number)

    def finish(self) -> None:
        """Sort the patterns that were added."""
        todo: list[tuple[_Branch, tuple[str, ...]]] = [(self._root, _LEVELS)]
        while todo:
            branch, levels = todo.pop()
            if len(branch.numbers) <= _FEW or not levels:
                continue
            name, *others = levels
            level = _Pathnames() if name == "pathname" else _Values(name)
            for number in branch.numbers:
                level.add(number, self._components[number][name], self._folded)
            if isinstance(level, _Values) and level.sorts_nothing:
                todo.append((branch, tuple(others)))
                continue
            branch.level = level
            todo.extend((child, tuple(others)) for child in level.branches())
        self._components.clear()

    def find(self, values: dict[str, str]) -> list[list[int]]:
        """Return lists of numbers, each in order, of the patterns that may match a URL."""
        if self._ignore_case:
            values = values | {name: values[name].lower() for name in _IGNORE_CASE}
        found: list[list[int]] = []
        self._root.find(values, found)
        return found

    def _folded(self, text: str) -> str:
        return text.lower() if self._ignore_case else text


class _Branch:
    """Patterns with the same fixed text so far, sorted further by a level if they are many."""

    __slots__ = ("level", "numbers")

    def __init__(self) -> None:
        self.numbers: Final[list[int]] = []
        self.level: _Level | None = None

    def find(self, values: dict[str, str], found: list[list[int]]) -> None:
        """Add the lists of candidates to ``found``."""
        if self.level is None:
            found.append(self.numbers)
        else:
            self.level.find(values, found)


class _Affixes(Generic[_T]):
    """Items by the fixed text at the start and at the end of a component."""

    __slots__ = ("_anything", "_tables")

    def __init__(self) -> None:
        self._anything: _T | None = None
        """The item without fixed text, which most levels have, and some have nothing else."""
        self._tables: dict[tuple[int, int], dict[tuple[str, str], _T]] = {}

    def entry(self, head: str, tail: str, make: Callable[[], _T]) -> _T:
        """Return the item of a fixed text, which is made if there is none."""
        if not head and not tail:
            if self._anything is None:
                self._anything = make()
            return self._anything
        table = self._tables.setdefault((len(head), len(tail)), {})
        if (head, tail) not in table:
            table[head, tail] = make()
        return table[head, tail]

    def find(self, text: str, start: int, end: int) -> list[_T]:
        """Return the items whose fixed text is at both ends of ``text[start:end]``."""
        found = [] if self._anything is None else [self._anything]
        for (head, tail), table in self._tables.items():
            if head + tail <= end - start:
                item = table.get((text[start : start + head], text[end - tail : end]))
                if item is not None:
                    found.append(item)
        return found

    @property
    def is_anything(self) -> bool:
        """Whether no item has fixed text."""
        return not self._tables

    def items(self) -> Iterator[_T]:
        """Yield all items."""
        if self._anything is not None:
            yield self._anything
        for table in self._tables.values():
            yield from table.values()


class _Shape(NamedTuple):
    """The fixed text at the two ends of what parts match; ``is_all``: there is nothing between."""

    head: str
    tail: str
    is_all: bool


class _Values:
    """Sorts patterns by a component that is taken as a whole."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._exact: dict[str, _Branch] = {}
        self._others: _Affixes[_Branch] = _Affixes()

    def add(self, number: int, component: Component, folded: Callable[[str], str]) -> None:
        """Add a pattern with this component."""
        shape = _shape_of(component.parts)
        head, tail = folded(shape.head), folded(shape.tail)
        if shape.is_all:
            branch = self._exact.setdefault(head, _Branch())
        else:
            branch = self._others.entry(head, tail, _Branch)
        branch.numbers.append(number)

    @property
    def sorts_nothing(self) -> bool:
        """Whether no pattern has fixed text here."""
        return not self._exact and self._others.is_anything

    def branches(self) -> Iterator[_Branch]:
        """Yield what the patterns are sorted into."""
        yield from self._exact.values()
        yield from self._others.items()

    def find(self, values: dict[str, str], found: list[list[int]]) -> None:
        """Add the lists of candidates to ``found``."""
        text = values[self._name]
        exact = self._exact.get(text)
        if exact is not None:
            exact.find(values, found)
        for branch in self._others.find(text, 0, len(text)):
            branch.find(values, found)


class _Segment:
    """A place in the pathname, before a segment or after the last one."""

    __slots__ = ("end", "exact", "rest", "wildcards")

    def __init__(self) -> None:
        self.end: _Branch | None = None
        """Patterns that end here."""
        self.exact: Final[dict[str, _Segment]] = {}
        self.wildcards: _Affixes[_Segment] | None = None
        self.rest: _Affixes[_Branch] | None = None
        """Patterns that go on with what may match several segments."""


class _Pathnames:
    """Sorts patterns by the segments of the pathname."""

    def __init__(self) -> None:
        self._root = _Segment()
        self._not_absolute: _Affixes[_Branch] = _Affixes()
        """Patterns that do not start with a slash, by the fixed text of the whole pathname."""
        self._made: list[_Branch] = []

    def add(self, number: int, component: Component, folded: Callable[[str], str]) -> None:
        """Add a pattern with this component."""
        shape = _shape_of(component.parts)
        if not shape.head.startswith("/"):
            head, tail = folded(shape.head), folded(shape.tail)
            branch = self._not_absolute.entry(head, tail, self._new_branch)
        else:
            branch = self._branch_of(component, shape, folded)
        branch.numbers.append(number)

    def _branch_of(
        self, component: Component, shape: _Shape, folded: Callable[[str], str]
    ) -> _Branch:
        segments, rest = _segments_of(component)
        place = self._root
        for segment in segments:
            head, tail = folded(segment.head), folded(segment.tail)
            if segment.is_all:
                place = place.exact.setdefault(head, _Segment())
            else:
                place.wildcards = place.wildcards or _Affixes()
                place = place.wildcards.entry(head, tail, _Segment)
        if rest is not None:
            place.rest = place.rest or _Affixes()
            return place.rest.entry(folded(rest), folded(shape.tail), self._new_branch)
        if place.end is None:
            place.end = self._new_branch()
        return place.end

    def _new_branch(self) -> _Branch:
        self._made.append(_Branch())
        return self._made[-1]

    def branches(self) -> Iterator[_Branch]:
        """Yield what the patterns are sorted into."""
        yield from self._made

    def find(self, values: dict[str, str], found: list[list[int]]) -> None:
        """Add the lists of candidates to ``found``."""
        path = values["pathname"]
        length = len(path)
        for branch in self._not_absolute.find(path, 0, length):
            branch.find(values, found)
        todo = [(self._root, 1)] if path.startswith("/") else []
        while todo:
            place, start = todo.pop()
            if start > length:
                if place.end is not None:
                    place.end.find(values, found)
                continue
            if place.rest is not None:
                for branch in place.rest.find(path, start, length):
                    branch.find(values, found)
            end = path.find("/", start)
            if end < 0:
                end = length
            if (exact := place.exact.get(path[start:end])) is not None:
                todo.append((exact, end + 1))
            if place.wildcards is not None:
                todo += [(item, end + 1) for item in place.wildcards.find(path, start, end)]


_Level = _Values | _Pathnames


def _shape_of(parts: tuple[Part, ...]) -> _Shape:
    """Return the fixed text at the ends of what ``parts`` match."""
    if all(part.type == "fixed-text" and part.modifier == "none" for part in parts):
        return _Shape("".join(part.value for part in parts), "", is_all=True)
    head: list[str] = []
    for part in parts:
        if part.modifier != "none":
            break
        head.append(part.value if part.type == "fixed-text" else part.prefix)
        if part.type != "fixed-text":
            break
    tail: list[str] = []
    for part in reversed(parts):
        if part.modifier != "none":
            break
        tail.append(part.value if part.type == "fixed-text" else part.suffix)
        if part.type != "fixed-text":
            break
    return _Shape("".join(head), "".join(reversed(tail)), is_all=False)


def _segments_of(component: Component) -> tuple[list[_Shape], str | None]:
    """Return the segments of a pathname that starts with a slash.

    Also returns the fixed text before a part that may match several segments, or None if no part
    may. The segments are those before it.
    """
    segments: list[_Shape] = []
    head, tail, has_wildcard = "", "", False
    for piece in _pieces_of(component):
        match piece:
            case "several":
                return segments[1:], "" if has_wildcard else head
            case "one":
                has_wildcard, tail = True, ""
            case "/":
                segments.append(_Shape(head, tail, is_all=not has_wildcard))
                head, tail, has_wildcard = "", "", False
            case _ if has_wildcard:
                tail += piece[1:]
            case _:
                head += piece[1:]
    segments.append(_Shape(head, tail, is_all=not has_wildcard))
    return segments[1:], None


def _pieces_of(component: Component) -> Iterator[str]:
    """Yield "/", fixed text after a "=", "one" for a part of one segment, and "several"."""
    for part in component.parts:
        if part.modifier != "none":
            yield "several"
            return
        if part.type == "fixed-text":
            yield from _pieces_of_text(part.value)
            continue
        yield from _pieces_of_text(part.prefix)
        if part.type != "segment-wildcard" or component.options.delimiter != "/":
            yield "several"
            return
        yield "one"
        yield from _pieces_of_text(part.suffix)


def _pieces_of_text(text: str) -> Iterator[str]:
    for at, piece in enumerate(text.split("/")):
        if at:
            yield "/"
        if piece:
            yield f"={piece}"

"""`URLPatternList`: many patterns, of which those that match a URL are found at once.

An index finds the few patterns that may match a URL, and only these are matched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from typing import overload

import attrs

from weburl.patterns.errors import URLPatternError
from weburl.patterns.index import Index
from weburl.patterns.pattern import URLPattern, URLPatternInput, components_of, matches, values_of
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.url.record import AnyURL


class _Indexed(FrozenValue):
    """The indexes of a list, once they are made."""

    __slots__ = ("_indexes",)

    _indexes: list[Index]


@attrs.frozen(init=False, repr=False)
class URLPatternList(_Indexed, Sequence[URLPattern]):
    """A sequence of patterns that finds the first or all of those that match a URL.

    The order of the patterns is their precedence. Lists with the same patterns are equal. The time
    to find the first depends on the length of the URL and not on the number of patterns, except
    for patterns that have the same fixed text in the same places: those are tried one by one.

    Args:
        patterns: patterns, or strings that `URLPattern` takes.

    Raises:
        URLPatternError: a string is not a pattern. A note gives its number in the list.
        TypeError: an item is neither a pattern nor text, or ``patterns`` is one text.
    """

    __module__ = "weburl"

    patterns: tuple[URLPattern, ...]

    def __init__(self, patterns: Iterable[URLPattern | str] = ()) -> None:
        if isinstance(patterns, str):
            raise TypeError("patterns must be an iterable of patterns, not one text")
        self.__setstate__(tuple(_pattern(item, number) for number, item in enumerate(patterns)))

    def first(
        self, input: URLPatternInput | None = None, base: AnyURL | None = None
    ) -> URLPattern | None:
        """Return the first pattern that matches a URL, or None.

        The arguments and errors are the same as for `URLPattern.test`.
        """
        values = values_of(input, base)
        if values is not None:
            for number in self._numbers(values):
                if matches(self.patterns[number], values):
                    return self.patterns[number]
        return None

    def all(
        self, input: URLPatternInput | None = None, base: AnyURL | None = None
    ) -> tuple[URLPattern, ...]:
        """Return all patterns that match a URL, in their order.

        The arguments and errors are the same as for `URLPattern.test`.
        """
        values = values_of(input, base)
        if values is None:
            return ()
        found = (self.patterns[number] for number in self._numbers(values))
        return tuple(pattern for pattern in found if matches(pattern, values))

    def test(self, input: URLPatternInput | None = None, base: AnyURL | None = None) -> bool:
        """Return whether one of the patterns matches a URL, as `URLPattern.test` does."""
        return self.first(input, base) is not None

    def _numbers(self, values: dict[str, str]) -> Iterable[int]:
        """Return the numbers of the patterns that may match, in order."""
        # The index is made when it is needed. Two threads may both make it, which does no harm.
        if not self._indexes and self.patterns:
            self._indexes[:] = _indexes_of(self.patterns)
        lists: list[list[int]] = []
        for index in self._indexes:
            lists += index.find(values)
        return lists[0] if len(lists) == 1 else merge(*lists)

    @overload
    def __getitem__(self, index: int) -> URLPattern: ...
    @overload
    def __getitem__(self, index: slice) -> URLPatternList: ...
    def __getitem__(self, index: int | slice) -> URLPattern | URLPatternList:
        found = self.patterns[index]
        return URLPatternList(found) if isinstance(found, tuple) else found

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[URLPattern]:
        return iter(self.patterns)

    def __contains__(self, value: object) -> bool:
        return value in self.patterns

    def __getstate__(self) -> tuple[URLPattern, ...]:
        return self.patterns

    def __setstate__(self, state: tuple[URLPattern, ...]) -> None:
        object.__setattr__(self, "patterns", state)
        object.__setattr__(self, "_indexes", [])

    def __repr__(self) -> str:
        return f"URLPatternList({list(self.patterns)!r})"


def _indexes_of(patterns: tuple[URLPattern, ...]) -> list[Index]:
    """Return an index of the patterns that mind the case, and one of those that ignore it."""
    indexes: dict[bool, Index] = {}
    for number, pattern in enumerate(patterns):
        index = indexes.setdefault(pattern.ignore_case, Index(ignore_case=pattern.ignore_case))
        index.add(number, components_of(pattern))
    for index in indexes.values():
        index.finish()
    return list(indexes.values())


def _pattern(item: object, number: int) -> URLPattern:
    """Return ``item`` as a pattern. None is refused, because `URLPattern` matches everything."""
    if isinstance(item, URLPattern):
        return item
    if not isinstance(item, str):
        raise TypeError(
            f"an item must be a URLPattern or text, not {type(item).__name__} (item {number})"
        )
    try:
        return URLPattern(item)
    except URLPatternError as error:
        error.add_note(f"This is item {number} of the list, counted from 0.")
        raise

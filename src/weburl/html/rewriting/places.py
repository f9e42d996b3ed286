"""Where the tags of elements are in the source of a page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from weburl.html.pages import LinkPlace
from weburl.html.rewriting.source import Attribute, CannotRewrite, Source, attributes_of_tag
from weburl.html.tree import Element, Tree, html_in_conditional_comment, parse_html

if TYPE_CHECKING:
    from weburl.html.tree import SourceLocation

_LINE_BREAK: Final = re.compile("\r\n?|\n")
_COMMENT: Final = re.compile(r"<!--(?=\[if)")
_LETTERS: Final = re.compile("w+")
_MARK: Final = re.compile("wq([0-9]+)q")
_MERGED: Final = frozenset({"body", "html"})

Position = tuple[int, int]
"""A line, from 1, and a column in code points, from 0, as the parser counts."""


class Tag(NamedTuple):
    """A start tag in the source: where it starts, where its name ends, and its attributes."""

    start: int
    after_name: int
    attributes: list[Attribute]

    def named(self, name: str) -> list[Attribute]:
        """Return the attribute with this name and its duplicates, which mean nothing."""
        return [attribute for attribute in self.attributes if attribute.name == name]


class Places:
    """Finds the tags of elements in a source, by the lines and columns of the parser."""

    def __init__(
        self, source: Source, trees: Sequence[Tree], *, scripting: bool, context: str | None
    ) -> None:
        self._source = source
        self._trees = trees
        self._scripting = scripting
        self._context = context
        self._lines = [0, *(found.end() for found in _LINE_BREAK.finditer(source.text))]
        self._starts: list[Position] | None = None
        self._inner_views: list[str] = []
        self._known_locations: dict[int, dict[Position, SourceLocation]] = {}
        self._merged: dict[tuple[str, str], int | None] = {}

    def start(self, element: Element, tree: int) -> int | None:
        """Return where the tag of an element starts, or None if the parser made it without one."""
        position = element.position
        if position is None:
            return None
        if self._source.is_view:
            position = _position(self._locations(tree)[position])
        return self._offset(position, tree)

    def start_of_tag(self, place: LinkPlace, attribute: str) -> int:
        """Return where the tag with an attribute starts: that of the element, or a merged one.

        Raises `CannotRewrite` if the parser does not tell where it is.
        """
        element, tree, _ = place
        if element.name in _MERGED and not tree and not element.has_in_its_tag(attribute):
            key = element.name, attribute
            if key not in self._merged:
                self._merged[key] = self._find_merged(*key)
            found = self._merged[key]
        else:
            found = self.start(element, tree)
        if found is None:
            raise CannotRewrite("the tag is not in the page")
        return found

    def tag(self, place: LinkPlace, attribute: str) -> Tag:
        """Return the tag at `start_of_tag`, with all of its attributes."""
        start = self.start_of_tag(place, attribute)
        return Tag(start, *attributes_of_tag(self._source.text, start))

    def end(self, place: LinkPlace) -> int:
        """Return where the start tag of an element ends."""
        location = self._location(place)
        assert location is not None  # it has a tag
        tag = location.start_tag
        return self._offset((tag.end_line, tag.end_col), place.tree)

    def end_tag(self, place: LinkPlace) -> tuple[int, int] | None:
        """Return where the end tag of an element starts and ends, or None if it has none."""
        location = self._location(place)
        tag = None if location is None else location.end_tag
        if tag is None:
            return None
        positions = (tag.start_line, tag.start_col), (tag.end_line, tag.end_col)
        start, end = (self._offset(position, place.tree) for position in positions)
        return start, end

    def _location(self, place: LinkPlace) -> SourceLocation | None:
        element, tree, _ = place
        if not self._source.is_view and element.location is not None:
            return element.location
        # Of a copy that the parser made to repair overlapping tags, the first has it.
        return None if element.position is None else self._locations(tree).get(element.position)

    def _offset(self, position: Position, tree: int) -> int:
        line, column = position
        if tree:
            first_line, first_column = self._starts_of_trees()[tree]
            if line == 1:
                column += first_column
            line += first_line - 1
        return self._lines[line - 1] + column

    def _locations(self, tree: int) -> dict[Position, SourceLocation]:
        """Return where the tags of a tree are in the source, by their position for the parser.

        They differ if the source is a view: the same tags come there in the same order.
        """
        known = self._known_locations.get(tree)
        if known is not None:
            return known
        in_tree = in_source = _in_order(self._trees[tree])
        if self._source.is_view:
            if tree:
                self._starts_of_trees()
                seen = self._parsed(self._inner_views[tree - 1], "template")
            else:
                seen = self._parsed(self._source.text, self._context)
            in_source = _in_order(seen)
        if len(in_tree) != len(in_source):
            raise CannotRewrite("the bytes do not parse like the text")
        known = {_position(one): other for one, other in zip(in_tree, in_source, strict=True)}
        self._known_locations[tree] = known
        return known

    def _parsed(self, text: str, context: str | None) -> Tree:
        return parse_html(text, None, scripting=self._scripting, context=context)

    def _starts_of_trees(self) -> list[Position]:
        """Return where the HTML of each conditional comment starts, with columns from 0.

        The parser does not tell where comments are. A mark at the start of each tells: it changes
        no other part of the page.
        """
        if self._starts is not None:
            return self._starts
        text = self._source.text
        starts = [found.end() for found in _COMMENT.finditer(text)]
        # No text of the page looks like a mark.
        mark = "w" * (1 + max(map(len, _LETTERS.findall(text)), default=0))
        numbers = count()
        marked = _COMMENT.sub(lambda found: f"{found[0]}{mark}{next(numbers)}q", text)
        a_mark = re.compile(f"{mark}([0-9]+)q")
        self._starts = [(1, 0)]
        for marked_comment in self._parsed(marked, self._context).comments():
            number = a_mark.match(marked_comment)
            if number is None:
                continue
            comment = a_mark.sub("", marked_comment)
            inside = html_in_conditional_comment(comment)
            if inside is not None:
                self._inner_views.append(comment[slice(*inside)])
                at = starts[int(number[1])]
                before = comment[: inside[0]]
                line = bisect_right(self._lines, at) + before.count("\n")
                if "\n" in before:
                    column = len(before) - before.rindex("\n") - 1
                else:
                    column = at - self._lines[line - 1] + len(before)
                self._starts.append((line, column))
        if len(self._starts) != len(self._trees):
            raise CannotRewrite("the conditional comments of the page cannot be found")
        return self._starts

    def _find_merged(self, element: str, attribute: str) -> int | None:
        """Return where the tag starts from which the parser merged an attribute.

        The parser does not tell. A mark at the start of each value tells: it changes no other part
        of the page wherever it is.
        """
        text = self._source.text
        tags = re.compile(rf"<{element}(?=[\t\n\f\r />])", re.IGNORECASE)
        tag_starts = {found.start() for found in tags.finditer(text)}
        starts: dict[int, int] = {}  # of the tags, by the start of the value
        scanned: set[int] = set()
        for tag_start in sorted(tag_starts):
            # One that was scanned as an attribute of another tag has the rest of its attributes.
            if tag_start in scanned:
                continue
            start = tag_start
            for one in attributes_of_tag(text, tag_start)[1]:
                if one.at in tag_starts:
                    start = one.at
                    scanned.add(start)
                if one.name == attribute and one.quote != "=":
                    starts[one.start] = start
        ends = sorted(starts)
        pieces = [
            f"{text[first:last]}wq{number}q"
            for number, (first, last) in enumerate(zip((0, *ends), ends, strict=False))
        ]
        pieces.append(text[ends[-1] if ends else 0 :])
        found = next(self._parsed("".join(pieces), self._context).elements({element: ()}), None)
        mark = None if found is None else _MARK.match(found.attribute(attribute) or "")
        return None if mark is None else starts[ends[int(mark[1])]]


def _position(location: SourceLocation) -> Position:
    return location.start_tag.start_line, location.start_tag.start_col


def _in_order(tree: Tree) -> list[SourceLocation]:
    found = [element.location for element in tree.located_elements() if element.location]
    return sorted(found, key=_position)

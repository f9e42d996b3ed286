"""Where the tags of elements are in the source of a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from weburl.html.pages import LinkPlace
from weburl.html.rewriting.source import Attribute, CannotRewrite, Source, attributes_of_tag
from weburl.html.tree import Element, Tree, html_in_conditional_comment, parse_html

if TYPE_CHECKING:
    from weburl.html.tree import SourceLocation

_CR_LF: Final = re.compile("\r\n")
_COMMENT: Final = re.compile(r"<!--(?=\[if)")
_LETTERS: Final = re.compile("w+")
_MARK: Final = re.compile("wq([0-9]+)q")


class Tag(NamedTuple):
    """A tag in the source, with the offsets of its end tag if it has one."""

    start: int
    end: int
    end_tag: tuple[int, int] | None
    after_name: int
    attributes: list[Attribute]

    def named(self, name: str) -> list[Attribute]:
        """Return the attribute with this name and its duplicates, which mean nothing."""
        return [attribute for attribute in self.attributes if attribute.name == name]


class Places:
    """Finds tags in a source. The parser counts code points, and each CR LF as one."""

    def __init__(
        self, source: Source, trees: Sequence[Tree], *, scripting: bool, context: str | None
    ) -> None:
        self._source = source
        self._trees = trees
        self._scripting = scripting
        self._context = context
        pairs = (found.start() for found in _CR_LF.finditer(source.text))
        self._pairs = [at - index for index, at in enumerate(pairs)]
        self._starts: list[int] | None = None
        self._views: dict[int, dict[int, SourceLocation]] = {}
        self._inner_views: list[str] = []
        self._by_position: dict[int, dict[tuple[int, int] | None, SourceLocation]] = {}
        self._merged: dict[tuple[str, str], int | None] = {}
        self._tags: dict[int, Tag] = {}

    def start(self, element: Element, tree: int) -> int | None:
        """Return where the tag of an element starts, or None if the parser does not tell."""
        span = self._span(element, tree)
        return None if span is None else span[0]

    def tag(self, place: LinkPlace, attribute: str = "") -> Tag:
        """Return the tag of an element, or the one that its ``attribute`` was merged from.

        Raises `CannotRewrite` if the parser does not tell where it is.
        """
        element = place.element
        span = self._span(element, place.tree)
        if span is not None:
            tag = self._tag(*span)
            if not attribute or any(own.name == attribute for own in tag.attributes):
                return tag
        if element.name in ("body", "html") and not place.tree:
            key = element.name, attribute
            if key not in self._merged:
                self._merged[key] = self._find_merged(*key)
            at = self._merged[key]
            if at is not None:
                return self._tag(at, at, None)
        raise CannotRewrite("the tag is not in the page")

    def _tag(self, start: int, end: int, end_tag: tuple[int, int] | None) -> Tag:
        found = self._tags.get(start)
        if found is None:
            found = Tag(start, end, end_tag, *attributes_of_tag(self._source.text, start))
            self._tags[start] = found
        return found

    def _span(self, element: Element, tree: int) -> tuple[int, int, tuple[int, int] | None] | None:
        location = element.location
        if location is None and element.position is not None:
            # A copy that the parser made to repair overlapping tags.
            location = self._original(element, tree)
        if location is None:
            return None
        if self._source.is_view:
            location = self._in_view(tree)[location.start_tag.start_offset]
        first = self._starts_of_trees()[tree] if tree else 0
        tag, end_tag = location.start_tag, location.end_tag
        return (
            self._offset(first + tag.start_offset),
            self._offset(first + tag.end_offset),
            None
            if end_tag is None
            else (
                self._offset(first + end_tag.start_offset),
                self._offset(first + end_tag.end_offset),
            ),
        )

    def _offset(self, at: int) -> int:
        return at + bisect_left(self._pairs, at) if self._pairs else at

    def _original(self, element: Element, tree: int) -> SourceLocation | None:
        found = self._by_position.get(tree)
        if found is None:
            located = self._trees[tree].located_elements()
            found = {other.position: other.location for other in located if other.location}
            self._by_position[tree] = found
        return found.get(element.position)

    def _parsed(self, text: str, context: str | None) -> Tree:
        return parse_html(text, None, scripting=self._scripting, context=context)

    # The same tags come in the same order in a page that was read as latin-1.
    def _in_view(self, tree: int) -> dict[int, SourceLocation]:
        known = self._views.get(tree)
        if known is not None:
            return known
        if tree:
            self._starts_of_trees()
            seen = self._parsed(self._inner_views[tree - 1], "template")
        else:
            seen = self._parsed(self._source.text, self._context)
        both = [_in_order(self._trees[tree]), _in_order(seen)]
        if len(both[0]) != len(both[1]):
            raise CannotRewrite("the bytes do not parse like the text")
        known = {one.start_tag.start_offset: other for one, other in zip(*both, strict=True)}
        self._views[tree] = known
        return known

    def _starts_of_trees(self) -> list[int]:
        """Return where the HTML of each conditional comment starts, as the parser counts.

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
        self._starts = [0]
        for marked_comment in self._parsed(marked, self._context).comments():
            number = a_mark.match(marked_comment)
            if number is None:
                continue
            comment = a_mark.sub("", marked_comment)
            inside = html_in_conditional_comment(comment)
            if inside is not None:
                self._inner_views.append(comment[slice(*inside)])
                start = starts[int(number[1])]
                self._starts.append(start - bisect_left(self._true_pairs(), start) + inside[0])
        if len(self._starts) != len(self._trees):
            raise CannotRewrite("the conditional comments of the page cannot be found")
        return self._starts

    def _true_pairs(self) -> list[int]:
        return [at + index for index, at in enumerate(self._pairs)]

    def _find_merged(self, element: str, attribute: str) -> int | None:
        """Return where the tag starts from which the parser merged an attribute.

        The parser does not tell. A mark at the start of each value tells: it changes no other part
        of the page wherever it is.
        """
        text = self._source.text
        tags = re.compile(rf"<{element}(?=[\t\n\f\r />])", re.IGNORECASE)
        starts: list[int] = []
        pieces: list[str] = []
        done = 0
        for match in tags.finditer(text):
            for one in attributes_of_tag(text, match.start())[1]:
                if one.name == attribute and one.quote != "=" and one.start >= done:
                    pieces += text[done : one.start], f"wq{len(starts)}q"
                    done = one.start
                    starts.append(match.start())
                    break
        pieces.append(text[done:])
        found = next(self._parsed("".join(pieces), self._context).elements({element: ()}), None)
        mark = None if found is None else _MARK.match(found.attribute(attribute) or "")
        return None if mark is None else starts[int(mark[1])]


def _in_order(tree: Tree) -> list[SourceLocation]:
    found = [element.location for element in tree.located_elements() if element.location]
    return sorted(found, key=lambda location: location.start_tag.start_offset)

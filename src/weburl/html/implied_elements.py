"""An upper bound for the elements that the parser makes without a tag, found before parsing.

An end tag closes a formatting element only if the parser is certain to see it: if everything after
the start tag consists of tags, comments and texts that are read here as the parser reads them.
Otherwise, the element counts as open until the page ends. No start tag is ever skipped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

# Spec: https://html.spec.whatwg.org/#formatting
_FORMATTING: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
     "u")
)  # fmt: skip
# A second one of these closes the first.
_ONE_AT_A_TIME: Final = frozenset(("a", "nobr"))
# Spec: https://html.spec.whatwg.org/#push-onto-the-list-of-active-formatting-elements
_ALIKE_AT_MOST: Final = 3
# How many elements the parser keeps open at a time.
_OPEN_AT_MOST: Final = 512
# How often an element moves out of others before it is closed, and how many are copied each time.
# Spec: https://html.spec.whatwg.org/#adoption-agency-algorithm
_MOVES_AT_MOST: Final = 8
_COPIES_AT_MOST: Final = 4
_MERGED: Final = frozenset(("html", "body"))

_SPACE: Final = r"[\t\n\f\r ]*+"
# Attributes up to the end of a tag. There must be no "<" in them, so that they hide no other tag,
# and no quotes in values without quotes.
_ATTRIBUTES: Final = (
    r"(?>(?:[\t\n\f\r /]++|[^\t\n\f\r /<>][^\t\n\f\r /<=>]*+"
    rf"(?:(?!{_SPACE}=)|{_SPACE}={_SPACE}"
    r"""(?:"[^"<]*+"|'[^'<]*+'|[^\t\n\f\r "'<>]++|(?=>))))*)"""
)
_FORMATTING_OR_MERGED: Final = re.compile(
    rf"<(/)?({'|'.join(sorted((*_FORMATTING, *_MERGED)))})(?=[\t\n\f\r />])"
    rf"(?:({_ATTRIBUTES})>(?(1)|([^<]*+</\2{_SPACE}>)?)|)",
    re.ASCII | re.IGNORECASE,
)
_MERGED_TAG: Final = re.compile("<(?:html|body)", re.IGNORECASE)
_TAG: Final = re.compile(rf"<(?P<slash>/?)(?P<name>[A-Za-z][^\t\n\f\r /<>]*+){_ATTRIBUTES}>")
_COMMENT: Final = re.compile(r"<!--(?:-?>|.*?--!?>)|<!(?!--|\[CDATA\[)[^>]*+>", re.DOTALL)
_CDATA: Final = re.compile(r"<!\[CDATA\[.*?\]\]>", re.DOTALL)
_MARKUP: Final = re.compile("<(?=[A-Za-z/!?])")
_FOREIGN: Final = re.compile("<(?:svg|math)", re.IGNORECASE)
_BETWEEN_ATTRIBUTES: Final = re.compile(r"[\t\n\f\r /\"']++")

_VOID: Final = frozenset(
    ("area", "base", "br", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr")
)  # fmt: skip
# They close nothing that is open.
_PHRASING: Final = frozenset(
    ("abbr", "br", "cite", "del", "img", "ins", "kbd", "mark", "noscript", "q", "span", "sub",
     "sup", "time", "var", "wbr")
)  # fmt: skip
# A second one right inside closes the first.
_CLOSED_BY_THE_NEXT: Final = frozenset(("dd", "dt", "li", "option", "p"))
# The parser reads their content as text.
_TEXT: Final = frozenset(
    ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
)
# What they do to open elements is not followed.
_UNCLEAR: Final = frozenset(
    ("applet", "frameset", "marquee", "math", "object", "plaintext", "select", "template")
)
_CELLS: Final = frozenset(("caption", "td", "th"))
_PARTS_OF_TABLES: Final = frozenset(("col", "colgroup", "tbody", "tfoot", "thead", "tr"))
_SCOPES: Final = frozenset(("table", *_CELLS))
# HTML elements that end the SVG around them, and SVG elements with HTML inside.
# Spec: https://html.spec.whatwg.org/#parsing-main-inforeign
_NOT_IN_SVG: Final = frozenset(
    (*_FORMATTING - {"a"}, "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "embed",
     "foreignobject", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "img", "li", "listing",
     "menu", "meta", "ol", "p", "pre", "ruby", "span", "sub", "sup", "table", "ul", "var")
)  # fmt: skip
_HTML_INSIDE: Final = frozenset(("desc", "title"))
# More elements than this inside each other are not followed.
_FOLLOWED_AT_MOST: Final = 100


def most_implied_elements(text: str) -> int:
    """Return a number that `implied_elements` does not exceed, which takes much less time."""
    tags = text.count("<")
    merged = sum(1 for _ in _MERGED_TAG.finditer(text))
    return tags * (min(tags, _OPEN_AT_MOST) + _MOVES_AT_MOST * _COPIES_AT_MOST) + merged * len(text)


def implied_elements(  # noqa: C901  # a page is read in one pass
    text: str, *, is_foreign: bool = False
) -> Iterator[int]:
    """Yield how many elements the tags of a page may imply, up to each of some tags.

    The attributes of repeated `html` and `body` tags count too, because the parser merges them.
    Takes linear time.

    ``is_foreign``: whether the text is inside SVG or MathML.
    """
    opened = _Open(is_foreign or _has_html_in_foreign_elements(text))
    implied = merged = last = 0
    unclear_from: int | None = None
    for tag in _FORMATTING_OR_MERGED.finditer(text):
        start, end = tag.span()
        slash, name, attributes, rest = tag.groups()
        # Each tag may close what is open, and what follows opens it again.
        if opened.count:
            implied += text.count("<", last, start) * opened.most_reopened
        if opened.elements:
            opened.follow(text, last, start)
        last = end
        name = name.lower()
        if name in _MERGED:
            opened.lose_track()
            implied += opened.most_reopened * (1 if rest is None else 2)
            if not slash:
                if unclear_from is not None:
                    merged += _attribute_count(text, unclear_from, start)
                implied += merged
                unclear_from = end if attributes is None else None
                if attributes is not None:
                    merged += _attribute_count(text, *tag.span(3))
        elif attributes is None:
            # It may hide tags, or not be a tag.
            opened.lose_track()
            implied += opened.cost_of_closing(_MOVES_AT_MOST)
            opened.count += not slash
        else:
            if opened.count:
                if slash or name in _ONE_AT_A_TIME:
                    implied += opened.close(name)
                if rest is not None:
                    implied += opened.cost_of_closing(_MOVES_AT_MOST)
            if rest is None and not slash:
                opened.open(name, attributes)
        if opened.count:
            yield implied
    yield implied + text.count("<", last) * opened.most_reopened


def _attribute_count(text: str, start: int, end: int) -> int:
    """Return an upper bound for the number of attributes between two offsets."""
    return sum(1 for _ in _BETWEEN_ATTRIBUTES.finditer(text, start, end))


def _has_html_in_foreign_elements(text: str) -> bool:
    """Return whether there may be HTML inside SVG or MathML, where text is not read as in HTML."""
    left = 4 * len(text)
    for start in _FOREIGN.finditer(text):
        tag = _TAG.match(text, start.start())
        end = -1 if tag is None or tag["name"].lower() != "svg" else _end_of_svg(text, tag)
        left -= end - start.start()
        if end < 0 or left < 0:
            return True
    return False


class _Open:
    """The elements that may be open.

    ``count``: how many formatting elements the parser may open again. ``elements``: those whose end
    tags are followed, the innermost last: the name, and of a formatting element that counts also
    its attributes. With ``is_strict``, only elements that close nothing are followed.
    """

    def __init__(self, is_strict: bool) -> None:
        self.count = 0
        self.elements: list[tuple[str, str | None]] = []
        self._alike: dict[tuple[str, str], int] = {}
        self._is_strict = is_strict

    @property
    def most_reopened(self) -> int:
        """How many elements the parser opens again at most at a time."""
        return min(self.count, _OPEN_AT_MOST)

    def cost_of_closing(self, moves: int) -> int:
        """Return how many elements the end tag of a formatting element may imply."""
        return self.most_reopened + min(moves, _MOVES_AT_MOST) * min(self.count, _COPIES_AT_MOST)

    def lose_track(self) -> None:
        """Count as open for good what is open."""
        self.elements.clear()

    def open(self, name: str, attributes: str) -> None:
        """Open a formatting element."""
        alike = self._alike.get((name, attributes), 0)
        counts = alike < _ALIKE_AT_MOST
        if counts:
            self._alike[name, attributes] = alike + 1
            self.count += 1
        self._push(name, attributes if counts else None)

    def close(self, name: str) -> int:
        """Close the innermost formatting element with a name, if the parser is certain to.

        Returns how many elements that may imply.
        """
        elements = self.elements
        others = 0
        for index in range(len(elements) - 1, -1, -1):
            found, attributes = elements[index]
            if found == name:
                cost = self.cost_of_closing(others)
                if others < _MOVES_AT_MOST:
                    if attributes is not None:
                        self._alike[name, attributes] -= 1
                        self.count -= 1
                    del elements[index]
                    if index == 0:
                        self._drop_until_formatting()
                return cost
            if found in _SCOPES:
                break
            others += found not in _FORMATTING
        return self.cost_of_closing(_MOVES_AT_MOST)

    def _drop_until_formatting(self) -> None:
        elements = self.elements
        kept = 0
        while kept < len(elements) and elements[kept][0] not in _FORMATTING:
            kept += 1
        del elements[:kept]

    def _push(self, name: str, attributes: str | None = None) -> None:
        self.elements.append((name, attributes))
        if len(self.elements) > _FOLLOWED_AT_MOST:
            self.lose_track()

    def follow(self, text: str, start: int, end: int) -> None:
        """Read what is between two tags, and lose track if it is not whole tags and comments."""
        at = start
        while self.elements and (found := _MARKUP.search(text, at, end)) is not None:
            at = found.start()
            token = _COMMENT.match(text, at, end)
            if token is not None:
                at = token.end()
                continue
            tag = _TAG.match(text, at, end)
            if tag is None:
                self.lose_track()
                return
            at = tag.end()
            name = tag["name"].lower()
            if tag["slash"]:
                self._follow_end(name)
            elif name == "svg":
                at = _end_of_svg(text, tag, end)
            elif name in _TEXT:
                at = _end_of_text(text, name, at, end)
            else:
                self._follow_start(name)
            if at < 0:
                self.lose_track()
                return
        if any(name == "noscript" for name, _ in self.elements):
            # With scripts, it would be text up to its end tag.
            self.lose_track()

    def _follow_start(self, name: str) -> None:
        scope = self._scope()
        if name in _UNCLEAR or (self._is_strict and name not in _PHRASING):
            self.lose_track()
        elif name in _CELLS or name in _PARTS_OF_TABLES:
            if scope in _CELLS:
                self._leave_scope()
            if self._scope() != "table":
                self.lose_track()
            elif name in _CELLS:
                self._push(name)
        elif name == "table" and scope == "table":
            self.lose_track()
        elif name not in _VOID and not (
            name in _CLOSED_BY_THE_NEXT and self.elements[-1][0] == name
        ):
            self._push(name)

    def _follow_end(self, name: str) -> None:
        scope = self._scope()
        if name in _CELLS or (name == "tr" and scope in _CELLS):
            if scope == name or (name == "tr" and scope != "caption"):
                self._leave_scope()
            else:
                self.lose_track()
        elif name == "table":
            if scope in _CELLS:
                self._leave_scope()
            # What is beside its cells is moved before it, and stays open.
            if self._scope() != "table" or self._leave_scope():
                self.lose_track()
        elif name in _PARTS_OF_TABLES:
            if scope != "table":
                self.lose_track()
        elif self.elements[-1][0] == name:
            self.elements.pop()
        elif self._is_strict or name in _UNCLEAR:
            self.lose_track()

    def _scope(self) -> str | None:
        """Return the innermost table or cell, or None."""
        return next((name for name, _ in reversed(self.elements) if name in _SCOPES), None)

    def _leave_scope(self) -> bool:
        """Close the innermost table or cell, and return whether there were formatting elements."""
        has_formatting = False
        while (name := self.elements.pop()[0]) not in _SCOPES:
            has_formatting |= name in _FORMATTING
        return has_formatting


def _end_of_text(text: str, name: str, start: int, end: int) -> int:
    """Return the offset of the end tag of an element with text inside, or -1."""
    found = re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE).search(text, start, end)
    if found is None or (name == "script" and text.find("<!--", start, found.start()) >= 0):
        return -1
    tag = _TAG.match(text, found.start(), end)
    return -1 if tag is None else tag.end()


def _end_of_svg(text: str, start_tag: re.Match[str], end: int = sys.maxsize) -> int:
    """Return the offset after an `svg` element, or -1 if it is not clear where it ends."""
    opened: list[str] = []
    at = start_tag.start()
    while True:
        tag = _TAG.match(text, at, end)
        if tag is None:
            token = _COMMENT.match(text, at, end) or _CDATA.match(text, at, end)
            if token is None:
                return -1
            at = token.end()
        else:
            at = tag.end()
            name = tag["name"].lower()
            if tag["slash"]:
                if opened.pop() != name:
                    return -1
            elif name in _NOT_IN_SVG or (opened and opened[-1] in _HTML_INSIDE):
                return -1
            elif text[at - 2] != "/":
                opened.append(name)
            elif (before := text[tag.start() : at - 2].rstrip("\t\n\f\r "))[-1] == "=" or (
                len(before) == at - 2 - tag.start() and before[-1] not in "\"'" and "=" in before
            ):
                return -1  # The "/" may be in a value.
            if not opened:
                return at
        found = _MARKUP.search(text, at, end)
        if found is None:
            return -1
        at = found.start()

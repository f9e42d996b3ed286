"""Elements in the order of the page, from a parser that follows HTML's parsing algorithm.

The only module that knows the parser, which is loaded by the first page. What an element's
attributes mean is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import attrs

from weburl.html.attributes import is_keyword
from weburl.html.encodings import (
    UTF_8,
    encoding_name,
    encoding_or_none,
    extract_character_encoding_from_meta_element,
)

if TYPE_CHECKING:
    import turbohtml

HTML: Final = "html"
SVG: Final = "svg"

# What a page that declares one of these is encoded in, all the same.
# Spec: https://html.spec.whatwg.org/#changing-the-encoding-while-parsing
_NOT_DECLARED: Final = {
    "utf-16be": UTF_8,
    "utf-16le": UTF_8,
    "x-user-defined": "windows-1252",
}


@attrs.frozen
class Tree:
    """A parsed page. ``encoding``: the name of its character encoding."""

    encoding: str
    _document: turbohtml.Document

    def elements(self) -> Iterator[Element]:
        """Yield the elements that a browser shows, each before those inside it.

        Those of declarative shadow trees come before the other children of their hosts. What
        is inside a `template` element is no part of the page. Where the parser makes several
        elements of one tag, to mend overlapping ones, the first of them stands for all.
        """
        made_of: set[tuple[int, int]] = set()
        # A list of iterators rather than recursion: shadow trees nest as deep as text has it.
        levels = [self._document.iter_elements()]
        while levels:
            node = next(levels[-1], None)
            if node is None:
                levels.pop()
                continue
            level = len(levels)
            if node.shadow_root is not None:
                levels.append(node.shadow_root.iter_elements())
            elif node.tag == "template" and node.namespace.value == HTML:
                skipped = sum(1 for _ in node.iter_elements())
                next(islice(levels[-1], skipped, skipped), None)
            position = node.position
            if position is None or position not in made_of:
                yield Element(node, position, is_in_document_tree=level == 1)
            if position is not None:
                made_of.add(position)


@attrs.frozen
class Element:
    """One element of a page.

    ``position``: line (from 1) and column (from 0) of its tag; None where it has none, as of a
    `body` that goes without saying. ``is_in_document_tree``: whether it is in no shadow tree.
    """

    _node: turbohtml.Element
    position: tuple[int, int] | None
    is_in_document_tree: bool

    @property
    def name(self) -> str:
        """The local name: in lower case, but for those of SVG that have capitals."""
        return self._node.tag

    @property
    def namespace(self) -> str:
        """One of `HTML`, `SVG` and "math"."""
        return self._node.namespace.value

    @property
    def text(self) -> str:
        """The text inside."""
        return self._node.text

    def attribute(self, name: str) -> str | None:
        """Return the value of an attribute, "" where it was written without; None for none."""
        return self._node.attr(name)


def parse_html(html: str | bytes, encoding: str | None, *, scripting: bool) -> Tree:
    """Return the page that ``html`` writes.

    ``encoding`` is a label of the encoding that ``html`` came in, as a Content-Type header
    has it, or None. A byte order mark is believed before it. Without either, bytes are in the
    encoding that they declare, or in windows-1252; text is taken for bytes that somebody has
    decoded: of an encoding that it declares, or of UTF-8.

    Raises TypeError for what is neither text nor bytes, LookupError for an unknown encoding,
    and ImportError where the parser is not installed.
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"HTML is text or bytes, not {type(html).__name__}")
    label = None if encoding is None else encoding_name(encoding)
    try:
        import turbohtml
    except ImportError as error:
        raise ImportError(
            "Reading HTML takes a parser: pip install 'django-whatwg-url[html]'",
            name=error.name,
            path=error.path,
        ) from error
    if isinstance(html, bytes):
        document = turbohtml.parse(html, encoding=label, scripting=scripting)
        assert document.encoding is not None
        return Tree(encoding_name(document.encoding), document)
    document = turbohtml.parse(html, scripting=scripting)
    if label is None:
        label = _declared_encoding(Tree(UTF_8, document))
    return Tree(label, document)


def _declared_encoding(tree: Tree) -> str:
    for element in tree.elements():
        if element.name == "meta" and element.namespace == HTML:
            charset = element.attribute("charset")
            declared = None if charset is None else encoding_or_none(charset)
            if declared is None and is_keyword(element.attribute("http-equiv"), "content-type"):
                content = element.attribute("content") or ""
                declared = extract_character_encoding_from_meta_element(content)
            if declared is not None:
                return _NOT_DECLARED.get(declared, declared)
    return UTF_8

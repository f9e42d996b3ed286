"""The elements of a page in order, from a parser that follows HTML's parsing algorithm.

Only this module knows the parser, which is loaded for the first page. What attributes mean is not
known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

import attrs

from weburl.html.attributes import is_keyword
from weburl.html.encodings import (
    PRESCANNED,
    UTF_8,
    encoding_name,
    encoding_or_none,
    extract_character_encoding_from_meta_element,
    xml_encoding,
)
from weburl.html.limits import UNLIMITED, PageLimits

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

# The elements that can have a shadow tree, beside those of names with a hyphen.
# Spec: https://dom.spec.whatwg.org/#valid-shadow-host-name
_HOSTS: Final = frozenset(
    ("article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
     "header", "main", "nav", "p", "section", "span")
)  # fmt: skip
_CUSTOM_ELEMENT_NAME: Final = re.compile("[a-z][^-]*-")
# Spec: https://html.spec.whatwg.org/#valid-custom-element-name
_NOT_CUSTOM_ELEMENT_NAMES: Final = frozenset(
    ("annotation-xml", "color-profile", "font-face", "font-face-src", "font-face-uri",
     "font-face-format", "font-face-name", "missing-glyph")
)  # fmt: skip


@attrs.frozen
class Tree:
    """A parsed page. ``encoding``: the name of its character encoding."""

    encoding: str
    _document: turbohtml.Document

    def elements(self, names: Iterable[str] | None = None) -> Iterator[Element]:
        """Yield the elements that a browser shows, each before those inside it.

        ``names``: the local names of those that are wanted, or None for all but templates.
        Declarative shadow trees are shown; else what is inside a `template` element is no part
        of the page. Where the parser makes several elements of one tag, to mend overlapping
        ones, the first of them stands for all.
        """
        made_of: set[tuple[int, int]] = set()
        hosts: set[turbohtml.Node] = set()
        left_of_shadow_tree = 0
        # The parser passes over the others much faster: a page of a few kilobytes can have it make
        # a million of those that only format text.
        wanted = None if names is None else frozenset(names)
        tags = None if wanted is None else ["template", *wanted]
        nodes = self._document.iter_elements(tags)
        for node in nodes:
            is_in_shadow_tree = left_of_shadow_tree > 0
            left_of_shadow_tree -= is_in_shadow_tree
            if node.tag == "template" and node.namespace.value == HTML:
                if not _makes_a_shadow_tree(node, hosts):
                    skipped = sum(1 for _ in node.iter_elements(tags))
                    next(islice(nodes, skipped, skipped), None)
                    left_of_shadow_tree -= skipped if is_in_shadow_tree else 0
                elif not is_in_shadow_tree:
                    # Counted for the outermost alone: they nest as deep as text has them.
                    left_of_shadow_tree = sum(1 for _ in node.iter_elements(tags))
                continue
            if wanted is not None and node.tag not in wanted:
                continue  # Elements of SVG may be called "template", too.
            position = node.position
            if position is None or position not in made_of:
                yield Element(node, position, is_in_document_tree=not is_in_shadow_tree)
            if position is not None:
                made_of.add(position)

    def within(self, element: Element) -> Iterator[Element]:
        """Yield ``element`` and the elements inside it, of those that `elements` yields."""
        inside = {element._node, *element._node.iter_elements()}  # noqa: SLF001
        return (other for other in self.elements() if other._node in inside)  # noqa: SLF001


def _makes_a_shadow_tree(template: turbohtml.Element, hosts: set[turbohtml.Node]) -> bool:
    """Return whether a `template` element makes a shadow tree of its parent, and note the latter.

    Spec: https://html.spec.whatwg.org/#parsing-main-inhead
    """
    mode = template.attr("shadowrootmode")
    if not is_keyword(mode, "open") and not is_keyword(mode, "closed"):
        return False
    import turbohtml

    host = template.parent
    if not isinstance(host, turbohtml.Element) or host in hosts:
        return False
    if host.tag not in _HOSTS and (
        _CUSTOM_ELEMENT_NAME.match(host.tag) is None or host.tag in _NOT_CUSTOM_ELEMENT_NAMES
    ):
        return False
    hosts.add(host)
    return True


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
        """The local name: in lower case, except for SVG elements whose names have capitals."""
        return self._node.tag

    @property
    def namespace(self) -> str:
        """One of `HTML`, `SVG` and "math"."""
        return self._node.namespace.value

    @property
    def text(self) -> str:
        """The text inside."""
        return self._node.text

    @property
    def parent(self) -> Element | None:
        """The element that this one is in, or None for the outermost."""
        import turbohtml

        parent = self._node.parent
        if not isinstance(parent, turbohtml.Element):
            return None
        return Element(parent, parent.position, self.is_in_document_tree)

    def attribute(self, name: str) -> str | None:
        """Return the value of an attribute, "" where it was written without; None for none."""
        return self._node.attr(name)


def parse_html(
    html: str | bytes, encoding: str | None, *, scripting: bool, limits: PageLimits = UNLIMITED
) -> Tree:
    """Return the page that ``html`` writes.

    ``encoding`` is a label of the encoding that ``html`` came in, as a Content-Type header
    has it, or None. A byte order mark is believed before it. Without either, bytes are in the
    encoding that they declare, or in UTF-8 where they are that, or in windows-1252; text is taken
    for bytes that somebody has decoded: of an encoding that it declares, or of UTF-8.

    Raises TypeError for what is neither text nor bytes, LookupError for an unknown encoding,
    `PageLimitError` for tags that imply more elements than ``limits`` allow, and ImportError
    where the parser is not installed.
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"HTML must be text or bytes, not {type(html).__name__}")
    label = None if encoding is None else encoding_name(encoding)
    limits.require_few_implied_elements(html)
    try:
        import turbohtml
    except ImportError as error:
        raise ImportError(
            "Reading HTML needs a parser: pip install 'django-whatwg-url[html]'",
            name=error.name,
            path=error.path,
        ) from error
    # Shadow trees would be taken out of the tree, and the closed ones out of sight.
    read = partial(turbohtml.parse, scripting=scripting, allow_declarative_shadow_roots=False)
    if isinstance(html, str):
        document = read(html)
        if label is None:
            start = html[:PRESCANNED].encode("ascii", "replace")
            label = _declared_encoding(document) or xml_encoding(start) or UTF_8
        return Tree(label, document)
    document = read(html, encoding=label)
    assert document.encoding is not None
    name = encoding_name(document.encoding)
    if label is None:
        # The parser does not know of XML.
        declared = xml_encoding(html)
        if declared not in (None, name) and _declared_encoding(document) is None:
            return Tree(declared, read(html, encoding=declared))
    return Tree(name, document)


def _declared_encoding(document: turbohtml.Document) -> str | None:
    """Return the name of the encoding that a `meta` element declares, or None."""
    tree = Tree(UTF_8, document)
    for element in tree.elements(["meta"]):
        if element.namespace == HTML:
            charset = element.attribute("charset")
            declared = None if charset is None else encoding_or_none(charset)
            if declared is None and is_keyword(element.attribute("http-equiv"), "content-type"):
                content = element.attribute("content") or ""
                declared = extract_character_encoding_from_meta_element(content)
            if declared is not None:
                return _NOT_DECLARED.get(declared, declared)
    return None

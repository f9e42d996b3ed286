"""The elements of a page in order, from a parser that follows HTML's parsing algorithm.

Only this module uses the parser, which is imported for the first page. It does not know what the
attributes mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from weburl.standard.support.releases import required

if TYPE_CHECKING:
    import turbohtml
    from turbohtml import SourceLocation as SourceLocation  # noqa: PLC0414  # `rewriting` uses it

HTML: Final = "html"
SVG: Final = "svg"

# The encoding that browsers use instead if a page declares one of these.
# Spec: https://html.spec.whatwg.org/#changing-the-encoding-while-parsing
_NOT_DECLARED: Final = {
    "utf-16be": UTF_8,
    "utf-16le": UTF_8,
    "x-user-defined": "windows-1252",
}

# What is inside them is not shown.
_NOT_SHOWN: Final = frozenset(("script", "style", "template"))

# The elements that can have a shadow tree, besides custom elements.
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


_CONDITIONAL_COMMENT: Final = re.compile(r"\[if[^\]]*+\]>(.*?)(?:<!\[endif\])?+\Z", re.DOTALL)


def html_in_conditional_comment(text: str) -> tuple[int, int] | None:
    """Return where the HTML is in the text of a comment, or None if it is not Outlook's."""
    found = _CONDITIONAL_COMMENT.match(text)
    return None if found is None else found.span(1)


@attrs.frozen
class Tree:
    """A parsed page, with the name of its character encoding."""

    encoding: str
    _document: turbohtml.Document | turbohtml.Element

    def elements(self, names: Mapping[str, Sequence[str]] | None = None) -> Iterator[Element]:
        """Yield the elements that a browser shows, each before those inside it.

        ``names``: the local names of the elements to yield, or None for all except templates. With
        each name are attributes of which an element must have one, or none if any element will do.
        The attributes with the name "" are those of elements with any other name.
        The content of a `template` element is not part of the page, unless it is a declarative
        shadow tree. If the parser makes several elements from one tag to repair overlapping tags,
        only the first is yielded.
        """
        made_of: set[tuple[int, int]] = set()
        hosts: set[turbohtml.Node] = set()
        left_of_shadow_tree = 0
        # The parser skips the other elements much faster than we would. It can make a million
        # formatting elements from a page of a few kilobytes.
        tags = None if names is None or "" in names else ["template", *names]
        others = None if names is None else names.get("")
        nodes = self._document.iter_elements(tags)
        for node in nodes:
            is_in_shadow_tree = left_of_shadow_tree > 0
            left_of_shadow_tree -= is_in_shadow_tree
            tag = node.tag
            if tag == "template" and node.namespace.value == HTML:
                if not _makes_a_shadow_tree(node, hosts):
                    skipped = sum(1 for _ in node.iter_elements(tags))
                    next(islice(nodes, skipped, skipped), None)
                    left_of_shadow_tree -= skipped if is_in_shadow_tree else 0
                elif not is_in_shadow_tree:
                    # Count only for the outermost: for each nested one it would be quadratic.
                    left_of_shadow_tree = sum(1 for _ in node.iter_elements(tags))
                continue
            # Before the attributes: each of a thousand copies would copy a long value.
            position = node.position
            if position in made_of:
                continue
            if names is not None:
                attributes = names.get(tag, others)
                if attributes is None:
                    continue  # SVG elements can also be called "template".
                if attributes:
                    # Most elements of a page have no URL: they are not made into an `Element`.
                    for attribute in attributes:
                        if node.attr(attribute) is not None:
                            break
                    else:
                        continue
            yield _element(node, position, not is_in_shadow_tree)
            if position is not None:
                made_of.add(position)

    def conditional_comments(self) -> list[str]:
        """Return the texts of Outlook's comments, in tree order."""
        return [text for text in self.comments() if html_in_conditional_comment(text) is not None]

    def comments(self) -> list[str]:
        """Return the texts of all comments, in tree order."""
        import turbohtml

        nodes = self._document.descendants
        return [node.data for node in nodes if isinstance(node, turbohtml.Comment)]

    def located_elements(self) -> Iterator[Element]:
        """Yield all elements that a tag made, also in templates."""
        return (
            _element(node, node.position, is_in_document_tree=True)
            for node in self._document.iter_elements()
            if node.source_location is not None
        )


class HyperlinkTexts:
    """What people see of the `a` elements of a page. Reading all of them takes linear time."""

    def __init__(self, tree: Tree) -> None:
        # By the tag: to repair overlapping tags, the parser makes several elements from one.
        self._nodes: dict[tuple[int, int] | None, list[turbohtml.Element]] = {}
        nodes = tree._document.iter_elements(["a"])  # noqa: SLF001
        for node in nodes:
            self._nodes.setdefault(node.position, []).append(node)
            # The text of links inside one another could be quadratic.
            inner = sum(1 for _ in node.iter_elements(["a"]))
            next(islice(nodes, inner, inner), None)

    def of(self, element: Element) -> str | None:
        """Return the text of an `a` element, or None for one inside another."""
        nodes = self._nodes.get(element.position)
        return None if nodes is None else "".join(map(_shown_text, nodes))


def _shown_text(node: turbohtml.Element) -> str:
    """Return the text inside an element, without scripts, styles and templates."""
    if next(iter(node.iter_elements(_NOT_SHOWN)), None) is None:
        return node.text
    import turbohtml

    shown: list[str] = []
    waiting: list[turbohtml.Node] = [node]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, turbohtml.Text):
            shown.append(inner.data)
        elif isinstance(inner, turbohtml.Element) and inner.tag not in _NOT_SHOWN:
            waiting.extend(reversed(list(inner.children)))
    return "".join(shown)


def _makes_a_shadow_tree(template: turbohtml.Element, hosts: set[turbohtml.Node]) -> bool:
    """Return whether a `template` element makes a shadow tree, and add its parent to ``hosts``.

    A host can have only one shadow tree, so a second template for the same host makes none.

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


# Not frozen: a frozen one takes twice as long to make, and a page has hundreds.
@attrs.define(unsafe_hash=True)
class Element:
    """One element of a page, never changed.

    ``name``: the local name, in lower case except for SVG elements whose names have capitals.
    ``namespace``: `HTML`, `SVG` or "math". ``position``: the line (from 1) and column (from 0) of
    its tag, or None without a tag, as for an implied `body`. ``is_in_document_tree``: whether it is
    outside shadow trees. ``attribute``: returns the value of an attribute, "" if it has no value,
    or None if it is absent.
    """

    _node: turbohtml.Element
    name: str
    namespace: str
    position: tuple[int, int] | None
    is_in_document_tree: bool
    attribute: Callable[[str], str | None] = attrs.field(eq=False, repr=False)

    @property
    def location(self) -> SourceLocation | None:
        """The offsets of its tags and of their attributes, or None if the parser made it."""
        return self._node.source_location

    def has_child(self, name: str) -> bool:
        """Return whether an element with this local name is directly inside."""
        import turbohtml

        children = self._node.children
        return any(isinstance(child, turbohtml.Element) and child.tag == name for child in children)

    def has_in_its_tag(self, attribute: str) -> bool:
        """Return whether its tag has an attribute, and not a later tag that the parser merged."""
        location = self.location
        return location is not None and attribute in location.attrs

    @property
    def text(self) -> str:
        """The text inside."""
        return self._node.text

    @property
    def parent(self) -> Element | None:
        """The element around this one, or None for the outermost."""
        import turbohtml

        parent = self._node.parent
        if not isinstance(parent, turbohtml.Element):
            return None
        return _element(parent, parent.position, self.is_in_document_tree)


def _element(
    node: turbohtml.Element, position: tuple[int, int] | None, is_in_document_tree: bool
) -> Element:
    # `value` would be a call of Python code.
    namespace = node.namespace._value_
    return Element(node, node.tag, namespace, position, is_in_document_tree, node.attr)


def parse_html(
    html: str | bytes,
    encoding: str | None,
    *,
    scripting: bool,
    limits: PageLimits = UNLIMITED,
    context: str | None = None,
) -> Tree:
    """Return the parsed page.

    Args:
        html: The page, as text or bytes.
        encoding: A label of the encoding in the Content-Type header, or None, as for `pages.page`.
        scripting: Whether scripts run. If they do, the content of `noscript` is text.
        limits: How many implied elements are allowed.
        context: The name of the element that ``html`` is inside of, if it is a fragment.

    Raises:
        TypeError: ``html`` is neither text nor bytes, or is a fragment and not text.
        ValueError: There is no element with the name ``context``.
        PageLimitError: The tags may imply more elements than ``limits`` allow.
        ImportError: The parser is not installed.
    """
    if not isinstance(html, str | bytes):
        raise TypeError(f"HTML must be text or bytes, not {type(html).__name__}")
    label = None if encoding is None else encoding_or_none(encoding)
    limits.require_few_implied_elements(html, context=context)
    with required("turbohtml>=1.15", "html"):
        import turbohtml
    # With the parser's own support, shadow trees would leave the tree and closed ones be hidden.
    if context is not None:
        if not isinstance(html, str):
            raise TypeError("a fragment must be text: only a page declares an encoding")
        fragment = turbohtml.parse_fragment(
            html, context, scripting=scripting, source_locations=True
        )
        return Tree(label or UTF_8, fragment)
    read = partial(
        turbohtml.parse,
        scripting=scripting,
        source_locations=True,
        allow_declarative_shadow_roots=False,
    )
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
        # The parser ignores XML declarations.
        declared = xml_encoding(html)
        if declared not in (None, name) and _declared_encoding(document) is None:
            return Tree(declared, read(html, encoding=declared))
    return Tree(name, document)


def _declared_encoding(document: turbohtml.Document) -> str | None:
    """Return the name of the encoding that a `meta` element declares, or None."""
    tree = Tree(UTF_8, document)
    for element in tree.elements({"meta": ("charset", "http-equiv")}):
        if element.namespace == HTML:
            charset = element.attribute("charset")
            declared = None if charset is None else encoding_or_none(charset)
            if declared is None and is_keyword(element.attribute("http-equiv"), "content-type"):
                content = element.attribute("content") or ""
                declared = extract_character_encoding_from_meta_element(content)
            if declared is not None:
                return _NOT_DECLARED.get(declared, declared)
    return None

"""HTML5 draft, section 2.6.5: which elements of a page a change of base URLs affects, and how.

Pages are trees such as `weburl.html.tree.parse_html` makes, but that room is not imported. The
functions return which elements are affected and what each of them resolves again. The caller has
what the user sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Generic, Literal, Protocol, TypeVar, runtime_checkable

import attrs

from weburl.history.base_urls import attribute_to_resolve_again, element_base_uri
from weburl.history.errors import LegacyURLError
from weburl.history.html5_urls import resolve
from weburl.standard.infra.strings import ascii_lowercase, require_text

__all__ = [
    "ResolvedAgain",
    "affected_by_document_base_url_change",
    "affected_by_moving",
    "affected_by_xml_base_change",
    "creates_hyperlink",
    "respond_to_base_url_change",
]

# The draft's table of link types, those whose effect on `link` is a hyperlink.
_HYPERLINKS: Final = frozenset(
    ("alternate", "archives", "author", "first", "help", "index", "last", "license", "next", "prev",
     "search", "sidebar", "up")
)  # fmt: skip


_KEYWORD: Final = re.compile("[^\t\n\f\r ]+")
_HTML: Final = "html"


@runtime_checkable
class Element(Protocol):
    """The properties that the functions read. Equal elements count as the same element."""

    @property
    def name(self) -> str:
        """The local name."""

    @property
    def namespace(self) -> str:
        """The namespace, which is "html" for the elements of HTML."""

    @property
    def parent(self) -> Element | None:
        """The element that this one is in."""

    def attribute(self, name: str) -> str | None:
        """Return the value of an attribute, or None if the element does not have it."""


E = TypeVar("E", bound=Element)


@runtime_checkable
class Tree(Protocol[E]):
    """The properties of a page that the functions read."""

    def elements(self) -> Iterator[E]:
        """Yield all elements, in tree order."""

    def within(self, element: E) -> Iterator[E]:
        """Yield an element and its descendants, in tree order."""


@attrs.frozen
class ResolvedAgain(Generic[E]):
    """The effect on an element: its ``attribute`` is resolved again.

    ``url``: the new URL, or None if it can no longer be resolved.
    """

    element: E
    attribute: Literal["href", "cite"]
    url: str | None


def affected_by_xml_base_change(tree: Tree[E], element: E) -> tuple[E, ...]:
    """Return the elements affected when the xml:base attribute of ``element`` changes.

    They are ``element`` and all descendants, in tree order.

    Document: HTML5 working draft, 2.6.5.
    """
    return _within(tree, element)


def affected_by_document_base_url_change(tree: Tree[E]) -> tuple[E, ...]:
    """Return the elements affected when the document base URL changes: all of them.

    Document: HTML5 working draft, 2.6.5.
    """
    return tuple(_checked_tree(tree).elements())


def affected_by_moving(
    tree: Tree[E], element: E, old_base_url: str, new_base_url: str
) -> tuple[E, ...]:
    """Return the elements affected when ``element`` is moved to another document.

    If the document base URLs of the two documents differ, they are ``element`` and all its
    descendants, in tree order. Otherwise there are no such elements.

    Document: HTML5 working draft, 2.6.5.
    """
    for url in (old_base_url, new_base_url):
        require_text(url, "a base URL")
    within = _within(tree, element)
    return () if old_base_url == new_base_url else within


def respond_to_base_url_change(
    affected: Iterable[E], document_base_url: str, *, encoding: str = "utf-8"
) -> tuple[ResolvedAgain[E], ...]:
    """Return what each of the ``affected`` elements resolves again, if its URL is shown.

    ``document_base_url``: the base URL of the document they are in now, and ``encoding`` the label
    of its encoding. The base of an element also depends on the xml:base attributes around it.
    HTML's parser makes such attributes only on elements of SVG and MathML. Raises ValueError for an
    unknown encoding.

    Document: HTML5 working draft, 2.6.5.
    """
    require_text(document_base_url, "a base URL")
    bases: dict[Element, str] = {}
    answer: list[ResolvedAgain[E]] = []
    for element in affected:
        name = element.name if element.namespace == _HTML else ""
        attribute = attribute_to_resolve_again(
            name, creates_hyperlink=creates_hyperlink(element), is_shown=True
        )
        value = None if attribute is None else element.attribute(attribute)
        if attribute is None or value is None:
            continue
        base = _base_uri(element, document_base_url, bases)
        try:
            url = resolve(value, base, encoding=encoding)
        except LegacyURLError:
            url = None
        answer.append(ResolvedAgain(element, attribute, url))
    return tuple(answer)


def creates_hyperlink(element: Element) -> bool:
    """Return whether an element creates a hyperlink: `a`, `area`, or `link` by its ``rel``.

    Document: HTML5 working draft, 2.6.5.
    """
    _require_element(element)
    if element.namespace != _HTML or element.attribute("href") is None:
        return False
    if element.name != "link":
        return element.name in ("a", "area")
    keywords = set(map(ascii_lowercase, _KEYWORD.findall(element.attribute("rel") or "")))
    if "stylesheet" in keywords:
        keywords.discard("alternate")  # An alternative style sheet is a resource.
    return not _HYPERLINKS.isdisjoint(keywords)


def _checked_tree(tree: Tree[E]) -> Tree[E]:
    if not isinstance(tree, Tree):
        raise TypeError(f"expected a tree of elements, not {type(tree).__name__}")
    return tree


def _require_element(element: object) -> None:
    if not isinstance(element, Element):
        raise TypeError(f"expected an element, not {type(element).__name__}")


def _within(tree: Tree[E], element: E) -> tuple[E, ...]:
    _require_element(element)
    return tuple(_checked_tree(tree).within(element))


def _base_uri(element: Element, document_base_url: str, known: dict[Element, str]) -> str:
    above: list[Element] = []
    ancestor: Element | None = element
    while ancestor is not None and ancestor not in known:
        above.append(ancestor)
        ancestor = ancestor.parent
    base = element_base_uri(document_base_url, ()) if ancestor is None else known[ancestor]
    for node in reversed(above):
        xml_base = None if node.namespace == _HTML else node.attribute("xml:base")
        if xml_base is not None:
            base = element_base_uri(base, (xml_base,))
        known[node] = base
    return base

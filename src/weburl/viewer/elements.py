"""Elements of HTML as values, and their text: the one way in which the viewer makes HTML.

Text is data: it stands in an element as it is, and is escaped when HTML is written. The scripts
build the same elements from JSON, without any HTML.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple, TypeAlias

from weburl.viewer.escapes import is_unseen

LONGEST: Final = 2000
"""How many code points of a value are shown."""

_VOID: Final = frozenset({"input", "meta", "link", "br", "col"})


class Element(NamedTuple):
    """An element: its name, its attributes (True for one without a value) and its children."""

    tag: str
    attributes: dict[str, str | bool]
    children: tuple[Node, ...]


Node: TypeAlias = str | Element


def element(tag: str, *children: Node, **attributes: str | bool | None) -> Element:
    """Return an element. An attribute that is None or False is left out.

    ``class_`` and ``for_`` stand for names that Python keeps; an underscore for a hyphen.
    """
    kept: dict[str, str | bool] = {
        name.rstrip("_").replace("_", "-"): value
        for name, value in attributes.items()
        if value is not None and value is not False
    }
    return Element(tag, kept, children)


def html(node: Node) -> str:
    """Return the HTML of ``node``, in which all text is escaped."""
    return "".join(_html(node))


def as_json(node: Node) -> str | list[object]:
    """Return ``node`` as JSON has it: text, or ``[name, attributes, children]``."""
    if isinstance(node, str):
        return node
    return [node.tag, node.attributes, [as_json(child) for child in node.children]]


def visible(text: str, longest: int = LONGEST) -> list[Node]:
    """Return ``text`` with the code points that people do not see as their numbers.

    Of more than ``longest`` code points, the rest is counted alone.
    """
    nodes: list[Node] = []
    run: list[str] = []
    for char in text[:longest]:
        if not is_unseen(char):
            run.append(char)
            continue
        if run:
            nodes.append("".join(run))
            run.clear()
        nodes.append(element("span", f"U+{ord(char):04X}", class_="cp"))
    if run:
        nodes.append("".join(run))
    if len(text) > longest:
        more = f"… and {len(text) - longest:,} more characters"
        nodes.append(element("span", more, class_="more"))
    return nodes


def _html(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        # A page is in UTF-8, which has no lone surrogates.
        yield escape(node).encode("utf-8", "replace").decode("utf-8")
        return
    yield f"<{node.tag}"
    for name, value in node.attributes.items():
        yield f" {name}" if value is True else f' {name}="{"".join(_html(str(value)))}"'
    yield ">"
    if node.tag in _VOID:
        return
    if node.tag == "textarea":
        yield "\n"  # The first line feed is not part of the text.
    for child in node.children:
        yield from _html(child)
    yield f"</{node.tag}>"

"""HTML elements as values, and how they are written. The viewer makes all its HTML this way.

An element keeps its text unchanged; the text is escaped when the HTML is written. The scripts build
the same elements from JSON, without any HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple, TypeAlias

from weburl.viewer.escapes import is_unseen

LONGEST: Final = 2000
"""How many code points of a value are shown."""

_ISOLATE: Final = re.compile("\u2068([^\u2069]*)\u2069")

# Elements without an end tag. Spec: https://html.spec.whatwg.org/#void-elements
_VOID: Final = frozenset({"input", "meta", "link", "br", "col"})


class Element(NamedTuple):
    """An element: its name, its attributes (True for one without a value) and its children."""

    tag: str
    attributes: dict[str, str | bool]
    children: tuple[Node, ...]


Node: TypeAlias = str | Element


def element(tag: str, *children: Node, **attributes: str | bool | None) -> Element:
    """Return an element. An attribute that is None or False is left out.

    In the names of attributes, an underscore means a hyphen. A final underscore is dropped, so
    ``class_`` and ``for_`` work although Python reserves ``class`` and ``for``.
    """
    kept: dict[str, str | bool] = {
        name.rstrip("_").replace("_", "-"): value
        for name, value in attributes.items()
        if value is not None and value is not False
    }
    return Element(tag, kept, children)


def section(
    name: str, title: str, *content: Node, by: str = "class_", hidden: bool = False
) -> Element:
    """Return a section with a heading. ``by``: the attribute that has its name."""
    heading = element("h2", title, id=f"{name}-title")
    named = {by: name, "aria_labelledby": f"{name}-title"}
    return element("section", heading, *content, **named, hidden=hidden)


def text_area(name: str, text: str, rows: str = "1", **attributes: str) -> Element:
    """Return a field for text that the browser does not change or complete."""
    plain = {"spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
    return element("textarea", text, name=name, rows=rows, **attributes, **plain)


def html(node: Node) -> str:
    """Return the HTML of ``node``, with all text escaped."""
    return "".join(_html(node))


def as_json(node: Node) -> str | list[object]:
    """Return ``node`` as a JSON value: text, or ``[name, attributes, children]``."""
    if isinstance(node, str):
        return node
    return [node.tag, node.attributes, [as_json(child) for child in node.children]]


def plain(node: Node) -> str:
    """Return the text of ``node``, without elements."""
    return node if isinstance(node, str) else "".join(map(plain, node.children))


def visible(text: str, longest: int = LONGEST) -> list[Node]:
    """Return ``text`` with each invisible code point replaced by its number.

    Only the first ``longest`` code points are shown, followed by the number of the others.
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


def isolated(text: str) -> list[Node]:
    """Return a rendered URL as `visible` does, with an element for each of its isolates.

    So each right-to-left word is read in its own direction, and the parts keep their order.
    """
    inner = text.removeprefix("\u2066").removesuffix("\u2069") if text[:1] == "\u2066" else text
    nodes: list[Node] = []
    for at, piece in enumerate(_ISOLATE.split(inner)):
        nodes += [element("bdi", *visible(piece))] if at % 2 else visible(piece)
    return nodes


def _html(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        # The page is in UTF-8, which cannot encode lone surrogates.
        yield escape(node).encode("utf-8", "replace").decode("utf-8")
        return
    yield f"<{node.tag}"
    for name, value in node.attributes.items():
        yield f" {name}" if value is True else f' {name}="{"".join(_html(str(value)))}"'
    yield ">"
    if node.tag in _VOID:
        return
    if node.tag == "textarea":
        yield "\n"  # Browsers drop the first line feed, which may be part of the text.
    for child in node.children:
        yield from _html(child)
    yield f"</{node.tag}>"

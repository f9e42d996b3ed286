"""The text that people typed, coloured by part, with every error underlined."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

from weburl.viewer.elements import Element, Node, element, visible

SHOWN: Final = 4000
"""How many code points of the text are shown."""

ERRORS_MARKED: Final = 50

# The blocks with letters of scripts that are written from right to left.
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_DELIMITERS: Final = re.compile(r"([./\\?&=+:@;,-]+)")

_PARTS: Final = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def marked(found: dict[str, Any]) -> list[Node]:
    """Return the text of a report with its parts and errors marked, and a legend of the colours."""
    validation = found["validation"]
    about_base = validation["is_about_base"]
    text = found["base"] if about_base else found["input"]
    parts = [] if about_base else found["parts"]
    if not text:
        return []
    nodes = _pieces(text[:SHOWN], parts, validation["errors"][:ERRORS_MARKED])
    if len(text) > SHOWN:
        more = f"… and {len(text) - SHOWN:,} more characters"
        nodes.append(element("span", more, class_="more"))
    nodes = [element("p", *nodes, class_="marked", dir="ltr")]
    there = [name for name in _PARTS if any(span["part"] == name for span in parts)]
    if there:
        items = [element("li", name, class_=f"part {name}") for name in there]
        nodes.append(element("ul", *items, class_="legend", aria_label="Parts of the text"))
    return nodes


def _pieces(text: str, parts: list[Any], errors: list[Any]) -> list[Node]:
    """Return the pieces of ``text``, split where a part or an error begins or ends."""
    edges = {0, len(text)}
    for span in (*parts, *errors):
        edges |= {edge for edge in (span["start"], span["end"]) if edge < len(text)}
    part_at = {edge: span["part"] for span in parts for edge in (span["start"],)}
    nodes: list[Node] = []
    open_part, part_end = "", 0
    ends = {span["start"]: span["end"] for span in parts}
    ordered = sorted(edges)
    for start, end in pairwise(ordered):
        nodes += _missing(errors, start)
        if start in part_at and ends[start] > start:
            open_part, part_end = part_at[start], ends[start]
        name = open_part if start < part_end else "delimiter"
        content = _isolated(text[start:end])
        wrong = [e for e in errors if e["start"] <= start and end <= e["end"]]
        piece = element("mark" if wrong else "span", *content, class_=f"part {name}")
        nodes.append(piece)
        nodes += [_number(errors, e) for e in wrong if e["end"] == end]
    nodes += _missing(errors, len(text))
    return nodes


def _isolated(text: str) -> list[Node]:
    """Return ``text`` with its right-to-left words isolated, so that they keep their order."""
    if not _RIGHT_TO_LEFT.search(text):
        return visible(text, len(text))
    nodes: list[Node] = []
    for piece in _DELIMITERS.split(text):
        shown = visible(piece, len(piece))
        nodes += [element("bdi", *shown)] if _RIGHT_TO_LEFT.search(piece) else shown
    return nodes


def _missing(errors: list[Any], at: int) -> list[Node]:
    """Return a caret for each error about something missing at the offset ``at``."""
    return [
        node
        for error in errors
        if error["start"] == error["end"] == at
        for node in (element("mark", "‸", class_="missing"), _number(errors, error))
    ]


def _number(errors: list[Any], error: dict[str, Any]) -> Element:
    number = errors.index(error) + 1
    link = element("a", str(number), href=f"#error-{number}", aria_label=f"error {number}")
    return element("sup", link)

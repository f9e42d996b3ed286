"""Draws the diagrams of the documents: Mermaid flowcharts of boxes, arrows and subgraphs.

The pages load nothing from other sites, so they do not use Mermaid's own script. A box shows the
name of its subgraph in small letters below its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_BOX: Final = re.compile(r"^ *(\w+)\[\"(.+)\"\]$", re.MULTILINE)
_SUBGRAPH: Final = re.compile(
    r"^ *subgraph \w+\[\"([^\"]+)\"\]\n(.*?)^ *end$", re.MULTILINE | re.DOTALL
)
_ARROW: Final = re.compile(r"^ *(\w+) --> (\w+)$", re.MULTILINE)

_LETTER: Final = 8.2
_SMALL_LETTER: Final = 6.4
_BOX_HEIGHT: Final = 44
_ROW_HEIGHT: Final = 92
_GAP: Final = 22


class _Box(NamedTuple):
    """The center of a box, and half of its width."""

    x: float
    y: float
    half: float


class _Label(NamedTuple):
    """What a box says: its name, and the name of its subgraph, or ""."""

    name: str
    group: str


def drawn(diagram: str) -> str:
    """Return a diagram as SVG within HTML: one block of Markdown, in which no line is empty."""
    group_of = {
        box: group
        for group, inside in _SUBGRAPH.findall(diagram)
        for box, _ in _BOX.findall(inside)
    }
    labels = {box: _Label(name, group_of.get(box, "")) for box, name in _BOX.findall(diagram)}
    arrows = _ARROW.findall(diagram)
    rows = _ordered(_rows(list(labels), arrows), arrows)
    width = max(_width(row, labels) for row in rows)
    boxes = _placed(rows, labels, width)
    height = len(rows) * _ROW_HEIGHT
    lines = [
        '<div class="map">',
        f'<svg viewBox="0 0 {width:.0f} {height}" role="img" style="min-width: {width / 2:.0f}px">',
        f"<title>{html.escape(_said(labels, arrows))}</title>",
        *(_curve(boxes[above], boxes[below]) for above, below in arrows),
        *(_box(boxes[name], label) for name, label in labels.items()),
        "</svg>",
        "</div>",
    ]
    return "\n".join([*lines, "", ""])


def _said(labels: Mapping[str, _Label], arrows: list[tuple[str, str]]) -> str:
    """Return the diagram as text, for people who do not see it."""
    groups: dict[str, list[str]] = {}
    for label in labels.values():
        if label.group:
            groups.setdefault(label.group, []).append(label.name)
    return "; ".join(
        [
            *(f"{labels[above].name} imports {labels[below].name}" for above, below in arrows),
            *(f"{group}: {', '.join(names)}" for group, names in groups.items()),
        ]
    )


def _rows(names: list[str], arrows: list[tuple[str, str]]) -> list[list[str]]:
    """Return the boxes row by row from the top, so that all arrows point down."""
    below: dict[str, int] = dict.fromkeys(names, 0)
    for _ in names:  # no path is longer
        for above, under in arrows:
            below[above] = max(below[above], below[under] + 1)
    return [
        [name for name in names if below[name] == number]
        for number in range(max(below.values()), -1, -1)
    ]


def _ordered(rows: list[list[str]], arrows: list[tuple[str, str]]) -> list[list[str]]:
    """Return the rows with each box near those it has arrows with, so that few arrows cross."""
    places = {name: (i + 0.5) / len(row) for row in rows for i, name in enumerate(row)}
    near: dict[str, list[str]] = {name: [] for name in places}
    for above, below in arrows:
        near[above].append(below)
        near[below].append(above)
    for _ in range(8):
        for row in rows:
            row.sort(key=lambda name: sum(places[other] for other in near[name]) / len(near[name]))
            places.update({name: (i + 0.5) / len(row) for i, name in enumerate(row)})
    return rows


def _half(label: _Label) -> float:
    return max(len(label.name) * _LETTER, len(label.group) * _SMALL_LETTER) / 2 + 12


def _width(row: list[str], labels: Mapping[str, _Label]) -> float:
    return sum(2 * _half(labels[name]) + _GAP for name in row) + _GAP


def _placed(rows: list[list[str]], labels: Mapping[str, _Label], width: float) -> dict[str, _Box]:
    boxes = {}
    for number, row in enumerate(rows):
        space = (width - _width(row, labels)) / (len(row) + 1)
        x = space + _GAP
        for name in row:
            half = _half(labels[name])
            boxes[name] = _Box(x + half, (number + 0.5) * _ROW_HEIGHT, half)
            x += 2 * half + _GAP + space
    return boxes


def _box(box: _Box, label: _Label) -> str:
    left, top, width = box.x - box.half, box.y - _BOX_HEIGHT / 2, 2 * box.half
    baseline = box.y - 2 if label.group else box.y + 5
    drawn = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{_BOX_HEIGHT}" rx="6"/>'
        f'<text x="{box.x:.1f}" y="{baseline:.1f}">{html.escape(label.name)}</text>'
    )
    if label.group:
        drawn += (
            f'<text class="group" x="{box.x:.1f}" y="{box.y + 14:.1f}">'
            f"{html.escape(label.group)}</text>"
        )
    return drawn


def _curve(above: _Box, below: _Box) -> str:
    """Return an arrow from the bottom of one box to the top of another, with its head."""
    start, end = above.y + _BOX_HEIGHT / 2, below.y - _BOX_HEIGHT / 2
    middle = (start + end) / 2
    x = below.x
    return (
        f'<path d="M{above.x:.1f} {start:.1f}C{above.x:.1f} {middle:.1f} {x:.1f} {middle:.1f} '
        f'{x:.1f} {end - 6:.1f}"/>'
        f'<path class="head" d="M{x - 4:.1f} {end - 7:.1f}h8l-4 7z"/>'
    )

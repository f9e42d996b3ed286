"""Writes the tables of the page "Which field" from the data of the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.django.crossings.rows import COMPANIONS, KINDS, NAMES_OF_ROWS
from tests.django.crossings.table import Cells, cells, promises

PAGE: Final = Path(__file__).parents[3] / "docs" / "which-field.md"
_TITLES: Final = {kind: made.title for kind, made in KINDS.items()}
_BESIDE: Final = {companion: title for companion, (title, _) in COMPANIONS.items()}
_MARK: Final = "<!-- made from tests/django/crossings -->\n"


def written() -> str:
    """Return the text of the page, with new tables."""
    introduction, _, _ = PAGE.read_text(encoding="utf-8").partition(_MARK)
    return introduction + _MARK + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    """Yield a table of the places where a field differs, and the number of the others."""
    numbers = {name: number for number, name in enumerate(promises(), 1)}
    yield "\n| place | " + " | ".join(_TITLES.values()) + " |"
    yield "|---" * (1 + len(_TITLES)) + "|"
    rows: dict[tuple[str, ...], list[str]] = {}
    for place in cells().values():
        found = tuple(_cell(place, kind, numbers) for kind in _TITLES)
        rows.setdefault(() if {*found} <= {"=", "-"} else found, []).append(place.place)
    same = len(rows.pop((), []))
    for found, places in rows.items():
        yield f"| {'; '.join(places)} | " + " | ".join(found) + " |"
    yield f"\nIn {same} other places, such as foreign keys and aggregates, no field differs.\n"
    yield "The fields beside a URL differ from a CharField only here:\n"
    for kind, title in _BESIDE.items():
        found_here = {place.place: _cell(place, kind, numbers) for place in cells().values()}
        differing = [f"{name} ({mark})" for name, mark in found_here.items() if mark not in "=-"]
        yield f"- {title}: {', '.join(differing) or 'nowhere'}"
    yield "\n### Differences\n"
    for name, number in numbers.items():
        yield f"{number}. {promises()[name]}"


def _cell(place: Cells, kind: str, numbers: dict[str, int]) -> str:
    if kind in place.without:
        return "-"
    always: set[str] = set()
    sometimes: set[str] = set()
    for but in place.but:
        mark = str(numbers[but.promise])
        if but.covers(f"{kind} plain"):
            always.add(mark)
        elif any(but.covers(row) for row in NAMES_OF_ROWS if row.startswith(f"{kind} ")):
            sometimes.add(mark)
    found = [*sorted(always), *(f"({one})" for one in sorted(sometimes - always))]
    return " ".join(found) or "="

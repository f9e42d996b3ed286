"""The tables of attributes that hold URLs."""

from __future__ import annotations

import re
from pathlib import Path

from weburl.html.finding import _OF_HTML, _OF_SVG, ELEMENTS

PAGE = Path(__file__).parents[2] / "docs" / "html.md"


def test_the_documents_show_the_tables_that_are_used() -> None:
    """One row for each kind, with every element and attribute, and no others."""
    shown = set()
    for kind, where in re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    ):
        attributes = ("href", "xlink:href")
        for place in re.findall(r"`([^`]+)`", where):
            match place.split():
                case ["svg", element]:
                    shown.update((kind, f"svg {element}", attribute) for attribute in attributes)
                case ["svg", element, attribute]:
                    shown.add((kind, f"svg {element}", attribute))
                case ["script"]:
                    shown.add((kind, "script", ""))
                case [element, attribute]:
                    shown.add((kind, element, attribute))
    used = {
        (str(rule.kind), prefix + element, rule.attribute)
        for prefix, table in (("", _OF_HTML), ("svg ", _OF_SVG))
        for element, rules in table.items()
        for rule in rules
    }
    assert shown == used


def test_the_elements_that_are_looked_at_are_those_of_the_tables() -> None:
    """Some of them in both."""
    assert set(_OF_HTML) | set(_OF_SVG) == ELEMENTS
    assert {"a", "script"} == set(_OF_HTML) & set(_OF_SVG)

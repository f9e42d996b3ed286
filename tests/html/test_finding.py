"""The tables of attributes that hold URLs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from weburl.html.finding import _OF_HTML, _OF_SVG, ELEMENTS, target_name, target_of
from weburl.html.tree import parse_html

PAGE = Path(__file__).parents[2] / "docs" / "html.md"


def test_the_documents_show_the_tables_that_are_used() -> None:
    """One row for each kind, with every element and attribute, and no others."""
    shown: set[tuple[str, str, str]] = set()
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


@pytest.mark.parametrize(
    ("source", "of_base", "target"),
    [
        ("<a>", "", ""),
        ("<a>", "B", "B"),
        ("<a target>", "B", ""),
        ("<a target=A>", "B", "A"),
        ("<a target='a<b'>", "", "a<b"),
        ("<a target='a\tb'>", "", "a\tb"),
        ("<a target='a\rb<'>", "", "_blank"),
        ("<a>", "<\n", "_blank"),
    ],
)
def test_the_window_is_the_elements_own_or_that_of_the_base_element(
    source: str, of_base: str, target: str
) -> None:
    """A name that looks like markup that was left open is not believed."""
    (element,) = parse_html(source, None, scripting=False).elements(["a"])
    assert target_of(element, target_name(of_base)) == target

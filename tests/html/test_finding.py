"""The tables of attributes that hold URLs."""

from __future__ import annotations

import pytest

from tests.html.table import PAGE, table, with_table
from weburl.html import LinkKind
from weburl.html.conditions import ALWAYS
from weburl.html.finding import RULES, table_with, target_name, target_of
from weburl.html.tree import HTML, SVG, parse_html


def test_the_documents_show_the_table_that_is_used() -> None:
    """Each element, attribute and condition, made from the table itself."""
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page, "python -m tests.html.table writes it anew"
    assert page.count(table()) == 1


def test_the_elements_that_are_looked_at_are_those_of_the_table() -> None:
    """Some of them in both namespaces, with the attributes of both."""
    found = table_with(frozenset()).attributes_with(frozenset(LinkKind))
    assert set(RULES[HTML]) | set(RULES[SVG]) == set(found)
    assert found["a"] == ("href", "ping", "xlink:href")
    assert found["td"] == ("background",)
    assert found["script"] == ()  # its text can have URLs
    assert {"a", "script"} == set(RULES[HTML]) & set(RULES[SVG])


def test_every_condition_that_can_fail_has_words() -> None:
    """So that the documents say when an attribute counts."""
    conditions = {
        rule.condition
        for elements in RULES.values()
        for rules in elements.values()
        for rule in rules
    }
    assert len(conditions) == len({condition.words for condition in conditions}) == 19
    assert [condition for condition in conditions if not condition.words] == [ALWAYS]


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
    ],
)
def test_the_window_is_the_elements_own_or_that_of_the_base_element(
    source: str, of_base: str, target: str
) -> None:
    """A name that looks like markup that was left open is not believed."""
    (element,) = parse_html(source, None, scripting=False).elements({"a": ()})
    assert target_of(element, target_name(of_base)) == target


def test_the_window_that_a_base_element_names_is_read_in_the_same_way() -> None:
    """Once for the page."""
    assert target_name("<\n") == "_blank"
    assert target_name("B") == "B"

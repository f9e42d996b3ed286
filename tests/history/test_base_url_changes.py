"""`weburl.history.base_url_changes`: the draft's section 2.6.5, over pages."""

from __future__ import annotations

import pytest

from weburl.history.base_url_changes import (
    affected_by_document_base_url_change,
    affected_by_moving,
    affected_by_xml_base_change,
    creates_hyperlink,
    respond_to_base_url_change,
)
from weburl.html.tree import Element, Tree, parse_html


def read_page(html: str) -> Tree:
    """Return the tree of a page."""
    return parse_html(html, None, scripting=False)


PAGE = """<!doctype html><title>t</title><link rel=next href=l>
<section id=s cite=s><p><a href=x>x<img src=i></a><q cite=c></q></p></section>
<a id=o href=o></a><q></q><blockquote cite="http://[">b</blockquote>
<svg xml:base="http://g/d/"><foreignObject xml:base="e/#f"><a href=y></a>
<div xml:base="http://no/"><del cite=z></del></div></foreignObject></svg>"""


@pytest.fixture
def tree() -> Tree:
    """Return a page with links, quotations and bases."""
    return read_page(PAGE)


def by_id(tree: Tree, id: str) -> Element:
    """Return the element with that id."""
    return next(element for element in tree.elements() if element.attribute("id") == id)


def test_a_change_of_xml_base_affects_the_element_and_what_is_in_it(tree: Tree) -> None:
    """In tree order, and nothing beside it."""
    affected = affected_by_xml_base_change(tree, by_id(tree, "s"))
    assert [element.name for element in affected] == ["section", "p", "a", "img", "q"]


def test_a_change_of_the_document_base_url_affects_all_elements(tree: Tree) -> None:
    """The `html` element that goes without saying included."""
    names = [element.name for element in affected_by_document_base_url_change(tree)]
    assert names[:4] == ["html", "head", "title", "link"]
    assert names[-4:] == ["foreignObject", "a", "div", "del"]


def test_moving_an_element_affects_it_where_the_base_urls_differ(tree: Tree) -> None:
    """And nothing where they are the same."""
    section = by_id(tree, "s")
    assert affected_by_moving(tree, section, "http://h/", "http://h/") == ()
    affected = affected_by_moving(tree, section, "http://h/", "http://i/")
    assert affected == affected_by_xml_base_change(tree, section)


def test_hyperlinks_and_citations_are_resolved_again_and_nothing_else(tree: Tree) -> None:
    """Relative to the element, whose base is that of the SVG around it; an image stays."""
    affected = affected_by_document_base_url_change(tree)
    again = respond_to_base_url_change(affected, "http://h/n/#f")
    assert [(one.element.name, one.attribute, one.url) for one in again] == [
        ("link", "href", "http://h/n/l"),
        ("section", "cite", "http://h/n/s"),
        ("a", "href", "http://h/n/x"),
        ("q", "cite", "http://h/n/c"),
        ("a", "href", "http://h/n/o"),
        ("blockquote", "cite", None),
        ("a", "href", "http://g/d/e/y"),
        ("del", "cite", "http://g/d/e/z"),
    ]


def test_a_query_is_resolved_again_in_the_encoding_of_the_document() -> None:
    """By its label."""
    tree = read_page("<a href='?\u00e9'>")
    affected = affected_by_document_base_url_change(tree)
    (again,) = respond_to_base_url_change(affected, "http://h/", encoding="latin1")
    assert again.url == "http://h/?%E9"
    with pytest.raises(ValueError, match="there is no encoding with the label"):
        respond_to_base_url_change(affected, "http://h/", encoding="no such")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href>", True),
        ("<a>", False),
        ("<map><area href=x>", True),
        ("<link rel=stylesheet href=x>", False),
        ("<link rel='alternate STYLESHEET' href=x>", False),
        ("<link rel='x Author' href=x>", True),
        ("<link rel=author>", False),
        ("<svg><a href=x>", False),
        ("<img href=x>", False),
    ],
)
def test_which_elements_create_hyperlinks(html: str, expected: bool) -> None:
    """Those with an href that people follow."""
    assert any(map(creates_hyperlink, read_page(html).elements())) is expected


def test_a_deep_page_takes_linear_time() -> None:
    """Each element's base is found from its parent's."""
    tree = read_page("<div>" * 20_000 + "<a href=x>")
    (again,) = respond_to_base_url_change(tree.elements(), "http://h/")
    assert again.url == "http://h/x"
    links = "<div><q cite=c>" * 400
    assert len(respond_to_base_url_change(read_page(links).elements(), "http://h/")) == 400

"""Where URLs are in values, and how offsets in a value become offsets in its source."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.html.rewriting.source import attribute_of_tag, attributes_of_tag
from weburl.html.rewriting.values import GRAMMARS, offsets_in_attribute, offsets_in_text
from weburl.html.tree import parse_html

_PIECES = st.sampled_from(
    ("a", "é", "😀", " ", "\n", "\r", "\r\n", "\0", "&amp;", "&#38;", "&#x26;", "&lt", "&ampx",
     "&notit;", "&", "&;", "&#;", "&#x;", "&#0;", "&#128;", "&#x9f;", "&#xd800;", "&#x110000;",
     "&#99999999999999999999;", "&#00000000000000000000065;", "&NotEqualTilde;", "&copy=",
     "&nosuch;")
)  # fmt: skip


@given(st.lists(_PIECES, max_size=8).map("".join))
def test_offsets_are_those_of_the_parser(raw: str) -> None:
    """A part of the value is what the part of the source means."""
    (element,) = parse_html(f'<p x="{raw}">', None, scripting=False).elements({"p": ()})
    value = element.attribute("x")
    assert value is not None
    origin = offsets_in_attribute(raw, value)
    if origin is None:
        assert "&" in raw
        return
    for at in range(len(value) + 1):
        before = raw[: origin(at)]
        (again,) = parse_html(f'<p x="{before}">', None, scripting=False).elements({"p": ()})
        if origin(at) not in range(len(raw)) or raw[origin(at)] not in "&\r\n":
            continue
        assert again.attribute("x") == value[:at]
    assert origin(len(value)) == len(raw)


def test_a_reference_without_a_semicolon_has_no_offsets() -> None:
    """What follows decides what it means."""
    assert offsets_in_attribute("a&lt", "a<") is None
    assert offsets_in_attribute("a", "b") is None
    same = offsets_in_attribute("a&ltb", "a&ltb")
    assert same is not None
    assert same(3) == 3


def test_a_line_break_of_two_characters_is_one_in_a_text() -> None:
    """The parser makes it one."""
    origin = offsets_in_text("a\r\nb\r\nc", "a\nb\nc")
    assert [origin(at) for at in range(6)] == [0, 1, 3, 4, 6, 7]
    assert offsets_in_text("ab", "ab")(1) == 1


@given(
    st.lists(
        st.sampled_from(
            (" ", "\n", "/", "=", '"', "'", "a", "A", "b", "=x", "='y z'", '="w"', " = v", "<", ">")
        )
    ).map("".join)
)
def test_attributes_are_those_of_the_parser(inside: str) -> None:
    """The first of each name, with its value, and no more than the tag has."""
    html = f"<p {inside}>"
    elements = list(parse_html(html, None, scripting=False).elements({"p": ()}))
    if not elements:
        return
    names = {"a", "b", "x", "a<", "<", "<a"}
    after_name, attributes = attributes_of_tag(html, 0)
    assert after_name == 2
    for name in names:
        value = elements[0].attribute(name)
        own = [attribute for attribute in attributes if attribute.name == name]
        assert (value is None) is (not own)
        if own:
            first = own[0]
            assert attribute_of_tag(html, 0, name) == first
            assert html[first.start : first.end] == value
            assert html[first.at : first.at + len(name)].lower() == name


@pytest.mark.parametrize("split", GRAMMARS)
@given(
    st.lists(
        st.sampled_from(
            (
                *"ab \n,;.='\"()x",
                "2x",
                "url=",
                "url(",
                "5;",
                "@import",
                "\\41 ",
                '{"prefetch":[{"urls":["a","b"]},{"urls":["c"],"no":1}]}',
                "[]",
                '{"prerender":[',
            )
        )
    ).map("".join)
)
def test_the_parts_of_a_value_are_its_urls(split: object, value: str) -> None:
    """For every kind of value. Removal of all leaves none."""
    grammar = GRAMMARS[split]  # type: ignore[index]
    urls = split(value)  # type: ignore[operator]
    if not urls:
        return
    parts = grammar.parts(value)
    assert len(parts) == len(urls)
    assert all(first <= start <= end <= last for start, end, first, last in parts)
    for cut in grammar.cuts(parts, range(len(parts))):
        assert 0 <= cut.start <= cut.end <= len(value)


def test_python_and_the_parser_agree_about_references() -> None:
    """For those with a semicolon, which is what most pages have."""
    assert unescape("&amp;&NotEqualTilde;&#128;") == "&\u2242\u0338\u20ac"

"""Pages as elements: what is part of one, in which order, and in which encoding."""

from __future__ import annotations

import sys

import pytest

from weburl.html.tree import Tree, parse_html


def parse(html: str | bytes, encoding: str | None = None, *, scripting: bool = False) -> Tree:
    """Return the page."""
    return parse_html(html, encoding, scripting=scripting)


def hrefs(tree: Tree) -> list[str]:
    """Return the values of `href` attributes in the order of the page."""
    values = (element.attribute("href") for element in tree.elements())
    return [value for value in values if value is not None]


def test_elements_come_in_the_order_of_the_tree() -> None:
    """Not of the text: what does not belong into a table comes before it."""
    assert hrefs(parse("<table><a href=1><tr><td><a href=2></table><a href=3>")) == ["1", "2", "3"]
    assert hrefs(parse("<table><tr><td><a href=2></a></td></tr><a href=1>")) == ["1", "2"]


def test_what_only_looks_like_a_tag_is_none() -> None:
    """In comments, texts, scripts and attributes."""
    page = """<!-- <a href=1> --><title><a href=2></title><textarea><a href=3></textarea>
    <script>"<a href=4>"</script><style><a href=5></style><iframe><a href=6></iframe>
    <p title="<a href=7>"><svg><![CDATA[<a href=8>]]></svg><a href=9><xmp><a href=10></xmp>
    <plaintext><a href=11>"""
    assert hrefs(parse(page)) == ["9"]


def test_what_is_inside_a_template_is_no_part_of_the_page() -> None:
    """Nor inside a template in a template; what comes behind it is."""
    page = """<a href=1><template><a href=no><template><a href=no></template><a href=no></template>
    <a href=2><svg><template><a href=3></template></svg><template></template><a href=4>"""
    assert hrefs(parse(page)) == ["1", "2", "3", "4"]


def test_what_is_in_a_declarative_shadow_tree_is_shown() -> None:
    """And is not in the document's own tree; its templates are no part of it."""
    page = """<div><template shadowrootmode=open><a href=1></a><template><a href=no></template>
    <p><template shadowrootmode=CLOSED><a href=2></template></p><a href=3></a></template>
    <a href=4></a></div><x-y><template shadowrootmode=open><a href=5></template></x-y><a href=6>"""
    elements = [element for element in parse(page).elements() if element.attribute("href")]
    assert [element.attribute("href") for element in elements] == ["1", "2", "3", "4", "5", "6"]
    assert [element.is_in_document_tree for element in elements] == [
        False, False, False, True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "page",
    [
        "<div><template shadowrootmode><a href=no></template></div>",
        "<div><template shadowrootmode=bogus><a href=no></template></div>",
        "<ul><template shadowrootmode=open><a href=no></template></ul>",
        "<font-face><template shadowrootmode=open><a href=no></template></font-face>",
        "<template shadowrootmode=open><a href=no></template>",
        "<template><template shadowrootmode=open><a href=no></template></template>",
        "<template><div><template shadowrootmode=open><a href=no></template></div></template>",
        "<p><template shadowrootmode=open>x</template><template shadowrootmode=open><a href=no>",
    ],
)
def test_not_every_element_can_have_a_shadow_tree(page: str) -> None:
    """Nor can any have two."""
    assert hrefs(parse(page)) == []


def test_noscript_is_a_part_of_the_page_where_scripts_do_not_run() -> None:
    """In the head as in the body."""
    page = "<noscript><link href=1></noscript><p><noscript><a href=2></noscript><a href=3>"
    assert hrefs(parse(page)) == ["1", "2", "3"]
    assert hrefs(parse(page, scripting=True)) == ["3"]


def test_a_tag_that_the_parser_makes_several_elements_of_is_one() -> None:
    """As an unclosed hyperlink, which goes on in each paragraph."""
    assert hrefs(parse("<p><a href=1>x<p>y<p>z")) == ["1"]
    assert hrefs(parse("<p><a href=1>x<p>y<a href=1>z")) == ["1", "1"]


def test_of_an_attribute_written_twice_the_first_counts() -> None:
    """In any case; character references are decoded, as in a browser."""
    tree = parse("<a HREF='&#x2f;&amp;copy=1&copy=2&notit;\n' href=2>")
    assert hrefs(tree) == ["/&copy=1&copy=2&notit;\n"]


def test_attributes_of_a_second_body_are_those_of_the_first() -> None:
    """Which nobody need have written."""
    tree = parse("x<body href=1><body href=2 id=3>")
    (body,) = [element for element in tree.elements() if element.name == "body"]
    assert (body.attribute("href"), body.attribute("id"), body.position) == ("1", "3", None)


def test_elements_tell_their_namespaces_and_places() -> None:
    """Lines from 1, columns from 0; a line ends as HTML has it."""
    tree = parse("<p>\r\n <svg><image><math><desc>\n<image>")
    places = [
        (element.name, element.namespace, element.position)
        for element in tree.elements()
        if element.position is not None
    ]
    assert places == [
        ("p", "html", (1, 0)),
        ("svg", "svg", (2, 1)),
        ("image", "svg", (2, 6)),
        ("math", "svg", (2, 13)),
        ("desc", "svg", (2, 19)),
        ("img", "html", (3, 0)),
    ]


@pytest.mark.parametrize(
    ("html", "label", "encoding", "href"),
    [
        (b"<a href='\xe9'>", None, "windows-1252", "\xe9"),
        (b"<a href='\xe9'>", "KOI8-R", "koi8-r", "\u0418"),
        (b"<meta charset=koi8-r><a href='\xe9'>", None, "koi8-r", "\u0418"),
        (b"<meta charset=koi8-r><a href='\xe9'>", "latin1", "windows-1252", "\xe9"),
        (b"<meta charset=utf-16><a href='\xc3\xa9'>", None, "utf-8", "\xe9"),
        (b"<meta charset=x-user-defined><a href='\xe9'>", None, "windows-1252", "\xe9"),
        (b"\xef\xbb\xbf<meta charset=koi8-r><a href='\xc3\xa9'>", "latin1", "utf-8", "\xe9"),
        ("\ufeff<a href='\xe9'>".encode("utf-16-le"), "utf-8", "utf-16le", "\xe9"),
        ("\ufeff<a href='\xe9'>".encode("utf-16-be"), None, "utf-16be", "\xe9"),
        (b" " * 2000 + b"<meta charset=koi8-r><a href='\xe9'>", None, "koi8-r", "\u0418"),
        (b"<a href='\xff'>", "utf-8", "utf-8", "\ufffd"),
        (b"<a href='\xc3\xa9'>", None, "utf-8", "\xe9"),
        (b"<?xml encoding='koi8-r'?><a href='\xe9'>", None, "koi8-r", "\u0418"),
        (b"<?xml encoding='koi8-r'?><a href='\xe9'>", "latin1", "windows-1252", "\xe9"),
        (b"<?xml encoding='big5'?><meta charset=koi8-r><a href='\xe9'>", None, "koi8-r", "\u0418"),
        (
            b"<?xml encoding='big5'?><meta charset=latin1><a href='\xe9'>",
            None,
            "windows-1252",
            "\xe9",
        ),
        (b" <?xml encoding='koi8-r'?><a href='\xe9'>", None, "windows-1252", "\xe9"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><a href='\xe9'>",
            None,
            "koi8-r",
            "\u0418",
        ),
    ],
)
def test_bytes_are_in_the_encoding_that_is_named_first(
    html: bytes, label: str | None, encoding: str, href: str
) -> None:
    """By a byte order mark, the caller, a `meta` element, an XML declaration, or by custom."""
    tree = parse(html, label)
    assert tree.encoding == encoding
    assert hrefs(tree) == [href]


@pytest.mark.parametrize(
    ("html", "label", "encoding"),
    [
        ("", None, "utf-8"),
        ("<meta charset=Latin1>", None, "windows-1252"),
        ("<meta charset=Latin1>", "koi8", "koi8-r"),
        ("<meta charset=bogus><meta charset=koi8-r><meta charset=big5>", None, "koi8-r"),
        ("<meta charset=utf-16le>", None, "utf-8"),
        ("<meta charset=x-user-defined>", None, "windows-1252"),
        ("<meta http-equiv=CONTENT-TYPE content='x; charset=big5'>", None, "big5"),
        ("<meta http-equiv=content-type charset=x content='charset=gbk'>", None, "gbk"),
        ("<meta http-equiv=content-type>", None, "utf-8"),
        ("<meta content='charset=big5'>", None, "utf-8"),
        ("<template><meta charset=big5></template>", None, "utf-8"),
        ("<svg><meta charset=big5>", None, "big5"),  # `meta` ends the drawing
        ("<math><g charset=big5>", None, "utf-8"),
        ("<?xml version='1.0' encoding='Big5'?>\u20ac", None, "big5"),
        ("<?xml encoding='big5'?><meta charset=koi8-r>", None, "koi8-r"),
        ("<?xml encoding='big5'?>", "gbk", "gbk"),
    ],
)
def test_text_counts_as_decoded_from_the_encoding_that_it_declares(
    html: str, label: str | None, encoding: str
) -> None:
    """Unless the caller knows better."""
    assert parse(html, label).encoding == encoding


def test_what_is_neither_text_nor_bytes_is_refused() -> None:
    """Before anything else; so is an encoding that is not text."""
    with pytest.raises(TypeError, match="not int"):
        parse(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        parse("", 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("label", ["bogus", "", "latin-1", "none", "utf-8; x", "\ud800", "x" * 99])
@pytest.mark.parametrize(
    "html", [b"<meta charset=koi8-r>\xc1", b"\xff", b"a", b"\xef\xbb\xbfa", "<meta charset=koi8-r>"]
)
def test_an_unknown_label_is_ignored(html: str | bytes, label: str) -> None:
    """A server may name any, and browsers open the page."""
    assert parse(html, label).encoding == parse(html, None).encoding


def test_without_the_parser_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ImportError that names the extra, and the module for programs."""
    monkeypatch.setitem(sys.modules, "turbohtml", None)
    with pytest.raises(ImportError, match=r"weburl\[html\]") as caught:
        parse("")
    assert caught.value.name == "turbohtml"

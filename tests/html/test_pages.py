"""Every link of a page: which attributes hold them, and what they come to."""

from __future__ import annotations

from typing import Final

import attrs
import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.html.plain_links import plain_links
from weburl import URLParseError, html
from weburl.html import Document, LinkKind, document_base_url, links, page
from weburl.html.finding import table_with, urls_on
from weburl.html.tree import parse_html

PAGE: Final = "https://example.com/a/b?c#d"

RULES: Final = '{"prefetch": [{"urls": ["x"]}]}'

# Element, attribute, kind, and the HTML around "x", one for each place where a URL can stand.
PLACES: Final = [
    ("a", "href", "hyperlink", "<a href='x'>"),
    ("a", "ping", "ping", "<a href='https://h/' ping='x'>"),
    ("area", "href", "hyperlink", "<area href='x'>"),
    ("area", "ping", "ping", "<area href='https://h/' ping='x'>"),
    ("audio", "src", "resource", "<audio src='x'>"),
    ("base", "href", "base", "<base href='x'>"),
    ("blockquote", "cite", "citation", "<blockquote cite='x'>"),
    ("body", "background", "resource", "<body background='x'>"),
    ("button", "formaction", "submission", "<button formaction='x'>"),
    ("del", "cite", "citation", "<del cite='x'>"),
    ("embed", "src", "resource", "<embed src='x'>"),
    ("form", "action", "submission", "<form action='x'>"),
    ("frame", "src", "frame", "<frameset><frame src='x'>"),
    ("iframe", "src", "frame", "<iframe src='x'>"),
    ("img", "src", "resource", "<img src='x'>"),
    ("img", "srcset", "resource", "<img srcset='x'>"),
    ("input", "formaction", "submission", "<input type=Submit formaction='x'>"),
    ("input", "src", "resource", "<input type=image src='x'>"),
    ("ins", "cite", "citation", "<ins cite='x'>"),
    ("link", "href", "relation", "<link rel=canonical href='x'>"),
    ("link", "href", "resource", "<link rel='alternate StyleSheet' href='x'>"),
    ("link", "imagesrcset", "resource", "<link rel=preload as=image imagesrcset='x'>"),
    ("meta", "content", "refresh", "<meta http-equiv=Refresh content='0; url=x'>"),
    ("object", "data", "resource", "<object data='x'>"),
    ("q", "cite", "citation", "<q cite='x'>"),
    ("script", "src", "resource", "<script src='x'></script>"),
    ("script", "", "speculation", f"<script type=' SpeculationRules'>{RULES}</script>"),
    ("source", "src", "resource", "<audio><source src='x'>"),
    ("source", "srcset", "resource", "<picture><source srcset='x'>"),
    ("table", "background", "resource", "<table background='x'>"),
    ("tbody", "background", "resource", "<table><tbody background='x'>"),
    ("td", "background", "resource", "<table><td background='x'>"),
    ("tfoot", "background", "resource", "<table><tfoot background='x'>"),
    ("th", "background", "resource", "<table><th background='x'>"),
    ("thead", "background", "resource", "<table><thead background='x'>"),
    ("tr", "background", "resource", "<table><tr background='x'>"),
    ("track", "src", "resource", "<video><track src='x'>"),
    ("video", "poster", "resource", "<video poster='x'>"),
    ("video", "src", "resource", "<video src='x'>"),
    ("a", "href", "hyperlink", "<svg><a href='x'>"),
    ("a", "xlink:href", "hyperlink", "<svg><a xlink:href='x'>"),
    ("feImage", "href", "resource", "<svg><filter><feimage href='x'>"),
    ("image", "href", "resource", "<svg><image href='x'>"),
    ("linearGradient", "href", "resource", "<svg><lineargradient href='x'>"),
    ("pattern", "href", "resource", "<svg><pattern href='x'>"),
    ("radialGradient", "href", "resource", "<svg><radialgradient href='x'>"),
    ("script", "xlink:href", "resource", "<svg><script xlink:href='x'></script>"),
    ("use", "href", "resource", "<svg><use href='x'>"),
]  # fmt: skip


def inputs(source: str | bytes, **options: object) -> list[str]:
    """Return the texts of a page's links."""
    return [link.input for link in links(source, PAGE, **options)]  # type: ignore[arg-type]


def hrefs(source: str | bytes, url: str = PAGE, encoding: str | None = None) -> list[str]:
    """Return the hrefs of a page's links, "-" for what is no URL."""
    found = links(source, url, encoding=encoding)
    return ["-" if link.record is None else link.record.href for link in found]


@pytest.mark.parametrize(("element", "attribute", "kind", "source"), PLACES)
def test_a_url_is_found_in_its_place(element: str, attribute: str, kind: str, source: str) -> None:
    """One place after the other, with the right kind, and relative to the page."""
    (link,) = [link for link in links(source, PAGE) if link.input == "x"]
    assert (link.element, link.attribute, link.kind) == (element, attribute, kind)
    assert not link.inert
    assert link.record == weburl.parse("https://example.com/a/x")
    assert link.error is None


def test_there_are_as_many_places_as_there_should_be() -> None:
    """And at least one of every kind."""
    assert len(PLACES) == 48
    assert {kind for _, _, kind, _ in PLACES} == set(LinkKind)


@pytest.mark.parametrize(
    "source",
    [
        "<img src='' srcset=''>",
        "<script src></script>",
        "<iframe src=''></iframe>",
        "<iframe src=x srcdoc=''></iframe>",
        "<link rel=next href=''>",
        "<object data=''>",
        "<video src='' poster=''>",
        "<body background=''>",
        "<a ping=' '>",
        "<input src=x>",
        "<input formaction=x>",
        "<input type=text src=x formaction=x>",
        "<button type=Reset formaction=x>",
        "<button type=button formaction=x>",
        "<meta http-equiv=refresh content=5>",
        "<meta http-equiv=refresh>",
        "<meta content='0;url=x'>",
        "<script type=speculationrules>{}</script>",
        f"<script type=speculationrules src=''>{RULES}</script>",
        '<script type=json>{"prefetch": [{"urls": ["x"]}]}</script>',
        "<svg><image href=''></svg>",
        "<svg><img-x src=x><g href=x></svg>",
        "<math href=x><mi href=x></math>",
        "<a xlink:href=x>",
        "<p href=x src=x cite=x>",
        "<a name=x>",
    ],
)
def test_what_browsers_make_no_use_of_is_no_link(source: str) -> None:
    """Empty addresses of what is loaded, and attributes that mean nothing where they are."""
    assert links(source, PAGE) == ()


def test_an_empty_address_is_a_link_where_people_follow_it() -> None:
    """To the base URL, but for a form, which goes to its page whatever the base URL."""
    source = "<base href=/base/><a href><form action></form><button formaction=''><q cite>"
    assert hrefs(source) == [
        "https://example.com/base/",
        "https://example.com/base/",
        PAGE,
        PAGE,
        "https://example.com/base/",
    ]


def test_an_empty_address_among_other_things_is_one() -> None:
    """In a refresh and in speculation rules, where it says something that it is empty."""
    source = """<meta http-equiv=refresh content="0; url=">
    <script type=speculationrules>{"prefetch": [{"urls": [""]}]}</script>"""
    assert hrefs(source) == ["https://example.com/a/b?c", "https://example.com/a/b?c"]


def test_of_two_addresses_of_a_drawing_the_newer_counts() -> None:
    """Also where it is empty."""
    assert inputs("<svg><a href=new xlink:href=old></a><a href xlink:href=old>") == ["new", ""]


def test_links_come_in_the_order_of_the_page_with_their_repetitions() -> None:
    """Those of one element, too."""
    source = """<a href=1 ping="2 3"></a><img srcset="5 1x, 6 2x" src=4><a href=1></a>
    <video poster=8 src=7></video><a href=9>"""
    assert inputs(source) == ["1", "2", "3", "4", "5", "6", "1", "7", "8", "9"]


def test_text_is_resolved_as_a_browser_resolves_it() -> None:
    """Spaces, tabs, newlines, backslashes, references; `javascript:` and its like are URLs."""
    source = """<a href=" x
y&#9;z "><a href="\\\\h\\p"><a href="?a&amp;b&copy=1"><a href="#f"><a href="javascript:a b">
    <a href=mailto:x@y><a href="data:,x y"><a href="HTTP://\xc9.example:80/"><a href="https://[">"""
    assert hrefs(source) == [
        "https://example.com/a/xyz",
        "https://h/p",
        "https://example.com/a/b?a&b&copy=1",
        "https://example.com/a/b?c#f",
        "javascript:a b",
        "mailto:x@y",
        "data:,x y",
        "http://xn--9ca.example/",
        "-",
    ]


def test_text_that_is_no_url_comes_with_the_reason() -> None:
    """The text is there all the same."""
    (link,) = links("<a href='https://h:99999'>", PAGE)
    assert link.record is None
    assert link.input == "https://h:99999"
    assert isinstance(link.error, URLParseError)
    assert link.error.type == weburl.ValidationErrorType.PORT_OUT_OF_RANGE


def test_queries_are_in_the_encoding_of_the_document() -> None:
    """Declared, named by the caller, or marked."""
    link = "<a href='?\xe9'>"
    assert hrefs(link) == ["https://example.com/a/b?%C3%A9"]
    assert hrefs(link, encoding="latin1") == ["https://example.com/a/b?%E9"]
    assert hrefs(f"<meta charset=latin1>{link}") == ["https://example.com/a/b?%E9"]
    assert hrefs(link.encode("latin-1")) == ["https://example.com/a/b?%E9"]
    assert hrefs(f"\ufeff{link}".encode()) == ["https://example.com/a/b?%C3%A9"]
    assert hrefs(link.encode("utf-16-le"), encoding="utf-16") == ["https://example.com/a/b?%C3%A9"]
    assert hrefs("<script type=speculationrules>"
                 '{"prefetch": [{"urls": ["?\xe9"]}]}</script>', encoding="latin1") == [
        "https://example.com/a/b?%C3%A9"
    ]  # fmt: skip


def test_the_first_base_element_with_an_href_counts() -> None:
    """Wherever it is, but in a template, a shadow tree or a drawing; a failing one counts, too."""

    def base(source: str) -> str:
        return document_base_url(page(source, PAGE).document).href

    assert base("<base><base target=x><base href=1/><base href=2/>") == "https://example.com/a/1/"
    assert base("<p>x<div><base href=1/>") == "https://example.com/a/1/"
    assert base("<template><base href=1/></template><base href=2/>") == "https://example.com/a/2/"
    assert base("<p><template shadowrootmode=open><base href=1/></template>") == PAGE
    assert base("<svg><base href=1/></svg><base href=2/>") == "https://example.com/a/2/"
    assert base("<base href='https://['><base href=2/>") == PAGE
    assert base("<base href='javascript:x'><base href=2/>") == PAGE
    assert base("<base href='data:,'><base href=2/>") == PAGE
    assert base("<base href=''><base href=2/>") == "https://example.com/a/b?c"
    assert base("<title><base href=1/></title>") == PAGE


def test_a_base_element_is_a_link_itself_where_it_sets_the_base_url() -> None:
    """Relative to the fallback base URL; the others come by asking."""
    source = "<base href=1/><base href=2/><base href='javascript:x'>"
    assert hrefs(source) == ["https://example.com/a/1/"]
    found = links(source, PAGE, inert=True)
    assert [(str(link.record), link.inert) for link in found] == [
        ("https://example.com/a/1/", False),
        ("https://example.com/a/2/", True),
        ("javascript:x", True),
    ]
    for nowhere in ("data:,", "javascript:x", "https://["):
        source = f"<base href='{nowhere}'><base href=2/>"
        assert links(source, PAGE) == ()
        assert [link.inert for link in links(source, PAGE, inert=True)] == [True, True]


def test_what_is_loaded_above_the_base_element_does_without_it() -> None:
    """A browser meets it first; what people follow later is followed under the base URL."""
    source = "<img src=x><a href=x></a><base href=/1/><img src=x><base href=/2/><img src=x>"
    assert [url for url in hrefs(source) if url.endswith("x")] == [
        "https://example.com/a/x",
        "https://example.com/1/x",
        "https://example.com/1/x",
        "https://example.com/1/x",
    ]


def test_a_page_inside_a_page_takes_over_its_base_url() -> None:
    """`about:blank` and `about:srcdoc`, whose base elements are relative to it."""
    for url in ("about:blank", "about:srcdoc", weburl.parse("about:srcdoc")):
        (link,) = links("<a href=x>", url, about_base_url="https://h/p/")
        assert str(link.record) == "https://h/p/x"
        _, link = links("<base href=q/><a href=x>", url, about_base_url="https://h/p/")
        assert str(link.record) == "https://h/p/q/x"
    with pytest.raises(ValueError, match="container"):
        links("", "about:srcdoc")


def test_a_page_tells_its_document() -> None:
    """The same one that can be made by hand."""
    found = page(b"<meta charset=koi8-r><base href=x/>", PAGE, about_base_url="https://h/")
    assert found.document == Document(
        PAGE, "koi8-r", "https://h/", "https://example.com/a/x/", is_iframe_srcdoc=False
    )
    assert found.links == links(b"<meta charset=koi8-r><base href=x/>", PAGE)


def test_kinds_are_picked_by_name_or_by_member() -> None:
    """All, some or none of them; an unknown one is refused."""
    source = "<a href=1><img src=2><iframe src=3></iframe>"
    assert inputs(source) == ["1", "2", "3"]
    assert inputs(source, kinds={"hyperlink"}) == ["1"]
    assert inputs(source, kinds=[LinkKind.FRAME, "resource"]) == ["2", "3"]
    assert inputs(source, kinds=()) == []
    with pytest.raises(ValueError, match="image"):
        inputs(source, kinds={"image"})


def test_links_tell_their_relations_and_windows() -> None:
    """Keywords in lower case; the window is the element's own, else that of the base element."""
    source = """<base target=B><a href=x rel=" NoFollow\tUGC ">1</a><a href=x target=A>2</a>
    <a href=x target>3</a><form action=x></form><img src=x target=A><area href=x target="a\n<">"""
    found = links(source, PAGE)
    assert [link.rel for link in found] == [("nofollow", "ugc"), (), (), (), (), ()]
    assert [link.target for link in found] == ["B", "A", "", "B", "", "_blank"]
    assert links("<a href=x>", PAGE)[0].target == ""


def test_links_tell_their_places() -> None:
    """Lines and columns from 1; a second `body` has none."""
    found = links("<!doctype html>\n<p>\xe9<a href=x>\r\n<a href=x>", PAGE)
    assert [(link.line, link.column) for link in found] == [(2, 5), (3, 1)]
    (link,) = links("x<body background=y>", PAGE)
    assert (link.input, link.line, link.column) == ("y", None, None)
    (link,) = links("<body><p>x<body background=y>", PAGE)
    assert (link.input, link.line, link.column) == ("y", None, None)
    (link,) = links("<p>x<body background=y><body background=z>", PAGE)
    assert (link.input, link.line, link.column) == ("y", None, None)
    (link,) = links("\n<body background=y><body background=z>", PAGE)
    assert (link.input, link.line, link.column) == ("y", 2, 1)


def test_a_page_that_is_not_one_is_refused() -> None:
    """Its URL, its type."""
    with pytest.raises(URLParseError):
        links("", "/relative")
    with pytest.raises(URLParseError):
        page("", PAGE, about_base_url="relative")
    assert links("<a href=?é>", PAGE, encoding="bogus") == links("<a href=?é>", PAGE)
    with pytest.raises(TypeError):
        links(None, PAGE)  # type: ignore[arg-type]


def test_relative_links_of_a_page_without_a_base_fail_one_by_one() -> None:
    """Such as one from a mail."""
    assert hrefs("<a href=x><a href='https://h'>", "about:blank") == ["-", "https://h/"]


def test_every_encoding_of_the_standard_can_be_named() -> None:
    """As the encoding of bytes; what comes out is what comes out of the parser."""
    from webencodings import labels

    names = sorted(set(labels.LABELS.values()))
    assert len(names) == 40
    for name in names:
        found = page(b"<a href='?a'>", PAGE, encoding=name)
        assert found.document.encoding == name
        assert all(link.record is not None for link in found.links)


# --- any page -----------------------------------------------------------------------------------

TAGS: Final = st.sampled_from([source for *_, source in PLACES])
PIECES: Final = st.one_of(
    TAGS,
    st.sampled_from((
        "<base href='/z/'>", "<base href='javascript:'>", "<base href>", "<template>",
        "</template>", "<svg>", "</svg>", "<math>", "<table>", "<select>", "</p>", "<p>",
        "<!--", "-->", "<div><template shadowrootmode=open>", "</div>", "<textarea>", "<noscript>",
        "<title>", "<frameset>", "<meta charset=big5>", "<![CDATA[", "]]>", "\0", "<plaintext>",
    )),
    strategies.url_texts.map(lambda text: f"<a href='{text}'>"),
    st.text(max_size=5),
)  # fmt: skip
PAGES: Final = st.lists(PIECES, max_size=8).map("".join)


@given(PAGES, strategies.base_texts.map(str))
def test_every_link_is_parsed_as_the_url_standard_parses_its_text(source: str, url: str) -> None:
    """Relative to one base URL or the other, in the document's encoding; else there is a reason."""
    if not weburl.can_parse(url):
        return
    found = page(source, url)
    document = found.document
    bases = {document_base_url(document), html.fallback_base_url(document)}
    for link in found.links:
        outcomes: set[weburl.URLRecord | None] = set()
        for base in bases:
            try:
                encoding = "utf-8" if link.kind == "speculation" else document.encoding
                outcomes.add(weburl.parse(link.input, base, encoding=encoding))
            except URLParseError:
                outcomes.add(None)
        if link.kind == "submission" and not link.input:
            outcomes = {document.url}
        assert link.record in outcomes
        assert (link.record is None) is (link.error is not None)


@given(PAGES)
@example("".join(source for *_, source in PLACES))
@example("<a href=?ä><meta charset=big5><base href=/z/><a href=?ä><img src=?ä><form action>")
@example("<a href='http://[' ping='https://h/ x'><a href=x ping='https://h/ x'><a ping=x>")
def test_links_are_those_that_the_plainest_way_finds(source: str) -> None:
    """Also of some kinds, for which less is read."""
    found = links(source, PAGE, inert=True)
    without_targets = [attrs.evolve(link, target="") for link in found]
    assert without_targets == plain_links(source, PAGE)
    assert links(source, PAGE) == tuple(link for link in found if not link.inert)
    for kind in LinkKind:
        of_kind = tuple(link for link in found if link.kind is kind)
        assert links(source, PAGE, kinds={kind}, inert=True) == of_kind


def test_links_of_other_kinds_do_not_count_towards_limits() -> None:
    """A hyperlink beside a ping is resolved, but is not counted as a link."""
    source = "<img src=1><img src=2><a href=https://h/ ping=https://h/>"
    for kind in ("hyperlink", "ping"):
        assert len(links(source, PAGE, kinds={kind}, limits=html.PageLimits(links=1))) == 1
    with pytest.raises(html.PageLimitError):
        links(source, PAGE, kinds={"resource"}, limits=html.PageLimits(links=1))


@given(PAGES)
def test_links_of_a_page_without_a_base_element_are_relative_to_its_url(source: str) -> None:
    """Each of them."""
    found = page(source, PAGE)
    if found.document.frozen_base_url is not None:
        return
    encoding = found.document.encoding
    for link in found.links:
        if link.record is not None and link.kind not in ("submission", "speculation"):
            assert link.record == weburl.parse(link.input, PAGE, encoding=encoding)


@given(st.one_of(PAGES, st.text(), PAGES.map(lambda text: text.encode("utf-8", "replace"))))
def test_no_page_makes_an_exception(source: str | bytes) -> None:
    """Nor any bytes; what links there are can be shown."""
    for link in page(source, PAGE).links:
        assert str(link)


@given(st.binary(), st.sampled_from((None, "utf-16", "iso-2022-jp", "replacement", "gb18030")))
def test_no_bytes_make_an_exception(source: bytes, encoding: str | None) -> None:
    """In encodings that can go wrong in ways of their own."""
    page(source, PAGE, encoding=encoding)


@given(PAGES)
@example("<p><template shadowrootmode=open><p><template shadowrootmode=open><a></template><a>")
@example("<template><template><a></template><a></template><a>")
def test_the_elements_of_a_page_are_those_that_the_parsers_own_tree_shows(source: str) -> None:
    """With shadow trees beside the tree rather than in it, and templates' contents in neither."""
    shown = []
    nodes: list[turbohtml.Node] = [turbohtml.parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, turbohtml.Element):
            shown.append(node.position)
            if node.shadow_root is not None:
                nodes.append(node.shadow_root)
        if not isinstance(node, turbohtml.Element) or not is_template(node):
            nodes.extend(node.children)
        else:
            shown.pop()
    tree = parse_html(source, None, scripting=False)
    assert {element.position for element in tree.elements()} == set(shown)


def is_template(element: turbohtml.Element) -> bool:
    """Return whether an element is one of HTML's templates."""
    return element.tag == "template" and element.namespace is turbohtml.Namespace.HTML


@given(PAGES)
@example("<p><template shadowrootmode=open><b></b><template><i><a href=1></template><a href=2>")
@example("<svg><a href='x'><template>")
def test_elements_that_hold_no_urls_need_not_be_looked_at(source: str) -> None:
    """The others have the same links, and are in the same trees."""
    tree = parse_html(source, None, scripting=False)
    table = table_with(frozenset())
    names = table.attributes_with(frozenset(LinkKind))
    expected = [
        element
        for element in tree.elements()
        if element.name in names
        and (
            not names[element.name]
            or any(element.attribute(name) is not None for name in names[element.name])
        )
    ]
    found = list(tree.elements(names))
    assert [(element.position, element.is_in_document_tree) for element in found] == [
        (element.position, element.is_in_document_tree) for element in expected
    ]
    texts = [
        found.input for element in tree.elements() for found in urls_on(element, table.of(element))
    ]
    assert inputs(source, inert=True) == texts


MEGABYTE: Final = 1_000_000


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("<div>" * (MEGABYTE // 5), 0),
        ("<b>" * (MEGABYTE // 3) + "<a href=x>", 1),
        ("<svg>" * (MEGABYTE // 5) + "<a href=x>", 1),
        ("<base href=x/>" * (MEGABYTE // 14), 1),
        ("<a href=x>" * (MEGABYTE // 10), MEGABYTE // 10),
        ("<template>" * (MEGABYTE // 10) + "<a href=x>", 0),
        ("<p><template shadowrootmode=open>" * (MEGABYTE // 33) + "<a href=x>", 1),
        ("<p><a href=" + "x" * (MEGABYTE // 2) + ">" + "<p>x" * (MEGABYTE // 8), 1),
        ("<a " + " ".join(f"a{i}" for i in range(MEGABYTE // 8)) + " href=x>", 1),
        ("<img srcset='" + "a 1x," * (MEGABYTE // 5) + "'>", MEGABYTE // 5),
        ("<img srcset='a " + "(" * MEGABYTE + "'>", 0),
        ("<img srcset='a " + "b " * (MEGABYTE // 2) + "'>", 0),
        ("<img srcset='" + "," * MEGABYTE + "'>", 0),
        ("<img srcset='a " + "0" * MEGABYTE + "w'>", 0),
        ("<img srcset='a -" + "1" * MEGABYTE + "x'>", 0),
        ("<area href=y ping='" + "a " * (MEGABYTE // 8) + f"' rel='{'b ' * (MEGABYTE // 4)}'>",
         MEGABYTE // 8 + 1),
        ("<button formaction=x>" * (MEGABYTE // 21), MEGABYTE // 21),
        ("<div>" * 400 + "<button formaction=x form=f></button>" * (MEGABYTE // 40),
         MEGABYTE // 40),
        ("<meta http-equiv=content-security-policy content='base-uri *'>" * (MEGABYTE // 63)
         + "<base href=/x>", 1),
        ("<meta http-equiv=content-security-policy content='" + "base-uri * " * (MEGABYTE // 11)
         + "'><base href=/x>", 1),
        ("<audio>" + "<source src=x>" * (MEGABYTE // 14), MEGABYTE // 14),
        ("<meta http-equiv=refresh content='1;" + " " * MEGABYTE + "url'>", 1),
        ("<meta http-equiv=refresh content='" + "1" * MEGABYTE + "'>", 0),
        ("<meta http-equiv=content-type content='" + "charset " * (MEGABYTE // 8) + "'>", 0),
        ("<a href='" + "../" * (MEGABYTE // 3) + "'>", 1),
        ("<a href='//" + "%" * MEGABYTE + "'>", 1),
        ("<" * MEGABYTE, 0),
        ("\0" * MEGABYTE, 0),
        ("\ud800" * MEGABYTE, 0),
        ("<a href='\ud800\0\u202e'>", 1),
        (b"\xff<a href=x>" * (MEGABYTE // 11), MEGABYTE // 11),
    ],
    ids=lambda value: f"{value[:20]!r}" if isinstance(value, str | bytes) else str(value),
)  # fmt: skip
def test_hostile_pages_are_read_to_the_end(source: str | bytes, count: int) -> None:
    """A megabyte of each; a quadratic step would keep this test busy for hours."""
    assert len(links(source, PAGE)) == count


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<a href=x> b\n<b>c </b>\t d\f</a>", ["b c d"]),
        ("<a href=x>\u00a0b\u2003</a>", ["\u00a0b\u2003"]),
        ("<a href=x></a><a href=y>", ["", ""]),
        ("<a href=x>1<script>2</script><style>3</style><!--4-->5<template>6</template>", ["15"]),
        ("<a href=x>1<svg><script>2</script><title>3</title></svg><noscript>4</noscript>", ["134"]),
        ("<p><a href=x>1<p>2</a>3<a href=y>4", ["12", "4"]),
        ("<a href=x>1<a href=y>2", ["1", "2"]),
        ("<a href=x>1<svg><a href=y>2</a></svg>3</a><a href=z>4", ["123", None, "4"]),
        ("<svg><a href=x>1<a href=y>2<a href=z>3", ["123", None, None]),
        ("<area href=x alt=' 1  2 '><area href=y>", ["1 2", None]),
        ("<a>1</a><a href=x>2</a>", ["2"]),
        ("<img src=x alt=1><link rel=next href=y><a ping=x href=y>2", [None, None, "2", None]),
        ("<template><a href=x>1</a></template><a href=y>2", ["2"]),
        ("<div><template shadowrootmode=open><a href=x>1</a></template></div>", ["1"]),
    ],
)
def test_the_text_of_a_hyperlink_is_what_people_see(source: str, wanted: list[str | None]) -> None:
    """Of elements that the parser makes of one tag, all of it. Only on request."""
    assert [link.text for link in links(source, PAGE, texts=True)] == wanted
    assert [link.text for link in html.page(source, PAGE, texts=True).links] == wanted
    assert {link.text for link in links(source, PAGE)} == {None}
    some = links(source, PAGE, texts=True, kinds={"hyperlink"})
    assert [link.text for link in some] == [
        text
        for link, text in zip(links(source, PAGE), wanted, strict=True)
        if link.kind == "hyperlink"
    ]


def test_texts_of_links_inside_one_another_take_linear_time() -> None:
    """The outermost has all of the text, and the others have none: a bound for the whole."""
    source = "<svg>" + "<a href=x>y" * 20_000
    assert sum(len(link.text or "") for link in links(source, PAGE, texts=True)) == 20_000

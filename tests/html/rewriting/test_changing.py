"""What becomes of a page when its links change, byte by byte."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

import weburl
from weburl.html import (
    CannotRewrite,
    Change,
    LinkInPage,
    PageLimitError,
    PageLimits,
    Remove,
    links,
    rewrite_links,
)

PAGE: Final = "https://e.com/d/p"
Answer = str | weburl.URLRecord | Remove | Change | None


def every(answer: Answer) -> Callable[[LinkInPage], Answer]:
    """Return a function that gives every link the same answer."""
    return lambda _: answer


def only(input: str, answer: Answer) -> Callable[[LinkInPage], Answer]:
    """Return a function that answers for one link, by its text."""
    return lambda link: answer if link.input == input else None


def in_full(link: LinkInPage) -> Answer:
    """Return the URL as text."""
    return link.record.href if link.record else None


CASES: Final[dict[str, tuple[Any, Callable[[LinkInPage], Answer], str | bytes | None]]] = {
    # Attributes
    "the first of two duplicates counts": (
        "<a href=x href=y>", every("/n"), '<a href="/n" href=y>'),
    "removal takes the duplicates": (
        '<a href=x HREF="y" id=z>', every(Remove.ATTRIBUTE), "<a id=z>"),
    "no value": ("<a href>", every("/n"), '<a href="/n">'),
    "an equals sign without a value": ("<a href= >", every("/n"), '<a href="/n">'),
    "a slash in a value without quotes": ("<img src=a/>", every("/n"), '<img src="/n">'),
    "out of single quotes": (
        "<a href='x'>", every("'><script>"), "<a href='&#39;&gt;&lt;script&gt;'>"),
    "out of no quotes": ("<a href=x>", every('" onload=x'), '<a href="&quot; onload=x">'),
    "references that need no semicolon": (
        '<a href="x">', every("/?a&copy=1&amp;"), '<a href="/?a&amp;copy=1&amp;amp;">'),
    "removal before the end of an SVG tag": (
        '<svg><a b=c href="x"/></svg>', every(Remove.ATTRIBUTE), "<svg><a b=c  /></svg>"),
    "removal after a slash in SVG": (
        "<svg><a/href=x></svg>", every(Remove.ATTRIBUTE), "<svg><a/ ></svg>"),
    "removal before a name with an equals sign": (
        '<a b href=x ="y">', every(Remove.ATTRIBUTE), '<a b  /  ="y">'),
    "removal between attributes without space": (
        '<a b="c"href="x"d=e>', every(Remove.ATTRIBUTE), '<a b="c" d=e>'),
    "a carriage return": ("<a href='x'>", every("a\rb"), "<a href='a&#13;b'>"),
    "nothing that is a link elsewhere": (
        ("<!--<a href=x>--><svg><![CDATA[<a href=x>]]></svg><template><a href=x></template>"
        "<style><a href=x></style><textarea><a href=x></textarea>"), every("/n"), None),
    "text that is the same": ("<a href=x>", every("x"), None),
    "a record that is the same": ("<a href=x>", lambda link: link.record, None),
    "a record that is another": (
        "<a href=x>", every(weburl.parse("https://h/é")), '<a href="https://h/%C3%A9">'),
    "a URL object": ("<a href=x>", every(weburl.URL("https://h/")), '<a href="https://h/">'),  # type: ignore[arg-type]
    # Several URLs in a value
    "only one URL of a srcset": (
        '<img srcset="a&#32;1x,&#10;b,c 2x">', only("b,c", "/n"),
        '<img srcset="a&#32;1x,&#10;/n 2x">'),
    "commas and spaces in a srcset": (
        '<img srcset="a 1x">', every(",x y,"), '<img srcset="%2Cx%20y%2C 1x">'),
    "one URL of a srcset removed": (
        '<img srcset="a 1x, b 2x, c 3x">', only("b", Remove.ATTRIBUTE),
        '<img srcset="a 1x, c 3x">'),
    "all URLs of a srcset removed": (
        '<img srcset="a 1x, b 2x" alt>', every(Remove.ATTRIBUTE), "<img alt>"),
    "one of several pings": (
        "<a href=x ping='a  b'>", only("b", "/n"), "<a href=x ping='a  /n'>"),
    "a reference without a semicolon in a srcset": (
        '<img srcset="a&amp 1x, c 2x">', only("c", "/n"), '<img srcset="a&amp; 1x, /n 2x">'),
    "another quote in a refresh": (
        """<meta http-equiv=refresh content="5; url='x' y">""", every("/it's"),
        """<meta http-equiv=refresh content="5; url=/it's">"""),
    "a refresh to what begins like one": (
        '<meta http-equiv=refresh content="5; x">', every("url=y"),
        '<meta http-equiv=refresh content="5; url=url=y">'),
    "a refresh to what begins with a quote": (
        '<meta http-equiv=refresh content="5; url=x">', every("'y"),
        """<meta http-equiv=refresh content="5; url=&quot;'y&quot;">"""),
    "a refresh that is removed does not wake the second": (
        "<meta http-equiv=refresh content='1;a'><meta http-equiv=refresh content='2;b'>",
        only("a", Remove.ATTRIBUTE), "<meta http-equiv=refresh><meta http-equiv=refresh>"),
    "speculation rules": (
        '<script type=speculationrules>{"prefetch": [{"urls": ["a"]}]}</script>',
        every("</script>"),
        '<script type=speculationrules>{"prefetch": [{"urls": ["\\u003c/script>"]}]}</script>'),
    "one of the speculation rules removed": (
        '<script type=speculationrules>{"prefetch": [{"urls": ["a", "b" ,"c"]}]}</script>',
        only("c", Remove.ATTRIBUTE),
        '<script type=speculationrules>{"prefetch": [{"urls": ["a", "b"]}]}</script>'),
    "the first of the speculation rules removed": (
        '<script type=speculationrules>{"prefetch": [{"urls": ["a", "b" ,"c"]}]}</script>',
        only("a", Remove.ATTRIBUTE),
        '<script type=speculationrules>{"prefetch": [{"urls": ["b" ,"c"]}]}</script>'),
    "the first two of the speculation rules removed": (
        '<script type=speculationrules>{"prefetch": [{"urls": ["a", "b" ,"c"]}]}</script>',
        lambda link: None if link.input == "c" else Remove.ATTRIBUTE,
        '<script type=speculationrules>{"prefetch": [{"urls": ["c"]}]}</script>'),
    # Base URLs
    "links keep their meaning when the base changes": (
        '<base href="/b/"><a href=x><a href="/y"><a href=#f>', only("/b/", "/c/"),
        '<base href="/c/"><a href="https://e.com/b/x"><a href="/y"><a href="https://e.com/b/#f">'),
    "links keep their meaning when the second base counts": (
        '<base href="/b/"><base href="/c/"><a href=x>', only("/b/", Remove.ATTRIBUTE),
        '<base><base href="/c/"><a href="https://e.com/b/x">'),
    "a record that the new base makes right": (
        '<base href="/b/"><a href=x>',
        lambda link: "/c/" if link.kind == "base" else weburl.parse("https://e.com/c/x"),
        '<base href="/c/"><a href=x>'),
    # Removal
    "a script never stays without its address": (
        "<script src=x>alert(1)</script>y", every(Remove.ATTRIBUTE), "y"),
    "the tags of a hyperlink": (
        'x <a href=1 title="t">y <b>z</b></a> w', every(Remove.TAGS), "x y <b>z</b> w"),
    "the tags of a hyperlink after which the one before would grow": (
        "<a href=1>x<a href=2>y</a>z", only("2", Remove.TAGS), "<a href=1>x<a>y</a>z"),
    "tags of what is not a hyperlink": ("<img src=x id=i>", every(Remove.TAGS), "<img id=i>"),
    "a void element": ("x<img src=1>y", every(Remove.ELEMENT), "xy"),
    "an element with what is inside": (
        "x<iframe src=1>y</iframe>z", every(Remove.ELEMENT), "xz"),
    "an element with another link inside": (
        "<p>x<object data=1><img src=2></object><img src=3>", only("1", Remove.ELEMENT),
        "<p>x<img src=3>"),
    "an element without an end": (
        "<p>x<video src=1>y", every(Remove.ELEMENT), "<p>x<video>y"),
    "xlink:href does not wake": (
        "<svg><a href=x xlink:href=y>", only("x", Remove.ATTRIBUTE), "<svg><a>"),
    "xlink:href that changes": (
        "<svg><a href=x xlink:href=y>", only("y", "/n"), '<svg><a href=x xlink:href="/n">'),
    "a source does not wake": (
        "<video src=a><source src=b></video>", only("a", Remove.ATTRIBUTE),
        '<video src=""><source src=b></video>'),
    # Where tags are
    "an attribute of a second body": (
        "<p>t<body background=x>", every("/n"), '<p>t<body background="/n">'),
    "an attribute of a second body inside what looks like one": (
        "<p>t<!--<body x='--><body <body background=x background=y>'", every("/n"),
        "<p>t<!--<body x='--><body <body background=\"/n\" background=y>'"),
    "an attribute of a second body removed as an element": (
        "<p>t<body background=x>", every(Remove.ELEMENT), "<p>t<body>"),
    "line breaks of two characters, and a byte order mark": (
        "\ufeff<p>\r\n<a\r\nhref=x>\r\n", every("/n"), '\ufeff<p>\r\n<a\r\nhref="/n">\r\n'),
    "a page in an attribute": (
        """<iframe srcdoc="<a href='x'>&lt;&quot;">""", in_full,
        """<iframe srcdoc="&lt;a href='https://e.com/d/x'&gt;&lt;&quot;">"""),
    "a page in a page in an attribute, with its base": (
        """<base href=/b/><iframe srcdoc="<iframe srcdoc='<a href=x>'>">""",
        lambda link: "/c/" if link.kind == "base" else None,
        ("""<base href="/c/"><iframe srcdoc="&lt;iframe srcdoc='&amp;lt;a href=&quot;"""
        """https://e.com/b/x&quot;&amp;gt;'&gt;">""")),
    "inert links": (
        "<video src=a><source src=b></video>", in_full,
        '<video src="https://e.com/d/a"><source src="https://e.com/d/b"></video>'),
    "noscript as without scripts": (
        '<noscript><p title="</noscript><a href=x>">', every("/n"), None),
    "overlapping tags": (
        "<a href=1><p>x<b></a>y", every("/n"), '<a href="/n"><p>x<b></a>y'),
    # Other attributes
    "rel set": ("<a href=x rel=me>", every(Change(set={"rel": "ugc"})), '<a href=x rel="ugc">'),
    "rel added": (
        "<a href=x rel=me>", every(Change(add={"rel": "ME ugc"})), '<a href=x rel="me ugc">'),
    "rel that is there": ("<a href=x rel='UGC  me'>", every(Change(add={"rel": "me ugc"})), None),
    "an empty rel": ("<a href=x rel>", every(Change(add={"rel": "ugc"})), '<a href=x rel="ugc">'),
    "target added": (
        "<a href=x>", every(Change(add={"target": "_blank"})), '<a href=x target="_blank">'),
    "target that is there": ("<a href=x target=t>", every(Change(add={"target": "_blank"})), None),
    "rel where there is no space": (
        '<a href="x"id=y>', every(Change(set={"rel": "ugc"})), '<a href="x" rel="ugc"id=y>'),
    "rel beside an equals sign without a value": (
        "<area href= >", every(Change(set={"rel": "ugc"})), '<area rel="ugc" href= >'),
    "an attribute unset, and the URL": (
        "<a onclick=y href=x>", every(Change("/n", unset=["ONCLICK"])), '<a href="/n">'),
    "an attribute unset that is absent": ("<a href=x>", every(Change(unset=["onclick"])), None),
    "two attributes": (
        "<a href=x>", every(Change(set={"A": "1", "b": "2"})), '<a href=x a="1" b="2">'),
    # Bytes
    "a reference without a semicolon in windows-1252": (
        b'<meta http-equiv=refresh content="2,url=&quot\xff;q">', every("/n"),
        b'<meta http-equiv=refresh content="2,url=&quot;/n">'),
    "speculation rules in Shift_JIS": (
        (b'<meta charset=shift_jis><script type=speculationrules>{"tag":"x","prefetch":[{"urls":'
        b'["\x83\x5c","a"]}]}</script>'), only("a", "/n"),
        (b'<meta charset=shift_jis><script type=speculationrules>{"tag":"x","prefetch":[{"urls":'
        b'["\\u30bd","/n"]}]}</script>')),
    "windows-1252": (
        '<meta charset=latin1>é<a href="é?é">'.encode("latin-1"), every("/ü"),
        '<meta charset=latin1>é<a href="/&#252;">'.encode("latin-1")),
    "UTF-8": ("é<a href='x'>".encode(), every("/ü"), "é<a href='/ü'>".encode()),
    "UTF-8 with a mark": (b"\xef\xbb\xbf<a href='x'>", every("/n"), b"\xef\xbb\xbf<a href='/n'>"),
    "invalid UTF-8": (
        b"<meta charset=utf-8>\xe9\xff<a href=x>", every("/\u00fc"),
        b'<meta charset=utf-8>\xe9\xff<a href="/&#252;">'),
    "invalid UTF-8 with a mark": (
        b"\xef\xbb\xbf\xff<a href=x>", every("/n"), b'\xef\xbb\xbf\xff<a href="/n">'),
    "UTF-16": (
        "\ufeffé😀<a href=x>".encode("utf-16-le"), every("/ü"),
        '\ufeffé😀<a href="/ü">'.encode("utf-16-le")),
    "UTF-16 from the other end": (
        "\ufeffé😀<a href=x>".encode("utf-16-be"), every("/ü"),
        '\ufeffé😀<a href="/ü">'.encode("utf-16-be")),
    "half a unit of UTF-16": (
        "\ufeff<a href=x>".encode("utf-16-le") + b"<", every("/n"),
        '\ufeff<a href="/n">'.encode("utf-16-le") + b"<"),
    "Shift_JIS": (
        b"<meta charset=shift_jis>\x83\x5c<a href=\x83\x5c>", every("/n"),
        b'<meta charset=shift_jis>\x83\x5c<a href="/n">'),
}  # fmt: skip
"""A page, what its links become, and the page afterwards, or None for the same."""


@pytest.mark.parametrize("name", CASES)
def test_only_the_asked_bytes_change(name: str) -> None:
    """Each case was wrong in some program, or at first in this one."""
    html, change, expected = CASES[name]
    assert rewrite_links(html, PAGE, change) == (html if expected is None else expected)


MORE: Final[dict[str, tuple[str, Any, Callable[[LinkInPage], Answer], str | bytes]]] = {
    "a style": (
        "css", "<p style='a:url(x) ,url(&quot;y&quot;)'>", every("/a'b)"),
        "<p style='a:url(/a\\27 b\\29 ) ,url(&quot;/a\\27 b)&quot;)'>"),
    "a style sheet": (
        "css", "<style>@import 'x';\r\na{b:url(y)}</style>", every("</style>"),
        "<style>@import '\\3c /style>';\r\na{b:url(\\3c /style>)}</style>"),
    "a style in SVG": (
        "css", "<svg><style>a:url(x)\r\n</style>", every("/n"),
        "<svg><style>a:url(/n)\r\n</style>"),
    "a style removed": (
        "css", "<p style='a:url(x);b:c'>", every(Remove.ATTRIBUTE), "<p style='a:url();b:c'>"),
    "a style sheet in windows-1252": (
        "css", b"<meta charset=latin1><style>/*\xe9*/a{b:url(\xe9)}</style>", every("/ü"),
        b"<meta charset=latin1><style>/*\\e9 */a{b:url(/\\fc )}</style>"),
    "an image for later": (
        "lazy", "<img data-src=x data-srcset='y 1x, z 2x'><p data-src=w>", in_full,
        ('<img data-src="https://e.com/d/x" data-srcset=\'https://e.com/d/y 1x, https://e.com/d/z '
        '2x\'><p data-src="https://e.com/d/w">')),
    "Open Graph": (
        "open_graph", "<meta property=og:image content=x><meta name=twitter:title content=x>",
        in_full,
        '<meta property=og:image content="https://e.com/d/x"><meta name=twitter:title content=x>'),
    "a long description": (
        "longdesc", "<img longdesc=x>", in_full, '<img longdesc="https://e.com/d/x">'),
    "Outlook's comments": (
        "conditional_comments",
        "<p>\r\n<!--[if mso]>\r\n<tr><td background=x><v:fill src='y' /><![endif]-->",
        every("-->/n"),
        ('<p>\r\n<!--[if mso]>\r\n<tr><td background="--&gt;/n"><v:fill src=\'--&gt;/n\' />'
        "<![endif]-->")),
    "Outlook's comments in windows-1252": (
        "conditional_comments",
        b"<meta charset=latin1>\xe9<!--[if a<!--[if mso]>\xe9<a href=x><![endif]-->", every("/n"),
        b'<meta charset=latin1>\xe9<!--[if a<!--[if mso]>\xe9<a href="/n"><![endif]-->'),
}  # fmt: skip
"""The name of an option, and the same as above."""


@pytest.mark.parametrize("name", MORE)
def test_what_browsers_do_not_follow_changes_on_request(name: str) -> None:
    """Without the option, the page stays as it is. With it, the links are found as well."""
    option, html, change, expected = MORE[name]
    options: dict[str, Any] = {option: True}
    assert rewrite_links(html, PAGE, change) == html
    assert rewrite_links(html, PAGE, change, **options) == expected
    assert not links(html, PAGE)
    assert links(html, PAGE, **options)


def test_a_fragment_has_links_that_a_page_would_not_have() -> None:
    """A row without its table."""
    html = "<tr><td background=x>"
    assert rewrite_links(html, PAGE, every("/n")) == html
    expected = '<tr><td background="/n">'
    assert rewrite_links(html, PAGE, every("/n"), context="template") == expected
    assert rewrite_links(html, PAGE, every("/n"), context="tbody") == expected
    with pytest.raises(TypeError, match="a fragment must be text"):
        rewrite_links(html.encode(), PAGE, every("/n"), context="template")
    with pytest.raises(ValueError, match="nosuch"):
        rewrite_links(html, PAGE, every("/n"), context="nosuch")


REFUSED: Final[dict[str, tuple[Any, Answer, str]]] = {
    "an empty src": (
        "<p>\n<img src=x>", "", "line 2, column 1, <img src>: an empty string is not a URL there"),
    "an empty candidate": (
        "<img srcset=x>", " ",
        "line 1, column 1, <img srcset>: an empty string is not a URL there"),
    "an empty refresh": (
        "<meta http-equiv=refresh content=1;x>", "",
        "line 1, column 1, <meta content>: a refresh without a URL reloads the page"),
    "NUL": ("<a href=x>", "\0", "line 1, column 1, <a href>: HTML cannot contain U+0000"),
    "a character without a reference": (
        b"<meta charset=latin1><a href=x>", "\x80",
        "line 1, column 22, <a href>: no character reference stands for U+0080 to U+009F"),
    "ISO-2022-JP": (
        b"<meta charset=iso-2022-jp><a href=x>", "/n",
        "bytes in ISO-2022-JP cannot be edited: pass text"),
    "an encoding that would be guessed anew": (
        b'<p>\xc3\xa9<a href="\xff">', "/n",
        "the page would no longer be read as windows-1252: pass encoding="),
    "a script in SVG": (
        "<svg><script href=x>", Remove.ATTRIBUTE,
        "line 1, column 6, <script href>: a script in SVG cannot be removed"),
    "a script without an end": (
        "<script src=x>", Remove.ATTRIBUTE,
        "line 1, column 1, <script src>: a script without an end cannot be removed"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_written_is_refused_with_its_place(name: str) -> None:
    """Rather than a guess."""
    html, answer, message = REFUSED[name]
    with pytest.raises(CannotRewrite) as caught:
        rewrite_links(html, PAGE, every(answer))
    assert str(caught.value) == message
    assert isinstance(caught.value, ValueError)


def test_an_encoding_that_is_passed_is_not_guessed() -> None:
    """So the page that is refused above can be changed."""
    html = b'<p>\xc3\xa9<a href="\xff">'
    output = rewrite_links(html, PAGE, every("/n"), encoding="windows-1252")
    assert output == b'<p>\xc3\xa9<a href="/n">'


@pytest.mark.parametrize(
    "html",
    [
        "<area href=x>",
        "<base href=x>",
        "<embed src=x>",
        "<frameset><frame src=x></frameset>",
        "<img src=x>",
        "<input type=image src=x>",
        "<link rel=next href=x>",
        "<meta http-equiv=refresh content=1;x>",
        "<picture><source srcset=x></picture>",
        "<video><track src=x></video>",
    ],
)
def test_a_void_element_is_removed_with_its_tag(html: str) -> None:
    """It has no end tag. What is around it stays."""
    output = rewrite_links(html, PAGE, every(Remove.ELEMENT))
    assert "=x" not in output
    assert output.count("<") == html.count("<") - 1


def test_a_style_in_svg_with_references_is_refused() -> None:
    """Its text is not its source."""
    with pytest.raises(CannotRewrite, match="the text of a style in SVG"):
        rewrite_links("<svg><style>a:url(x&amp;y)", PAGE, every("/n"), css=True)


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<a href=x>", "href"),
        ("<a href=x>", "a b"),
        ("<input type=image src=x>", "type"),
        ("<link rel=next href=x>", "rel"),
        ("<base href=x>", "target"),
    ],
)
def test_attributes_that_decide_what_a_link_is_cannot_be_changed(html: str, name: str) -> None:
    """A change of them would change other links."""
    for change in (Change(set={name: "y"}), Change(unset=[name])):
        with pytest.raises(ValueError, match=f"the attribute '{name}' of"):
            rewrite_links(html, PAGE, every(change))


def test_a_link_has_what_is_around_it() -> None:
    """The other attributes, its place in a value, and what it is relative to."""
    seen: list[tuple[object, ...]] = []

    def change(link: LinkInPage) -> None:
        seen.append((link.element, link.attribute, link.index, link.value_of("alt"), link.base_url))

    html = "<img alt=t srcset='a 1x, b 2x'><base href=/b/><q cite=x>"
    assert rewrite_links(html, PAGE, change) == html
    page, base = weburl.parse(PAGE), weburl.parse("https://e.com/b/")
    assert seen == [
        ("base", "href", 0, None, page),
        ("img", "srcset", 0, "t", page),
        ("img", "srcset", 1, "t", page),
        ("q", "cite", 0, None, base),
    ]


def test_a_link_of_two_kinds_is_one_call() -> None:
    """Whether browsers use the first or the second."""
    seen: list[str] = []
    html = "<link rel='next stylesheet' href=x><link rel='next' href=y>"

    def change(link: LinkInPage) -> str:
        seen.append(link.kind)
        return "/n"

    output = rewrite_links(html, PAGE, change)
    assert output == html.replace("=x", '="/n"').replace("=y", '="/n"')
    assert len(seen) == 2


def test_only_some_kinds_are_changed_on_request() -> None:
    """The names are those of `links`."""
    html = "<a href=x><img src=y>"
    output = rewrite_links(html, PAGE, every("/n"), kinds={"resource"})
    assert output == '<a href=x><img src="/n">'


def test_pages_in_attributes_stay_on_request() -> None:
    """And those that are more than four deep."""
    html = "<iframe srcdoc='<a href=x>'>"
    assert rewrite_links(html, PAGE, every("/n"), srcdoc=False) == html
    for depth in range(1, 7):
        page = "<a href=x>"
        for _ in range(depth):
            page = page.replace("&", "&amp;").replace('"', "&quot;")
            page = f'<iframe srcdoc="{page}">'
        assert (rewrite_links(page, PAGE, every("/n")) != page) is (depth <= 4)


@pytest.mark.parametrize("answer", [1, b"x", ["x"]])
def test_an_answer_of_another_type_is_an_error(answer: object) -> None:
    """As text in bytes would be."""
    with pytest.raises(TypeError, match="a link can become text"):
        rewrite_links("<a href=x>", PAGE, lambda _: answer)  # type: ignore[arg-type, return-value]


def test_one_string_is_not_a_list_of_kinds_or_attributes() -> None:
    """It would be taken for a list of its letters."""
    with pytest.raises(TypeError, match=r"kinds is an iterable .* not one string"):
        rewrite_links("<p>", "https://example.com/", lambda _: None, kinds="hyperlink")
    with pytest.raises(TypeError, match=r"kinds is an iterable .* not int"):
        weburl.html.links("<p>", "https://example.com/", kinds=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"unset is an iterable .* not one string"):
        Change(unset="rel")


def test_the_limits_are_those_of_a_page() -> None:
    """Also for pages in attributes."""
    with pytest.raises(PageLimitError):
        rewrite_links("<a href=x><a href=y>", PAGE, every(None), limits=PageLimits(links=1))
    with pytest.raises(PageLimitError):
        rewrite_links(
            "<iframe srcdoc='<a href=x><a href=y>'>", PAGE, every(None), limits=PageLimits(links=1)
        )


def test_the_error_has_no_password() -> None:
    """Only the place of the link."""
    with pytest.raises(CannotRewrite) as caught:
        rewrite_links("<img src=https://u:secret@h/>", PAGE, every(""))
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(caught.value)


@pytest.mark.parametrize(
    "html",
    [
        "<p><body background=x " + "<body background=x " * 20_000 + ">",
        "<p>" + "<body " * 20_000 + "background=x>",
        "<p><body background=x>" + "<body x=\"<body x='" * 10_000 + ">",
        """<script type=speculationrules>{"prefetch":[{"urls":["x\""""
        + ""","x\"""" * 20_000
        + "]}]}</script>",
        "<a " + "href=x " * 50_000 + ">",
        "<img srcset='" + "a&#32;1x&#44; " * 20_000 + "'>",
        "<!--[if a]>" * 20_000 + "<a href=x>-->",
        "<style>" + "a:url(x);" * 10_000,
    ],
    ids=range(8),
)
def test_hostile_pages_take_linear_time(html: str) -> None:
    """A quadratic step would take minutes."""
    limits = PageLimits(links=None, implied_elements=None)
    for answer in ("/n", Remove.ELEMENT):
        rewrite_links(html, PAGE, every(answer), limits=limits, css=True, conditional_comments=True)

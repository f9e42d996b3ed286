"""Tests of the template filters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.functional import lazystr
from django.utils.safestring import SafeString, mark_safe

import weburl
from django_whatwg_url.column.values import to_url
from django_whatwg_url.templatetags import whatwg_url
from weburl import parse

URL = "https://user:pass@EXAMPLE.com:8000/a b/?q=x+y&q=2&é=%C3%A9#top"

FILTERS = [
    "url_href",
    "url_text",
    "url_scheme",
    "url_username",
    "url_host",
    "url_registrable_domain",
    "url_port",
    "url_origin",
    "url_path",
    "url_query",
    "url_fragment",
    'url_param:"q"',
    'url_set_param:"q=3"',
    'url_without_param:"q"',
    "url_without_fragment",
    "url_display",
    "url_display_html",
    'url_join:"https://base.example/"',
]


def render(expression: str, **context: Any) -> str:
    """Return what a template makes of an expression."""
    template = Template("{% load whatwg_url %}{{ " + expression + " }}")
    return template.render(Context(context))


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ("url_href", "https://example.com:8000/a%20b/?q=x+y&amp;q=2&amp;%C3%A9=%C3%A9#top"),
        (
            "url_text",
            "https://user:pass@example.com:8000/a%20b/?q=x+y&amp;q=2&amp;%C3%A9=%C3%A9#top",
        ),
        ("url_scheme", "https"),
        ("url_username", "user"),
        ("url_host", "example.com"),
        ("url_registrable_domain", "example.com"),
        ("url_port", "8000"),
        ("url_fragment", "top"),
        (
            'url_set_param:"q=3=4&"',
            "https://user:pass@example.com:8000/a%20b/?q=3%3D4%26&amp;%C3%A9=%C3%A9#top",
        ),
        (
            'url_without_param:"q"',
            "https://user:pass@example.com:8000/a%20b/?%C3%A9=%C3%A9#top",
        ),
        ("url_origin", "https://example.com:8000"),
        ("url_path", "/a%20b/"),
        ("url_query", "q=x+y&amp;q=2&amp;%C3%A9=%C3%A9"),
        ('url_param:"q"', "x y"),
        ('url_param:"é"', "é"),
        ('url_param:"none"', ""),
        ("url_display", "https://example.com:8000/a%20b/?q=x+y&amp;q=2&amp;é=é#top"),
        ("url_display:32", "https://example.com:8000/a%20b/…"),
        (
            "url_display_html:25",
            (
                '<bdi class="url" dir="ltr"><span class="url-scheme">https://</span>'
                '<strong class="url-registrable-domain">example.com</strong>'
                '<span class="url-port">:8000</span><span class="url-path">/…</span></bdi>'
            ),
        ),
        (
            "url_without_fragment",
            "https://user:pass@example.com:8000/a%20b/?q=x+y&amp;q=2&amp;%C3%A9=%C3%A9",
        ),
    ],
)
@pytest.mark.parametrize("kind", [str, parse, weburl.URL, lazystr, mark_safe])
def test_a_filter_takes_a_url_apart(kind: Any, filter: str, expected: str) -> None:
    """It accepts text, a record, the mutable class, and lazy or safe text."""
    assert render(f"url|{filter}", url=kind(URL)) == expected


@pytest.mark.parametrize(
    ("url", "filter", "expected"),
    [
        ("javascript:alert(1)", "url_href", ""),
        ("data:text/html,<script>", "url_href", ""),
        ("java\nscript:alert(1)//https://a/", "url_href", ""),
        ("blob:https://a/b", "url_href", ""),
        ("ftp://a/", "url_href", ""),
        ('http://a:80/"onclick=', "url_href", "http://a/%22onclick="),
        ("https://user@a/", "url_href", "https://a/"),
        ("https://a/", "url_username", ""),
        ("https://a:443/", "url_port", ""),
        ("https://a:0/", "url_port", "0"),
        ("https://a/", "url_fragment", ""),
        ("https://www.example.co.uk/", "url_registrable_domain", "example.co.uk"),
        ("https://127.0.0.1/", "url_registrable_domain", ""),
        ("https://co.uk/", "url_registrable_domain", ""),
        ("mailto:a@b", "url_registrable_domain", ""),
        ("https://a/", 'url_set_param:"q"', "https://a/?q="),
        ("https://a/??q=1", 'url_set_param:"p=2"', "https://a/??q=1&amp;p=2"),
        ("https://a/?q=%FC&flag", 'url_set_param:"p=2"', "https://a/?q=%FC&amp;flag&amp;p=2"),
        ("https://a/?q=%FC&flag&x", 'url_without_param:"x"', "https://a/?q=%FC&amp;flag"),
        ("/login/", 'url_set_param:"next=/a"', "/login/?next=%2Fa"),
        ("/a/../b?q=%FC&flag&p=1#x", 'url_set_param:"p=2"', "/a/../b?q=%FC&amp;flag&amp;p=2#x"),
        ("?p=1#x", 'url_without_param:"p"', "?#x"),
        ("?p=1&q", 'url_set_param:"p=2"', "?p=2&amp;q"),
        ("#top", 'url_set_param:"p=2"', "?p=2#top"),
        ("../a", 'url_set_param:"p=2"', "../a?p=2"),
        ("//evil.example/", 'url_set_param:"p=2"', ""),
        ("/\\evil.example/", 'url_set_param:"p=2"', ""),
        ("/\t/evil.example/", 'url_set_param:"p=2"', ""),
        ("\x01//evil.example/", 'url_set_param:"p=2"', ""),
        ("page", 'url_set_param:"p=2"', ""),
        ("https://a/?q=1#f", 'url_without_param:"q"', "https://a/#f"),
        ("https://a/?", 'url_without_param:"q"', "https://a/?"),
        ("mailto:a@b", "url_host", ""),
        ("mailto:a@b", "url_path", "a@b"),
        ("mailto:a@b", "url_origin", "null"),
        ("file:///x", "url_host", ""),
        ("http://[::1]:80/", "url_host", "[::1]"),
        ("http://münchen.de/", "url_host", "xn--mnchen-3ya.de"),
        ("https://a/?", "url_query", ""),
        ("https://a/", "url_query", ""),
        ("https://a/", 'url_param:"q"', ""),
        ("https://a/?q", 'url_param:"q"', ""),
        ("https://a/?1=x", "url_param:1", "x"),
        ("https://a/#", "url_without_fragment", "https://a/"),
        ("https://a/?b#c?d#e", "url_without_fragment", "https://a/?b"),
        ("data:,x #y", "url_without_fragment", "data:,x%20"),
        ("web+demo:/.//x", "url_path", "//x"),
    ],
)
def test_parts_that_a_url_lacks_are_empty(url: str, filter: str, expected: str) -> None:
    """Opaque paths, addresses and empty queries follow the standard."""
    assert render(f"url|{filter}", url=url) == expected


class Junk:
    """An object that is no URL, and whose text must not be asked for."""

    def __str__(self) -> str:
        raise RuntimeError("asked for its text")

    def __repr__(self) -> str:
        return "Junk()"


@pytest.mark.parametrize("filter", FILTERS[:-1])
@pytest.mark.parametrize(
    "value",
    [
        *(None, "", "bad", "https://", 5, 1.5, [], {}, b"https://a/"),
        pytest.param(object(), id="object()"),
        *(Junk(), to_url("bad")),
    ],
    ids=repr,
)
def test_a_filter_makes_nothing_of_what_is_no_url(filter: str, value: object) -> None:
    """A template renders in any case."""
    assert render(f"url|{filter}", url=value) == ""


def test_an_undefined_variable_is_empty() -> None:
    """Django's own filters do the same."""
    assert render("nothing|url_host") == ""


@pytest.mark.parametrize("filter", [name for name in FILTERS if name != "url_display_html"])
def test_a_filters_result_is_escaped(filter: str) -> None:
    """None of them claims that its text is safe, even if its input did."""
    value = mark_safe("x:<b>'\"&?q=<b>#<b>")
    html = render(f"url|{filter}", url=value)
    assert "<" not in html and '"' not in html and "'" not in html
    function = whatwg_url.register.filters[filter.partition(":")[0]]
    assert not getattr(function, "is_safe", False)


@pytest.mark.parametrize(
    ("link", "base", "expected"),
    [
        ("../b?c", "https://example.com/a/x/y", "https://example.com/a/b?c"),
        ("//other.example", "https://example.com/", "https://other.example/"),
        ("HTTPS://other.example", "https://example.com/", "https://other.example/"),
        ("#top", parse("https://example.com/"), "https://example.com/#top"),
        ("", "https://example.com/a#b", "https://example.com/a"),
        (parse("https://other.example/"), "https://example.com/", "https://other.example/"),
        (to_url("a b"), "https://example.com/", "https://example.com/a%20b"),
        ("https://a", None, "https://a/"),
        ("https://a", "", "https://a/"),
        ("a", None, ""),
        ("a", "bad", ""),
        ("https://a", "bad", ""),
        ("a", Junk(), ""),
        ("a", "mailto:x", ""),
        (None, "https://example.com/", ""),
        (Junk(), "https://example.com/", ""),
    ],
    ids=repr,
)
def test_a_link_is_joined_to_its_page(link: object, base: object, expected: str) -> None:
    """Browsers do the same. Without a valid page, only a whole URL works."""
    assert render("link|url_join:base", link=link, base=base) == expected


def test_filters_can_be_chained() -> None:
    """Each takes what the other gives."""
    assert render('"/x?q=1#y"|url_join:page|url_without_fragment', page="https://a/") == (
        "https://a/x?q=1"
    )


def test_the_library_offers_exactly_the_documented_filters() -> None:
    """Their names are public, and those of the two tags. Some take data, text or HTML."""
    others = ["absolute_links", "url_json_script", "url_linkify", "with_rel"]
    names = [*(filter.partition(":")[0] for filter in FILTERS), *others]
    assert sorted(whatwg_url.register.filters) == sorted(names)
    assert list(whatwg_url.register.tags) == ["url_set_param", "url_linkify"]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ("page=2 q=term", "https://a/?q=%26%C3%A9&amp;page=2#f"),
        ("q=nothing", "https://a/#f"),
        ("value=number", "https://a/?q=1&amp;value=5#f"),
        ("", "https://a/?q=1#f"),
    ],
)
def test_the_tag_sets_parameters_from_variables(params: str, expected: str) -> None:
    """They may have any name, and None removes a parameter."""
    template = Template("{% load whatwg_url %}{% url_set_param url " + params + " %}")
    context = Context({"url": "https://a?q=1#f", "term": "&é", "nothing": None, "number": 5})
    assert template.render(context) == expected


def test_the_tag_takes_the_path_of_a_request() -> None:
    """The method itself, as templates call it."""
    template = Template("{% load whatwg_url %}{% url_set_param request.get_full_path page=3 %}")
    request = RequestFactory().get("/search/?q=%FC&page=2")
    assert template.render(Context({"request": request})) == "/search/?q=%FC&amp;page=3"


def test_the_tag_makes_nothing_of_what_is_no_url() -> None:
    """The filters do the same."""
    template = Template("{% load whatwg_url %}{% url_set_param url a=1 %}")
    assert template.render(Context({"url": "bad"})) == ""


def test_a_second_question_mark_belongs_to_the_name() -> None:
    """Only the constructor of params removes a question mark."""
    assert render('url|url_param:"q"', url="https://h/??q=1") == ""
    assert render('url|url_param:"?q"', url="https://h/??q=1") == "1"


def test_the_html_of_a_url_is_safe_and_escapes_what_is_in_it() -> None:
    """The input may be marked as safe."""
    html = render("url|url_display_html", url=mark_safe("x:<b>'\"&?q=<b>#<b>"))
    assert "<b>" not in html and html.count("&lt;b&gt;") == 1
    assert isinstance(whatwg_url.url_display_html("bad"), SafeString)
    assert isinstance(whatwg_url.url_display_html(URL), SafeString)
    assert not isinstance(whatwg_url.url_display(URL), SafeString)


@pytest.mark.parametrize(
    "length", [None, "", 0, -1, "x", 1.5, [], "\u00b2", Junk(), "9" * 5000], ids=repr
)
@pytest.mark.parametrize("filter", ["url_display", "url_display_html"])
def test_a_length_that_is_none_elides_nothing(filter: str, length: object) -> None:
    """Like Django's filters, it shows more instead of nothing after a mistake."""
    assert render(f"url|{filter}:length", url=URL, length=length) == render(
        f"url|{filter}", url=URL
    )


def test_a_length_may_be_text() -> None:
    """Variables of a template often are."""
    assert render("url|url_display:length", url=URL, length="1") == "https://example.com:8000/…"


@pytest.mark.parametrize(
    "filter",
    [
        'default:"x"',
        'default_if_none:"x"',
        "escape",
        "force_escape",
        "lower",
        'stringformat:"s"',
        "truncatechars:12",
        "urlencode",
        "urlize",
        "upper",
        "wordwrap:5",
        "",
    ],
)
def test_these_filters_of_djangos_take_a_record_as_they_take_text(filter: str) -> None:
    """The page on template filters names them."""
    page = Path(__file__).parents[2] / "docs" / "templates.md"
    name = filter.replace(':"x"', "").replace(":12", "").replace(":5", "")
    assert not name or f"`{name}`" in page.read_text(encoding="utf-8")
    piped = f"url|{filter}".removesuffix("|")
    assert render(piped, url=parse(URL)) == render(piped, url=parse(URL).href)


@pytest.mark.parametrize(
    "filter",
    ["url_display", "url_display:30", "url_display_html", "url_href", "url_host", "url_origin"],
)
def test_filters_that_show_a_url_show_no_credentials(filter: str) -> None:
    """`url_username` does, and those that change a URL keep them."""
    url = "https://ann:hunter2@h.example/a?b#c"
    shown = render(f"url|{filter}", url=url)
    assert "h.example" in shown
    assert "hunter2" not in shown
    assert "ann" not in shown.replace("<span", "")
    assert "hunter2" in render("url|url_without_fragment", url=url)


def test_the_page_shows_what_each_filter_gives() -> None:
    """A table shows it for one URL, and a relative URL is resolved on a page."""
    page = Path(__file__).parents[2] / "docs" / "templates.md"
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(url_\S+)` \| `(.+)` \|$", text)
    (url,) = re.findall(r"(?m)^\| filter \| `(\S+)` \|$", text)
    assert len(rows) == 16
    for filter, expected in rows:
        assert (
            Template("{% load whatwg_url %}{{ url|" + filter + " }}").render(Context({"url": url}))
            == expected
        )
    found = render("'../c'|url_join:page", page="https://www.example.com/a/b/")
    assert found == "https://www.example.com/a/c"

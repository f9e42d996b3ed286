"""`weburl.standard.rendering.html` returns what `render` shows as escaped HTML."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from tests.standard.rendering.test_text import HEBREW, ISOLATES, records
from weburl import URLRecord, parse, render, render_html


class Outline(HTMLParser):
    """A parser that collects the elements of HTML with their classes, and the text in them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, str]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_each_part_is_marked_up_and_the_registrable_domain_emphasised() -> None:
    """Credentials are left out, and characters with a meaning in HTML are escaped."""
    html = render_html(parse("https://u:p@www.example.co.uk:81/a&b?q='<&#x\">"))
    assert html == (
        '<bdi class="url" dir="ltr"><span class="url-scheme">https://</span>'
        '<span class="url-subdomain">www.</span>'
        '<strong class="url-registrable-domain">example.co.uk</strong>'
        '<span class="url-port">:81</span><span class="url-path">/a&amp;b</span>'
        '<span class="url-query">?q=%27%3C&amp;</span>'
        '<span class="url-fragment">#x%22%3E</span></bdi>'
    )


def test_a_host_that_no_one_registered_is_emphasised_too() -> None:
    """Such hosts are addresses, public suffixes and opaque hosts."""
    for url, host in (("http://1/", "0.0.0.1"), ("http://co.uk/", "co.uk"), ("a://b/", "b")):
        assert f'<strong class="url-host">{host}</strong>' in render_html(parse(url))
    assert "strong" not in render_html(parse("file:///x")) + render_html(parse("mailto:x"))


def test_quotation_marks_of_opaque_paths_are_escaped() -> None:
    """Only opaque paths can contain quotation marks and angle brackets."""
    html = render_html(parse("data:text/html,<script>'\"&amp;</script>"))
    assert "text/html,&lt;script&gt;&#x27;&quot;&amp;amp;&lt;/script&gt;" in html


def test_words_from_right_to_left_have_their_own_elements() -> None:
    """Text has invisible marks instead."""
    html = render_html(parse(HEBREW))
    assert "<bdi>\u05d0\u05d1</bdi>.</span>" in html
    assert "<bdi>\u05d2\u05d3</bdi>.example</strong>" in html
    assert not ISOLATES.search(html)


@given(
    records(),
    st.one_of(st.none(), st.integers(1, 60)),
    st.sampled_from((None, "host", "registrable_domain")),
    st.booleans(),
)
def test_the_html_shows_what_the_text_shows(
    record: URLRecord, max_length: int | None, only: object, omit: bool
) -> None:
    """The HTML is well-formed, and no part of the URL is in a tag."""
    options = {
        "max_length": max_length,
        "only": only,
        "omit_www": omit,
        "omit_scheme": "https" if omit else None,
    }
    html = render_html(record, **options)  # type: ignore[arg-type]
    outline = Outline(html)
    assert outline.open == []
    assert outline.text == ISOLATES.sub("", render(record, **options))  # type: ignore[arg-type]
    assert outline.text == unescape(re.sub("<[^>]*>", "", html))
    assert outline.elements[0] == ("bdi", "url")
    assert {tag for tag, _ in outline.elements} <= {"bdi", "span", "strong"}

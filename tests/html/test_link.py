"""Links as values, and what becomes of them when the base URL changes."""

from __future__ import annotations

import weburl
from weburl.html import (
    Document,
    LinkKind,
    PageLink,
    links,
    page,
    respond_to_base_url_changes,
    set_frozen_base_url,
    set_url,
)

PAGE = "https://example.com/a/"
HTML = """
<a href=x ping=x>1</a> <area href=x> <link rel=next href=x> <link rel=icon href=x>
<img src=x srcset="x 2x"> <iframe src=x></iframe> <form action=x></form> <form action></form>
<q cite=x></q> <meta http-equiv=refresh content="9;x"> <a href="https://[">2</a>
<script type=speculationrules>{"prefetch": [{"urls": ["x"]}]}</script>
"""


def test_what_is_used_later_follows_the_base_url_and_what_was_loaded_does_not() -> None:
    """The standard's example: an image stays, and its address in the page reads anew."""
    before = page(HTML, PAGE)
    changed = set_url(before.document, "https://example.com/b/#f")
    after = respond_to_base_url_changes(before.links, changed)
    follows = {
        link.kind
        for link, now in zip(before.links, after, strict=True)
        if link.record is not None and link != now
    }
    assert follows == {
        LinkKind.HYPERLINK,
        LinkKind.PING,
        LinkKind.RELATION,
        LinkKind.SUBMISSION,
        LinkKind.CITATION,
        LinkKind.SPECULATION,
    }
    stays = {link.kind for link in before.links} - follows
    assert stays == {LinkKind.RESOURCE, LinkKind.FRAME, LinkKind.REFRESH}
    assert {str(link.record) for link in after if link.kind in follows} == {
        "https://example.com/b/x",
        "https://example.com/b/#f",  # the form without an address
        "None",  # what is no URL
    }


def test_links_are_the_same_as_those_of_a_page_that_has_that_base_from_the_start() -> None:
    """Those that follow it."""
    before = page(HTML, PAGE)
    document = set_frozen_base_url(before.document, "sub/")
    after = respond_to_base_url_changes(before.links, document)
    fresh = links(f"<base href=sub/>{HTML}", PAGE)[1:]
    for link, expected in zip(after, fresh, strict=True):
        if link.kind not in ("resource", "frame", "refresh"):
            assert link.record == expected.record


def test_nothing_changes_without_a_change() -> None:
    """Of the base URL; a link that had none has none again."""
    before = page(HTML, PAGE)
    after = respond_to_base_url_changes(before.links, before.document)
    assert after == before.links
    assert after[-2].error is not None
    assert set_url(before.document, PAGE) == before.document


def test_a_link_may_become_a_url_and_cease_to_be_one() -> None:
    """A relative one on a page without a base."""
    blank = Document("about:blank")
    (link,) = links("<a href=x>", "about:blank")
    assert link.record is None
    assert link.error is not None
    (link,) = respond_to_base_url_changes([link], set_frozen_base_url(blank, PAGE))
    assert (link.record, link.error) == (weburl.parse("x", PAGE), None)
    (link,) = respond_to_base_url_changes([link], blank)
    assert link.record is None
    assert link.error is not None


def test_links_are_values_whose_errors_do_not_count() -> None:
    """Two of the same text are equal, and hashable, also where the text is no URL."""
    first, second = (links("<a href='https://['>", PAGE)[0] for _ in range(2))
    assert first.error is not second.error
    assert first == second
    assert len({first, second}) == 1


def test_a_kind_is_a_text() -> None:
    """So that it can be named without importing it."""
    link = PageLink(LinkKind.FRAME, "iframe", "src", "x", weburl.parse(PAGE))
    assert link.kind == "frame"
    assert f"{link.kind}" == "frame"

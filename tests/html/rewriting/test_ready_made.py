"""What newsletters, archives and moderators do with the links of a page."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import pytest

import weburl
from tests.html.rewriting.checking import LIMITS, URL
from tests.html.rewriting.made_up import made_up_page
from weburl import URLParseError, URLPolicy
from weburl.html import (
    PageLimitError,
    PageLink,
    Remove,
    absolute_links,
    links,
    move_host,
    relative_links,
    with_params,
    with_rel,
    without_refused_links,
)

PAGE: Final = "https://e.com/d/p"


def test_absolute_links_are_in_full() -> None:
    """Except those that already are, those within the page, and templates."""
    html = """<p>&nbsp;
    <a href="/a?x=1&amp;y=2">t</a><a href=#top><a href='{{ u }}'>
    <img src=i srcset="j 2x">
    <a href=HTTP://h><a href=mailto:x@h><a href="https://["><a href=//h><a href=https:x>
    <a href='*|U|*'><a href="{% u %}"><a href=%%u%%>"""
    expected = """<p>&nbsp;
    <a href="https://e.com/a?x=1&amp;y=2">t</a><a href=#top><a href='{{ u }}'>
    <img src="https://e.com/d/i" srcset="https://e.com/d/j 2x">
    <a href=HTTP://h><a href=mailto:x@h><a href="https://["><a href="https://h/"><a href="https://e.com/d/x">
    <a href='*|U|*'><a href="{% u %}"><a href=%%u%%>"""
    assert absolute_links(html, PAGE) == expected
    assert absolute_links(html.encode(), PAGE) == expected.encode()
    assert absolute_links(expected, PAGE) == expected


def test_absolute_links_follow_the_base_element() -> None:
    """With it, a fragment leads to another page."""
    html = "<base href=/b/><a href=x><a href=#f>"
    expected = (
        '<base href="https://e.com/b/"><a href="https://e.com/b/x"><a href="https://e.com/b/#f">'
    )
    assert absolute_links(html, PAGE) == expected
    assert absolute_links(html, PAGE, keep_base=False) == expected.replace(
        ' href="https://e.com/b/"', "", 1
    )


def test_a_fragment_is_written_in_full_on_request() -> None:
    """For a feed whose items have no page of their own."""
    assert absolute_links("<a href=#f>", PAGE, keep_fragments=False) == f'<a href="{PAGE}#f">'


def test_a_newsletter_has_links_in_styles_and_for_outlook() -> None:
    """Each with its option."""
    html = "<td style='a:url(x)'><!--[if mso]><v:fill src=y><![endif]--><img data-src=z>"
    html = f"<table>{html}"
    output = absolute_links(html, PAGE, css=True, conditional_comments=True, lazy=True)
    assert output == (
        "<table><td style='a:url(https://e.com/d/x)'><!--[if mso]>"
        '<v:fill src="https://e.com/d/y"><![endif]--><img data-src="https://e.com/d/z">'
    )


def test_relative_links_are_those_to_the_own_origin() -> None:
    """Each relative to what it is resolved against."""
    html = "<a href=https://e.com/a/b?c#d><a href=https://other.example/><img src=//e.com/d/i>"
    expected = '<a href="../a/b?c#d"><a href=https://other.example/><img src="i">'
    assert relative_links(html, PAGE) == expected
    assert relative_links(f"<base href=/a/>{html}", PAGE) == (
        '<base href=/a/><a href="b?c#d"><a href=https://other.example/><img src="../d/i">'
    )
    assert relative_links(f"<img src={PAGE}><a href='{{{{ u }}}}'>", PAGE) == (
        f"<img src={PAGE}><a href='{{{{ u }}}}'>"
    )


def test_a_host_moves_with_everything_else_kept() -> None:
    """The scheme, the port, and the way it was written without a scheme."""
    html = (
        "<a href=http://old.example:81/a?b#c><a href=//OLD.example/x><a href=/y>"
        "<a href=http://sub.old.example/><a href='https://old.example/{{ x }}'>"
    )
    expected = (
        '<a href="http://new.example:81/a?b#c"><a href="//new.example/x"><a href=/y>'
        "<a href=http://sub.old.example/><a href='https://old.example/{{ x }}'>"
    )
    assert move_host(html, "old.example", "new.example") == expected
    assert move_host(html, ".old.example", "new.example") == expected.replace(
        "=http://sub.old.example/", '="http://new.example/"'
    )


def test_a_host_moves_with_the_base_of_a_page() -> None:
    """Then its relative links move without a change."""
    html = "<base href=http://old.example/><a href=x><a href=//other.example/>"
    expected = html.replace("=http://old.example/", '="http://new.example/"')
    assert move_host(html, "old.example", "new.example") == expected


@pytest.mark.parametrize(("old", "new"), [("a b", "c"), ("a", "b c"), ("", "b")])
def test_a_host_that_does_not_parse_is_an_error(old: str, new: str) -> None:
    """Before any page is read."""
    with pytest.raises(URLParseError):
        move_host("", old, new)


def test_parameters_are_for_hyperlinks_to_some_hosts() -> None:
    """They are set once, and the rest of the query stays."""
    html = (
        "<a href='https://shop.example/?a=%7e&amp;utm_source=old#f'><a href=https://other.example/>"
        "<img src=https://shop.example/i><a href=/x><a href='https://shop.example/?{{ q }}'>"
    )
    expected = html.replace("utm_source=old", "utm_source=n%26l")
    params = {"utm_source": "n&l"}
    assert with_params(html, "shop.example", params) == expected
    assert with_params(expected, ["shop.example"], params) == expected
    assert with_params(html, ".example", params).count("utm_source=n%26l") == 2
    assert with_params("<a href=/x>", "e.com", params, base=PAGE) == (
        '<a href="https://e.com/x?utm_source=n%26l">'
    )


def test_rel_is_added_to_hyperlinks() -> None:
    """After the keywords that are there, and not twice."""
    html = "<a href=x rel=me>1</a><area href=y><link href=z rel=next><svg><a href=w></svg>"
    expected = (
        '<a href=x rel="me nofollow ugc">1</a><area href=y rel="nofollow ugc">'
        '<link href=z rel=next><svg><a href=w rel="nofollow ugc"></svg>'
    )
    assert with_rel(html, "nofollow ugc") == expected
    assert with_rel(expected, "nofollow ugc") == expected


def test_rel_is_not_added_to_links_to_own_hosts() -> None:
    """Nor to relative ones, unless they have a host."""
    html = (
        "<a href=/x><a href=https://e.com/><a href=mailto:x@h>"
        "<a href=//other.example/><a href=https://sub.e.com/><a href=https://[>"
    )
    others = html.replace("other.example/", 'other.example/ rel="ugc"')
    others = others.replace("https://[", 'https://[ rel="ugc"')
    assert with_rel(html, "ugc", own_hosts=[".e.com"]) == others
    assert with_rel(html, "ugc", own_hosts="e.com") == others.replace(
        "sub.e.com/", 'sub.e.com/ rel="ugc"'
    )


def test_refused_links_lose_their_url_and_keep_their_text() -> None:
    """So do links that are no URL."""
    policy = URLPolicy.public_link().narrowed(refused_hosts=["evil.example"])
    html = (
        "<a href=javascript:alert(1)>a</a><a href=https://evil.example/{{x}}>b</a>"
        "<a href=https://[>c</a><a href=/x>d</a><img src=https://evil.example/>"
    )
    assert without_refused_links(html, PAGE, policy) == (
        "<a>a</a><a>b</a><a>c</a><a href=/x>d</a><img src=https://evil.example/>"
    )
    assert without_refused_links(html, PAGE, policy, how=Remove.TAGS) == (
        "abc<a href=/x>d</a><img src=https://evil.example/>"
    )
    assert without_refused_links(html, PAGE, policy, kinds={"resource"}, how=Remove.ELEMENT) == (
        html.replace("<img src=https://evil.example/>", "")
    )


def test_a_refused_link_is_not_hidden_by_noscript() -> None:
    """A page is two pages: a browser with scripts sees links that one without does not see."""
    policy = URLPolicy.public_link()
    html = '<noscript><p title="</noscript><a href=javascript:alert(1)>x</a>"></noscript>'
    assert not links(html, PAGE)
    output = without_refused_links(html, PAGE, policy)
    assert output == html.replace(" href=javascript:alert(1)", "")
    assert without_refused_links(html.encode("utf-16"), PAGE, policy) == output.encode("utf-16")


def _key(link: PageLink) -> tuple[object, ...]:
    return link.kind, link.element, link.attribute, link.input, link.record


def _is_true_of(html: str) -> None:
    old = links(html, URL, inert=True, limits=LIMITS)
    policy = URLPolicy.public_link()

    def read(page: str, scripting: bool = False) -> tuple[PageLink, ...]:
        return links(page, URL, inert=True, limits=LIMITS, scripting=scripting)

    output = without_refused_links(html, URL, policy, limits=LIMITS)
    for scripting in (False, True):
        found = [link for link in read(output, scripting) if link.kind == "hyperlink"]
        assert all(link.record is not None and policy.allows(link.record) for link in found)
    others = [_key(link) for link in old if link.kind not in ("hyperlink", "ping")]
    assert [_key(x) for x in read(output) if x.kind not in ("hyperlink", "ping")] == others

    for keep_base in (True, False):
        output = absolute_links(html, URL, keep_fragments=False, keep_base=keep_base, limits=LIMITS)
        elsewhere = links(output, "https://elsewhere.example/", inert=True, limits=LIMITS)
        expected = [link for link in old if keep_base or link.kind != "base"]
        for link, new in zip(expected, elsewhere, strict=True):
            is_template = "{{" in link.input
            assert link.record is None or is_template or link.record == new.record

    output = with_rel(html, "nofollow ugc", limits=LIMITS)
    found = [link for link in read(output) if link.kind == "hyperlink"]
    assert all({"nofollow", "ugc"} <= set(link.rel) for link in found)
    assert list(map(_key, read(output))) == list(map(_key, old))
    assert with_rel(output, "nofollow ugc", limits=LIMITS) == output

    output = with_params(html, "o.example", {"utm_source": "n&l"}, limits=LIMITS)
    for link, new in zip(old, read(output), strict=True):
        record = new.record
        if link.kind == "hyperlink" and link.record and link.record.hostname == "o.example":
            assert record is not None
            assert (record.query or "").endswith("utm_source=n%26l")
        else:
            assert _key(link) == _key(new)

    output = relative_links(html, URL, limits=LIMITS)
    for link, new in zip(old, read(output), strict=True):
        assert link.record == new.record


@pytest.mark.parametrize("seed", range(4))
def test_they_do_what_they_promise_on_made_up_pages(seed: int) -> None:
    """The pages have every trick of `made_up`."""
    done = 0
    for number in range(150):
        html = made_up_page(Random(f"{seed}/ready/{number}"))  # not for secrets
        try:
            _is_true_of(html)
            done += 1
        except PageLimitError:
            continue
        except Exception as error:
            error.add_note(repr(html))
            raise
    assert done > 140


@pytest.mark.parametrize(
    "change",
    [
        lambda html: absolute_links(html, PAGE),
        lambda html: relative_links(html, PAGE),
        lambda html: move_host(html, "a.example", "b.example"),
        lambda html: with_params(html, "a.example", {"x": "y"}),
        lambda html: with_rel(html, "ugc"),
        lambda html: without_refused_links(html, PAGE, weburl.URLPolicy.public_link()),
    ],
)
def test_a_page_without_links_stays_as_it_is(change: Callable[[str], str]) -> None:
    """Whatever it is."""
    html = "<P  CLASS=x>&nbsp;&copy; <br/></p>\r\n<!doctype html>"
    assert change(html) == html

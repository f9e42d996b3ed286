"""`weburl.html.limits`: pages that ask for far more than they hold."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.html import PageLimitError, PageLimits, limits, links, page
from weburl.html.limits import UNLIMITED

PAGE = "https://example.com/"
LONG_BASE = f"<base href='/{'a' * 100_000}/'>" + "".join(f"<a href={i}>" for i in range(10_000))
REOPENED = "<p>" + "".join(f"<b a={i}>" for i in range(3000)) + "<p>x" * 3000


def implied(html: str | bytes, allowed: int) -> bool:
    """Tell whether a page implies more than so many elements."""
    try:
        PageLimits(implied_elements=allowed).require_few_implied_elements(html)
    except PageLimitError:
        return True
    return False


def test_a_long_base_url_and_many_short_links_are_refused() -> None:
    """Resolved, a page of 245 kB was more than a gigabyte of URLs."""
    tracemalloc.start()
    with pytest.raises(PageLimitError, match=r"resolved_length=…") as caught:
        links(LONG_BASE, PAGE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.limit == "resolved_length"
    assert peak < 2 * caught.value.allowed
    few = LONG_BASE[:102_000]
    assert len(links(few, PAGE)) > 100
    with pytest.raises(PageLimitError):
        page(few, PAGE, limits=PageLimits(resolved_length=100_000))


def test_too_many_links_are_refused() -> None:
    """As many as are allowed are not."""
    html = "<a href=x>" * 11
    assert len(links(html, PAGE, limits=PageLimits(links=11))) == 11
    assert len(links(html, PAGE, limits=UNLIMITED)) == 11
    with pytest.raises(PageLimitError, match="more links than 10"):
        links(html, PAGE, limits=PageLimits(links=10))
    with pytest.raises(PageLimitError):
        links(f"<a ping='{'x ' * 11}'>", PAGE, limits=PageLimits(links=10))


@pytest.mark.parametrize(
    "html",
    [
        REOPENED,
        REOPENED.upper(),
        REOPENED.encode("utf-16"),
        REOPENED.encode("utf-16-be"),
        "<p>" + "".join(f"<b a='>{i}'>" for i in range(3000)) + "<p>x" * 3000,
        "<p>" + "".join(f"<b x<{i}>" for i in range(3000)) + "<p>x" * 3000,
        "<p>" + "".join(f'<b x"=">{i}">' for i in range(3000)) + "<p>x" * 3000,
        "".join(f"<html a{i}=1>" for i in range(3000)),
        "".join(f"<body a{i}=1>" for i in range(3000)),
        "".join(f"<html a{i}='>'b{i}>" for i in range(3000)),
        "".join(f"<html a{i}< b{i}< c{i}>" for i in range(3000)),
    ],
)
def test_tags_that_imply_hundreds_of_elements_each_are_refused(html: str | bytes) -> None:
    """A gigabyte, from a hundred kilobytes: the parser never sees them."""
    with pytest.raises(PageLimitError, match="imply more elements than 1000000"):
        links(html, PAGE)


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>bold</b> <i>and</i><p>more",
        "<p><font color=red>" * 3000,
        "<p><a name=x>" * 3000,
        "<div><span class='x'>a</span></div>" * 3000,
        "<table><tr><td><a href=x>" * 3000,
        "<html lang=en><body class=x>" * 10,
        "<b>" * 3000 + "<p>x" * 3000,
        "<p><B Class='x'>x</b>" * 3000,
    ],
)
def test_what_people_write_implies_few_elements(html: str) -> None:
    """Tags that nobody closed, too, as long as they are alike."""
    assert not implied(html, 50_000)


def test_each_tag_counts_what_may_be_opened_again_behind_it() -> None:
    """Worked out by hand."""
    assert not implied("<b><i>", 0)
    assert implied("<b><p>", 0) and not implied("<b><p>", 1)
    assert implied("<b><i x=1><p></p>", 3) and not implied("<b><i x=1><p></p>", 4)
    assert not implied("<b></b><p>", 1) and implied("<b></b><b><p>", 1)
    assert not implied("<b><b><b><b><p>", 3) and implied("<b><b><b><b><p>", 2)
    assert not implied("<a x=1><a x=2><p>", 1)
    assert not implied("<html a b><body c><html>", 5) and implied("<html a b><body c><html>", 4)


_TAGS = st.sampled_from(
    [
        *("<a>", "<a x=1>", "</a>", "<b>", "<b x>", "</b>", "<B>", "<i>", "</I>", "<p>", "</p>"),
        *("<nobr>", "</nobr>", "<html a>", "<body b c>", "<bx>", "<a-b>", "</ a>", "<!--", "-->"),
        *("<u", "<", "text"),
    ]
)


@given(st.lists(_TAGS).map("".join))
def test_the_quick_count_of_implied_elements_is_never_too_low(html: str) -> None:
    """Only a page with a high one is counted again."""
    exact = max(limits._implied_elements(html), default=0)
    assert limits._most_implied_elements(html) >= exact


@pytest.mark.parametrize(
    "html",
    [
        "<div class=x><span>hello</span></div>" * 10_000,
        "<p><a href=x>text</a> and <b>words</b>" * 10_000,
        "<table>" + "<tr><td>x</td><td><i>y</i></td></tr>" * 10_000,
    ],
)
def test_the_quick_count_is_enough_for_long_pages(
    html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages with two thousand tags were counted twice, which took longer than reading them."""
    monkeypatch.delattr(limits, "_implied_elements")
    assert not implied(html, 1_000_000)


def test_a_link_that_does_not_parse_keeps_no_frames() -> None:
    """They took more room than page, tree and links together."""
    (link,) = links("<a href='https://['>", PAGE)
    assert link.error is not None
    assert link.error.__traceback__ is None
    assert link.error.__context__ is None
    assert link.error.report is not None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [({"links": -1}, ValueError), ({"links": 1.5}, TypeError), ({"links": True}, TypeError)],
)
def test_limits_are_checked(arguments: dict[str, Any], error: type[Exception]) -> None:
    """So are those of a call."""
    with pytest.raises(error):
        PageLimits(**arguments)
    with pytest.raises(TypeError):
        links("", PAGE, limits=10)  # type: ignore[arg-type]


def test_the_error_of_a_limit_is_a_value_error_that_can_be_pickled() -> None:
    """It names the limit, and how to change it."""
    error = PageLimitError("links", 5)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.limit, again.allowed, str(again)) == ("links", 5, str(error))
    assert str(error) == (
        "The page has more links than 5: pass limits=PageLimits(links=…) to read it anyway."
    )

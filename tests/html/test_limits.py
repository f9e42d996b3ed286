"""`weburl.html.limits`: pages that ask for far more than they hold."""

from __future__ import annotations

import pickle
import re
import sys
import tracemalloc
from typing import Any

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from weburl.html import PageLimitError, PageLimits, links, page
from weburl.html.implied_elements import implied_elements, most_implied_elements
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
        "<html lang=en><body class=x>" * 10,
        "<b>" * 3000 + "<p>x" * 3000,
        "<p><B Class='x'>x</b>" * 3000,
    ],
)
def test_what_people_write_implies_few_elements(html: str) -> None:
    """Tags that nobody closed, too, as long as they are alike."""
    assert not implied(html, 50_000)


def test_links_that_cells_hide_count_as_if_they_were_closed_each_time() -> None:
    """Which ones an end tag closes is not followed through cells that are never closed."""
    assert not implied("<table><tr><td><a href=x>" * 3000, 150_000)


def test_each_tag_counts_what_may_be_opened_again_behind_it() -> None:
    """Worked out by hand."""
    assert not implied("<b><i>", 0)
    assert implied("<b><p>", 0) and not implied("<b><p>", 1)
    assert implied("<b><i x=1><p></p>", 3) and not implied("<b><i x=1><p></p>", 4)
    assert not implied("<b></b><p>", 1) and implied("<b></b><b><p>", 0)
    assert not implied("<b><b><b><b><p>", 3) and implied("<b><b><b><b><p>", 2)
    assert not implied("<a x=1><a x=2><p>", 2)
    assert not implied("<html a b><body c><html>", 5) and implied("<html a b><body c><html>", 4)


def made_without_tags(html: str | bytes, *, scripting: bool = False, label: str = "") -> int:
    """Return how many formatting elements the parser makes beyond those with a start tag."""
    document = turbohtml.parse(html, encoding=label or None, scripting=scripting)
    text = html if isinstance(html, str) else html.decode(label, "replace")
    tags = re.findall(r"<(?:a|b|font|i|nobr)(?=[\s/>])", text, re.ASCII | re.IGNORECASE)
    return sum(1 for _ in document.iter_elements(["a", "b", "font", "i", "nobr"])) - len(tags)


def page_with(unit: str) -> str:
    """Return a page with a unit sixty times, each with its number, and then many paragraphs."""
    return "<p>" + "".join(unit.replace("#", str(i)) for i in range(60)) + "</p><p>x" * 300


@pytest.mark.parametrize(
    "unit",
    [
        "<b id=#><!--</b>-->",
        "<b id=#><!--- --!x></b>-->",
        *(f"<b id=#><{name}></b></{name}>" for name in ("iframe", "script", "style", "textarea")),
        *(f"<b id=#><{name}></b></{name}>" for name in ("noembed", "noframes", "title")),
        "<b id=#><script><!--<script></script></b>--></script>",
        "<b id=#><img title='</b>'>",
        '<b id=#><img title="</b>">',
        "<b id=#><img title=</b>",
        "<b id=#></b-x>",
        "<b id=#></b<x>",
        "<b id=#><svg><![CDATA[</b>]]></svg>",
        "<b id=#><svg><![CDATA[ > </b>]]></svg>",
        "<b id=#><svg x=y/><![CDATA[ > </b>]]></svg>",
        "<b id=#><svg x= /><![CDATA[ > </b>]]></svg>",
        '<b id=#><svg x=y"/><![CDATA[ > </b>]]></svg>',
        "<b id=#><svg><title><b></b></title><style><!--</style></b>--></svg>",
        "<b id=#><object></b></object>",
        "<b id=#><template></b></template>",
        "<b id=#><math><mi></b></mi></math>",
        "<b id=#><table></b></table>",
        "<b id=#><table><td></b></table>",
        f"<b id=#>{'<div>' * 9}</b>{'</div>' * 9}",
        f"<a id=#>{'<div>' * 9}<a id=x#></a>{'</div>' * 9}",
        "<nobr id=#><table><nobr id=x#></table>",
        "<b id=#><table><b id=x></table></b><b id=x></b>",
    ],
)
def test_an_end_tag_that_the_parser_does_not_see_closes_nothing(unit: str) -> None:
    """A comment with an end tag made the count believe that everything was closed."""
    html = page_with(unit)
    made = made_without_tags(html)
    assert made > 500
    assert implied(html, made - 1)


@pytest.mark.parametrize(
    "unit",
    [
        "<b id=#><!-- x > --></b>",
        "<b id=#><script>if (a < b) c</script></b>",
        "<b id=#><svg><g><path d='M1'/><title>x</title></g></svg></b>",
        "<b id=#><div><ul><li>x<li>y</ul></div></b>",
        "<b id=#><table><tr><td><i j=#>x</i></td></tr></table></b>",
        "<a href=#><span>x</span><noscript><img src=x alt='a > b'></noscript><br></a>",
        "<a href=#>x<a href=x#>y</a>",
        "<td><font color=#>x</font></td>",
    ],
)
def test_an_end_tag_that_the_parser_sees_closes_its_element(unit: str) -> None:
    """Ordinary pages have thousands of them."""
    assert not implied(page_with(unit), 3000)


def test_text_in_scripts_counts_with_and_without_scripting() -> None:
    """With scripting, the content of `noscript` is text."""
    html = page_with("<b id=#><noscript></b></noscript>")
    assert implied(html, made_without_tags(html, scripting=True) - 1)


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("utf-16le", "<b id=#><!--</b>\u2d2d\u3e3e-->"),
        ("utf-16be", "<b id=#><!--</b>\u2d2d\u3e3e-->"),
        ("iso-2022-jp", "<b id=#>\x1b$B</b>\x1b(B"),
    ],
)
def test_bytes_that_only_look_like_tags_close_nothing(label: str, unit: str) -> None:
    """In UTF-16 and ISO-2022-JP, the bytes of tags can be parts of other characters."""
    html = page_with(unit).encode(label if label != "iso-2022-jp" else "ascii")
    made = made_without_tags(html, label=label)
    assert made > 10_000
    assert implied(html, made - 1)


_SOUP = """
    <a> <a|x=#> </a> <b> <b|id=#> <b|id=#> </b> <B> <i|id=#> </I> <nobr|x=#> </nobr> <font|id=#>
    </font> <p> </p> <div> </div> <li> <span> </span> <!-- --> <!--</b>--> <![CDATA[ ]]> <?x>
    <script> </script> <style> </style> <title> </title> <noscript> </noscript> <table> </table>
    <tr> <td> </td> <caption> <object> </object> <template> </template> <select> </select> <svg>
    </svg> <g> </g> <g/> <g|x=y/> <foreignObject> </foreignObject> <math> <mi> </mi> <br> <img>
    <img|alt='</b>'> <b|x=" "> <b/ </b|> <html|a> <body|b|c> <bx> </|a> <u < text
"""
_TAGS = st.sampled_from(_SOUP.split())


@given(st.lists(_TAGS, max_size=30), st.integers(1, 15), st.booleans())
def test_the_count_of_implied_elements_is_never_too_low(
    tags: list[str], times: int, scripting: bool
) -> None:
    """The parser counts."""
    unit = "".join(tag.replace("|", " ") for tag in tags)
    html = "".join(unit.replace("#", str(i)) for i in range(times)) + "<p>x" * 30
    most = max(implied_elements(html))
    assert made_without_tags(html, scripting=scripting) <= most <= most_implied_elements(html)


def test_the_count_takes_linear_time() -> None:
    """Each shape is read twice as long, in about twice as many steps."""
    for unit in ("<b><!--", "<b><svg>", "<svg><g>", "<b x='", "<b></i>", "<b><style>", "<b><td>"):
        steps = []
        for times in (1000, 2000):
            calls = 0

            def count(*_: object) -> None:
                nonlocal calls
                calls += 1

            sys.setprofile(count)
            max(implied_elements(unit * times))
            sys.setprofile(None)
            steps.append(calls)
        assert steps[1] < 3 * steps[0], unit


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

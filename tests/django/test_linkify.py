"""Tests of text and HTML with links, of the template filter, and of the validator."""

from __future__ import annotations

import pickle
import re
import tracemalloc
from html import unescape
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.template import Context, Template
from django.utils.safestring import SafeString, mark_safe
from hypothesis import given

from django_whatwg_url.linkify import LinksValidator, linkify, linkify_html
from tests.text.test_finding import TEXTS
from weburl import URLPolicy
from weburl.text import find_links

REL = 'dir="ltr" rel="nofollow noopener"'


def rendered(template: str, **context: Any) -> str:
    """Return what a template with our filters gives."""
    return Template("{% load whatwg_url %}" + template).render(Context(context))


def test_text_is_escaped_and_addresses_become_links() -> None:
    """The href is canonical and has no password; what is shown is made for people."""
    text = "<b> http://me:pw@x.com Example.com/%C3%A4?a=1&b=2. (me@x.com)"
    assert linkify(text) == (
        "&lt;b&gt; http://me:pw@x.com "
        f'<a href="https://example.com/%C3%A4?a=1&amp;b=2" {REL}>example.com/ä?a=1&amp;b=2</a>. '
        '(<a href="mailto:me@x.com" dir="auto" rel="nofollow noopener">me@x.com</a>)'
    )
    assert isinstance(linkify(""), SafeString)


def test_options_say_how_a_link_is_written() -> None:
    """Its length, its attributes, and which links there are."""
    assert linkify("https://example.com/a/b/c/d/e", max_length=22, rel="", target="_blank") == (
        '<a href="https://example.com/a/b/c/d/e" dir="ltr" target="_blank">https://example.com/a…</a>'
    )
    assert linkify("a.com b@c.com", bare=False, emails=False) == "a.com b@c.com"
    assert 'href="http://a.com/"' in linkify("a.com", assume_scheme="http")
    with pytest.raises(ValueError, match="assume_scheme"):
        linkify("a.com", assume_scheme="ftp")


def test_the_host_follows_in_ascii_on_request() -> None:
    """Only after a link that shows it in Unicode."""
    shown = f'<a href="https://xn--bcher-kva.de/" {REL}>bücher.de</a>'
    assert linkify("bücher.de", ascii_hosts=True) == (
        f'{shown} <span dir="ltr">(xn--bcher-kva.de)</span>'
    )
    assert linkify_html("<p>bücher.de", ascii_hosts=True).endswith("</span></p>")
    for text in ("example.com/ä", "https://раураl.example/", "me@bücher.de"):
        assert "span" not in linkify(text, ascii_hosts=True)


def test_a_link_that_a_policy_refuses_stays_text() -> None:
    """Others are links."""
    policy = URLPolicy.own_sites("example.com")
    html = linkify("example.com evil.com", policy=policy)
    assert html.endswith("example.com</a> evil.com")
    assert linkify_html("<p>evil.com", policy=policy) == "<p>evil.com</p>"


@given(TEXTS)
def test_any_text_stays_the_same_and_no_markup_comes_of_it(text: str) -> None:
    """Without the links, the result is the text; only our own tags are in it."""
    html = linkify(text)
    assert set(re.findall(r"</?[a-z]*", html)) <= {"<a", "</a"}
    links = list(find_links(text))
    assert html.count("<a href=") == len(links)
    between = re.split(r"<a [^>]*>.*?</a>", html, flags=re.DOTALL)
    outside, at = [], 0
    for link in links:
        outside.append(text[at : link.start])
        at = link.end
    assert [unescape(piece) for piece in between] == [*outside, text[at:]] or "\r" in text


def test_html_gets_links_in_its_text_alone() -> None:
    """Links, code, scripts, fields, attributes and comments do not change."""
    untouched = (
        '<a href="x">a.com</a><code>a.com</code><pre>a.com</pre><textarea>a.com</textarea>'
        '<script>a.com</script><style>a.com</style><!--a.com--><img alt="a.com">'
        "<button>a.com</button><svg><text>a.com</text></svg>"
    )
    assert linkify_html(untouched) == untouched
    link = f'<a href="https://a.com/" {REL}>a.com</a>'
    assert linkify_html("<p>see <b>a.com</b> &lt;b&gt; &amp;c.") == (
        f"<p>see <b>{link}</b> &lt;b&gt; &amp;c.</p>"
    )
    assert linkify_html("<code>a.com</code><i>b.com</i>", not_in=["i"]) == (
        f"<code>{link}</code><i>b.com</i>"
    )
    assert linkify_html("<a><i>a.com</i></a>", not_in=[]) == "<a><i>a.com</i></a>"


@pytest.mark.parametrize("unit", ["a.com ", "<b>a.com</b> "])
def test_a_link_in_html_takes_little_memory(unit: str) -> None:
    """An element made alone takes 12 kB, and 134 kB of addresses: 10 MB of text took 20 GB."""
    linkify_html(unit)
    tracemalloc.start()
    assert linkify_html(unit * 2_000).count("<a ") == 2_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000 * 5_000


def test_a_carriage_return_in_html_stays() -> None:
    """Written as a reference, it is text. A line end is a line feed, as in a browser."""
    link = f'<a href="https://a.com/" {REL}>a.com</a>'
    assert linkify_html("<p>a.com&#13;x\r\ny") == f"<p>{link}\rx\ny</p>"


def test_deep_and_broken_markup_is_repaired_not_refused() -> None:
    """Ten thousand open elements, and tags that overlap."""
    assert linkify_html("<b>" * 10_000 + "a.com").count('href="https://a.com/"') == 1
    assert linkify_html("<b><i>a.com</b></i").count("<a ") == 1


def test_the_filter_escapes_text_and_takes_safe_text_for_html() -> None:
    """As urlize does, with autoescaping on and off."""
    link = f'<a href="https://a.com/" {REL}>a.com</a>'
    assert rendered("{{ text|url_linkify }}", text="<b> a.com") == f"&lt;b&gt; {link}"
    assert rendered("{{ text|linebreaks|url_linkify }}", text="<b> a.com") == (
        f"<p>&lt;b&gt; {link}</p>"
    )
    assert rendered("{{ text|url_linkify }}", text=mark_safe("<i>a.com</i>")) == f"<i>{link}</i>"
    assert (
        rendered(
            "{% autoescape off %}{{ text|url_linkify }}{% endautoescape %}", text="<i>a.com</i>"
        )
        == f"<i>{link}</i>"
    )
    assert rendered("{{ text|url_linkify:20 }}", text="a.com/" + "b" * 30).endswith("…</a>")
    assert rendered("[{{ text|url_linkify }}]", text=None) == "[]"
    assert rendered("{{ text|url_linkify }}", text=12) == "12"


def test_the_tag_takes_every_option() -> None:
    """Those of `linkify`."""
    html = rendered(
        "{% url_linkify text rel='ugc' target='_blank' emails=False %}", text="a.com b@c.de"
    )
    assert html == '<a href="https://a.com/" dir="ltr" rel="ugc" target="_blank">a.com</a> b@c.de'


def test_a_validator_limits_the_links_of_a_text() -> None:
    """Their number, and where they go."""
    no_links = LinksValidator(max_links=0)
    no_links("no address here.")
    with pytest.raises(ValidationError, match="at most 0 links, but it contains 1") as error:
        no_links("see a.com")
    assert error.value.code == "too-many-links"
    by_policy = LinksValidator(policy=URLPolicy(schemes=["https"]))
    by_policy("a.com me@b.com")
    with pytest.raises(ValidationError) as refused:
        by_policy("http://a.com")
    assert refused.value.error_list[0].code == "scheme-not-allowed"
    field = forms.CharField(validators=[no_links])
    assert field.clean("hello") == "hello"
    with pytest.raises(ValueError, match="max_links"):
        LinksValidator(-1)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a.com b.com", 2),
        ("//evil.com/ and https://a.com/b", 2),
        ("http:/evil.com", 1),
        ("https://good.com,evil.com/", 1),
        ("me@a.com mailto:me@b.com", 0),
        ("https://a.com/https://b.com", 1),
        ("x+evil.com, y+evil.com", 2),
    ],
)
def test_a_limit_counts_what_a_policy_looks_at(text: str, count: int) -> None:
    """Each place once, without mail addresses."""
    LinksValidator(max_links=count)(text)
    if count:
        with pytest.raises(ValidationError, match=f"but it contains {count}"):
            LinksValidator(max_links=count - 1)(text)


@pytest.mark.parametrize(
    "text",
    [
        "//evil.com/",
        "http:/evil.com",
        "https://user:pw@evil.com/",
        "ftp://evil.com/",
        "http://localhost:8000/a",
        "http://192.168.0.1/a",
        "http://a+good.com/",
        "https://good.com,evil.com/",
        "good.com/https://evil.com/",
        "https://good.com'.evil.com/",
        "x+evil.com",
        "\\\\evil.com",
    ],
)
def test_a_policy_sees_what_a_browser_or_a_mail_program_may_open(text: str) -> None:
    """Even if no page would show it as a link."""
    validator = LinksValidator(policy=URLPolicy.own_sites("good.com"))
    validator("(https://good.com), *https://good.com/a* and me@evil.com and//or x/y. // end")
    with pytest.raises(ValidationError):
        validator(f"see {text} now")


def test_hosts_without_a_public_suffix_are_links_if_you_ask() -> None:
    """The option works for text, for HTML and in the tag."""
    text = "http://intranet/a, http://192.0.2.1/ localhost:8000"
    assert linkify(text) == text
    assert linkify(text, any_host=True).count("<a ") == 2
    assert linkify_html(f"<p>{text}", any_host=True).count("<a ") == 2
    assert rendered("{% url_linkify text any_host=True %}", text=text).count("<a ") == 2
    for options, links in (("any_host", 2), ("20 any_host", 2), ("20", 0), ("x", 0)):
        html = rendered("{{ text|url_linkify:options }}", text=text, options=options)
        assert html.count("<a ") == links


def test_a_validator_is_a_value() -> None:
    """Migrations and pickles have it."""
    validator = LinksValidator(2, URLPolicy(schemes=["https"]))
    assert pickle.loads(pickle.dumps(validator)) == validator
    assert hash(validator) == hash(LinksValidator(2, URLPolicy(schemes=["https"])))
    assert validator != LinksValidator(3)
    path, args, kwargs = validator.deconstruct()
    assert path == "django_whatwg_url.linkify.LinksValidator"
    made: Any = LinksValidator
    assert made(*args, **kwargs) == validator

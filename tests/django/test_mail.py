"""The links of HTML in templates and mails."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sites.requests import RequestSite
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.test import RequestFactory
from django.utils.safestring import mark_safe

import weburl
from django_whatwg_url.mail import absolute_mail_links


@pytest.fixture(autouse=True)
def hosts(settings: Any) -> None:
    """Allow the host of the requests."""
    settings.ALLOWED_HOSTS = ["shop.example"]


def site(host: str) -> RequestSite:
    """Return a site, which has the attributes of the model without its table."""
    return RequestSite(RequestFactory().get("/", headers={"host": host}))


def render(template: str, **context: Any) -> str:
    """Return what a template gives."""
    return Template("{% load whatwg_url %}" + template).render(Context(context))


def test_links_are_relative_to_the_request() -> None:
    """Its path counts, and its query does not."""
    request = RequestFactory().get("/news/1?p=2", headers={"host": "shop.example"})
    body = mark_safe('<p>&nbsp;<a href="a?x=1&amp;y=2">t</a> <a href=#top>u</a>')
    expected = '<p>&nbsp;<a href="http://shop.example/news/a?x=1&amp;y=2">t</a> <a href=#top>u</a>'
    assert render("{{ body|absolute_links:request }}", body=body, request=request) == expected


def test_links_are_relative_to_a_url_or_a_site() -> None:
    """As text, as a record, or as the object of a newsletter."""
    body = mark_safe("<a href=/x>")
    for base in (
        "https://shop.example/a",
        weburl.parse("https://shop.example/a"),
        site("shop.example"),
    ):
        output = render("{{ body|absolute_links:base }}", body=body, base=base)
        assert output == '<a href="https://shop.example/x">'
    with pytest.raises(TypeError, match="links cannot be relative to int"):
        render("{{ body|absolute_links:base }}", body=body, base=1)


@pytest.mark.parametrize("filter", ["absolute_links:'https://h/'", "with_rel:'ugc'"])
def test_text_is_escaped_and_html_is_not(filter: str) -> None:
    """Text has no links. Where nothing is escaped, all text is HTML."""
    link = "{{ body|" + filter + " }}"
    assert render(link, body="<a href=/x>") == "&lt;a href=/x&gt;"
    assert render(link, body=None) == ""
    assert render(link, body=mark_safe("<a href=https://h/>")).startswith("<a href=https://h/")
    off = "{% autoescape off %}" + link + "{% endautoescape %}"
    assert render(off, body="<a href=https://h/>").startswith("<a href=https://h/")
    assert render(off, body=None) == ""


def test_rel_is_added_in_a_template() -> None:
    """To the keywords that are there."""
    body = mark_safe("<a href=/x rel=me>")
    assert render("{{ body|with_rel:'nofollow ugc' }}", body=body) == (
        '<a href=/x rel="me nofollow ugc">'
    )


def test_a_mail_has_absolute_links_everywhere() -> None:
    """In CSS, for Outlook, and for scripts of images. Its base is removed."""
    html = (
        "<base href=/b/><table style='background: url(x)'><!--[if mso]><v:fill src=y /><![endif]-->"
        "<img data-src=z><a href='{{ u }}'>"
    )
    assert absolute_mail_links(html, "https://shop.example/") == (
        "<base><table style='background: url(https://shop.example/b/x)'>"
        '<!--[if mso]><v:fill src="https://shop.example/b/y" /><![endif]-->'
        "<img data-src=\"https://shop.example/b/z\"><a href='{{ u }}'>"
    )


def test_without_a_base_the_current_site_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is one."""
    monkeypatch.setattr("django_whatwg_url.mail.get_current_site", lambda _: site("shop.example"))
    monkeypatch.setattr("django.apps.apps.is_installed", lambda _: True)
    assert absolute_mail_links("<a href=/x>") == '<a href="https://shop.example/x">'
    monkeypatch.setattr("django.apps.apps.is_installed", lambda _: False)
    with pytest.raises(ImproperlyConfigured, match=r"django\.contrib\.sites"):
        absolute_mail_links("<a href=/x>")

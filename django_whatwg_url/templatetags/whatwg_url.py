"""Template filters for URLs: ``{% load whatwg_url %}``.

They accept records and text, and never raise errors. For None, for text that does not parse, and
for every other value, they return the empty string. They return plain text, which templates escape.
Only ``url_display_html``, ``url_json_script``, ``url_linkify``, ``absolute_links`` and ``with_rel``
return HTML, which is already escaped. Use ``url_href`` to link to a URL that other people wrote. It
returns the empty string for ``javascript:`` and similar schemes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django import template
from django.utils.functional import Promise
from django.utils.html import conditional_escape, json_script
from django.utils.safestring import SafeData, SafeString, mark_safe

import weburl
from django_whatwg_url.column.values import UnparsableURL
from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.links import linked_href
from weburl import URLParseError, URLRecord

register: Final = template.Library()

_THIS_SITE: Final = weburl.parse("https://this-site.invalid/")
# Other text, such as "page", is more likely a mistake than a relative URL.
_RELATIVE: Final = ("/", "?", "#", "./", "../")


def _record(value: object, base: URLRecord | None = None) -> URLRecord | None:
    if isinstance(value, URLRecord):
        return value
    if isinstance(value, UnparsableURL) and base is None:
        return None
    if not isinstance(value, (str, Promise, weburl.URL)):
        return None
    try:
        return weburl.parse(str(value), base)
    except URLParseError:
        return None


def _part(value: object, attribute: str) -> str:
    found = getattr(_record(value), attribute, None)
    return "" if found is None else str(found)


_PARTS: Final = {
    "url_text": "href",  # The whole URL, with username and password.
    "url_scheme": "scheme",  # Without its colon: "https".
    "url_username": "username",  # Percent-encoded. There is no filter for the password.
    "url_host": "host",  # In ASCII, without the port: "xn--mnchen-3ya.de", "[::1]".
    "url_port": "port",  # Empty if it is the default port of the scheme.
    "url_origin": "origin",  # "https://example.com:8000", or "null" if it is opaque.
    "url_path": "path_text",  # Percent-encoded: "/docs/a%20b".
    "url_query": "query",  # Without its question mark, percent-encoded: "q=a%20b".
    "url_fragment": "fragment",  # Without its number sign, percent-encoded: "top".
}
"""The filters that return an attribute of a record as text, by name. It is "" without a URL, and if
the URL has no such part."""

for _name, _attribute in _PARTS.items():
    register.filter(_name, partial(_part, attribute=_attribute))


@register.filter
def url_json_script(value: object, element_id: str | None = None) -> SafeString:
    """Work like Django's ``json_script``, with data that may contain URLs, hosts and origins."""
    return json_script(value, element_id, encoder=URLJSONEncoder)


@register.filter
def url_href(value: object) -> str:
    """Return the URL for an ``href`` if its scheme is http or https, or else the empty string.

    The result has no username and password, because a page must not show them.
    """
    return linked_href(_record(value))


@register.filter
def url_registrable_domain(value: object) -> str:
    """Return the registrable domain in ASCII: ``example.co.uk``. IP addresses do not have one."""
    url = _record(value)
    domain = None if url is None or url.host is None else url.host.registrable_domain
    return "" if domain is None else domain.value


@register.filter
def url_param(value: object, name: object) -> str:
    """Return the first value of the query parameter ``name``, decoded: ``url|url_param:"q"``."""
    url = _record(value)
    if url is None:
        return ""
    return next((found for key, found in url.query_pairs if key == str(name)), "")


@register.filter(name="url_set_param")
def url_set_param_filter(value: object, pair: object) -> str:
    """Return the URL with one query parameter changed: ``url|url_set_param:"page=2"``.

    The URL may be relative to the page: ``request.get_full_path|url_set_param:"page=2"``. All other
    bytes are kept, so that a signature of the other parameters is still valid.

    ``pair``: the name, "=" and the value, without percent-encoding. If the value is in a variable,
    use the tag with the same name.
    """
    name, _, new = str(pair).partition("=")
    return _with_params(value, {name: new})


@register.simple_tag
def url_set_param(value: object, /, **params: object) -> str:
    """Return the URL with query parameters changed: ``{% url_set_param url page=2 q=term %}``.

    A parameter whose value is None is removed. The URL may be relative, as for the filter:
    ``{% url_set_param request.get_full_path page=2 %}``.
    """
    return _with_params(value, params)


@register.filter
def url_without_param(value: object, name: object) -> str:
    """Return the URL without one query parameter: ``url|url_without_param:"utm_source"``."""
    return _with_params(value, {str(name): None})


def _with_params(value: object, params: Mapping[str, object]) -> str:
    """Return a URL, which may be relative to this site, with its query changed and nothing else."""
    url = _record(value)
    if url is not None:
        return _edited(url, params).href
    text = str(value).strip() if isinstance(value, (str, Promise)) else ""
    joined = _record(text, _THIS_SITE)
    if not text.startswith(_RELATIVE) or joined is None or joined.origin != _THIS_SITE.origin:
        return ""
    before = text.partition("#")[0].partition("?")[0]
    edited = _edited(joined, params)
    # A relative URL without a path and without "?" would get the query of the page.
    query = (
        ""
        if edited.query is None and (before or joined.query is None)
        else f"?{edited.query or ''}"
    )
    fragment = "" if edited.fragment is None else f"#{edited.fragment}"
    return f"{before}{query}{fragment}"


def _edited(url: URLRecord, params: Mapping[str, object]) -> URLRecord:
    for name, new in params.items():
        url = (
            url.without_query_params(name) if new is None else url.with_query_param(name, str(new))
        )
    return url


@register.filter
def url_without_fragment(value: object) -> str:
    """Return the URL without its fragment."""
    url = _record(value)
    return "" if url is None else url.with_fragment(None).href


@register.filter
def url_join(value: object, base: object) -> str:
    """Return the URL that ``value`` means on the page ``base``: ``link|url_join:page``.

    If ``base`` is None or the empty string, ``value`` must be an absolute URL.
    """
    base_url = _record(base)
    if base_url is None and base is not None and base != "":
        return ""
    url = _record(value, base_url)
    return "" if url is None else url.href


@register.filter
def url_display(value: object, max_length: object = None) -> str:
    """Return the URL in a form that is safe to show to people: ``url|url_display:40``.

    Username and password are left out. Characters are decoded if the result is not misleading. The
    text is shortened to ``max_length`` characters, but always shows whose site it is. If
    ``max_length`` is not a number of at least 1, the text is not shortened.
    """
    url = _record(value)
    return "" if url is None else weburl.render(url, max_length=_length(max_length))


@register.filter
def url_display_html(value: object, max_length: object = None) -> SafeString:
    """Return `url_display` as HTML, with marked-up parts and the registrable domain emphasized."""
    url = _record(value)
    html = "" if url is None else weburl.render_html(url, max_length=_length(max_length))
    return mark_safe(html)  # noqa: S308 (render_html escapes)


def _length(max_length: object) -> int | None:
    """Return a length from a template as an int, or None if it is not a length."""
    if not isinstance(max_length, int | str):
        return None
    try:
        length = int(max_length)
    except ValueError:
        return None
    return length if length > 0 else None


@register.filter(name="url_linkify", is_safe=True, needs_autoescape=True)
def url_linkify_filter(
    value: object, options: object = None, autoescape: bool = True
) -> SafeString:
    """Return text as HTML in which web and mail addresses are links: ``comment|url_linkify:40``.

    Text is escaped. Safe text, such as the output of ``linebreaks``, is treated as HTML, and so is
    all text where autoescaping is off: see `django_whatwg_url.linkify.linkify_html`, which needs
    turbohtml. ``options``: the length of an address, and "any_host" to also link hosts such as
    "localhost": ``comment|url_linkify:"40 any_host"``. For other options, use the tag with the same
    name.
    """
    words = str(options).split()
    length = next(filter(None, map(_length, words)), None)
    any_host = "any_host" in words
    return _linkified(value, autoescape=autoescape, max_length=length, any_host=any_host)


@register.simple_tag(takes_context=True)
def url_linkify(context: template.Context, value: object, /, **options: Any) -> SafeString:
    """Work like the filter, with the options of `linkify`: ``{% url_linkify text rel="ugc" %}``."""
    return _linkified(value, autoescape=context.autoescape, **options)


def _linkified(value: object, *, autoescape: bool, **options: Any) -> SafeString:
    # Only this filter needs the package regex.
    from django_whatwg_url.linkify import linkify, linkify_html

    if value is None:
        return mark_safe("")
    if isinstance(value, SafeData) or not autoescape:
        return linkify_html(value, **options)
    return linkify(value, **options)


@register.filter(name="absolute_links", is_safe=True, needs_autoescape=True)
def absolute_links_filter(value: object, base: object = None, autoescape: bool = True) -> str:
    """Return HTML with each relative URL in full: ``{{ body|absolute_links:request }}``.

    ``base``: a request, a URL or a site, otherwise the current site. Text that is not safe has no
    links, and is escaped. Where autoescaping is off, all text is HTML. Needs turbohtml.
    """
    if not _is_html(value, autoescape):
        return _escaped(value)
    # Only this filter needs a parser of HTML.
    from django_whatwg_url.mail import base_url_of
    from weburl.html import absolute_links

    return mark_safe(absolute_links(str(value), base_url_of(base)))  # noqa: S308  # as it was


@register.filter(name="with_rel", is_safe=True, needs_autoescape=True)
def with_rel_filter(value: object, keywords: object, autoescape: bool = True) -> str:
    """Return HTML with keywords in the ``rel`` of each link: ``{{ text|with_rel:"ugc" }}``.

    Text that is not safe is escaped. Where autoescaping is off, all text is HTML. Needs turbohtml.
    """
    if not _is_html(value, autoescape):
        return _escaped(value)
    from weburl.html import with_rel

    return mark_safe(with_rel(str(value), str(keywords)))  # noqa: S308  # as it was


def _is_html(value: object, autoescape: bool) -> bool:
    return isinstance(value, SafeData) or (not autoescape and value is not None)


def _escaped(value: object) -> str:
    return "" if value is None else conditional_escape(str(value))

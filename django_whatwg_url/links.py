"""Decides which URLs may be links on a page, for the template filters and for the admin.

A field may allow any scheme, but a click must never run a script, and a page must not show a
password.
"""

from __future__ import annotations

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

import weburl
from weburl import URLRecord

__all__ = ["safe_href"]

LINKED_SCHEMES: Final = ("http", "https")


def safe_href(url: object) -> str:
    """Return the text for an ``href``, without username and password, or "" if there is no link.

    ``url``: a record, or text. If its scheme is not http or https, or if it is not a URL, the
    result is "". This is the filter ``url_href`` for Python code. Escape the result in HTML, for
    example with `django.utils.html.format_html`.
    """
    if not isinstance(url, (str, URLRecord, weburl.URL)):
        return ""
    try:
        return linked_href(weburl.parse(url))
    except weburl.URLParseError:
        return ""


def linked_href(url: object) -> str:
    """Return the text for an ``href``, without username and password, or "" if there is no link.

    ``url``: a record whose scheme is http or https. For other values, the result is "".
    """
    if not isinstance(url, URLRecord) or url.scheme not in LINKED_SCHEMES:
        return ""
    if not url.includes_credentials:
        return url.href
    return url.with_password("").with_username("").href


def link(url: URLRecord, max_length: int | None = None, *, text: str = "") -> SafeString:
    """Return HTML that shows ``url`` to people. It is a link if the scheme is http or https.

    ``text``: the text of the link. By default, `weburl.render` makes it, and shortens it to
    ``max_length`` characters.
    """
    text = text or weburl.render(url, max_length=max_length)
    href = linked_href(url)
    if not href:
        return format_html('<bdi dir="ltr">{}</bdi>', text)
    return format_html('<a href="{}" rel="noopener noreferrer" dir="ltr">{}</a>', href, text)

"""Which URLs may be linked on a page, and how: the one place that templates and the admin ask.

Whatever schemes a field allows, a click must never run a script, and a page must not show a
password.
"""

from __future__ import annotations

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

import weburl
from weburl import URLRecord

LINKED_SCHEMES: Final = ("http", "https")


def linked_href(url: object) -> str:
    """Return what an ``href`` may hold, without username and password; "" where there is no link.

    ``url``: a record whose scheme is http or https; anything else gives "".
    """
    if not isinstance(url, URLRecord) or url.scheme not in LINKED_SCHEMES:
        return ""
    return url.with_password("").with_username("").href


def link(url: URLRecord, max_length: int | None = None) -> SafeString:
    """Return HTML that shows ``url`` to people, as a link if it may be one.

    The text is that of `weburl.render`, elided to ``max_length`` characters.
    """
    text = weburl.render(url, max_length=max_length)
    href = linked_href(url)
    if not href:
        return format_html('<bdi dir="ltr">{}</bdi>', text)
    return format_html('<a href="{}" rel="noopener noreferrer" dir="ltr">{}</a>', href, text)

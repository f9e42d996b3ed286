"""§4.8: a URL as escaped HTML, with each part marked up and the registrable domain emphasised.

`text` decides what is shown.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from weburl.standard.rendering.legible import FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE
from weburl.standard.rendering.text import Only, options_of, parts_for_people
from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL

_NOT_PLAIN: Final = re.compile(f"[&<>\"'{FIRST_STRONG_ISOLATE}{POP_DIRECTIONAL_ISOLATE}]")
# The party that a reader trusts.
_EMPHASISED: Final = frozenset({"registrable-domain", "host"})


def render_html(
    record: AnyURL,
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
) -> str:
    """Return ``record`` as HTML for people to read, without username and password.

    The result is one ``bdi`` element with the class "url", written from left to right. In it is a
    ``span`` for each part that the URL has, with the class "url-scheme", "url-subdomain",
    "url-port", "url-path", "url-query" or "url-fragment". The registrable domain is in a ``strong``
    with the class "url-registrable-domain"; a host without one is in a ``strong`` with the
    class "url-host". Each right-to-left word is in a ``bdi`` element. The result is not a link.
    The arguments, the errors and what is shown are as in `render`. Markup does not count for
    ``max_length``.

    Spec: #url-rendering
    """
    parts = parts_for_people(
        record_of(record),
        options_of(max_length, only, omit_scheme, omit_www),
        right_to_left=True,
    )
    if _NOT_PLAIN.search("".join([text for _, text in parts])):
        parts = [(name, _escaped(text)) for name, text in parts]
    inside = "".join(
        [
            f'<strong class="url-{name}">{text}</strong>'
            if name in _EMPHASISED
            else f'<span class="url-{name}">{text}</span>'
            for name, text in parts
        ]
    )
    return f'<bdi class="url" dir="ltr">{inside}</bdi>'


def _escaped(text: str) -> str:
    text = escape(text).replace(FIRST_STRONG_ISOLATE, "<bdi>")
    return text.replace(POP_DIRECTIONAL_ISOLATE, "</bdi>")

"""§4.8: the rendering of a URL as HTML: escaped, each part marked up, the site emphasised.

What is shown is decided in `text`.
"""

from __future__ import annotations

from html import escape
from typing import Final

from weburl.records.record import URLRecord
from weburl.rendering.legible import FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE
from weburl.rendering.text import Only, Wanted, parts_for_people

# Who it is that a reader would trust.
_EMPHASISED: Final = frozenset({"registrable-domain", "host"})


def render_html(
    record: URLRecord,
    *,
    max_length: int | None = None,
    only: Only | None = None,
    omit_scheme: str | None = None,
    omit_www: bool = False,
) -> str:
    """Return ``record`` as HTML for people to read, without username and password.

    One ``bdi`` element of the class "url", from left to right, with a ``span`` for each part
    that there is, of the class "url-scheme", "url-subdomain", "url-port", "url-path",
    "url-query" or "url-fragment", and a ``strong`` of the class "url-registrable-domain", or
    "url-host" for a host that has none. Words written from right to left stand in ``bdi``
    elements of their own. It is no link. The arguments, what is raised and what is shown are
    as in `render`; markup does not count for ``max_length``.

    Spec: #url-rendering
    """
    parts = parts_for_people(
        record, Wanted(max_length, only, omit_scheme, omit_www), right_to_left=True
    )
    inside = "".join([_element(part.name, part.text) for part in parts])
    return f'<bdi class="url" dir="ltr">{inside}</bdi>'


def _element(name: str, text: str) -> str:
    element = "strong" if name in _EMPHASISED else "span"
    inside = (
        escape(text)
        .replace(FIRST_STRONG_ISOLATE, "<bdi>")
        .replace(POP_DIRECTIONAL_ISOLATE, "</bdi>")
    )
    return f'<{element} class="url-{name}">{inside}</{element}>'

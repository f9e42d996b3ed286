"""A link of a page: a value, its kinds, and how its text becomes a URL.

`finding` knows which attributes hold links. No HTML is read here.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import attrs

from weburl.html.documents import Document, encoding_parse_url, parse_url
from weburl.html.terminology import require
from weburl.infra.credentials import masked
from weburl.records.record import URLRecord
from weburl.validation.report import URLParseError


class LinkKind(StrEnum):
    """What a link is for. Each kind equals a text: ``LinkKind.FRAME == "frame"``."""

    __module__ = "weburl.html"

    HYPERLINK = "hyperlink"
    """What people follow: the ``href`` of `a` and `area`."""
    RELATION = "relation"
    """A `link` element that names another page, such as ``rel=canonical`` or ``rel=next``."""
    RESOURCE = "resource"
    """What a browser loads, or gets ready to: images, scripts, style sheets, media, icons."""
    FRAME = "frame"
    """A page inside the page."""
    SUBMISSION = "submission"
    """Where a form is sent."""
    PING = "ping"
    """Who is told that a hyperlink was followed."""
    CITATION = "citation"
    """Where a quotation or a change comes from."""
    SPECULATION = "speculation"
    """What a browser may load before anybody follows it, by a script's speculation rules."""
    REFRESH = "refresh"
    """The page that takes the place of this one after a time."""
    BASE = "base"
    """A `base` element's: what other links are relative to."""


FOLLOWED_LATER: Final = frozenset(
    {
        LinkKind.HYPERLINK,
        LinkKind.RELATION,
        LinkKind.SUBMISSION,
        LinkKind.PING,
        LinkKind.CITATION,
        LinkKind.SPECULATION,
    }
)
"""The kinds that are resolved when they are used. The rest are when the browser meets them."""


@attrs.frozen
class Link:
    """One URL of a page.

    ``kind``: what it is for. ``element``, ``attribute``: where it is, as in ``"img"`` and
    ``"srcset"``; the attribute is "" for the text inside the element. ``input``: the text of the
    URL, with character references decoded.
    ``record``: the URL, or None if there is none; then ``error`` says why. Otherwise ``error`` is
    None. Errors do not count when links are compared.
    ``rel``: the keywords of the element's ``rel`` attribute, in lower case. ``target``: the name of
    the window in which it opens, "" for the same window; for a button's ``formaction`` it is the
    target of the button, of its form or of the page. ``line``, ``column``: where the element's tag
    starts in the HTML, in lines and code points, both counted from 1; None if the page has no such
    tag, as for attributes of a second `body`. ``inert``: whether browsers do not use it; such links
    are listed only if you ask for them.
    """

    __module__ = "weburl.html"

    kind: LinkKind
    element: str
    attribute: str
    input: str = attrs.field(repr=lambda text: repr(masked(text)))
    record: URLRecord | None
    error: URLParseError | None = attrs.field(default=None, eq=False)
    rel: tuple[str, ...] = ()
    target: str = ""
    line: int | None = None
    column: int | None = None
    inert: bool = False


def resolve(kind: LinkKind, input: str, document: Document) -> URLRecord:
    """Return the record of a link in ``document``. Raises `URLParseError` if it does not parse."""
    if kind is LinkKind.SUBMISSION and not input:
        # A form without anywhere to go to is sent to its page, whatever the base URL.
        return document.url
    if kind is LinkKind.SPECULATION:
        return parse_url(input, document)
    return encoding_parse_url(input, document)


def respond_to_base_url_changes(links: Iterable[Link], document: Document) -> tuple[Link, ...]:
    """Return a page's ``links`` after its base URL has become the base URL of ``document``.

    Links that are resolved when they are used, such as hyperlinks and citations, get another URL.
    So do speculation rules. Links that have been loaded, such as images, do not change. Make such
    documents with `set_url` and `set_frozen_base_url`.

    Spec divergence (nothing is shown, styled or fetched here): only the URLs change.

    Spec: https://html.spec.whatwg.org/#respond-to-base-url-changes
    """
    require(document, Document, "what links are relative to")
    return tuple(
        _resolved_anew(link, document) if _is_followed_later(link) else link for link in links
    )


def _is_followed_later(link: Link) -> bool:
    require(link, Link, "each of the links")
    return link.kind in FOLLOWED_LATER


def _resolved_anew(link: Link, document: Document) -> Link:
    try:
        return attrs.evolve(link, record=resolve(link.kind, link.input, document), error=None)
    except URLParseError as error:
        return attrs.evolve(link, record=None, error=error)

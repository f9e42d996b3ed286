"""A link of a page as a value, its kinds, and how its text becomes a URL.

`finding` lists which attributes contain links. No HTML is read here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs

from weburl.html.documents import Document, document_base_url, require
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.errors import Names
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError


class LinkKind(Names):
    """What a link is for. Each kind equals a string: ``LinkKind.FRAME == "frame"``."""

    __module__ = "weburl.html"

    HYPERLINK = "hyperlink"
    """A link that people follow: the ``href`` of `a` and `area`."""
    RELATION = "relation"
    """A `link` element that names another page, such as ``rel=canonical`` or ``rel=next``."""
    RESOURCE = "resource"
    """What a browser loads or prepares to load: images, scripts, style sheets, media, icons."""
    FRAME = "frame"
    """A page inside the page."""
    SUBMISSION = "submission"
    """Where a form is sent."""
    PING = "ping"
    """A URL that the browser notifies when someone follows a hyperlink."""
    CITATION = "citation"
    """Where a quotation or a change comes from."""
    SPECULATION = "speculation"
    """A page that a browser may load before anyone follows a link, by speculation rules."""
    REFRESH = "refresh"
    """The page that replaces this one after a time."""
    BASE = "base"
    """The URL of a `base` element, which other links are relative to."""


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
"""The kinds that are resolved when they are used. Browsers resolve the others while parsing."""


def kinds_named(kinds: Iterable[LinkKind | str] | None) -> frozenset[LinkKind] | None:
    """Return kinds as callers name them, or None for all. Raises TypeError for one string."""
    if kinds is None:
        return None
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        given = "one string" if isinstance(kinds, str) else type(kinds).__name__
        raise TypeError(f"kinds is an iterable of kinds of links, not {given}")
    return frozenset(map(LinkKind, kinds))


class LinkStorage:
    """The slots of a link, writable until its class is set to `PageLink`."""

    __slots__ = (
        "__weakref__",
        "attribute",
        "column",
        "element",
        "error",
        "index",
        "inert",
        "input",
        "kind",
        "line",
        "place",
        "record",
        "rel",
        "target",
        "text",
    )
    kind: LinkKind
    element: str
    attribute: str
    input: str
    record: URLRecord | None
    error: URLParseError | None
    rel: tuple[str, ...]
    target: str
    line: int | None
    column: int | None
    inert: bool
    text: str | None
    index: int
    place: Any  # the `pages.LinkPlace` of a `LinkInPage`, or None: not public


@attrs.frozen
class PageLink(LinkStorage):
    """One URL of a page.

    Attributes:
        kind: What it is for.
        element: The name of its element, such as ``"img"``.
        attribute: The name of its attribute, such as ``"srcset"``, or "" for the text inside the
            element.
        input: The text of the URL, with character references decoded.
        record: The URL, or None if the text does not parse.
        error: The reason why it does not parse, otherwise None. It is ignored when links are
            compared.
        rel: The keywords of the element's ``rel`` attribute, in lower case.
        target: The name of the window it opens in, or "" for the same window. For a button's
            ``formaction``, it is the target of the button, of its form or of the page.
        line, column: Where the element's tag starts in the HTML, in lines and code points, both
            counted from 1. They are None if the page has no such tag, as for the attributes of a
            second `body`.
        inert: Whether browsers do not use it. Such links are listed only on request.
        text: What people see of a hyperlink, on request: the text inside `a`, without scripts and
            styles, or the ``alt`` of `area`, with whitespace stripped and collapsed. None for links
            of other kinds, and for a link inside another.
        index: Its place among the URLs in one attribute value, from 0.
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
    text: str | None = None
    index: int = 0


@attrs.frozen
class LinkInPage(PageLink):
    """A link while its page is being rewritten, with more of what is around it."""

    __module__ = "weburl.html"

    def value_of(self, name: str) -> str | None:
        """Return the value of any attribute of the element, or None if it is absent."""
        value: str | None = self.place.element.attribute(name)
        return value

    @property
    def base_url(self) -> URLRecord:
        """The URL that the link is relative to."""
        base_url: URLRecord = self.place.base_url
        return base_url


def new_link(
    kind: LinkKind,
    element: str,
    attribute: str,
    input: str,
    record: URLRecord | None,
    error: URLParseError | None,
    rel: tuple[str, ...],
    target: str,
    line: int | None,
    column: int | None,
    inert: bool,  # positional, because a page has hundreds
    text: str | None,
    index: int,
    place: object,
) -> PageLink:
    """Return ``PageLink(…)`` of the same values, or a `LinkInPage` with a place.

    A frozen `__init__` takes much longer.
    """
    link = LinkStorage()
    link.kind = kind
    link.element = element
    link.attribute = attribute
    link.input = input
    link.record = record
    link.error = error
    link.rel = rel
    link.target = target
    link.line = line
    link.column = column
    link.inert = inert
    link.text = text
    link.index = index
    link.place = place
    link.__class__ = PageLink if place is None else LinkInPage
    return link  # type: ignore[return-value]  # mypy does not follow the change of class


def resolve(
    kind: LinkKind, input: str, document: Document, base_url: URLRecord | None = None
) -> URLRecord:
    """Return the record of a link in ``document``. Raises `URLParseError` if it does not parse.

    ``base_url``: the document's base URL, for a caller that resolves many links, or None.
    """
    if kind is LinkKind.SUBMISSION and not input:
        # A form without an action is sent to the page's own URL, not to its base URL.
        return document.url
    if base_url is None:
        base_url = document_base_url(document)
    # Only queries depend on the encoding, and parsing is fastest in UTF-8.
    if kind is LinkKind.SPECULATION or "?" not in input:
        return parse(input, base_url)
    return parse(input, base_url, encoding=document.encoding)


def respond_to_base_url_changes(
    links: Iterable[PageLink], document: Document
) -> tuple[PageLink, ...]:
    """Return a page's ``links`` after its base URL has become the base URL of ``document``.

    Links that are resolved when they are used, such as hyperlinks and citations, get a new URL. So
    do those in speculation rules. Links that have been loaded, such as images, do not change.
    `set_url` and `set_frozen_base_url` return such documents.

    Spec divergence (nothing is shown, styled or fetched here): only the URLs change.

    Args:
        links: The links of a page.
        document: The page's document with its new base URL.

    Raises:
        TypeError: An argument has the wrong type.

    Spec: https://html.spec.whatwg.org/#respond-to-base-url-changes
    """
    require(document, Document, "document")
    return tuple(_after_change(link, document) for link in links)


def _after_change(link: PageLink, document: Document) -> PageLink:
    require(link, PageLink, "a link")
    if link.kind not in FOLLOWED_LATER:
        return link
    try:
        return attrs.evolve(link, record=resolve(link.kind, link.input, document), error=None)
    except URLParseError as error:
        return attrs.evolve(link, record=None, error=error)

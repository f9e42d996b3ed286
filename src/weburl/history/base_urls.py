"""Base URLs in the HTML5 draft and in "Web addresses in HTML 5": a document's and an element's.

The functions take the facts about a document or an element as text. `base_url_changes` calls them
for the elements of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Literal

from weburl.history import html5_urls, web_addresses
from weburl.history.errors import LegacyURLError
from weburl.standard.infra.strings import require_text

__all__ = [
    "attribute_to_resolve_again",
    "document_base_url",
    "document_base_web_address",
    "element_base_uri",
    "element_base_web_address",
]

_ELEMENTS_WITH_CITE: Final = frozenset(("q", "blockquote", "section", "article", "ins", "del"))


def document_base_url(
    address: str,
    base_href: str | None = None,
    *,
    creator_base_url: str | None = None,
    container_base_url: str | None = None,
    encoding: str = "utf-8",
) -> str:
    """Return the document base URL of a document whose address is ``address``.

    ``base_href``: the href of its first `base` element that has one. ``creator_base_url``: the
    document base URL of the creator of its browsing context, which a document at about:blank
    takes. ``container_base_url``: the base URL of the document around an iframe srcdoc document.

    Document: HTML5 working draft, 2.6.3, step 4.
    """
    fallback = address
    if address == "about:blank" and creator_base_url is not None:
        fallback = creator_base_url
    if container_base_url is not None:
        fallback = container_base_url
    return _base(html5_urls.resolve, base_href, fallback, encoding)


def document_base_web_address(
    address: str,
    base_href: str | None = None,
    *,
    creator_base_address: str | None = None,
    encoding: str = "utf-8",
) -> str:
    """Return the document base Web address of a document whose address is ``address``.

    ``base_href``: the href of the first `base` element that has one and is a child of `head`.
    ``creator_base_address``: the same of the creator of its browsing context, which a document at
    about:blank takes.

    Document: "Web addresses in HTML 5", to resolve a Web address, step 3.
    """
    fallback = address
    if address == "about:blank" and creator_base_address is not None:
        fallback = creator_base_address
    return _base(web_addresses.resolve, base_href, fallback, encoding)


def _base(resolve: Callable[..., str], base_href: str | None, fallback: str, encoding: str) -> str:
    require_text(fallback, "a URL")
    if base_href is None:
        return fallback
    try:
        return resolve(base_href, fallback, encoding=encoding)
    except LegacyURLError:
        return fallback


def element_base_uri(document_base: str, xml_bases: Iterable[str]) -> str:
    """Return the base URI of an element in a document whose base URL is ``document_base``.

    ``xml_bases``: the xml:base attributes of its ancestors and of itself, outermost first. One
    that cannot be resolved changes nothing. A base URI has no fragment, so the fragments of the
    document base and of the attributes are dropped.

    Document: HTML5 working draft, 2.6.3, step 4, by way of XML Base, and RFC 3986, 5.1.
    """
    return _element_base(html5_urls.resolve, document_base, xml_bases)


def element_base_web_address(document_base: str, xml_bases: Iterable[str]) -> str:
    """Return the same by the rules of "Web addresses in HTML 5".

    Document: "Web addresses in HTML 5", to resolve a Web address, step 3, by way of XML Base.
    """
    return _element_base(web_addresses.resolve, document_base, xml_bases)


def _element_base(resolve: Callable[..., str], base: str, xml_bases: Iterable[str]) -> str:
    require_text(base, "a base URL")
    for xml_base in xml_bases:
        try:
            base = resolve(xml_base, base)
        except LegacyURLError:
            continue
    return base.partition("#")[0]


def attribute_to_resolve_again(
    element: str, *, creates_hyperlink: bool, is_shown: bool
) -> Literal["href", "cite"] | None:
    """Return which attribute an element affected by a base URL change resolves again, if any.

    ``element``: its local name. ``is_shown``: whether the URL in that attribute is shown to the
    user, or what is shown depends on it.

    Document: HTML5 working draft, 2.6.5.
    """
    if not is_shown:
        return None
    if creates_hyperlink:
        return "href"
    return "cite" if element in _ELEMENTS_WITH_CITE else None

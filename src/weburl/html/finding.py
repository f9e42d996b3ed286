"""Which attributes hold URLs, and for what: from an element to the links on it.

The tables are those of HTML's index of attributes, of the obsolete features that browsers must
still support, and of SVG 2's URL references. Nothing is resolved here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from weburl.html.attributes import is_keyword, refresh_url, space_separated_tokens, srcset_urls
from weburl.html.link import LinkKind
from weburl.html.speculation_rules import speculation_rules_urls
from weburl.html.terminology import ASCII_WHITESPACE
from weburl.html.tree import HTML, SVG, Element
from weburl.infra.strings import ascii_lowercase

# Types of links that a browser loads or gets ready to; the others are for people and programs
# to follow. Spec: https://html.spec.whatwg.org/#linkTypes, and the icons that some systems want.
_LOADED_RELATIONS: Final = frozenset(
    {
        "apple-touch-icon",
        "apple-touch-icon-precomposed",
        "compression-dictionary",
        "dns-prefetch",
        "expect",
        "icon",
        "manifest",
        "mask-icon",
        "modulepreload",
        "pingback",
        "preconnect",
        "prefetch",
        "preload",
        "stylesheet",
    }
)


@attrs.frozen
class Found:
    """The text of one URL: its kind, the attribute it stands in, and the text itself."""

    kind: LinkKind
    attribute: str
    input: str


@attrs.frozen
class _Rule:
    """Where a URL stands: an attribute, or "" for the text inside, and the kind of link.

    ``split`` finds the URLs in its value, where it is not one. ``may_be_empty``: whether ""
    is a URL there rather than nothing. ``applies``: whether the element makes use of it.
    """

    attribute: str
    kind: LinkKind
    split: Callable[[str], list[str]] | None = None
    may_be_empty: bool = False
    applies: Callable[[Element], bool] | None = None


def _is_refresh(element: Element) -> bool:
    return is_keyword(element.attribute("http-equiv"), "refresh")


def _is_image_button(element: Element) -> bool:
    return is_keyword(element.attribute("type"), "image")


def _is_submit_input(element: Element) -> bool:
    return is_keyword(element.attribute("type"), "submit") or _is_image_button(element)


def _is_submit_button(element: Element) -> bool:
    type = element.attribute("type")
    return not is_keyword(type, "button") and not is_keyword(type, "reset")


def _has_speculation_rules(element: Element) -> bool:
    type = (element.attribute("type") or "").strip(ASCII_WHITESPACE)
    return is_keyword(type, "speculationrules") and element.attribute("src") is None


def _has_no_srcdoc(element: Element) -> bool:
    return element.attribute("srcdoc") is None


def _has_no_href(element: Element) -> bool:
    return element.attribute("href") is None


def _loads(element: Element) -> bool:
    return not _LOADED_RELATIONS.isdisjoint(rel_of(element))


def _relates(element: Element) -> bool:
    return not _loads(element)


def _refresh_urls(content: str) -> list[str]:
    url = refresh_url(content)
    return [] if url is None else [url]


_HYPERLINK: Final = (
    _Rule("href", LinkKind.HYPERLINK, may_be_empty=True),
    _Rule("ping", LinkKind.PING, space_separated_tokens),
)
_CITE: Final = (_Rule("cite", LinkKind.CITATION, may_be_empty=True),)
_SRC: Final = _Rule("src", LinkKind.RESOURCE)
_SRCSET: Final = _Rule("srcset", LinkKind.RESOURCE, srcset_urls)
_BACKGROUND: Final = (_Rule("background", LinkKind.RESOURCE),)

# Spec: https://html.spec.whatwg.org/#attributes-3
_OF_HTML: Final[dict[str, tuple[_Rule, ...]]] = {
    "a": _HYPERLINK,
    "area": _HYPERLINK,
    "audio": (_SRC,),
    "base": (_Rule("href", LinkKind.BASE, may_be_empty=True),),
    "blockquote": _CITE,
    "body": _BACKGROUND,
    "button": (
        _Rule("formaction", LinkKind.SUBMISSION, may_be_empty=True, applies=_is_submit_button),
    ),
    "del": _CITE,
    "embed": (_SRC,),
    "form": (_Rule("action", LinkKind.SUBMISSION, may_be_empty=True),),
    "frame": (_Rule("src", LinkKind.FRAME),),
    "iframe": (_Rule("src", LinkKind.FRAME, applies=_has_no_srcdoc),),
    "img": (_SRC, _SRCSET),
    "input": (
        _Rule("src", LinkKind.RESOURCE, applies=_is_image_button),
        _Rule("formaction", LinkKind.SUBMISSION, may_be_empty=True, applies=_is_submit_input),
    ),
    "ins": _CITE,
    "link": (
        _Rule("href", LinkKind.RESOURCE, applies=_loads),
        _Rule("href", LinkKind.RELATION, applies=_relates),
        _Rule("imagesrcset", LinkKind.RESOURCE, srcset_urls),
    ),
    "meta": (_Rule("content", LinkKind.REFRESH, _refresh_urls, applies=_is_refresh),),
    "object": (_Rule("data", LinkKind.RESOURCE),),
    "q": _CITE,
    "script": (
        _SRC,
        _Rule("", LinkKind.SPECULATION, speculation_rules_urls, applies=_has_speculation_rules),
    ),
    "source": (_SRC, _SRCSET),
    "table": _BACKGROUND,
    "tbody": _BACKGROUND,
    "td": _BACKGROUND,
    "tfoot": _BACKGROUND,
    "th": _BACKGROUND,
    "thead": _BACKGROUND,
    "tr": _BACKGROUND,
    "track": (_SRC,),
    "video": (_SRC, _Rule("poster", LinkKind.RESOURCE)),
}


def _of_svg(kind: LinkKind) -> tuple[_Rule, ...]:
    may_be_empty = kind is LinkKind.HYPERLINK
    return (
        _Rule("href", kind, may_be_empty=may_be_empty),
        _Rule("xlink:href", kind, may_be_empty=may_be_empty, applies=_has_no_href),
    )


# Spec: https://svgwg.org/svg2-draft/linking.html#URLReference
_OF_SVG: Final[dict[str, tuple[_Rule, ...]]] = {
    "a": _of_svg(LinkKind.HYPERLINK),
    **dict.fromkeys(
        ("feImage", "image", "linearGradient", "pattern", "radialGradient", "script", "use"),
        _of_svg(LinkKind.RESOURCE),
    ),
}
_RULES: Final = {HTML: _OF_HTML, SVG: _OF_SVG}
ELEMENTS: Final = frozenset(_OF_HTML) | frozenset(_OF_SVG)
"""The local names of the elements that hold URLs."""

_NONE: Final[dict[str, tuple[_Rule, ...]]] = {}


def urls_on(element: Element) -> Iterator[Found]:
    """Yield the texts of the URLs on an element, in the order that the table has them."""
    for rule in _RULES.get(element.namespace, _NONE).get(element.name, ()):
        if rule.applies is not None and not rule.applies(element):
            continue
        value = element.attribute(rule.attribute) if rule.attribute else element.text
        if value is None:
            continue
        for text in [value] if rule.split is None else rule.split(value):
            if text or rule.may_be_empty or rule.split is not None:
                yield Found(rule.kind, rule.attribute, text)


def rel_of(element: Element) -> tuple[str, ...]:
    """Return the keywords of an element's ``rel`` attribute, in lower case."""
    return tuple(map(ascii_lowercase, space_separated_tokens(element.attribute("rel") or "")))


def target_of(element: Element, of_base: str) -> str:
    """Return the name of the window that an element's link opens in, "" for its own.

    ``of_base`` is the `target_name` that the page's first `base` element with a ``target``
    has, or "".

    Spec: https://html.spec.whatwg.org/#get-an-element's-target
    """
    target = element.attribute("target")
    return of_base if target is None else target_name(target)


def target_name(target: str) -> str:
    """Return the name of the window that a ``target`` attribute stands for.

    Spec: https://html.spec.whatwg.org/#get-an-element's-target
    """
    if "<" in target and any(char in target for char in "\t\n\r"):
        return "_blank"
    return target

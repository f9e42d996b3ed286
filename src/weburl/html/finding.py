"""Which attributes contain URLs and what the URLs are for.

One table lists the attributes and their conditions. It follows HTML's index of attributes, the
obsolete features that browsers must still support, and SVG 2's URL references. The table in
docs/html-reference.md is generated from it. No URL is resolved here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from typing import Final, NamedTuple

import attrs

from weburl.html import conditions as when
from weburl.html.attributes import refresh_url, space_separated_tokens, srcset_urls
from weburl.html.conditions import Condition
from weburl.html.link import LinkKind
from weburl.html.speculation_rules import speculation_rules_urls
from weburl.html.style_sheets import css_urls
from weburl.html.tree import HTML, SVG, Element


class Found(NamedTuple):
    """The text of one URL, with its kind and its attribute.

    ``inert``: whether the element does not use it. ``number``: its place in the attribute, from 0.
    """

    kind: LinkKind
    attribute: str
    input: str
    inert: bool = False
    number: int = 0


# Quicker than `Found`, whose constructor is Python code.
_new_found: Final[Callable[[tuple[LinkKind, str, str, bool, int]], Found]] = partial(
    tuple.__new__, Found
)


@attrs.frozen
class Rule:
    """An attribute that contains URLs, and the kind of its links.

    ``attribute``: its name, or "" for the text inside the element. ``condition``: when it counts.
    ``split``: returns the URLs in a value, or None if the whole value is one URL.
    ``may_be_empty``: whether "" is a URL there rather than an absent one.
    """

    attribute: str
    kind: LinkKind
    condition: Condition = when.ALWAYS
    split: Callable[[str], list[str]] | None = None
    may_be_empty: bool = False


def refresh_urls(content: str) -> list[str]:
    """Return the `refresh_url` of ``content``, if any."""
    url = refresh_url(content)
    return [] if url is None else [url]


_HYPERLINK: Final = (
    Rule("href", LinkKind.HYPERLINK, may_be_empty=True),
    Rule("ping", LinkKind.PING, when.PING, space_separated_tokens),
)
_CITE: Final = (Rule("cite", LinkKind.CITATION, may_be_empty=True),)
_SRC: Final = (Rule("src", LinkKind.RESOURCE),)
_BACKGROUND: Final = (Rule("background", LinkKind.RESOURCE),)

# Spec: https://html.spec.whatwg.org/#attributes-3
_OF_HTML: Final[dict[str, tuple[Rule, ...]]] = {
    "a": _HYPERLINK,
    "area": _HYPERLINK,
    "audio": _SRC,
    "base": (Rule("href", LinkKind.BASE, when.BASE, may_be_empty=True),),
    "blockquote": _CITE,
    "body": _BACKGROUND,
    "button": (Rule("formaction", LinkKind.SUBMISSION, when.SUBMIT_BUTTON, may_be_empty=True),),
    "del": _CITE,
    "embed": _SRC,
    "form": (Rule("action", LinkKind.SUBMISSION, may_be_empty=True),),
    "frame": (Rule("src", LinkKind.FRAME),),
    "iframe": (Rule("src", LinkKind.FRAME, when.NO_SRCDOC),),
    "img": (*_SRC, Rule("srcset", LinkKind.RESOURCE, split=srcset_urls)),
    "input": (
        Rule("src", LinkKind.RESOURCE, when.IMAGE_BUTTON),
        Rule("formaction", LinkKind.SUBMISSION, when.SUBMIT_INPUT, may_be_empty=True),
    ),
    "ins": _CITE,
    "link": (
        Rule("href", LinkKind.RESOURCE, when.LOADED),
        Rule("href", LinkKind.RELATION, when.RELATED),
        Rule("imagesrcset", LinkKind.RESOURCE, when.PRELOADED_IMAGE, srcset_urls),
    ),
    "meta": (Rule("content", LinkKind.REFRESH, when.REFRESH, refresh_urls),),
    "object": (Rule("data", LinkKind.RESOURCE),),
    "q": _CITE,
    "script": (
        Rule("src", LinkKind.RESOURCE, when.FETCHED_SCRIPT),
        Rule("", LinkKind.SPECULATION, when.SPECULATION_RULES, speculation_rules_urls),
    ),
    "source": (
        Rule("src", LinkKind.RESOURCE, when.IN_MEDIA_WITHOUT_SRC),
        Rule("srcset", LinkKind.RESOURCE, when.IN_PICTURE, srcset_urls),
    ),
    "table": _BACKGROUND,
    "tbody": _BACKGROUND,
    "td": _BACKGROUND,
    "tfoot": _BACKGROUND,
    "th": _BACKGROUND,
    "thead": _BACKGROUND,
    "tr": _BACKGROUND,
    "track": (Rule("src", LinkKind.RESOURCE, when.IN_MEDIA),),
    "video": (*_SRC, Rule("poster", LinkKind.RESOURCE)),
}


def _of_svg(kind: LinkKind) -> tuple[Rule, ...]:
    may_be_empty = kind is LinkKind.HYPERLINK
    return (
        Rule("href", kind, may_be_empty=may_be_empty),
        Rule("xlink:href", kind, when.NO_HREF, may_be_empty=may_be_empty),
    )


# Spec: https://svgwg.org/svg2-draft/linking.html#URLReference
_OF_SVG: Final[dict[str, tuple[Rule, ...]]] = {
    "a": _of_svg(LinkKind.HYPERLINK),
    **dict.fromkeys(
        ("feImage", "image", "linearGradient", "pattern", "radialGradient", "use"),
        _of_svg(LinkKind.RESOURCE),
    ),
    "script": (
        Rule("href", LinkKind.RESOURCE, when.FETCHED_SVG_SCRIPT),
        Rule("xlink:href", LinkKind.RESOURCE, when.FETCHED_SCRIPT_WITHOUT_HREF),
    ),
}
RULES: Final = {HTML: _OF_HTML, SVG: _OF_SVG}
"""The rules for each element, by namespace and local name."""

_STYLE: Final[dict[str, tuple[Rule, ...]]] = {
    "style": (Rule("", LinkKind.RESOURCE, when.CSS, css_urls),)
}
_LONGDESC: Final = (Rule("longdesc", LinkKind.RELATION),)
_VML_IMAGE: Final = (Rule("src", LinkKind.RESOURCE),)
_VML_SHAPE: Final = (Rule("href", LinkKind.HYPERLINK),)
# What programs other than browsers read, or scripts, by the name of the option and the namespace.
_MORE: Final[dict[str, dict[str, dict[str, tuple[Rule, ...]]]]] = {
    "css": {HTML: _STYLE, SVG: _STYLE},
    "lazy": {},
    "open_graph": {HTML: {"meta": (Rule("content", LinkKind.RELATION, when.OPEN_GRAPH),)}},
    "longdesc": {HTML: dict.fromkeys(("frame", "iframe", "img"), _LONGDESC)},
    "conditional_comments": {
        HTML: {
            **dict.fromkeys(("v:fill", "v:image", "v:imagedata"), _VML_IMAGE),
            **dict.fromkeys(("v:oval", "v:rect", "v:roundrect", "v:shape"), _VML_SHAPE),
        }
    },
}
_ON_ANY_ELEMENT: Final = {
    "css": (Rule("style", LinkKind.RESOURCE, split=css_urls),),
    "lazy": (
        Rule("data-src", LinkKind.RESOURCE),
        Rule("data-srcset", LinkKind.RESOURCE, split=srcset_urls),
    ),
}
MORE: Final = tuple(_MORE)
"""The names of the options that add links to those of browsers."""

_NO_RULES: Final[dict[str, tuple[Rule, ...]]] = {}
_USED: Final = Rule("", LinkKind.BASE), ""


@attrs.frozen(eq=False)
class Table:
    """The rules for a page.

    ``rules``: by namespace and local name. ``others``: those for all other elements.
    """

    rules: Mapping[str, Mapping[str, tuple[Rule, ...]]]
    others: tuple[Rule, ...]

    def of(self, element: Element) -> tuple[Rule, ...]:
        """Return the rules for an element."""
        return self.rules.get(element.namespace, _NO_RULES).get(element.name, self.others)

    def attributes_with(self, kinds: Collection[LinkKind]) -> dict[str, tuple[str, ...]]:
        """Return which attributes may have links of these kinds, by the element's local name.

        There are no attributes with the name of an element whose text may have links. Attributes
        with the name "" may have links on any other element.
        """
        found: dict[str, dict[str, None]] = {}
        others = {"": self.others} if self.others else {}
        for by_name in (*self.rules.values(), others):
            for name, rules in by_name.items():
                for rule in rules:
                    if rule.kind in kinds:
                        found.setdefault(name, {})[rule.attribute] = None
        return {
            name: () if "" in attributes else (*attributes,) for name, attributes in found.items()
        }


@lru_cache(maxsize=32)
def table_with(more: frozenset[str]) -> Table:
    """Return the rules for what browsers use, and for the options in ``more``."""
    if not more:
        return Table(RULES, ())
    others = tuple(rule for name in sorted(more) for rule in _ON_ANY_ELEMENT.get(name, ()))
    rules: dict[str, dict[str, tuple[Rule, ...]]] = {}
    for namespace, of_browsers in RULES.items():
        by_name = rules[namespace] = dict(of_browsers)
        for option in sorted(more):
            for name, added in _MORE[option].get(namespace, _NO_RULES).items():
                by_name[name] = (*by_name.get(name, ()), *added)
        for name, of_name in by_name.items():
            by_name[name] = (*of_name, *others)
    return Table(rules, others)


def is_css(attribute: str, kind: LinkKind) -> bool:
    """Return whether a link is in CSS: in a `style` attribute or element."""
    return attribute == "style" or (not attribute and kind is LinkKind.RESOURCE)


def urls_on(element: Element, rules: Iterable[Rule]) -> list[Found]:
    """Return the texts of the URLs on an element with these rules, in the order of the rules.

    A URL that the element does not use is inert, unless another rule uses the same attribute. The
    rest of the page is not examined.
    """
    found: list[Found] = []
    unused: dict[str, tuple[Rule, str]] = {}
    for rule in rules:
        attribute, condition = rule.attribute, rule.condition
        value = element.attribute(attribute) if attribute else element.text
        # Without the attribute there is nothing, whether the condition holds or not.
        if value is None:
            continue
        if condition is when.ALWAYS or condition.holds(element):
            if rule.split is not None:
                _add_texts(found, rule, value, inert=False)
            elif value or rule.may_be_empty:
                found.append(_new_found((rule.kind, attribute, value, False, 0)))
            unused[attribute] = _USED
        elif not condition.decides_if_url and unused.get(attribute) is not _USED:
            unused[attribute] = rule, value
    for rule_and_value in unused.values():
        if rule_and_value is not _USED:
            _add_texts(found, *rule_and_value, inert=True)
    return found


def _add_texts(found: list[Found], rule: Rule, value: str, *, inert: bool) -> None:
    if rule.split is not None:
        kind, attribute = rule.kind, rule.attribute
        for index, text in enumerate(rule.split(value)):
            found.append(_new_found((kind, attribute, text, inert, index)))
    elif value or rule.may_be_empty:
        found.append(Found(rule.kind, rule.attribute, value, inert))


def target_of(element: Element, of_base: str) -> str:
    """Return the name of the window that an element's link opens in, or "" for the same window.

    ``of_base`` is the `target_name` of the page's first `base` element with a ``target``, or ""
    without such an element.

    Spec: https://html.spec.whatwg.org/#get-an-element's-target
    """
    target = element.attribute("target")
    return of_base if target is None else target_name(target)


def target_name(target: str) -> str:
    """Return the name of the window that a ``target`` attribute means.

    A name with "<" and a tab or newline becomes "_blank": it may be markup that an attacker left
    unclosed.

    Spec: https://html.spec.whatwg.org/#get-an-element's-target
    """
    if "<" in target and any(char in target for char in "\t\n\r"):
        return "_blank"
    return target

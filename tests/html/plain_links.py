"""The links of a page in the plainest way: every rule of every element, every text parsed anew.

It shares the table, the conditions and the tree with `weburl.html`, but nothing that saves work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from weburl.html import Document, LinkKind, PageLink, page
from weburl.html.attributes import is_keyword, is_refresh, refresh_url
from weburl.html.conditions import rel_of
from weburl.html.documents import base_url_of
from weburl.html.finding import RULES, Rule
from weburl.html.limits import UNLIMITED
from weburl.html.link import FOLLOWED_LATER, resolve
from weburl.html.tree import Element, parse_html
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError


def plain_links(source: str | bytes, url: str) -> list[PageLink]:
    """Return all links, inert ones too, without their targets."""
    tree = parse_html(source, None, scripting=False, limits=UNLIMITED)
    document = page(source, url).document
    before_base = attrs.evolve(document, frozen_base_url=None)
    so_far = before_base
    will_refresh = False
    answer = []
    for element in tree.elements():
        sets_base = (
            so_far is before_base
            and (element.name, element.namespace) == ("base", "html")
            and element.is_in_document_tree
            and element.attribute("href") is not None
        )
        has_hyperlink = False
        counts: Counter[tuple[str, LinkKind]] = Counter()
        for rule, text, is_unused in _texts_on(element):
            inert = is_unused
            relative_to = document if rule.kind in FOLLOWED_LATER else so_far
            if rule.kind is LinkKind.BASE:
                relative_to = before_base
            record = _record(rule.kind, text, relative_to)
            is_http = record is not None and record.scheme in ("http", "https")
            if rule.kind is LinkKind.HYPERLINK:
                has_hyperlink = has_hyperlink or record is not None
            elif rule.kind is LinkKind.BASE:
                inert = not sets_base or base_url_of(before_base, text) is None
            elif rule.kind is LinkKind.REFRESH:
                inert = will_refresh or record is None or record.scheme == "javascript"
                will_refresh = will_refresh or not inert
            elif rule.kind is LinkKind.SPECULATION:
                inert = inert or not is_http
            elif rule.kind is LinkKind.PING:
                inert = inert or not is_http or not has_hyperlink
            line, column = element.position or (None, None)
            column = None if column is None else column + 1
            answer.append(
                PageLink(
                    rule.kind,
                    element.name,
                    rule.attribute,
                    text,
                    record,
                    rel=rel_of(element),
                    line=line,
                    column=column,
                    inert=inert,
                    index=counts[rule.attribute, rule.kind],
                )
            )
            counts[rule.attribute, rule.kind] += 1
        will_refresh = will_refresh or _reloads(element)
        if sets_base:
            so_far = document
    return answer


def _texts_on(element: Element) -> Iterator[tuple[Rule, str, bool]]:
    rules = RULES.get(element.namespace, {}).get(element.name, ())
    used = {rule.attribute for rule in rules if rule.condition.holds(element)}
    unused = {
        rule.attribute: rule
        for rule in rules
        if not rule.condition.holds(element) and not rule.condition.decides_if_url
    }
    for rule in rules:
        if rule.condition.holds(element):
            yield from ((rule, text, False) for text in _texts(element, rule))
    for attribute, rule in unused.items():
        if attribute not in used:
            yield from ((rule, text, True) for text in _texts(element, rule))


def _texts(element: Element, rule: Rule) -> list[str]:
    value = element.attribute(rule.attribute) if rule.attribute else element.text
    if value is None:
        return []
    if rule.split is not None:
        return rule.split(value)
    return [value] if value or rule.may_be_empty else []


def _record(kind: LinkKind, text: str, document: Document) -> URLRecord | None:
    try:
        return resolve(kind, text, document)
    except URLParseError:
        return None


def _reloads(element: Element) -> bool:
    content = element.attribute("content") or ""
    return (
        element.name == "meta"
        and is_keyword(element.attribute("http-equiv"), "refresh")
        and is_refresh(content)
        and refresh_url(content) is None
    )

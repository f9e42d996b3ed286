"""Turns HTML into a document and its links."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Final, NamedTuple, TypedDict, Unpack

import attrs

from weburl.html.attributes import is_keyword, is_refresh, refresh_url, space_separated_tokens
from weburl.html.conditions import rel_of
from weburl.html.content_security_policy import policies_in_header
from weburl.html.documents import (
    Document,
    base_url_of,
    document_base_url,
    set_frozen_base_url,
)
from weburl.html.finding import (
    MORE,
    Table,
    is_css,
    table_with,
    target_name,
    target_of,
    urls_on,
)
from weburl.html.forms import FormOwners
from weburl.html.limits import PageLimits
from weburl.html.link import FOLLOWED_LATER, LinkKind, PageLink, kinds_named, new_link, resolve
from weburl.html.tree import (
    HTML,
    Element,
    HyperlinkTexts,
    Tree,
    html_in_conditional_comment,
    parse_html,
)
from weburl.standard.url.api import parse, record_of
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.report import URLParseError

# The elements whose links open in a window.
_WITH_TARGET: Final = frozenset({"a", "area", "form"})
# The parser merges the attributes of their later tags.
_MERGED: Final = frozenset({"body", "html"})
_BUTTONS: Final = frozenset({"button", "input"})
# The kinds that browsers accept only with these schemes.
_FOR_HTTP: Final = frozenset({LinkKind.PING, LinkKind.SPECULATION})
# Links of these kinds may resolve differently from others with the same text.
_RESOLVED_BY_KIND: Final = frozenset({LinkKind.SPECULATION, LinkKind.SUBMISSION})
_HTTP: Final = frozenset({"http", "https"})

_Outcome = tuple[URLRecord | None, URLParseError | None]
_Shared = tuple[tuple[str, ...], str, int | None, int | None]

_ALL_KINDS: Final = frozenset(LinkKind)
_DEFAULT_LIMITS: Final = PageLimits()


@attrs.frozen
class Page:
    """The URLs of a page.

    ``document``: its address, encoding and base URL. ``links``: every link, in page order.
    """

    __module__ = "weburl.html"

    document: Document
    links: tuple[PageLink, ...]


class PageOptions(TypedDict, total=False):
    """How a page is read. `page` says what each option does."""

    encoding: str | None
    about_base_url: AnyURL | None
    scripting: bool
    content_security_policy: str | Iterable[str]
    limits: PageLimits
    context: str | None
    css: bool
    lazy: bool
    open_graph: bool
    longdesc: bool
    conditional_comments: bool


def page(
    html: str | bytes,
    url: AnyURL,
    *,
    inert: bool = False,
    texts: bool = False,
    **options: Unpack[PageOptions],
) -> Page:
    """Return the document and the links of the page ``html``, loaded from ``url``.

    Takes linear time.

    Args:
        html: The page, as text or bytes.
        url: Its address, as text or a record.
        inert: Whether to include links that browsers do not use, such as a second `base` element
            or a script of an unknown type. `PageLink.inert` marks them.
        texts: Whether to read the text of each hyperlink, for `PageLink.text`.
        encoding: A label of the encoding that the server names. An unknown label is ignored, as in
            a browser, and a byte order mark overrides it. Without either, bytes are read in the
            encoding that they declare, otherwise in UTF-8 if they are valid UTF-8, otherwise in
            windows-1252. Text counts as decoded from the encoding that it declares, otherwise from
            UTF-8.
        about_base_url: The base URL of the page around this one, for ``about:blank`` and
            ``about:srcdoc``.
        scripting: Whether scripts run. If they do, the content of `noscript` is not part of the
            page.
        content_security_policy: The response's values of that header, if any. They may forbid base
            URLs, as `meta` elements may.
        limits: How many links and elements the page may have.
        context: If ``html`` is a fragment, the name of the element that it is inside of. In
            ``"template"``, every element may come first, such as `tr`. A fragment must be text.
        css: Whether to include the URLs in `style` elements and attributes.
        lazy: Whether to include ``data-src`` and ``data-srcset``, which scripts read.
        open_graph: Whether to include the URLs in `meta` elements for Open Graph and Twitter.
        longdesc: Whether to include ``longdesc``.
        conditional_comments: Whether to include the links in Outlook's comments, after all others.

    Raises:
        URLParseError: ``url`` does not parse.
        TypeError: ``html`` is neither text nor bytes, or is a fragment and not text.
        ValueError: ``about:srcdoc`` has no ``about_base_url``, or there is no element with the name
            ``context``.
        PageLimitError: The page exceeds ``limits``.
        ImportError: The HTML parser is not installed.

    Spec: https://html.spec.whatwg.org/#document-base-url
    """
    reading = read(html, url, None, texts=texts, **options)
    found = reading.links
    return Page(
        attrs.evolve(reading.document, content_security_policies=reading.policies),
        tuple(found if inert else [link for link in found if not link.inert]),
    )


def links(
    html: str | bytes,
    url: AnyURL,
    *,
    kinds: Iterable[LinkKind | str] | None = None,
    inert: bool = False,
    texts: bool = False,
    **options: Unpack[PageOptions],
) -> tuple[PageLink, ...]:
    """Return every link of a page, resolved as in a browser, in page order.

    Args:
        kinds: The kinds to return, such as ``{"hyperlink", "frame"}``, or None for all. Other
            links are not resolved and do not count towards ``limits``.

    The other arguments are the same as for `page`.

    Raises:
        ValueError: A kind is unknown.

    The other errors are the same as for `page`.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-a-url
    """
    found = read(html, url, kinds_named(kinds), texts=texts, **options).links
    return tuple(found if inert else [link for link in found if not link.inert])


@attrs.frozen(eq=False)
class Reading:
    """A page as it was read, with all of its links.

    ``document``: its properties. ``policies``: its content security policies, also those after the
    `base` element. ``trees``: that of the page, and those of its conditional comments. ``table``:
    the rules for its links.
    """

    document: Document
    policies: tuple[str, ...]
    links: list[PageLink]
    trees: list[Tree]
    table: Table


def read(
    html: str | bytes,
    url: AnyURL,
    kinds: frozenset[LinkKind] | None,
    keep_places: bool = False,
    /,
    *,
    encoding: str | None = None,
    about_base_url: AnyURL | None = None,
    scripting: bool = False,
    content_security_policy: str | Iterable[str] = (),
    texts: bool = False,
    limits: PageLimits = _DEFAULT_LIMITS,
    context: str | None = None,
    **more: bool,
) -> Reading:
    """Return a page with its links of some kinds, or all for None, with the inert ones.

    ``keep_places``: whether each link keeps its `LinkPlace`, and so the tree.
    """
    address = record_of(url)
    if not isinstance(limits, PageLimits):
        raise TypeError(f"limits must be PageLimits, not {type(limits).__name__}")
    options = frozenset(name for name, is_on in more.items() if is_on)
    if unknown := more.keys() - set(MORE):
        raise TypeError(f"there is no option {', '.join(sorted(unknown))}")
    tree = parse_html(html, encoding, scripting=scripting, limits=limits, context=context)
    headers = content_security_policy
    headers = (headers,) if isinstance(headers, str) else headers
    policies = [policy for value in headers for policy in policies_in_header(value)]
    bases: list[Element] = []
    base: Element | None = None
    in_force = len(policies)
    for element in tree.elements({"base": (), "meta": ("http-equiv",)}):
        if _is_base(element):
            bases.append(element)
            if base is None and element.attribute("href") is not None:
                # A later policy does not undo what a base element has set.
                base, in_force = element, len(policies)
        elif (policy := _policy_of(element)) is not None:
            policies.append(policy)
    if base is None:
        in_force = len(policies)
    before_base = Document(
        address, tree.encoding, about_base_url, content_security_policies=policies[:in_force]
    )
    document = before_base
    if base is not None:
        document = set_frozen_base_url(before_base, base.attribute("href") or "")
    targets = (element.attribute("target") for element in bases)
    target = next((target for target in targets if target is not None), "")
    walk = _Walk(before_base, document, target_name(target), limits, kinds, options, keep_places)
    walk.add_links_of(tree, HyperlinkTexts(tree) if texts else None)
    trees = [tree]
    if "conditional_comments" in options:
        for text in tree.conditional_comments():
            inside = text[slice(*html_in_conditional_comment(text) or ())]
            trees.append(
                parse_html(
                    inside, tree.encoding, scripting=scripting, limits=limits, context="template"
                )
            )
            walk.add_links_of(trees[-1], None)
    return Reading(document, tuple(policies), walk.found, trees, walk.table)


def _is_base(element: Element) -> bool:
    return element.name == "base" and element.namespace == HTML and element.is_in_document_tree


def _policy_of(meta: Element) -> str | None:
    """Return the Content Security Policy that a `meta` element sets, or None.

    Spec: https://html.spec.whatwg.org/#attr-meta-http-equiv-content-security-policy
    """
    if meta.name != "meta" or meta.namespace != HTML:
        return None
    if not is_keyword(meta.attribute("http-equiv"), "content-security-policy"):
        return None
    parent = meta.parent
    if parent is None or parent.name != "head" or parent.namespace != HTML:
        return None
    return meta.attribute("content") or None


class LinkPlace(NamedTuple):
    """Where a link is: its element, the number of its tree, and what it is relative to."""

    element: Element
    tree: int
    base_url: URLRecord


# Quicker than `LinkPlace`, whose constructor is Python code.
_new_place: Final[Callable[[tuple[Element, int, URLRecord]], LinkPlace]] = partial(
    tuple.__new__, LinkPlace
)


class _Walk:
    """Collects the links of the trees of a page."""

    def __init__(
        self,
        before_base: Document,
        document: Document,
        base_target: str,
        limits: PageLimits,
        kinds: frozenset[LinkKind] | None,
        options: frozenset[str],
        keep_places: bool,
    ) -> None:
        self.table = table_with(options)
        self.found: list[PageLink] = []
        self._has_css = "css" in options
        self._keep_places = keep_places
        self._trees = 0
        self._base_target = base_target
        self._limits = limits
        self._kinds = kinds
        self._names, self._needed = _what_to_read(kinds, self.table)
        self._before_base = before_base
        budget = _Budget(limits)
        self._with_base = _Resolver(document, budget)
        # Browsers resolve what they load while parsing, so what precedes the `base` ignores it.
        self._without_base = (
            self._with_base if document is before_base else _Resolver(before_base, budget)
        )
        self._is_base_set = False
        self._will_refresh = False

    def add_links_of(self, tree: Tree, shown: HyperlinkTexts | None) -> None:  # noqa: C901, PLR0915  # a page is read in one pass
        """Add the links of a tree, with the texts of hyperlinks if they are ``shown``."""
        found, kinds, needed, rules_of = self.found, self._kinds, self._needed, self.table.of
        without_base, with_base = self._without_base, self._with_base
        so_far = with_base if self._trees else without_base
        most_links = _or_unlimited(self._limits.links)
        keep_places = self._keep_places
        owners = FormOwners(tree)
        for element in tree.elements(self._names):
            name = element.name
            sets_base = (
                name == "base"
                and not self._is_base_set
                and _is_base(element)
                and element.attribute("href") is not None
                and not self._trees
            )
            # Computed once for all URLs of an element: a `srcset` or a `ping` can have any number.
            shared: _Shared | None = None
            has_hyperlink = False
            for kind, attribute, text, is_unused, index in urls_on(element, rules_of(element)):
                if kind not in needed:
                    continue
                if kind is LinkKind.BASE:
                    resolver = without_base
                elif kind in FOLLOWED_LATER:
                    resolver = with_base
                else:
                    resolver = so_far
                if self._has_css and is_css(attribute, kind):
                    record, error = with_base.outcome(kind, text, utf_8=True)
                else:
                    record, error = resolver.outcome(kind, text)
                has_hyperlink |= kind is LinkKind.HYPERLINK and record is not None
                if kinds is not None and kind not in kinds:
                    continue
                inert = is_unused
                if kind is LinkKind.BASE:
                    inert = not sets_base or base_url_of(self._before_base, text) is None
                elif kind is LinkKind.REFRESH:
                    inert = self._will_refresh or record is None or record.scheme == "javascript"
                    self._will_refresh = self._will_refresh or not inert
                elif kind in _FOR_HTTP:
                    inert = inert or record is None or record.scheme not in _HTTP
                    inert = inert or (kind is LinkKind.PING and not has_hyperlink)
                if shared is None or name in _MERGED:
                    shared = _shared(element, attribute, self._base_target, owners)
                    if self._trees:  # a line and a column in the comment would mean nothing
                        shared = *shared[:2], None, None
                if len(found) >= most_links:
                    self._limits.require("links", len(found) + 1)
                seen = None
                if shown is not None and kind is LinkKind.HYPERLINK:
                    seen = _text(element, shown)
                place = None
                if keep_places:
                    place = _new_place((element, self._trees, resolver.base_url))
                link = new_link(
                    kind, name, attribute, text, record, error, *shared, inert, seen, index, place
                )
                found.append(link)
            self._will_refresh = self._will_refresh or (name == "meta" and _reloads(element))
            if sets_base:
                so_far, self._is_base_set = with_base, True
        self._trees += 1


@lru_cache(maxsize=64)
def _what_to_read(
    kinds: frozenset[LinkKind] | None, table: Table
) -> tuple[dict[str, tuple[str, ...]], frozenset[LinkKind]]:
    """Return which elements to read for links of some kinds, and which kinds to resolve.

    With the name of each element are the attributes of which it must have one.
    """
    if kinds is None:
        return table.attributes_with(_ALL_KINDS), _ALL_KINDS
    # Whether a ping is used depends on the hyperlink beside it.
    needed = kinds | {LinkKind.HYPERLINK} if LinkKind.PING in kinds else kinds
    return table.attributes_with(needed | {LinkKind.BASE}), needed


class _Budget:
    """How long the URLs of a page may still become."""

    def __init__(self, limits: PageLimits) -> None:
        self._limits = limits
        self._resolved_length = 0
        self._most_resolved = _or_unlimited(limits.resolved_length)

    def add_resolved(self, record: URLRecord) -> None:
        """Add roughly how many code points a record stores."""
        self._resolved_length += (
            len(record.path_text) + len(record.query or "") + len(record.fragment or "")
        )
        if self._resolved_length > self._most_resolved:
            self._limits.require("resolved_length", self._resolved_length)


def _or_unlimited(limit: int | None) -> int:
    return sys.maxsize if limit is None else limit


class _Resolver:
    """Resolves links in a document. Pages repeat the same links often: each text is parsed once."""

    def __init__(self, document: Document, budget: _Budget) -> None:
        self._document = document
        self.base_url: Final = document_base_url(document)
        self._budget = budget
        self._known: dict[str | tuple[LinkKind, str], _Outcome] = {}

    def outcome(self, kind: LinkKind, text: str, *, utf_8: bool = False) -> _Outcome:
        """Return the record of a link, or the error if it does not parse.

        ``utf_8``: whether its query is in UTF-8 rather than the document's encoding.
        """
        key = (kind, text) if utf_8 or kind in _RESOLVED_BY_KIND else text
        known = self._known.get(key)
        if known is not None:
            return known
        outcome: _Outcome
        try:
            if utf_8:
                record = parse(text, self.base_url)
            else:
                record = resolve(kind, text, self._document, self.base_url)
        except URLParseError as error:
            # The traceback and the context would use more memory than everything else.
            error.__context__ = None
            outcome = None, error.with_traceback(None)
        else:
            self._budget.add_resolved(record)
            outcome = record, None
        self._known[key] = outcome
        return outcome


def _reloads(element: Element) -> bool:
    """Return whether a `meta` element reloads the page, so that later ones have no effect."""
    if not is_keyword(element.attribute("http-equiv"), "refresh"):
        return False
    content = element.attribute("content") or ""
    return is_refresh(content) and refresh_url(content) is None


def _shared(element: Element, attribute: str, base_target: str, owners: FormOwners) -> _Shared:
    """Return what all links of an element share: ``rel``, ``target``, ``line``, ``column``."""
    target = ""
    if element.name in _WITH_TARGET:
        # SVG links ignore the target of `base` elements.
        target = target_of(element, base_target if element.namespace == HTML else "")
    elif element.name in _BUTTONS and element.attribute("formaction") is not None:
        target = _target_of_button(element, base_target, owners)
    if element.position is None or (
        element.name in _MERGED and not element.has_in_its_tag(attribute)
    ):
        return rel_of(element), target, None, None
    line, column = element.position
    return rel_of(element), target, line, column + 1


def _text(element: Element, shown: HyperlinkTexts) -> str | None:
    """Return what people see of a hyperlink."""
    text = element.attribute("alt") if element.name == "area" else shown.of(element)
    return None if text is None else " ".join(space_separated_tokens(text))


def _target_of_button(button: Element, base_target: str, owners: FormOwners) -> str:
    """Return the name of the window that a button's ``formaction`` opens in.

    Spec: https://html.spec.whatwg.org/#form-submission-algorithm
    """
    own = button.attribute("formtarget")
    if own is not None:
        return target_name(own)
    form = owners.owner(button)
    return base_target if form is None else target_of(form, base_target)

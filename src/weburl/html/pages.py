"""From HTML to a document, as far as its URLs depend on it, and to all of its links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from weburl.html.attributes import is_keyword, is_refresh, refresh_url
from weburl.html.content_security_policy import policies_in_header
from weburl.html.documents import Document, base_url_of, record_of, set_frozen_base_url
from weburl.html.finding import ELEMENTS, Found, rel_of, target_name, target_of, urls_on
from weburl.html.forms import FormOwners
from weburl.html.limits import PageLimits
from weburl.html.link import FOLLOWED_LATER, Link, LinkKind, resolve
from weburl.html.tree import HTML, Element, Tree, parse_html
from weburl.records.record import URLRecord
from weburl.validation.report import URLParseError

# The elements whose links open in a window.
_WITH_TARGET: Final = frozenset({"a", "area", "form"})
_BUTTONS: Final = frozenset({"button", "input"})
# The kinds that browsers take for URLs of these schemes alone.
_FOR_HTTP: Final = frozenset({LinkKind.PING, LinkKind.SPECULATION})
_HTTP: Final = frozenset({"http", "https"})

_Outcome = tuple[URLRecord | None, URLParseError | None]
_Shared = tuple[tuple[str, ...], str, int | None, int | None]

_DEFAULT_LIMITS: Final = PageLimits()


@attrs.frozen
class Page:
    """The URLs of a page.

    ``document``: its address, encoding and base URL. ``links``: every link, in the order of the
    page.
    """

    __module__ = "weburl.html"

    document: Document
    links: tuple[Link, ...]


def page(
    html: str | bytes,
    url: str | URLRecord,
    *,
    encoding: str | None = None,
    about_base_url: str | URLRecord | None = None,
    scripting: bool = False,
    inert: bool = False,
    content_security_policy: str | Iterable[str] = (),
    limits: PageLimits = _DEFAULT_LIMITS,
) -> Page:
    """Return the document and the links of the page ``html``, loaded from ``url``.

    ``encoding``: a label of the encoding that the server names; a byte order mark overrules it.
    Without both, bytes are read in the encoding that they declare, or else in UTF-8 if they are
    valid UTF-8, or else in windows-1252. Text is taken as decoded from the encoding that it
    declares, or else from UTF-8.
    ``about_base_url``: the base URL of the page around this one, for ``about:blank`` and
    ``about:srcdoc``. ``scripting``: whether scripts run; if so, what is inside `noscript` is not
    part of the page. ``inert``: whether to include links that browsers do not use, such as a second
    `base` element or a script of an unknown type; `Link.inert` marks them.
    ``content_security_policy``: the values of that header of the response, if any. They may forbid
    base URLs, as `meta` elements may. ``limits``: how much a page may ask for.

    Takes linear time. Raises `URLParseError` if ``url`` does not parse, TypeError if ``html`` is
    neither text nor bytes, LookupError for an unknown encoding, ValueError for ``about:srcdoc``
    without an ``about_base_url``, `PageLimitError` if the page exceeds ``limits``, and ImportError
    if no HTML parser is installed.

    Spec: https://html.spec.whatwg.org/#document-base-url
    """
    address = record_of(url)
    if not isinstance(limits, PageLimits):
        raise TypeError(f"limits are PageLimits, not {type(limits).__name__}")
    tree = parse_html(html, encoding, scripting=scripting, limits=limits)
    headers = content_security_policy
    headers = (headers,) if isinstance(headers, str) else headers
    policies = [policy for value in headers for policy in policies_in_header(value)]
    bases: list[Element] = []
    base: Element | None = None
    in_force = len(policies)
    for element in tree.elements(["base", "meta"]):
        if _is_base(element):
            bases.append(element)
            if base is None and element.attribute("href") is not None:
                # A policy that comes later does not undo what a base element has set.
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
    found = _links(tree, before_base, document, target_name(target), limits)
    return Page(
        attrs.evolve(document, content_security_policies=policies),
        found if inert else tuple(link for link in found if not link.inert),
    )


def links(
    html: str | bytes,
    url: str | URLRecord,
    *,
    kinds: Iterable[LinkKind | str] | None = None,
    encoding: str | None = None,
    about_base_url: str | URLRecord | None = None,
    scripting: bool = False,
    inert: bool = False,
    content_security_policy: str | Iterable[str] = (),
    limits: PageLimits = _DEFAULT_LIMITS,
) -> tuple[Link, ...]:
    """Return every link of a page, resolved as in a browser, in the order of the page.

    ``kinds``: which kinds, as in ``{"hyperlink", "frame"}``; None for all. The other arguments and
    the errors are those of `page`. Also raises ValueError for an unknown kind.

    Spec: https://html.spec.whatwg.org/#encoding-parsing-a-url
    """
    wanted = frozenset(LinkKind if kinds is None else map(LinkKind, kinds))
    found = page(
        html,
        url,
        encoding=encoding,
        about_base_url=about_base_url,
        scripting=scripting,
        inert=inert,
        content_security_policy=content_security_policy,
        limits=limits,
    ).links
    return tuple(link for link in found if link.kind in wanted)


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


def _links(  # noqa: PLR0915  # a page is read in one pass
    tree: Tree, before_base: Document, document: Document, base_target: str, limits: PageLimits
) -> tuple[Link, ...]:
    answer: list[Link] = []
    resolved_length = 0
    # What a browser loads is resolved as it is met: above the `base` element, without it.
    so_far = before_base
    # Pages say the same thing many times.
    known: dict[tuple[LinkKind, bool, str], _Outcome] = {}
    owners = FormOwners(tree)
    will_refresh = False
    for element in tree.elements(ELEMENTS):
        sets_base = (
            so_far is before_base and _is_base(element) and element.attribute("href") is not None
        )
        # Once for all its URLs: a `srcset` and a `ping` can hold as many as there is room for.
        shared: _Shared | None = None
        has_hyperlink = False
        for found in urls_on(element):
            if found.kind is LinkKind.BASE:
                relative_to = before_base
            elif found.kind in FOLLOWED_LATER:
                relative_to = document
            else:
                relative_to = so_far
            key = (found.kind, relative_to is document, found.input)
            outcome = known.get(key)
            if outcome is None:
                outcome = known[key] = _outcome(found, relative_to)
                resolved_length += _length(outcome[0])
                limits.require("resolved_length", resolved_length)
            if shared is None:
                shared = _shared(element, base_target, owners)
            limits.require("links", len(answer) + 1)
            record, error = outcome
            inert = found.inert
            if found.kind is LinkKind.HYPERLINK:
                has_hyperlink = has_hyperlink or record is not None
            elif found.kind is LinkKind.BASE:
                inert = not sets_base or base_url_of(before_base, found.input) is None
            elif found.kind is LinkKind.REFRESH:
                inert = will_refresh or record is None or record.scheme == "javascript"
                will_refresh = will_refresh or not inert
            elif found.kind in _FOR_HTTP:
                inert = inert or record is None or record.scheme not in _HTTP
                inert = inert or (found.kind is LinkKind.PING and not has_hyperlink)
            rel, target, line, column = shared
            answer.append(
                Link(
                    found.kind,
                    element.name,
                    found.attribute,
                    found.input,
                    record,
                    error,
                    rel,
                    target,
                    line,
                    column,
                    inert,
                )
            )
        will_refresh = will_refresh or _reloads(element)
        if sets_base:
            so_far = document
    return tuple(answer)


def _reloads(element: Element) -> bool:
    """Return whether a `meta` element has the page loaded again, and later ones overruled."""
    if element.name != "meta" or not is_keyword(element.attribute("http-equiv"), "refresh"):
        return False
    content = element.attribute("content") or ""
    return is_refresh(content) and refresh_url(content) is None


def _outcome(found: Found, document: Document) -> _Outcome:
    try:
        return resolve(found.kind, found.input, document), None
    except URLParseError as error:
        # Where it was raised is nobody's business, and takes more room than all the rest.
        error.__context__ = None
        return None, error.with_traceback(None)


def _length(record: URLRecord | None) -> int:
    """Return how many code points a record keeps for itself, about."""
    if record is None:
        return 0
    return len(record.path_text) + len(record.query or "") + len(record.fragment or "")


def _shared(element: Element, base_target: str, owners: FormOwners) -> _Shared:
    """Return what all links of an element have in common, as the last attributes of `Link`."""
    target = ""
    if element.name in _WITH_TARGET:
        # SVG knows no `base` elements.
        target = target_of(element, base_target if element.namespace == HTML else "")
    elif element.name in _BUTTONS and element.attribute("formaction") is not None:
        target = _target_of_button(element, base_target, owners)
    if element.position is None:
        return rel_of(element), target, None, None
    line, column = element.position
    return rel_of(element), target, line, column + 1


def _target_of_button(button: Element, base_target: str, owners: FormOwners) -> str:
    """Return the name of the window that a button's own address opens in.

    Spec: https://html.spec.whatwg.org/#form-submission-algorithm
    """
    own = button.attribute("formtarget")
    if own is not None:
        return target_name(own)
    form = owners.owner(button)
    return base_target if form is None else target_of(form, base_target)

"""What newsletters, content management systems, archives and moderators do with links.

Each function is a few lines on `rewrite_links`. Except in `with_rel` and `without_refused_links`,
links with template syntax, such as ``{{ url }}``, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import AnyStr, Final, Protocol, Unpack

from weburl.html.link import LinkInPage, LinkKind
from weburl.html.pages import PageOptions
from weburl.html.rewriting.changing import Answer, Change, Remove, rewrite_links
from weburl.html.rewriting.source import contains
from weburl.standard.url.api import parse, record_of
from weburl.standard.url.record import AnyURL, URLRecord

# Links with it get their own text as an answer: None keeps the meaning when a `base` changes.
_TEMPLATE_SYNTAX: Final = re.compile(r"\{\{|\{%|\*\||%%|<%|\$\{")
# Links of a page whose address is not known are relative to this. RFC 2606 reserves the name.
_SOMEWHERE: Final = "https://page.invalid/"
_IS_ABSOLUTE: Final = re.compile(
    r"[\x00-\x20]*+(?!(?ai:https?|wss?|ftp|file):(?![/\\]{2}))[A-Za-z][A-Za-z0-9+.-]*+:"
)
_BEGINS_WITH_HOST: Final = re.compile(r"[\x00-\x20]*+[/\\]{2}")


class Allows(Protocol):
    """What decides about URLs, such as a `weburl.URLPolicy`."""

    def allows(self, url: URLRecord, /) -> bool:
        """Return whether a URL is allowed."""


def absolute_links(
    page: AnyStr,
    base: AnyURL,
    *,
    keep_fragments: bool = True,
    keep_base: bool = True,
    **options: Unpack[PageOptions],
) -> AnyStr:
    """Return ``page`` with each relative URL in full, as a newsletter or a feed needs it.

    Args:
        page: The page, as text or bytes.
        base: Its address, as text or a record.
        keep_fragments: Whether links to a place in the page itself, such as ``#top``, stay.
        keep_base: Whether `base` elements stay. Otherwise their ``href`` is removed.
        options: Those of `rewrite_links`.

    The errors are the same as for `rewrite_links`.

    Spec: https://html.spec.whatwg.org/#document-base-url
    """
    here = record_of(base).without_fragment()

    def change(link: LinkInPage) -> Answer:
        if link.kind is LinkKind.BASE and not keep_base:
            return Remove.ATTRIBUTE
        record, text = link.record, link.input
        if _TEMPLATE_SYNTAX.search(text):
            return text
        if record is None or _IS_ABSOLUTE.match(text):
            return None
        if keep_fragments and text.lstrip()[:1] == "#" and record.without_fragment() == here:
            return None
        return record.href

    return rewrite_links(page, base, change, **options)


def relative_links(page: AnyStr, base: AnyURL, **options: Unpack[PageOptions]) -> AnyStr:
    """Return ``page`` with relative URLs for all links to its own origin, for a static export.

    They do not begin with a slash, so that the site works in any folder. `base` elements stay. The
    arguments and errors are the same as for `rewrite_links`.
    """
    origin = record_of(base).origin

    def change(link: LinkInPage) -> Answer:
        record = link.record
        if _TEMPLATE_SYNTAX.search(link.input):
            return link.input
        if record is None or link.kind is LinkKind.BASE or record.origin != origin:
            return None
        text = str(record.relative_to(link.base_url))
        if text.startswith("/"):
            text = str(record.relative_to(link.base_url, prefer="path-relative"))
        return text or record.href  # an empty text is not a URL in all places

    return rewrite_links(page, base, change, **options)


def move_host(page: AnyStr, old: str, new: str, **options: Unpack[PageOptions]) -> AnyStr:
    """Return ``page`` with another host in all links to the host ``old``.

    The scheme, the port and everything else stay. Links that are relative to the page stay, too.

    Args:
        page: The page, as text or bytes.
        old: The host to replace. ``.old.example`` also matches its subdomains.
        new: The host that the links get.
        options: Those of `rewrite_links`.

    Raises:
        URLParseError: ``old`` or ``new`` is not a host.

    The other errors are the same as for `rewrite_links`.
    """
    is_old = _hosts([old])
    _host(new)

    def change(link: LinkInPage) -> Answer:
        record = link.record
        if _TEMPLATE_SYNTAX.search(link.input):
            return link.input
        if record is None or not is_old(record):
            return None
        moved = record.with_hostname(new)
        if _BEGINS_WITH_HOST.match(link.input):
            return moved.href.removeprefix(f"{moved.scheme}:")
        return moved

    return rewrite_links(page, _SOMEWHERE, change, **options)


def with_params(
    page: AnyStr,
    hosts: str | Iterable[str],
    params: Mapping[str, str],
    *,
    base: AnyURL = _SOMEWHERE,
    **options: Unpack[PageOptions],
) -> AnyStr:
    """Return ``page`` with query parameters in each hyperlink to some hosts, as in a campaign.

    A parameter that a link already has gets the new value. The rest of the query stays as it is.

    Args:
        page: The page, as text or bytes.
        hosts: A host or several. ``.example.com`` also matches its subdomains.
        params: The names and values of the parameters.
        base: The address of the page, if its relative links count.
        options: Those of `rewrite_links`.

    Raises:
        URLParseError: A host does not parse.

    The other errors are the same as for `rewrite_links`.
    """
    is_one = _hosts(hosts)

    def change(link: LinkInPage) -> Answer:
        record = link.record
        if record is None or not is_one(record) or _TEMPLATE_SYNTAX.search(link.input):
            return None  # no `base` changes here
        for name, value in params.items():
            record = record.with_query_param(name, value)
        return record

    return rewrite_links(page, base, change, kinds=_HYPERLINK, **options)


def with_rel(
    page: AnyStr,
    keywords: str,
    *,
    own_hosts: str | Iterable[str] = (),
    **options: Unpack[PageOptions],
) -> AnyStr:
    """Return ``page`` with ``keywords`` in the ``rel`` of each hyperlink, after those it has.

    Args:
        page: The page, as text or bytes.
        keywords: The keywords, separated by spaces, such as ``"nofollow ugc noopener"``.
        own_hosts: A host or several whose links stay as they are. ``.example.com`` also stands for
            its subdomains. If there are any, links without a host stay, too.
        options: Those of `rewrite_links`.

    Raises:
        URLParseError: A host does not parse.

    The other errors are the same as for `rewrite_links`.

    Spec: https://html.spec.whatwg.org/#linkTypes
    """
    hosts: list[str] = [own_hosts] if isinstance(own_hosts, str) else list(own_hosts)
    is_own = _hosts([*hosts, "page.invalid"]) if hosts else None
    answer = Change(add={"rel": keywords})

    def change(link: LinkInPage) -> Answer:
        record = link.record
        if is_own is not None and record is not None and (not record.hostname or is_own(record)):
            return None
        return answer

    return rewrite_links(page, _SOMEWHERE, change, kinds=_HYPERLINK, **options)


def without_refused_links(
    page: AnyStr,
    base: AnyURL,
    policy: Allows,
    *,
    kinds: Collection[LinkKind | str] = (LinkKind.HYPERLINK,),
    how: Remove = Remove.ATTRIBUTE,
    **options: Unpack[PageOptions],
) -> AnyStr:
    """Return ``page`` without the links that ``policy`` refuses, and without those that are no URL.

    The text of a link stays. A page with `noscript` is two pages, one for browsers with scripts
    and one for those without, so both are read. This does not replace a sanitizer: it does not
    look at scripts, styles or forms unless their kinds are named.

    Args:
        page: The page, as text or bytes.
        base: Its address, as text or a record.
        policy: What decides, such as a `weburl.URLPolicy`.
        kinds: The kinds of links to decide about.
        how: What is removed.
        options: Those of `rewrite_links`.

    The errors are the same as for `rewrite_links`.
    """

    def change(link: LinkInPage) -> Answer:
        return None if link.record is not None and policy.allows(link.record) else how

    given = options.get("scripting", False)
    for scripting in (False, True) if contains(page, "noscript") else (given,):
        options["scripting"] = scripting
        page = rewrite_links(page, base, change, kinds=kinds, **options)
    return page


_HYPERLINK: Final = frozenset({LinkKind.HYPERLINK})


def _hosts(hosts: str | Iterable[str]) -> Callable[[URLRecord], bool]:
    """Return a function that returns whether a URL is on one of ``hosts``."""
    exact: set[str] = set()
    suffixes: list[str] = []
    for name in [hosts] if isinstance(hosts, str) else hosts:
        host = _host(name.removeprefix("."))
        exact.add(host)
        if name.startswith("."):
            suffixes.append(f".{host}")
    ends = tuple(suffixes)
    return lambda record: record.hostname in exact or record.hostname.endswith(ends)


@lru_cache(maxsize=64)
def _host(name: str) -> str:
    return parse(_SOMEWHERE).with_hostname(name).hostname

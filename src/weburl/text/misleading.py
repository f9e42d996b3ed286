"""Finds links whose text names a different host from the one that they open, as in forged mails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from weburl.standard.hosts.parser import parse_host
from weburl.standard.hosts.values import Domain, Host
from weburl.standard.infra.errors import Failure
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.text.finding import Link, find_links

if TYPE_CHECKING:
    from weburl.html import PageLink as PageLink  # noqa: PLC0414  # for `weburl.text`
else:
    PageLink = object  # for the annotations: most programs that read text read no pages


@attrs.frozen
class MisleadingLink(FrozenValue):
    """A link whose text names a different host from the one that it opens.

    ``link``: the `weburl.html.PageLink`, with the ``record`` that it opens. ``named``: the `Link`
    in its text, with the ``url`` that people read.
    """

    __module__ = "weburl.text"

    link: PageLink
    named: Link


def misleading_links(
    html: str | bytes, url: AnyURL, *, bare: bool = True, encoding: str | None = None
) -> Iterator[MisleadingLink]:
    """Yield the hyperlinks of a page whose text names a different host from the one that they open.

    Both web and mail addresses count, in the text and in the link. Hosts with one registrable
    domain are the same, so the text "example.com" may open "https://www.example.com/". A link
    without a host, such as one with the scheme javascript, is misleading if its text names one. The
    time is linear.

    Args:
        html: the page or the mail, as in `weburl.html.links`.
        url: its URL. For a mail, "about:blank".
        bare: whether a text without a scheme, such as "example.com", is a web address.
        encoding: as in `weburl.html.links`.

    Raises:
        ImportError: turbohtml is not installed.

    The other errors are the same as for `weburl.html.links`.

    Spec: https://www.unicode.org/reports/tr58/#link-detection-algorithm
    """
    from weburl.html import LinkKind, links

    for link in links(html, url, kinds={LinkKind.HYPERLINK}, encoding=encoding, texts=True):
        if link.record is None or not link.text:
            continue
        opened = _site(link.record)
        for named in find_links(link.text, bare=bare):
            if _site(named.url) != opened:
                yield MisleadingLink(link, named)
                break


def _site(record: URLRecord) -> Host | None:
    """Return the registrable domain of a web or mail address, or its host, or None."""
    host = record.host
    if record.scheme == "mailto":
        address = record.path_text.partition(",")[0]
        host = _host(address.rpartition("@")[2])
    return (host.registrable_domain or host) if isinstance(host, Domain) else host


def _host(text: str) -> Host | None:
    try:
        return parse_host(text, False) if text else None
    except Failure:
        return None

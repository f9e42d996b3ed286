"""URLs in HTML: documents, base URLs, encodings, and links.

``links(html, url)`` returns every link of a page. The other functions are the HTML Standard's
algorithms about URLs, under the same names. The public names are those in `__all__`.

Functions that take HTML need a parser: ``pip install 'weburl[html]'``.
"""

from collections.abc import Iterable, Mapping  # noqa: F401  # for annotations, as below
from typing import Literal  # noqa: F401

from weburl.html.documents import (
    Document,
    Environment,
    EnvironmentSettings,
    document_base_url,
    encoding_parse_and_serialize_url,
    encoding_parse_url,
    fallback_base_url,
    matches_about_blank,
    matches_about_srcdoc,
    parse_url,
    set_frozen_base_url,
    set_url,
)
from weburl.html.encodings import extract_character_encoding_from_meta_element
from weburl.html.limits import PageLimitError, PageLimits
from weburl.html.link import LinkInPage, LinkKind, PageLink, respond_to_base_url_changes
from weburl.html.pages import Page, links, page
from weburl.html.rewriting.changing import Change, Remove, rewrite_links
from weburl.html.rewriting.ready_made import (
    absolute_links,
    move_host,
    relative_links,
    with_params,
    with_rel,
    without_refused_links,
)
from weburl.html.rewriting.source import CannotRewrite

# Not public here: tools resolve the annotations of the classes above in this module.
from weburl.standard.url.record import AnyURL, URLRecord  # noqa: F401
from weburl.standard.url.report import URLParseError  # noqa: F401

__all__ = [
    "CannotRewrite",
    "Change",
    "Document",
    "Environment",
    "EnvironmentSettings",
    "LinkInPage",
    "LinkKind",
    "Page",
    "PageLimitError",
    "PageLimits",
    "PageLink",
    "Remove",
    "absolute_links",
    "document_base_url",
    "encoding_parse_and_serialize_url",
    "encoding_parse_url",
    "extract_character_encoding_from_meta_element",
    "fallback_base_url",
    "links",
    "matches_about_blank",
    "matches_about_srcdoc",
    "move_host",
    "page",
    "parse_url",
    "relative_links",
    "respond_to_base_url_changes",
    "rewrite_links",
    "set_frozen_base_url",
    "set_url",
    "with_params",
    "with_rel",
    "without_refused_links",
]

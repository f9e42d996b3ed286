"""URLs in the working draft of HTML5, sections 2.6.1 to 2.6.3.

This module parses, validates and resolves URLs, and tells the kinds of absolute URL apart. The
seven attributes are in `decomposition`.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.history.errors import LegacyURLError
from weburl.history.resolving import SPACE_CHARACTERS, AddressComponents, resolve_address
from weburl.history.rfc3986 import URI, Components, Grammar
from weburl.history.rfc3987 import parse_iri_reference
from weburl.standard.infra.strings import require_text, to_scalar_value_string

__all__ = [
    "is_absolute_url",
    "is_authority_based_url",
    "is_hierarchical_url",
    "is_valid_url",
    "parse",
    "resolve",
    "split",
]

# RFC 3986 with the draft's exception: all but letters, digits and delimiters are unreserved too.
_HTML5: Final = Grammar(
    'A-Za-z0-9._~\\-\\x00-\\x20\\x7f-\\U0010ffff"<>\\[-\\^`{-}',
    lone_percent=True,
    hash_in_fragment=True,
)
_NON_ASCII: Final = re.compile("[^\x00-\x7f]")


def parse(url: str) -> AddressComponents:
    """Return the components of ``url``, which are substrings of it. Raises `LegacyURLError`.

    Document: HTML5 working draft, 2.6.2.
    """
    return AddressComponents.of(split(url))


def split(url: str) -> Components:
    """Return the components that `parse` returns, and the userinfo, to build the URL again."""
    require_text(url, "a URL")
    return _HTML5.parse(url.strip(SPACE_CHARACTERS))


def resolve(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str:
    """Return the absolute URL that ``url`` implies relative to ``base``, an absolute URL.

    ``encoding`` is the label of the document's or the script's encoding; the query depends on
    it. Lone surrogates count as U+FFFD. Raises `LegacyURLError` if the URL cannot be
    resolved, and ValueError for an unknown encoding.

    Document: HTML5 working draft, 2.6.3.
    """
    return resolve_address(
        lambda text: split(to_scalar_value_string(require_text(text, "a URL"))), url, base, encoding
    )


def is_valid_url(url: str, *, encoding: str = "utf-8") -> bool:
    """Return whether ``url`` is a valid URL in a document of ``encoding``, a label.

    Raises ValueError for an unknown encoding.

    Document: HTML5 working draft, 2.6.1.
    """
    return is_uri_or_iri_reference(url, encoding, grammar_alone=False)


def is_uri_or_iri_reference(url: str, encoding: str, *, grammar_alone: bool) -> bool:
    """Return whether ``url`` meets one of the four conditions for validity in both documents.

    ``encoding`` is a label, ``grammar_alone`` as in `parse_iri_reference`. Raises ValueError for
    an unknown encoding.
    """
    is_utf = _is_utf(encoding)
    try:
        URI.parse(require_text(url, "a URL"))
    except LegacyURLError:
        pass
    else:
        return True
    try:
        query = parse_iri_reference(url, grammar_alone=grammar_alone).query
    except LegacyURLError:
        return False
    return query is None or _NON_ASCII.search(query) is None or is_utf


def is_absolute_url(url: str) -> bool:
    """Return whether ``url`` resolves to the same URL whatever the base.

    Document: HTML5 working draft, 2.6.3.
    """
    return _resolved_after_scheme(url) is not None


def is_hierarchical_url(url: str) -> bool:
    """Return whether ``url`` is absolute and resolves to one with "/" after its scheme.

    Spec divergence (the draft forgets the ":"): after the scheme and its colon.

    Document: HTML5 working draft, 2.6.3.
    """
    return (_resolved_after_scheme(url) or "").startswith("/")


def is_authority_based_url(url: str) -> bool:
    """Return whether ``url`` is absolute and resolves to one with "//" after its scheme.

    Spec divergence (the draft forgets the ":"): after the scheme and its colon.

    Document: HTML5 working draft, 2.6.3.
    """
    return (_resolved_after_scheme(url) or "").startswith("//")


def _resolved_after_scheme(url: str) -> str | None:
    """Return an absolute URL, resolved, without its scheme and colon; None if not absolute."""
    try:
        # A URL does not depend on the base if it has a scheme. Then it resolves without a base.
        return resolve(url).partition(":")[2]
    except LegacyURLError:
        return None


def _is_utf(label: str) -> bool:
    if label == "utf-8":
        return True

    from weburl.standard.infra.encodings import get_encoding  # It loads big tables.

    return get_encoding(label) in ("utf-8", "utf-16be", "utf-16le")

"""Addresses in "Web addresses in HTML 5" (D. Connolly and C. M. Sperberg-McQueen, 2009).

The HTML5 draft widens the grammar of RFC 3986. This document keeps the grammar and escapes an
address until it fits.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.history.errors import LegacyURLError
from weburl.history.html5_urls import is_uri_or_iri_reference
from weburl.history.resolving import SPACE_CHARACTERS, AddressComponents, resolve_address
from weburl.history.rfc3986 import URI, Components, percent_encode
from weburl.standard.infra.percent_encoding import percent_decode_to_text
from weburl.standard.infra.strings import require_text, to_scalar_value_string

__all__ = ["is_absolute_web_address", "is_valid_web_address", "parse", "resolve", "split"]

_NON_URI: Final = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]+")
_BRACKET: Final = re.compile(r"[\[\]]")
# An authority: from the start up to the first slash, "?" or "#" after its two slashes.
_TO_THE_END_OF_AUTHORITY: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*+:)?//[^/?#]*")


def parse(address: str) -> AddressComponents:
    """Return the components of ``address``, decoded again. Raises `LegacyURLError`.

    Lone surrogates count as U+FFFD.

    Document: "Web addresses in HTML 5", to parse a Web address.
    """
    return AddressComponents.of(split(address))


def split(address: str) -> Components:
    """Return the components that `parse` returns, and the userinfo, to build the address again."""
    text = to_scalar_value_string(require_text(address, "a Web address")).strip(SPACE_CHARACTERS)
    text = _NON_URI.sub(lambda run: percent_encode(run[0].encode()), text)
    found = _TO_THE_END_OF_AUTHORITY.match(text)
    at = 0 if found is None else found.end()
    text = text[:at] + _BRACKET.sub(lambda bracket: percent_encode(bracket[0].encode()), text[at:])
    before, hash_mark, fragment = text.partition("#")
    components = URI.parse(before + hash_mark + fragment.replace("#", "%23"))
    return Components(
        components.scheme,
        _decode(components.userinfo),
        _decode(components.host),
        components.port,
        percent_decode_to_text(components.path),
        _decode(components.query),
        _decode(components.fragment),
    )


def _decode(component: str | None) -> str | None:
    return None if component is None else percent_decode_to_text(component)


def resolve(address: str, base: str | None = None, *, encoding: str = "utf-8") -> str:
    """Return the absolute Web address that ``address`` implies relative to ``base``.

    ``base`` is an absolute Web address. ``encoding`` is the label of the encoding for the query.
    Raises `LegacyURLError` if the address cannot be resolved, and ValueError for an unknown
    encoding.

    Document: "Web addresses in HTML 5", to resolve a Web address.
    """
    return resolve_address(split, address, base, encoding)


def is_absolute_web_address(address: str) -> bool:
    """Return whether ``address`` resolves to itself, without an error.

    Document: "Web addresses in HTML 5", absolute Web address.
    """
    try:
        return resolve(address) == address
    except LegacyURLError:
        return False


def is_valid_web_address(address: str, *, encoding: str = "utf-8") -> bool:
    """Return whether ``address`` is a valid Web address in a document of ``encoding``, a label.

    It only needs to match the grammar, so it may contain U+200E, which an IRI may not. Raises
    ValueError for an unknown encoding.

    Document: "Web addresses in HTML 5", valid Web address.
    """
    return is_uri_or_iri_reference(address, encoding, grammar_alone=True)

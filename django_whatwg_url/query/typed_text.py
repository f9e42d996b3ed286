"""Turns what people type for a URL into the strings that a column may hold for it.

Nothing here raises an error for text that is not a URL. The result is empty instead.
"""

from __future__ import annotations

from typing import Final

import weburl
from django_whatwg_url.column.values import text_of
from weburl.integrations.building_blocks import TypedKind, read_typed_text

_ASSUMED_SCHEMES: Final = ("https", "http")
# A query accepts any text, and percent-encodes what a URL cannot contain.
_ANY_URL: Final = weburl.parse("https://host/")


def typed_hrefs(value: object) -> tuple[str, ...]:
    """Return the canonical URLs that ``value`` may mean, or an empty tuple if it is not a URL.

    Text without a scheme may be an https or an http URL.
    """
    if isinstance(value, (weburl.URL, weburl.URLRecord)):
        return (value.href,)
    text = text_of(value).strip()
    typed = read_typed_text(text, "", single_labels=True)
    if typed.kind is TypedKind.URL:
        return (weburl.canonicalize(typed.text),) if weburl.can_parse(typed.text) else ()
    if typed.kind is not TypedKind.HOST:
        return ()
    candidates = (f"{scheme}{typed.text}" for scheme in _ASSUMED_SCHEMES)
    return tuple(weburl.canonicalize(text) for text in candidates if weburl.can_parse(text))


def typed_pieces(value: object) -> tuple[str, ...]:
    """Return the ASCII strings as which ``value`` may appear inside a canonical URL.

    "b\u00fccher.example" appears as "xn--bcher-kva.example", "\u65e5" as "%E6%97%A5", and
    "HTTP://Example.com:80" as "http://example.com". Empty text gives an empty tuple.
    """
    text = text_of(value).strip()
    if text == "":
        return ()
    found = [text] if text.isascii() else []
    encoded = _ANY_URL.with_query(text).query
    if encoded:
        found.append(encoded)
    found += [
        weburl.parse(prefix + text)
        .without_credentials()
        .href.removeprefix(prefix)
        .removesuffix("/")
        for prefix in ("", "https://")
        if weburl.can_parse(prefix + text)
    ]
    return tuple(piece for piece in dict.fromkeys(found) if piece)

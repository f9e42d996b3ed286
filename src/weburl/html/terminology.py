"""HTML's terms for URLs in text, and the "about:" URLs that HTML defines.

The functions use records and the grammar of valid URL strings. They do not need a document.
"""

from __future__ import annotations

from typing import Final

from weburl.api import is_valid_url_string
from weburl.records.record import URLRecord

ASCII_WHITESPACE: Final = "\t\n\f\r "
_RESERVED: Final = frozenset({"legacy-compat", "html-kind", "srcdoc"})


def is_valid_non_empty_url(text: str, base: str | URLRecord | None = None) -> bool:
    """Return whether ``text`` is a valid URL string and not empty.

    The arguments and the errors are those of `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-non-empty-url
    """
    return is_valid_url_string(text, base) and text != ""


def is_valid_url_potentially_surrounded_by_spaces(
    text: str, base: str | URLRecord | None = None
) -> bool:
    """Return whether ``text`` is a valid URL string, ignoring ASCII whitespace at its ends.

    The arguments and the errors are those of `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-url-potentially-surrounded-by-spaces
    """
    return is_valid_url_string(_stripped(text), base)


def is_valid_non_empty_url_potentially_surrounded_by_spaces(
    text: str, base: str | URLRecord | None = None
) -> bool:
    """Return whether ``text`` is a valid non-empty URL, ignoring ASCII whitespace at its ends.

    The arguments and the errors are those of `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-non-empty-url-potentially-surrounded-by-spaces
    """
    return is_valid_non_empty_url(_stripped(text), base)


def require(value: object, kind: type, what: str) -> None:
    """Raise TypeError unless ``value`` is of ``kind``; ``what`` names it in the message."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} must be a {kind.__name__}, not a {type(value).__name__}")


def matches_about_blank(url: URLRecord) -> bool:
    """Return whether ``url`` is ``about:blank``, with or without a query and a fragment.

    Raises TypeError if ``url`` is not a record.

    Spec: https://html.spec.whatwg.org/#matches-about:blank
    """
    return _is_about(url, "blank")


def matches_about_srcdoc(url: URLRecord) -> bool:
    """Return whether ``url`` is ``about:srcdoc`` without a query; it may have a fragment.

    Raises TypeError if ``url`` is not a record.

    Spec: https://html.spec.whatwg.org/#matches-about:srcdoc
    """
    return _is_about(url, "srcdoc") and url.query is None


def is_reserved_about_url(url: URLRecord) -> bool:
    """Return whether ``url`` is an "about:" URL that HTML reserves and that does not resolve.

    They are ``about:legacy-compat`` (for doctypes), ``about:html-kind`` (for kinds of media
    tracks), and ``about:srcdoc`` (the URL of a document in an iframe's ``srcdoc``). A URL with a
    query or a fragment is not one of them. Raises TypeError if ``url`` is not a record.

    Spec: https://html.spec.whatwg.org/#about:legacy-compat
    """
    return (
        any(_is_about(url, path) for path in _RESERVED)
        and url.query is None
        and url.fragment is None
    )


def _is_about(url: URLRecord, path: str) -> bool:
    if not isinstance(url, URLRecord):
        raise TypeError(f"the URL must be a URLRecord, not a value of type {type(url).__name__}")
    # An opaque path rules out a host and credentials.
    return url.scheme == "about" and url.path == path


def _stripped(text: str) -> str:
    # The check that follows refuses a value that is not text.
    return text.strip(ASCII_WHITESPACE) if isinstance(text, str) else text

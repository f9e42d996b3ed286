"""HTML's terms for URLs in text, and the "about:" URLs that HTML defines.

The functions use records and the grammar of valid URL strings. They do not need a document.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.url.api import is_valid_url_string, record_of, text_of
from weburl.standard.url.record import AnyURL, URLRecord

ASCII_WHITESPACE: Final = "\t\n\f\r "
_RUN_OF_WHITESPACE: Final = re.compile(f"[{ASCII_WHITESPACE}]+")
_RESERVED: Final = frozenset({"legacy-compat", "html-kind", "srcdoc"})


def strip_and_collapse(text: str) -> str:
    """Return a string without whitespace at its ends, and with one space for each run inside.

    Spec: https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace
    """
    return _RUN_OF_WHITESPACE.sub(" ", text).strip(" ")


def is_valid_non_empty_url(text: AnyURL, base: AnyURL | None = None) -> bool:
    """Return whether ``text`` is a valid URL string and not empty.

    The arguments and errors are the same as for `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-non-empty-url
    """
    return is_valid_url_string(text, base) and text_of(text) != ""


def is_valid_url_potentially_surrounded_by_spaces(text: AnyURL, base: AnyURL | None = None) -> bool:
    """Return whether ``text`` is a valid URL string, ignoring ASCII whitespace at its ends.

    The arguments and errors are the same as for `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-url-potentially-surrounded-by-spaces
    """
    return is_valid_url_string(_stripped(text), base)


def is_valid_non_empty_url_potentially_surrounded_by_spaces(
    text: AnyURL, base: AnyURL | None = None
) -> bool:
    """Return whether ``text`` is a valid non-empty URL, ignoring ASCII whitespace at its ends.

    The arguments and errors are the same as for `weburl.is_valid_url_string`.

    Spec: https://html.spec.whatwg.org/#valid-non-empty-url-potentially-surrounded-by-spaces
    """
    return is_valid_non_empty_url(_stripped(text), base)


def require(value: object, kind: type, what: str) -> None:
    """Raise TypeError unless ``value`` is of ``kind``; ``what`` names it in the message."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} must be a {kind.__name__}, not {type(value).__name__}")


def matches_about_blank(url: AnyURL) -> bool:
    """Return whether ``url`` is ``about:blank``, with or without a query and a fragment.

    Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#matches-about:blank
    """
    return _is_about(record_of(url), "blank")


def matches_about_srcdoc(url: AnyURL) -> bool:
    """Return whether ``url`` is ``about:srcdoc`` without a query; it may have a fragment.

    Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#matches-about:srcdoc
    """
    record = record_of(url)
    return _is_about(record, "srcdoc") and record.query is None


def is_reserved_about_url(url: AnyURL) -> bool:
    """Return whether ``url`` is an "about:" URL that HTML reserves and that does not resolve.

    They are ``about:legacy-compat`` (for doctypes), ``about:html-kind`` (for kinds of media
    tracks), and ``about:srcdoc`` (the URL of a document in an iframe's ``srcdoc``). A URL with a
    query or a fragment is not one of them. Raises the errors of `weburl.parse`.

    Spec: https://html.spec.whatwg.org/#about:legacy-compat
    """
    record = record_of(url)
    return (
        any(_is_about(record, path) for path in _RESERVED)
        and record.query is None
        and record.fragment is None
    )


def _is_about(url: URLRecord, path: str) -> bool:
    # An opaque path rules out a host and credentials.
    return url.scheme == "about" and url.path == path


def _stripped(text: AnyURL) -> str:
    return text_of(text).strip(ASCII_WHITESPACE)

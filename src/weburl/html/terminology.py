"""HTML's white space, the "about:" URLs of its documents, and a check of types."""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL, URLRecord

ASCII_WHITESPACE: Final = "\t\n\f\r "
_RUN_OF_WHITESPACE: Final = re.compile(f"[{ASCII_WHITESPACE}]+")


def strip_and_collapse(text: str) -> str:
    """Return a string without whitespace at its ends, and with one space for each run inside.

    Spec: https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace
    """
    return _RUN_OF_WHITESPACE.sub(" ", text).strip(" ")


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


def _is_about(url: URLRecord, path: str) -> bool:
    # An opaque path rules out a host and credentials.
    return url.scheme == "about" and url.path == path

"""Readings of a URL by standards: today's URL Standard, the standard of 2020, and RFC 3986."""

from __future__ import annotations

from typing import Final

from weburl.history import rfc3986, url_standard_2020
from weburl.history.errors import LegacyURLError
from weburl.history.url_standard_2020 import host_text
from weburl.policies.readers.reading import Reading, reading
from weburl.standard.url.api import parse
from weburl.standard.url.report import URLParseError

STANDARD: Final = "URL Standard"
STANDARD_2020: Final = "URL Standard of 2020"
RFC_3986: Final = "RFC 3986"


def read_by_the_standard(text: str) -> Reading:
    """Return what a browser makes of ``text``.

    Spec: #concept-url-parser
    """
    try:
        record = parse(text)
    except URLParseError as error:
        return Reading(STANDARD, failure=error.reason)
    host = None if record.host is None else str(record.host)
    return reading(STANDARD, record.scheme, host, record.port)


def read_by_the_standard_of_2020(text: str) -> Reading:
    """Return what ``text`` means by the URL Standard of 2020."""
    try:
        record = url_standard_2020.parse(text)
    except LegacyURLError as error:
        return Reading(STANDARD_2020, failure=str(error))
    return reading(STANDARD_2020, record.scheme, host_text(record.host), record.port)


def read_by_rfc_3986(text: str) -> Reading:
    """Return what ``text`` means by RFC 3986, which allows no spaces or letters like "é"."""
    try:
        target = rfc3986.parse(text)
    except LegacyURLError as error:
        return Reading(RFC_3986, failure=str(error))
    digits = (target.port or "").lstrip("0")
    if len(digits) > 5:
        return Reading(RFC_3986, failure="the port is longer than any port")
    port = int(digits) if digits else (0 if target.port else None)
    return reading(RFC_3986, target.scheme, target.host, port)

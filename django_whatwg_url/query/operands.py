"""Turns the operand of a query on a part of a URL into the canonical text that a column holds.

The SQL that extracts a part from a column is in `sql`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.column.values import UnparsableURL, text_of, to_url
from django_whatwg_url.query.encoded_pieces import percent_encode_operand
from django_whatwg_url.rules.hosts import host_operand
from django_whatwg_url.rules.messages import operand_error, parse_error, part_error
from weburl import URLRecord
from weburl.integrations.building_blocks import normalized_scheme

# The parser treats special schemes differently from others, and an operand may be a part of either
# kind of URL.
_SPECIAL_URL: Final = weburl.parse("https://host/")
_OTHER_URL: Final = weburl.parse("other://host/")

_OPAQUE_ORIGIN: Final = "null"

# A domain that is canonical in URLs of both kinds: no label is Punycode, and the last one cannot be
# a number.
_PLAIN_DOMAIN: Final = re.compile(r"(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*")


def operand_forms(part: str, value: object) -> tuple[str, ...]:
    """Return the canonical forms that ``value`` may have as ``part`` of a URL.

    The first form is for URLs with a special scheme, such as "https". If other schemes write it
    differently, a second form follows: "EXAMPLE.com" is the host "example.com" in one URL and
    "EXAMPLE.com" in another. An opaque origin gives an empty tuple, because it equals no origin.

    Args:
        part: The name of the part.
        value: Text in any spelling, or a value such as a host.

    Raises:
        ValidationError: ``value`` cannot be such a part. The code is the standard's name for the
            error, or "invalid".
    """
    return _FORMS[part](value)


def forms_in_lookup(part: str, value: object) -> tuple[str, ...]:
    """Return `operand_forms`, or raise ValidationError with a message for programmers."""
    try:
        return operand_forms(part, value)
    except ValidationError as error:
        advice = "For other text, use iexact, which finds no rows."
        raise operand_error(error, value, f"the {part} of a URL", advice) from error


def _scheme_forms(value: object) -> tuple[str, ...]:
    text = text_of(value).removesuffix(":")
    scheme = normalized_scheme(text)
    if scheme is None:
        raise part_error(_("“%(culprit)s” is not a scheme. A scheme looks like “https”."), text)
    return (scheme,)


def _host_forms(value: object) -> tuple[str, ...]:
    # Parsing takes most of the time of a query with thousands of hosts.
    if type(value) is str and _PLAIN_DOMAIN.fullmatch(value) and "xn--" not in value:
        return (value,)
    return tuple(map(str, host_operand(value)))


def _path_forms(value: object) -> tuple[str, ...]:
    text = text_of(value)
    if not text.startswith(("/", "\\")):
        return (_opaque(text),)
    special = _SPECIAL_URL.with_path(text).path_text
    if text.startswith("\\"):
        return _unique(special, _opaque(text))
    return _unique(special, _OTHER_URL.with_path(text).path_text)


def _query_forms(value: object) -> tuple[str, ...]:
    text = text_of(value)
    special, other = (url.with_query(text).query for url in (_SPECIAL_URL, _OTHER_URL))
    return _unique(special or "", other or "")


def _origin_forms(value: object) -> tuple[str, ...]:
    if text_of(value) == _OPAQUE_ORIGIN:
        return ()
    url = url_operand(value)
    origin = _OPAQUE_ORIGIN if url is None else url.origin
    return () if origin == _OPAQUE_ORIGIN else (origin,)


def url_operand(value: object) -> URLRecord | None:
    """Return ``value`` as a record, or None for None and "".

    Raises ValidationError if ``value`` is not a URL.
    """
    url = to_url(value)
    if isinstance(url, UnparsableURL):
        raise parse_error(url.error) from url.error
    return url


def _opaque(text: str) -> str:
    """Return ``text`` as an opaque path has it, with a trailing space encoded.

    MySQL ignores trailing spaces in comparisons.
    """
    encoded = percent_encode_operand(text)
    return f"{encoded[:-1]}%20" if encoded.endswith(" ") else encoded


def _unique(*forms: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(forms))


_FORMS: Final[dict[str, Callable[[object], tuple[str, ...]]]] = {
    "scheme": _scheme_forms,
    "username": lambda value: (_SPECIAL_URL.with_username(text_of(value)).username,),
    "host": _host_forms,
    "hostname": _host_forms,
    "reversed_host": lambda value: (_opaque(text_of(value)),),
    "path": _path_forms,
    "query": _query_forms,
    "fragment": lambda value: (_SPECIAL_URL.with_fragment(text_of(value)).fragment or "",),
    "origin": _origin_forms,
}

TEXT_PARTS: Final = tuple(_FORMS)
"""The names of the parts that are text. The port is a number."""

"""Turns the operand of a query into the canonical text that a column holds.

A whole part has one or two forms (`operand_forms`). A piece of a URL may be written in more ways,
because each component percent-encodes its own set of characters: ``{x}`` is ``%7Bx%7D`` in a path
and ``{x}`` in a query. The SQL that extracts a part from a column is in `sql`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final
from urllib.parse import quote, unquote

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

import weburl
from django_whatwg_url.column.values import UnparsableURL, scalar_values, text_of, to_url
from django_whatwg_url.rules.hosts import host_operand
from django_whatwg_url.rules.messages import operand_error, parse_error, part_error
from weburl import URLRecord
from weburl.integrations.building_blocks import TypedKind, normalized_scheme, read_typed_text

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


# A piece of a URL, in every way in which a canonical URL may contain it.


_NEVER_IN_A_CANONICAL_URL: Final = re.compile(r"[^\x20-\x7E]+")
_ENCODED_RUN: Final = re.compile("(?:%[89A-F][0-9A-F])+")
_SYNTAX: Final = re.compile(r"[\\^$.|?*+()\[\]{}]")
_PRINTABLE_ASCII: Final = "".join(map(chr, range(0x20, 0x7F)))

# What each component percent-encodes is not restated here. The parser encodes it.
_WRITERS: Final[dict[str, Callable[[str], str | None]]] = {
    "username": lambda text: _OTHER_URL.with_username(text).username,
    "path": lambda text: _OTHER_URL.with_path(f"/{text}").path_text[1:],
    "query": lambda text: _OTHER_URL.with_query(text).query,
    "special query": lambda text: _SPECIAL_URL.with_query(text).query,
    "fragment": lambda text: _OTHER_URL.with_fragment(text).fragment,
}

# Opaque paths and hosts encode only the characters that `percent_encode_operand` encodes.
_OPAQUE: Final = "opaque"
_COMPONENTS: Final = {
    "username": ("username",),
    "path": (_OPAQUE, "path"),
    "query": ("query", "special query"),
    "fragment": ("fragment",),
}

LONGEST_IN_ANY_CASE: Final = 200
"""How many characters `pattern_in_any_case` accepts. Databases limit the size of a pattern."""


def percent_encode_operand(text: str) -> str:
    """Return ``text`` with control and non-ASCII characters percent-encoded as UTF-8.

    A lone surrogate becomes U+FFFD, as in the parser.
    """
    return _NEVER_IN_A_CANONICAL_URL.sub(lambda run: quote(scalar_values(run[0]), safe=""), text)


def pieces_of_part(part: str, text: str) -> tuple[str, ...]:
    """Return the strings as which ``text`` may appear in a part, such as "path"."""
    components = _COMPONENTS.get(part, (_OPAQUE,))
    return _unique(*(_encoded(text, component) for component in components))


def pieces_of_url(text: str) -> tuple[str, ...]:
    """Return the strings as which ``text`` may appear in a whole URL, nearly always only one.

    A "?" or "#" in ``text`` may begin a component, or be part of one.
    """
    found = [_encoded(text, _OPAQUE), _encoded(text, "fragment")]
    front, number_sign, fragment = text.partition("#")
    path, question_mark, query = front.partition("?")
    end = number_sign + _encoded(fragment, "fragment")
    for in_query in ("query", "special query"):
        found += [
            _encoded(path, "path") + question_mark + _encoded(query, in_query) + end,
            _encoded(front, in_query) + end,
        ]
    return _unique(*found)


def pattern_in_any_case(text: str) -> str | None:
    """Return a regular expression that finds ``text`` in a whole URL, in either letter case.

    It is for a database that ignores the case of ASCII letters. Other letters are percent-encoded
    in a URL, so each becomes a choice of its two cases. Returns None if there are no such letters,
    or if ``text`` is longer than `LONGEST_IN_ANY_CASE`.
    """
    if len(text) > LONGEST_IN_ANY_CASE or not any(map(_cases, text)):
        return None
    patterns = [
        _ENCODED_RUN.sub(_in_any_case, _SYNTAX.sub(r"\\\g<0>", piece))
        for piece in pieces_of_url(text)
    ]
    return "|".join(_unique(*patterns))


def _in_any_case(run: re.Match[str]) -> str:
    try:
        characters = unquote(run[0], errors="strict")
    except UnicodeDecodeError:
        return run[0]
    return "".join(
        f"({'|'.join(map(quote, cases))})" if (cases := _cases(char)) else quote(char)
        for char in characters
    )


def _cases(char: str) -> tuple[str, ...]:
    """Return the two cases of a letter outside ASCII, or an empty tuple."""
    cases = _unique(char.lower(), char.upper())
    has_two = len(cases) == 2 and all(len(case.encode()) > 1 == len(case) for case in cases)
    return cases if has_two else ()


def _encoded(text: str, component: str) -> str:
    return percent_encode_operand(text.translate(_encoded_characters(component)))


def _unique(*texts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


@cache
def _encoded_characters(component: str) -> dict[int, str]:
    """Return how a component writes each printable ASCII character."""
    write = _WRITERS.get(component)
    if write is None:
        return {}
    # Between letters, because the ends of a component may have rules of their own.
    return {ord(char): (write(f"x{char}x") or "")[1:-1] for char in _PRINTABLE_ASCII}


# What people type. Text that is not a URL gives an empty result, and no error.


_ASSUMED_SCHEMES: Final = ("https", "http")


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
    # A query accepts any text, and percent-encodes what a URL cannot contain.
    encoded = _SPECIAL_URL.with_query(text).query
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
    return _unique(*filter(None, found))

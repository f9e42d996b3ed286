"""The URLs in CSS, by the grammar of its tokens. Nothing else of a style sheet is read.

Spec: https://drafts.csswg.org/css-syntax/#tokenization
"""

from __future__ import annotations

import re
from typing import Final

from weburl.html.attributes import Part
from weburl.standard.infra.strings import ascii_lowercase

_ESCAPE: Final = r"\\(?:[0-9A-Fa-f]{1,6}+(?:\r\n|[\t\n\f\r ])?+|[^0-9A-Fa-f\n\f\r])"
_NAME: Final = rf"(?>(?:[-\w\x80-\U0010ffff\0]|{_ESCAPE})+)"
_DOUBLE: Final = r'"(?P<double>(?:[^"\\\n\f\r]|\\(?:\r\n|[\s\S])|\\\Z)*+)(?:"|\Z)'
_SINGLE: Final = _DOUBLE.replace('"', "'").replace("double", "single")
# The alternatives are in the order of the tokenizer's steps. What none matches is one character.
_TOKEN: Final = re.compile(
    rf"""/\*[\s\S]*?(?:\*/|\Z)
    |{_DOUBLE}
    |{_SINGLE}
    |(?P<at>@{_NAME})
    |\#{_NAME}
    |(?P<name>{_NAME})(?P<function>\()?+
    |(?P<end>[;{{}}])""",
    re.VERBOSE | re.ASCII,
)
_IN_URL: Final = re.compile(
    rf"""[\t\n\f\r ]*+(?:(?P<quote>["'])
    |(?P<url>(?>(?:[^"'()\\\x00-\x20\x7f]|{_ESCAPE})*))[\t\n\f\r ]*+(?:\)|\Z)
    |(?:[^)\\]|\\[\s\S]|\\\Z)*+\)?+)""",
    re.VERBOSE | re.ASCII,
)
_ESCAPED: Final = re.compile(
    r"\\(?:(?P<number>[0-9A-Fa-f]{1,6}+)(?:\r\n|[\t\n\f\r ])?+"
    r"|(?:\r\n|[\n\f\r])|(?P<self>[\s\S])|\Z)"
)
_IN_STRING: Final = re.compile("[\\\\\"'<\x00-\x1f\x7f]")
_UNQUOTED: Final = re.compile("[\\\\\"'()<\x00-\x20\x7f]")


def css_parts(css: str) -> list[Part]:
    """Return where the URLs of ``css`` are: those in ``url()``, and those of ``@import``.

    Namespaces are not links, nor are empty URLs and those that only have a fragment, which name a
    part of the page.
    """
    parts: list[Part] = []
    rule = ""  # the at-rule whose prelude this is, for @import and @namespace
    is_next_string_a_url = False
    token = _TOKEN.search(css)
    while token is not None:
        at = token.end()
        if token["at"] is not None:
            rule = _plain(token["at"])
            is_next_string_a_url = rule == "@import"
        elif token["name"] is not None:
            is_next_string_a_url = False
            if token["function"] is not None and _plain(token["name"]) == "url":
                inside = _IN_URL.match(css, at)
                assert inside is not None  # text that is not a URL is read to its end
                if inside["quote"] is not None:
                    is_next_string_a_url = rule != "@namespace"
                else:
                    at = inside.end()
                    if inside["url"] is not None and rule != "@namespace":
                        _add(parts, css, inside.span("url"))
        elif token["end"] is not None:
            rule, is_next_string_a_url = "", False
        elif token["double"] is not None or token["single"] is not None:
            if is_next_string_a_url:
                _add(parts, css, token.span("single" if token["double"] is None else "double"))
            is_next_string_a_url = False
        token = _TOKEN.search(css, at)
    return parts


def css_urls(css: str) -> list[str]:
    """Return the URLs at the `css_parts` of ``css``, without escapes."""
    return [without_escapes(css[part[0] : part[1]]) for part in css_parts(css)]


def without_escapes(text: str) -> str:
    """Return what the inside of a string or URL in CSS means.

    Spec: https://drafts.csswg.org/css-syntax/#consume-escaped-code-point
    """
    return text if "\\" not in text else _ESCAPED.sub(_unescaped, text)


def as_css(url: str, quote: str) -> str:
    """Return ``url`` as CSS writes it between ``quote`` characters, or in ``url()`` for "".

    "<" is escaped too: it could end a `style` element.
    """
    pattern = _IN_STRING if quote else _UNQUOTED
    return pattern.sub(lambda found: f"\\{ord(found[0]):x} ", url)


def _plain(name: str) -> str:
    return ascii_lowercase(without_escapes(name))


def _unescaped(found: re.Match[str]) -> str:
    if found["number"] is not None:
        number = int(found["number"], 16)
        is_character = 0 < number < 0x110000 and not 0xD800 <= number < 0xE000
        return chr(number) if is_character else "\ufffd"
    return found["self"] or ""


def _add(parts: list[Part], css: str, span: tuple[int, int]) -> None:
    start, end = span
    if start < end and not without_escapes(css[start:end]).startswith("#"):
        parts.append((start, end, start, end))

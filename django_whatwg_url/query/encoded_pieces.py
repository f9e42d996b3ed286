"""Encodes a piece of a URL in every way in which a canonical URL may contain it.

Each component percent-encodes its own set of characters, and a piece may be in any of them:
``{x}`` is ``%7Bx%7D`` in a path and ``{x}`` in a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final
from urllib.parse import quote, unquote

import weburl
from django_whatwg_url.column.values import scalar_values

_NEVER_IN_A_CANONICAL_URL: Final = re.compile(r"[^\x20-\x7E]+")
_ENCODED_RUN: Final = re.compile("(?:%[89A-F][0-9A-F])+")
_SYNTAX: Final = re.compile(r"[\\^$.|?*+()\[\]{}]")
_PRINTABLE_ASCII: Final = "".join(map(chr, range(0x20, 0x7F)))
_SPECIAL: Final = weburl.parse("https://host/")
_OTHER: Final = weburl.parse("other://host/")

# What each component percent-encodes is not restated here. The parser encodes it.
_WRITERS: Final[dict[str, Callable[[str], str | None]]] = {
    "username": lambda text: _OTHER.with_username(text).username,
    "path": lambda text: _OTHER.with_path(f"/{text}").path_text[1:],
    "query": lambda text: _OTHER.with_query(text).query,
    "special query": lambda text: _SPECIAL.with_query(text).query,
    "fragment": lambda text: _OTHER.with_fragment(text).fragment,
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
    return _different([_encoded(text, component) for component in components])


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
    return _different(found)


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
    return "|".join(_different(patterns))


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
    cases = _different([char.lower(), char.upper()])
    return (
        cases
        if len(cases) == 2 and all(len(case.encode()) > 1 == len(case) for case in cases)
        else ()
    )


def _encoded(text: str, component: str) -> str:
    return percent_encode_operand(text.translate(_encoded_characters(component)))


def _different(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


@cache
def _encoded_characters(component: str) -> dict[int, str]:
    """Return how a component writes each printable ASCII character."""
    write = _WRITERS.get(component)
    if write is None:
        return {}
    # Between letters, because the ends of a component may have rules of their own.
    return {ord(char): (write(f"x{char}x") or "")[1:-1] for char in _PRINTABLE_ASCII}

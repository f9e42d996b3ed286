"""The tokenizer of pattern strings. What the tokens mean is decided elsewhere.

The standard makes a list of tokens. Here `token_at` returns the one at an offset, so that a parser
that rewinds needs no list, which would take a hundred times the memory of the text.

Spec: https://urlpattern.spec.whatwg.org/#tokenizing
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from weburl.patterns.errors import URLPatternError

TokenType: TypeAlias = Literal[
    "open",
    "close",
    "regexp",
    "name",
    "char",
    "escaped-char",
    "other-modifier",
    "asterisk",
    "end",
    "invalid-char",
]
"""Spec: #token-type"""


class Token(NamedTuple):
    """One token: its type, where it starts and ends in the text, and its value.

    A "char" token is one code point, or a run of several that have no meaning in a pattern or in a
    URL, such as letters. The standard has a token for each of them.

    Spec: #token
    """

    type: TokenType
    start: int
    value: str
    end: int


_SINGLE_TOKENS: Final[dict[str, TokenType]] = {
    "*": "asterisk",
    "+": "other-modifier",
    "?": "other-modifier",
    "{": "open",
    "}": "close",
}
_RUN: Final = re.compile(r"[^*+?{}\\:(/@#\[\]]+")
_ASCII_NAME: Final = re.compile(r"[A-Za-z0-9_$]*")
_IN_REGEXP: Final = re.compile(r"[()\\]|[^\x00-\x7f]")

_START_CATEGORIES: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl"})
_PART_CATEGORIES: Final = _START_CATEGORIES | {"Mn", "Mc", "Nd", "Pc"}
# Other_ID_Start, Other_ID_Continue and the exceptions of UAX #31, which no category has.
_OTHER_START: Final = frozenset("$_\u1885\u1886\u2118\u212e\u309b\u309c")
_OTHER_PART: Final = _OTHER_START | frozenset(
    "\u00b7\u0387\u1369\u136a\u136b\u136c\u136d\u136e\u136f\u1370\u1371\u19da\u200c\u200d\u30fb\uff65"
)
_NEVER: Final = frozenset("\u2e2f")


def is_valid_name_code_point(code_point: str, first: bool) -> bool:
    """Return whether a name may contain ``code_point``, text of length 1; ``first``: start with it.

    Without unicodedata2, the letters depend on this Python's version of Unicode.

    Spec: #is-a-valid-name-code-point
    """
    if code_point in (_OTHER_START if first else _OTHER_PART):
        return True
    if code_point.isascii():
        return code_point.isalpha() or (not first and code_point.isdigit())
    from weburl.standard.infra.unicode_data import category  # It has big tables.

    categories = _START_CATEGORIES if first else _PART_CATEGORIES
    return category(code_point) in categories and code_point not in _NEVER


def token_at(text: str, index: int, *, lenient: bool = False) -> Token:
    """Return the token at ``index``, an offset from 0 to the length of the text.

    Where a pattern is wrong, the result is an "invalid-char" token if ``lenient``. Otherwise
    raises `URLPatternError`.

    Spec: #tokenize
    """
    if index == len(text):
        return Token("end", index, "", index)
    run = _RUN.match(text, index)
    if run is not None:
        return Token("char", index, run[0], run.end())
    code_point = text[index]
    single = _SINGLE_TOKENS.get(code_point)
    if single is not None:
        return Token(single, index, code_point, index + 1)
    try:
        if code_point == "\\":
            return _escaped_char_at(text, index)
        if code_point == ":":
            return _name_at(text, index)
        if code_point == "(":
            return _regexp_at(text, index)
    except URLPatternError:
        if not lenient:
            raise
        return Token("invalid-char", index, code_point, index + 1)
    return Token("char", index, code_point, index + 1)


def _escaped_char_at(text: str, index: int) -> Token:
    if index == len(text) - 1:
        raise URLPatternError(
            "A backslash at the end of a pattern escapes nothing.",
            text,
            start=index,
            end=index + 1,
            expected="a character after the backslash, or another backslash",
        )
    return Token("escaped-char", index, text[index + 1], index + 2)


def _name_at(text: str, index: int) -> Token:
    start = index + 1
    if start == len(text) or not is_valid_name_code_point(text[start], first=True):
        raise URLPatternError(
            "A colon must be followed by the name of a group.",
            text,
            start=index,
            end=start,
            expected="a name, which starts with a letter, '_' or '$', or '\\:' for a colon",
        )
    end = start
    while end < len(text):
        found = _ASCII_NAME.match(text, end)
        assert found is not None  # the regex matches empty text too
        end = found.end()
        if end == len(text) or not is_valid_name_code_point(text[end], first=False):
            break
        end += 1
    return Token("name", index, text[start:end], end)


def _regexp_at(text: str, index: int) -> Token:
    start = index + 1
    if text.startswith("?", start):
        raise _regexp_error(
            "The regular expression of a group cannot start with '?'.", text, start, start + 1
        )
    depth = 1
    position = start
    while depth:
        found = _IN_REGEXP.search(text, position)
        if found is None:
            raise _regexp_error(
                "A parenthesis is not closed.", text, index, index + 1, "a ')' for this '('"
            )
        position = found.end()
        code_point = found[0]
        if code_point == "\\":
            _require_ascii_after_backslash(text, position)
            position += 1
        elif code_point == ")":
            depth -= 1
        elif code_point == "(":
            depth += 1
            if not text.startswith("?", position):
                raise _regexp_error(
                    "A regular expression cannot contain another group that captures by number.",
                    text,
                    position - 1,
                    position,
                    "a group that starts with '(?:', or '\\(' for a parenthesis",
                )
        else:
            raise _regexp_error(
                "A regular expression must be ASCII.", text, position - 1, position, "an escape"
            )
    if position - 1 == start:
        raise _regexp_error("A regular expression is empty.", text, index, position)
    return Token("regexp", index, text[start : position - 1], position)


def _require_ascii_after_backslash(text: str, position: int) -> None:
    if position == len(text):
        raise _regexp_error(
            "A regular expression ends with a backslash.", text, position - 1, position
        )
    if not text[position].isascii():
        raise _regexp_error(
            "A regular expression must be ASCII.", text, position, position + 1, "an escape"
        )


def _regexp_error(
    reason: str, text: str, start: int, end: int, expected: str = ""
) -> URLPatternError:
    return URLPatternError(reason, text, start=start, end=end, expected=expected)

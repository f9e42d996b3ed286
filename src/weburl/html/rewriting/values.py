"""Where the URLs of an attribute value are, and how a new URL is written there."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from html.entities import html5
from typing import Any, Final, NamedTuple

import attrs

from weburl.html.attributes import (
    ASCII_WHITESPACE,
    URL_EQUALS,
    Part,
    refresh_span,
    space_separated_tokens,
    srcset_parts,
    srcset_urls,
    token_parts,
)
from weburl.html.finding import refresh_urls
from weburl.html.rewriting.source import CannotRewrite
from weburl.html.speculation_rules import speculation_rules_urls
from weburl.html.style_sheets import as_css, css_parts, css_urls

_C0_OR_SPACE: Final = "".join(map(chr, range(33)))
_WITHOUT_WHITESPACE: Final = str.maketrans(
    {" ": "%20", "\f": "%0C", "\t": None, "\n": None, "\r": None}
)
_OUTER_COMMAS: Final = re.compile(r"\A,+|,+\Z")


class Replacement(NamedTuple):
    """New text for a part of a value."""

    start: int
    end: int
    text: str


def _whole_parts(parts: Sequence[Part], removed: Collection[int]) -> list[Replacement]:
    return [Replacement(parts[index][2], parts[index][3], "") for index in removed]


@attrs.frozen
class Grammar:
    """How URLs are written in a kind of value.

    ``parts``: returns where they are. ``written``: returns how a URL replaces the one of a part in
    a value. ``cuts``: returns how the parts with some indexes are removed. ``can_be_empty``:
    whether the value stays when all of its URLs are removed.
    """

    parts: Callable[[str], Sequence[Part]]
    written: Callable[[str, str, Part], Replacement]
    cuts: Callable[[Sequence[Part], Collection[int]], list[Replacement]] = _whole_parts
    can_be_empty: bool = False


def after(value: str, replacements: Sequence[Replacement]) -> str:
    """Return ``value`` after replacements, which are in order and do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, text in replacements:
        pieces += value[at:start], text
        at = end
    return "".join((*pieces, value[at:]))


# Tokens and image candidates -------------------------------------------------------------------


def _as_token(url: str, _: str, part: Part) -> Replacement:
    text = url.strip(_C0_OR_SPACE).translate(_WITHOUT_WHITESPACE)
    return Replacement(part[0], part[1], not_empty(text))


def _as_candidate(url: str, value: str, part: Part) -> Replacement:
    found = _as_token(url, value, part)
    commas = _OUTER_COMMAS.sub(lambda commas: "%2C" * len(commas[0]), found.text)
    return found._replace(text=commas)


def not_empty(text: str) -> str:
    """Return ``text``. Raises `CannotRewrite` if it is empty."""
    if not text:
        raise CannotRewrite("an empty string is not a URL there")
    return text


# Refreshes -------------------------------------------------------------------------------------


def _refresh_parts(content: str) -> list[Part]:
    span = refresh_span(content)
    return [] if span is None else [(*span, 0, len(content))]


def _as_refresh(url: str, value: str, part: Part) -> Replacement:
    text = url.strip(_C0_OR_SPACE)
    if not text:
        raise CannotRewrite("a refresh without a URL reloads the page")
    start, end = part[:2]
    quote = value[start - 1] if value[start - 1] in "\"'" else ""
    if quote and quote not in text:
        return Replacement(start, end, text)
    start -= len(quote)
    if text[0] in "\"'":
        # Only a relative URL or a fragment starts with one, and there %22 means the same as ".
        text = '"' + text.replace('"', "%22") + '"'
    elif URL_EQUALS.match(text) and value[:start].rstrip(ASCII_WHITESPACE)[-1:] != "=":
        text = "url=" + text
    return Replacement(start, len(value), text)


# Style sheets ----------------------------------------------------------------------------------


def _as_css(url: str, value: str, part: Part) -> Replacement:
    before = value[part[0] - 1]
    return Replacement(part[0], part[1], as_css(url, before if before in "\"'" else ""))


# Speculation rules -----------------------------------------------------------------------------

_JSON: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)


def _speculation_parts(text: str) -> list[Part]:
    """Return where the JSON strings of the `speculation_rules_urls` are, and where their lists are.

    The strings have their quotes.
    """
    tokens = list(_JSON.finditer(text))

    def read(at: int) -> tuple[Any, int]:
        token = tokens[at]
        if token[0] == "{":
            members: dict[str, Any] = {}
            at += 1
            while tokens[at][0] != "}":
                name = json.loads(tokens[at][0])
                members[name], at = read(at + 2)
                at += tokens[at][0] == ","
            return members, at + 1
        if token[0] == "[":
            items: list[Any] = []
            at += 1
            while tokens[at][0] != "]":
                item, at = read(at)
                items.append(item)
                at += tokens[at][0] == ","
            return items, at + 1
        return token, at + 1

    try:
        rules, _ = read(0)
    except RecursionError:
        raise CannotRewrite("the speculation rules are nested too deep") from None
    parts: list[Part] = []
    for action in ("prefetch", "prerender"):
        listed = rules.get(action)
        for rule in listed if isinstance(listed, list) else ():
            # Whether a rule counts does not depend on the others.
            if isinstance(rule, dict) and speculation_rules_urls(
                json.dumps({action: [_plain(rule)]})
            ):
                strings = [string.span() for string in rule["urls"]]
                parts += [(*span, strings[0][0], strings[-1][1]) for span in strings]
    return parts


def _json_cuts(parts: Sequence[Part], removed: Collection[int]) -> list[Replacement]:
    """Return how items of lists are removed, each with one comma where there are several."""
    cuts: list[Replacement] = []
    is_one_kept = False
    for index, (start, end, first, last) in enumerate(parts):
        is_one_kept &= start != first
        if index not in removed:
            is_one_kept = True
        elif is_one_kept:
            cuts.append(Replacement(parts[index - 1][1], end, ""))
        else:
            cuts.append(Replacement(start, end if end == last else parts[index + 1][0], ""))
    return cuts


def _plain(value: Any) -> Any:  # noqa: ANN401  # whatever JSON has
    """Return parsed JSON whose strings are values, and whose numbers are 0."""
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return json.loads(value[0]) if value[0][0] == '"' else 0


def _as_json(url: str, _: str, part: Part) -> Replacement:
    return Replacement(part[0], part[1], json.dumps(url).replace("<", "\\u003c"))


def escaped_in_json(text: str) -> str:
    """Return JSON in which strings have escapes for what is not ASCII."""
    return "".join(char if char.isascii() else json.dumps(char)[1:-1] for char in text)


def escaped_in_css(text: str) -> str:
    """Return CSS with escapes for what is not ASCII."""
    return "".join(char if char.isascii() else f"\\{ord(char):x} " for char in text)


GRAMMARS: Final[dict[Callable[[str], list[str]], Grammar]] = {
    space_separated_tokens: Grammar(token_parts, _as_token),
    srcset_urls: Grammar(srcset_parts, _as_candidate),
    refresh_urls: Grammar(_refresh_parts, _as_refresh),
    speculation_rules_urls: Grammar(_speculation_parts, _as_json, _json_cuts, can_be_empty=True),
    css_urls: Grammar(css_parts, _as_css, can_be_empty=True),
}
"""How to write the URLs that a rule's ``split`` finds."""


# Offsets in the source -------------------------------------------------------------------------

_REFERENCE: Final = re.compile(
    r"\r\n?|\0|&(?:\#[xX][0-9A-Fa-f]++;?|\#[0-9]++;?|[A-Za-z][0-9A-Za-z]*+;?)"
)
# Spec: https://html.spec.whatwg.org/#numeric-character-reference-end-state
_REMAPPED: Final = dict(
    zip(
        (0x80, *range(0x82, 0x8D), 0x8E, *range(0x91, 0x9D), 0x9E, 0x9F),
        "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ",
        strict=True,
    )
)
_MOST_DIGITS: Final = 8


def offsets_in_attribute(raw: str, value: str) -> Callable[[int], int] | None:
    """Return a function from offsets in ``value`` to offsets in its source ``raw``.

    It is None if ``raw`` has references without ";", because what follows decides what they mean.
    """
    if raw == value:
        return lambda at: at
    decoded: list[str] = []
    marks, origins = [0], [0]  # after each reference: the offset in the value, and in the source
    done = length = 0
    for match in _REFERENCE.finditer(raw):
        text = _meaning(match[0], raw[match.end() : match.end() + 1])
        if text is None:
            continue
        if match[0][0] == "&" and match[0][-1] != ";":
            return None
        decoded += raw[done : match.start()], text
        length += match.start() - done + len(text)
        done = match.end()
        marks.append(length)
        origins.append(done)
    decoded.append(raw[done:])
    if "".join(decoded) != value:
        return None

    def origin(at: int) -> int:
        # From the last mark at or before the offset.
        index = bisect_left(marks, at + 1) - 1
        return origins[index] + at - marks[index]

    return origin


def _meaning(text: str, following: str) -> str | None:
    """Return what a reference means in an attribute, or None if it is not one."""
    if text[0] != "&":
        return "\n" if text[0] == "\r" else "\ufffd"
    if text[1] != "#":
        name = text[1:]
        return html5.get(name) if name[-1] == ";" or following != "=" else None
    digits = text[2:].rstrip(";")
    base = 16 if digits[0] in "xX" else 10
    digits = digits.lstrip("xX").lstrip("0")
    if not digits or len(digits) > _MOST_DIGITS:
        return "\ufffd"
    number = int(digits, base)
    if number > 0x10FFFF or 0xD800 <= number < 0xE000:
        return "\ufffd"
    return _REMAPPED.get(number, chr(number))


def offsets_in_text(raw: str, text: str) -> Callable[[int], int]:
    """Return a function from offsets in the text of an element to offsets in its source."""
    if raw == text:
        return lambda at: at
    pairs = [found.start() - index for index, found in enumerate(re.finditer("\r\n", raw))]
    return lambda at: at + bisect_left(pairs, at)

"""Percent-encoded text for people to read: what can be decoded without deceiving them.

Takes the text of a path, a query or a fragment. What it gives back means the same URL when
it is parsed, but for the marks that isolate what is written from right to left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate, groupby, pairwise, repeat
from operator import itemgetter
from typing import Final

from weburl.infra.code_points import ASCII_ALPHANUMERIC
from weburl.infra.percent_encoding import percent_decode

# What keeps text of another direction from moving the text around it.
# Spec: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
LEFT_TO_RIGHT_ISOLATE: Final = "\u2066"
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_DIRECTIONAL_ISOLATE: Final = "\u2069"

# Not behind a "%" that encodes nothing: "%%341" would turn into "%41", which does.
_ENCODED_RUN: Final = re.compile("(?<!%)(?<!%[0-9A-Fa-f])(?:%[0-9A-Fa-f]{2})+")
# They delimit nothing, wherever they stand; "." may be all of a segment.
_ASCII_TO_DECODE: Final = ASCII_ALPHANUMERIC | frozenset("-_~")
_BROKEN_OFF_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]?\Z")
_CONTINUATION_BYTES: Final = re.compile("(?:%[89ABab][0-9A-Fa-f]){1,3}")


def decode_for_people(text: str, *, right_to_left: bool) -> str:
    """Return percent-encoded ``text`` with what is safe to show decoded.

    Decoded are ASCII letters, digits, "-", "_" and "~", and, in runs of bytes that are UTF-8,
    the characters that `spoofing.legible` allows. Those written from right to left come in
    isolates, or stay encoded where ``right_to_left`` is false.

    Spec: #url-rendering-i18n
    """
    if "%" not in text:
        return text
    return _ENCODED_RUN.sub(
        lambda run: _decode_run(
            run[0],
            text[max(run.start() - 1, 0) : run.start()],
            text[run.end() : run.end() + 1],
            right_to_left=right_to_left,
        ),
        text,
    )


def beginning_of(text: str, shown_length: int) -> str:
    """Return so much of percent-encoded ``text`` that ``shown_length`` of it, or more, are shown.

    A code point takes up to twelve characters encoded, and none is cut in two.
    """
    end = 12 * (shown_length + 1)
    if end >= len(text):
        return text
    if broken_off := _BROKEN_OFF_ESCAPE.search(text, end - 2, end):
        end = broken_off.start() + 3
    if rest := _CONTINUATION_BYTES.match(text, end):
        end = rest.end()
    return text[:end]


def isolated(text: str) -> str:
    """Return ``text``, whose direction is its own affair, so that nothing around it moves."""
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}"


def _decode_run(run: str, before: str, after: str, *, right_to_left: bool) -> str:
    """Return a run of percent-encoded bytes with what is safe to show decoded."""
    data = percent_decode(run.encode())
    try:
        text = data.decode()
    except UnicodeDecodeError:
        # Of a legacy encoding: what is UTF-8 among its bytes means something else.
        text = data.decode("latin-1")
        return "".join(map(_decoded_ascii, text, _encoded_code_points(run, repeat(1, len(data)))))
    encoded = _encoded_code_points(run, [len(char.encode()) for char in text])
    if text.isascii():
        return "".join(map(_decoded_ascii, text, encoded))

    from weburl.rendering import spoofing  # Unicode's tables take a while to load.

    are_legible = spoofing.legible(text, before, after)
    output: list[str] = []
    # What is shown and not ASCII is isolated word by word.
    for is_word, word in groupby(zip(text, encoded, are_legible, strict=True), itemgetter(2)):
        pieces = list(word)
        shown = "".join([char for char, _, _ in pieces])
        if not is_word:
            output += [_decoded_ascii(char, escapes) for char, escapes, _ in pieces]
        elif not spoofing.is_right_to_left(shown):
            output.append(shown)
        elif right_to_left:
            output.append(isolated(shown))
        else:
            output += [escapes for _, escapes, _ in pieces]
    return "".join(output)


def _decoded_ascii(char: str, escapes: str) -> str:
    return char if char in _ASCII_TO_DECODE else escapes


def _encoded_code_points(run: str, byte_counts: Iterable[int]) -> list[str]:
    """Return ``run`` in pieces of so many percent-encoded bytes."""
    ends = list(accumulate(byte_counts, initial=0))
    return [run[3 * start : 3 * end] for start, end in pairwise(ends)]

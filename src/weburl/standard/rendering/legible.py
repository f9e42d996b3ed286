"""Percent-encoded text for people: decodes what cannot deceive them.

The functions take the text of a path, a query or a fragment. The result parses to the same text,
except for the isolates around right-to-left words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from itertools import groupby
from typing import Final

# Isolates keep text of another direction from moving the text around it.
# Spec: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
LEFT_TO_RIGHT_ISOLATE: Final = "\u2066"
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_DIRECTIONAL_ISOLATE: Final = "\u2069"

# Only uppercase digits, as the parser writes them, so that parsing encodes the text as before.
_ENCODED_RUN: Final = re.compile("(?:%[0-9A-F][0-9A-F])++")
# Only code points beyond ASCII are decoded, and the first byte of each is at least C2.
_FIRST_BYTE: Final = re.compile("%[C-F]")
_BROKEN_OFF_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]?\Z")
_CONTINUATION_BYTES: Final = re.compile("(?:%[89ABab][0-9A-Fa-f]){1,3}")


def decode_for_people(text: str, *, right_to_left: bool) -> str:
    """Return percent-encoded ``text`` with what is safe to show decoded.

    This decodes the characters that `spoofing.legible` allows, which are never ASCII, in runs of
    bytes that are UTF-8 and have uppercase digits, as the parser writes them. Right-to-left
    characters are put into isolates, or remain encoded if ``right_to_left`` is false.

    Spec: #url-rendering-i18n
    """
    if "%" not in text or not _FIRST_BYTE.search(text):
        return text
    # A list of pieces would take many times the memory of the text.
    output = StringIO()
    at = 0
    for run in _ENCODED_RUN.finditer(text):
        output.write(text[at : run.start()])
        at = run.end()
        before, after = text[max(run.start() - 1, 0) : run.start()], text[at : at + 1]
        for piece in _pieces_of_run(run[0], before, after, right_to_left=right_to_left):
            output.write(piece)
    output.write(text[at:])
    return output.getvalue()


def beginning_of(text: str, shown_length: int) -> str:
    """Return a beginning of percent-encoded ``text`` that shows ``shown_length`` or more.

    A code point takes up to twelve characters encoded. No code point is cut in two.
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
    """Return ``text`` in isolates, so that its direction changes nothing around it."""
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_DIRECTIONAL_ISOLATE}"


def _pieces_of_run(run: str, before: str, after: str, *, right_to_left: bool) -> Iterator[str]:
    """Yield a run of percent-encoded bytes, piece by piece, with what is safe to show decoded."""
    try:
        text = bytes.fromhex(run.replace("%", "")).decode()
    except UnicodeDecodeError:
        # In a legacy encoding, bytes that look like UTF-8 mean something else.
        yield run
        return
    if text.isascii():
        yield run
        return

    from weburl.standard.rendering import spoofing  # It loads the tables of Unicode.

    start, encoded_start = 0, 0
    # Each shown word is isolated.
    for is_word, alike in groupby(spoofing.legible(text, before, after)):
        word = text[start : start + sum(1 for _ in alike)]
        start += len(word)
        encoded_end = encoded_start + 3 * len(word.encode())
        if not is_word:
            yield run[encoded_start:encoded_end]
        elif not spoofing.is_right_to_left(word):
            yield word
        else:
            yield isolated(word) if right_to_left else run[encoded_start:encoded_end]
        encoded_start = encoded_end

"""Loops over code points, for compiled code, which runs them in a third of a regex's time.

The interpreter runs regexes instead: for it, a loop takes several times as long as one. Each
function here says which pattern it stands for, and a test holds them equal.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from weburl.infra.code_points import PercentEncodeSet

NO_END: Final = -1


def _kinds_of_code_points_in_a_domain(capitals: bool) -> bytes:
    kinds = bytearray(0x80)
    for byte in range(0x80):
        code_point = chr(byte)
        if code_point.islower() or (capitals and code_point.isupper()):
            kinds[byte] = 1
        elif code_point.isdigit() or code_point == "_":
            kinds[byte] = 2
    return bytes(kinds)


IN_LOWER_CASE: Final = _kinds_of_code_points_in_a_domain(False)
IN_ANY_CASE: Final = _kinds_of_code_points_in_a_domain(True)


def plain_domain_end(text: str, at: i64, kinds: bytes) -> i64:
    """Return where the plain domain that starts at ``at`` ends, or `NO_END`.

    The pattern is `code_points.PLAIN_DOMAIN`, as far as it goes; ``kinds`` says in which case
    letters are.
    """
    end: i64 = len(text)
    is_empty = True  # the run of letters and digits before the next "." or "-"
    has_digit = False
    while at < end:
        code_point: i64 = ord(text[at])
        if code_point == 0x2D or code_point == 0x2E:  # noqa: PLR1714  # a set is slow here
            if is_empty:
                return NO_END
            is_empty = True
            has_digit = False
        else:
            kind: i64 = kinds[code_point] if code_point < 0x80 else 0
            if kind == 0:
                break
            is_empty = False
            if kind == 2:
                has_digit = True
        at += 1
    return NO_END if is_empty or has_digit else at


def run_end(text: str, at: i64, kept: bytes) -> i64:
    """Return where the code points end, from ``at`` on, that ``kept`` has a 1 for.

    ``kept`` is a percent-encode set's: the pattern is what `PercentEncodeSet.pattern` is not.
    """
    end: i64 = len(text)
    while at < end:
        code_point: i64 = ord(text[at])
        if code_point >= 0x80:
            break
        is_kept: i64 = kept[code_point]
        if is_kept == 0:
            break
        at += 1
    return at


def percent_encode(text: str, percent_encode_set: PercentEncodeSet) -> str:
    """Return ``text`` with the code points in the set as percent-encoded UTF-8 bytes."""
    kept = percent_encode_set.kept
    encoded = percent_encode_set.encoded
    end: i64 = len(text)
    at = run_end(text, 0, kept)
    if at == end:
        return text
    pieces: list[str] = []
    start: i64 = 0
    while at < end:
        pieces.append(text[start:at])
        code_point: i64 = ord(text[at])
        start = at + 1
        if code_point < 0x80:
            pieces.append(encoded[code_point])
        else:
            pieces.extend([encoded[byte] for byte in text[at:start].encode()])
        at = run_end(text, start, kept)
    pieces.append(text[start:])
    return "".join(pieces)

"""Punycode (RFC 3492), one label at a time, in time n log n.

The codec of the interpreter takes quadratic time in both directions, because it shifts and scans.
That is hours for a host of a megabyte. Here, a long label uses a Fenwick tree and arrays, which
take a fifth to a tenth of the memory of lists of integers. In a short label, as nearly all are,
shifting is faster than a tree.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

_BASE: Final = 36
_T_MIN: Final = 1
_T_MAX: Final = 26
_SKEW: Final = 38
_DAMP: Final = 700
_INITIAL_BIAS: Final = 72
_INITIAL_N: Final = 0x80
_MAX_CODE_POINT: Final = 0x10FFFF
_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_HYPHEN: Final = "-"
_INTEGERS: Final = "I"  # four bytes, on every platform that Python runs on
_UTF_32: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_HALF: Final = 11  # bits: a code point has two halves
_SHORT: Final = 1024  # code points: up to this length, shifting everything is faster than a tree
# The bias for each delta up to the largest that needs no division.
_BIASES: Final = [
    (_BASE - _T_MIN + 1) * delta // (delta + _SKEW)
    for delta in range((_BASE - _T_MIN) * _T_MAX // 2 + 1)
]
_UNDIVIDED: Final = len(_BIASES)
_DIVISOR: Final = _BASE - _T_MIN
_VALUE_OF: Final = {
    digit: value for digits in (_DIGITS, _DIGITS.upper()) for value, digit in enumerate(digits)
}


def encode(label: str) -> str:
    """Return the Punycode form of ``label``, without "xn--"."""
    basic = label.encode("ascii", "ignore").decode("ascii")
    count = len(basic)
    output = [basic, _HYPHEN] if basic else []
    damp, bias = _DAMP, _INITIAL_BIAS
    for delta in (_deltas if len(label) <= _SHORT else _deltas_of_long)(label, count):
        rest = delta
        k = _BASE - bias
        while rest >= (threshold := _T_MIN if k <= _T_MIN else min(_T_MAX, k)):
            rest -= threshold
            output.append(_DIGITS[threshold + rest % (_BASE - threshold)])
            rest //= _BASE - threshold
            k += _BASE
        output.append(_DIGITS[rest])
        count += 1
        bias = _adapt(delta // damp, count)
        damp = 2
    return "".join(output)


def _adapt(delta: int, count: int) -> int:
    delta += delta // count
    bias = 0
    while delta >= _UNDIVIDED:
        delta //= _DIVISOR
        bias += _BASE
    return bias + _BIASES[delta]


def _deltas(label: str, count: int) -> Iterator[int]:
    """Yield the delta of each code point beyond ASCII in a short label, in the order of insertion.

    ``count``: how many of its code points are ASCII.
    """
    order = sorted([at for at, char in enumerate(label) if char >= "\x80"], key=label.__getitem__)
    waiting = 0  # a bit for each position that is not handled
    for at in order:
        waiting |= 1 << at
    # The RFC counts the handled code points before a position. Counting those after it needs fewer
    # operations.
    n, previous_after = _INITIAL_N, count
    for at in order:
        code_point = ord(label[at])
        after = len(label) - at - (waiting >> at).bit_count()
        waiting ^= 1 << at
        count += 1
        yield (code_point - n) * count + previous_after - after
        n, previous_after = code_point, after


def decode(text: str) -> str | None:
    """Return the label whose Punycode form, without "xn--", is ``text``, or None for failure.

    The label may contain surrogates, so the caller must check its code points.
    """
    if not text.isascii():
        return None
    is_short = len(text) <= _SHORT
    length = max(text.rfind(_HYPHEN), 0)
    basic = text[:length]
    label = list(basic) if is_short else []
    values = map(_VALUE_OF.__getitem__, text[length + 1 if length else 0 :])
    places, code_points = array(_INTEGERS), array(_INTEGERS)
    n, index, damp, bias = _INITIAL_N, 0, _DAMP, _INITIAL_BIAS
    try:
        for first in values:
            previous, value, weight, k = index, first, 1, _BASE - bias
            limit = (_MAX_CODE_POINT + 1 - n) * (length + 1)
            while True:
                index += value * weight
                if index >= limit:
                    return None
                threshold = _T_MIN if k <= _T_MIN else min(_T_MAX, k)
                if value < threshold:
                    break
                weight *= _BASE - threshold
                k += _BASE
                value = next(values)
            length += 1
            bias = _adapt((index - previous) // damp, length)
            damp = 2
            more, index = divmod(index, length)
            n += more
            if is_short:
                label.insert(index, chr(n))
            else:
                places.append(index)
                code_points.append(n)
            index += 1
    except (KeyError, StopIteration):  # not a digit, or no digit where a number continues
        return None
    return "".join(label) if is_short else _put_together(basic, places, code_points)


# --- long labels ------------------------------------------------------------------------------


class _Positions:
    """A set of positions from 0 to ``size`` - 1 in a Fenwick tree. It starts with ``members``."""

    __slots__ = ("_top", "_tree")

    def __init__(self, members: Iterable[int], size: int) -> None:
        tree = _zeros(size + 1)
        for position in members:
            tree[position + 1] = 1
        for index in range(1, size + 1):
            above = index + (index & -index)
            if above <= size:
                tree[above] += tree[index]
        self._tree = tree
        self._top = 1 << size.bit_length() - 1 if size else 0

    def add(self, position: int) -> int:
        """Add ``position``, and return how many members are less than it."""
        tree = self._tree
        count = 0
        index = position
        while index:
            count += tree[index]
            index &= index - 1
        self._change(position, 1)
        return count

    def take(self, nth: int) -> int:
        """Remove and return the ``nth`` member in ascending order, counted from 0."""
        tree = self._tree
        size = len(tree)
        index, step = 0, self._top
        while step:
            ahead = index + step
            if ahead < size and tree[ahead] <= nth:
                index = ahead
                nth -= tree[ahead]
            step >>= 1
        self._change(index, -1)
        return index

    def _change(self, position: int, by: int) -> None:
        tree = self._tree
        size = len(tree)
        index = position + 1
        while index < size:
            tree[index] += by
            index += index & -index


def _zeros(count: int) -> array[int]:
    return array(_INTEGERS, (0,)) * count


def _in_order(label: str) -> array[int]:
    """Return the positions of the code points beyond ASCII, ordered by code point and position.

    This is a radix sort by the lower and then the upper half, because `sorted` would make an object
    for each position.
    """
    positions = array(_INTEGERS, (at for at, char in enumerate(label) if char >= "\x80"))
    for shift in (0, _HALF):
        ends = [0] * ((1 << _HALF) + 1)
        for at in positions:
            ends[(ord(label[at]) >> shift & (1 << _HALF) - 1) + 1] += 1
        ends = list(accumulate(ends))
        ordered = _zeros(len(positions))
        for at in positions:
            half = ord(label[at]) >> shift & (1 << _HALF) - 1
            ordered[ends[half]] = at
            ends[half] += 1
        positions = ordered
    return positions


def _deltas_of_long(label: str, count: int) -> Iterator[int]:
    """Yield what `_deltas` does, for a label of any length."""
    basic = (at for at, char in enumerate(label) if char < "\x80")
    positions = _Positions(basic, len(label))
    n, index = _INITIAL_N, 0
    for at in _in_order(label):
        code_point = ord(label[at])
        before = positions.add(at)
        count += 1
        yield (code_point - n) * count + before - index
        n, index = code_point, before + 1


def _put_together(basic: str, places: array[int], code_points: array[int]) -> str:
    """Return ``basic`` with each of ``code_points`` inserted at its place, one after the other.

    This works backwards. The last code point is at the place where it was inserted. The place of
    each one before it counts only the places that are still free. The basic code points fill the
    rest.
    """
    length = len(basic) + len(places)
    label = _zeros(length)
    free = _Positions(range(length), length)
    for turn in range(len(places) - 1, -1, -1):
        label[free.take(places[turn])] = code_points[turn]
    del free, places[:], code_points[:]  # to free memory before the next large objects
    rest = iter(basic)
    for at, code_point in enumerate(label):
        if not code_point:  # 0 is a free place: an inserted code point is beyond ASCII
            label[at] = ord(next(rest))
    return label.tobytes().decode(_UTF_32, "surrogatepass")

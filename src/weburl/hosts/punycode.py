"""Punycode (RFC 3492), one label at a time, in time n log n.

The codec of the interpreter takes quadratic time in both directions, because it shifts and scans.
That is hours for a host of a megabyte. Here, a long label uses a Fenwick tree and arrays, which
take a fifth to a tenth of the memory of lists of integers. A short label, as nearly all are, uses a
list, because that takes half the time.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
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
_DIGITS: Final = b"abcdefghijklmnopqrstuvwxyz0123456789"
_HYPHEN: Final = b"-"
_INTEGERS: Final = "I"  # four bytes, on every platform that Python runs on
_UTF_32: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_HALF: Final = 11  # bits: a code point has two halves
_SHORT: Final = 1024  # code points: up to this length, shifting a list is faster than a tree
# The bias for each delta up to the largest that needs no division.
_BIASES: Final = [
    (_BASE - _T_MIN + 1) * delta // (delta + _SKEW)
    for delta in range((_BASE - _T_MIN) * _T_MAX // 2 + 1)
]
_VALUE_OF: Final = {
    digit: value
    for digits in (_DIGITS, _DIGITS.upper())
    for value, digit in enumerate(digits.decode())
}


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


def _adapt(delta: int, count: int) -> int:
    delta += delta // count
    if delta < len(_BIASES):
        return _BIASES[delta]
    k = 0
    while delta >= len(_BIASES):
        delta //= _BASE - _T_MIN
        k += _BASE
    return k + _BIASES[delta]


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


def _deltas(label: str) -> Iterator[int]:
    """Yield the delta of each code point beyond ASCII in ``label``, in the order of insertion."""
    basic = (at for at, char in enumerate(label) if char < "\x80")
    n, index = _INITIAL_N, 0
    if len(label) <= _SHORT:
        handled = list(basic)
        for code_point, at in sorted(
            [(ord(char), at) for at, char in enumerate(label) if char >= "\x80"]
        ):
            before = bisect_left(handled, at)
            handled.insert(before, at)
            yield (code_point - n) * len(handled) + before - index
            n, index = code_point, before + 1
        return
    order = _in_order(label)
    count = len(label) - len(order)
    positions = _Positions(basic, len(label))
    for at in order:
        code_point = ord(label[at])
        before = positions.add(at)
        count += 1
        yield (code_point - n) * count + before - index
        n, index = code_point, before + 1


def encode(label: str) -> str:
    """Return the Punycode form of ``label``, without "xn--"."""
    output = bytearray(label.encode("ascii", "ignore"))
    count = len(output)
    if output:
        output += _HYPHEN
    damp, bias = _DAMP, _INITIAL_BIAS
    for delta in _deltas(label):
        rest = delta
        k = _BASE - bias
        while rest >= (threshold := _T_MIN if k <= _T_MIN else min(k, _T_MAX)):
            rest -= threshold
            output.append(_DIGITS[threshold + rest % (_BASE - threshold)])
            rest //= _BASE - threshold
            k += _BASE
        output.append(_DIGITS[rest])
        count += 1
        bias = _adapt(delta // damp, count)
        damp = 2
    return output.decode("ascii")


def decode(text: str) -> str | None:
    """Return the label whose Punycode form, without "xn--", is ``text``, or None for failure.

    The label may contain surrogates, so the caller must check its code points.
    """
    if not text.isascii():
        return None
    basic_length = max(text.rfind("-"), 0)
    basic = text[:basic_length]
    digits = iter(text[basic_length + 1 if basic_length else 0 :])
    places, code_points = array(_INTEGERS), array(_INTEGERS)
    n, index, length = _INITIAL_N, 0, basic_length
    damp, bias = _DAMP, _INITIAL_BIAS
    for digit in digits:
        previous, weight, k = index, 1, _BASE - bias
        limit = (_MAX_CODE_POINT + 1 - n) * (length + 1)
        value = _VALUE_OF.get(digit)
        while True:
            if value is None:
                return None
            index += value * weight
            if index >= limit:
                return None
            threshold = _T_MIN if k <= _T_MIN else min(k, _T_MAX)
            if value < threshold:
                break
            weight *= _BASE - threshold
            k += _BASE
            value = _VALUE_OF.get(next(digits, ""))
        length += 1
        bias = _adapt((index - previous) // damp, length)
        damp = 2
        more, index = divmod(index, length)
        n += more
        places.append(index)
        code_points.append(n)
        index += 1
    if length > _SHORT:
        return _put_together(basic, places, code_points)
    decoded = list(basic)
    for at, code_point in zip(places, code_points, strict=True):
        decoded.insert(at, chr(code_point))
    return "".join(decoded)


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

"""Punycode (RFC 3492), one label at a time, in time n log n.

The codec of the interpreter takes quadratic time in both directions, because it shifts and scans.
That is hours for a host of a megabyte. Here, a long label uses a Fenwick tree and arrays, which
take a fifth to a tenth of the memory of lists of integers. A short label, as nearly all are, is
encoded and decoded in a loop of its own, which takes half the time.
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
_VALUE_OF: Final = {
    digit: value for digits in (_DIGITS, _DIGITS.upper()) for value, digit in enumerate(digits)
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


# --- short labels ----------------------------------------------------------------------------

# To find the next bias, a delta is halved, a part of itself is added, and then it is divided by 35
# until it is an index of `_BIASES`. Each division adds 36 to the bias, so it makes one threshold 1
# in the next number. The thresholds that follow are the one at that index here, and then only 26.
# So `encode` and `decode` do these divisions in the loops that write and read digits. A call of a
# Python function there would take as long as the rest.
_THRESHOLDS: Final = [min(max(_BASE - bias, _T_MIN), _T_MAX) for bias in _BIASES]
_UNDIVIDED: Final = len(_BIASES)
_DIVISOR: Final = _BASE - _T_MIN
# It is divided twice, so the thresholds belong to the initial bias: 1, 1, and then only 26.
_INITIALLY_ADAPTED: Final = _UNDIVIDED * _DIVISOR
_DIGITS_FROM_T_MIN: Final = _DIGITS[_T_MIN:]
# Smaller numbers have at most two digits, whatever the threshold of the first digit.
_LIMIT_OF_TWO_DIGITS: Final = _T_MAX + (_BASE - _T_MAX) * _T_MAX
# In a short label, a delta as large as this gives a code point above U+10FFFF.
_TOO_LARGE: Final = (_MAX_CODE_POINT + 1) * (_SHORT + 1)


def _make_short_numbers() -> list[list[str]]:
    """Return the digits of each number below `_LIMIT_OF_TWO_DIGITS`, by index of `_THRESHOLDS`."""
    # The lists share their strings, and lists of the same threshold are one: 90 kB for all.
    pairs = [[first + second for first in _DIGITS] for second in _DIGITS[:_T_MAX]]
    by_threshold = {}
    for threshold in set(_THRESHOLDS):
        numbers = list(_DIGITS[:threshold])
        for pairs_of_second in pairs:
            numbers += pairs_of_second[threshold:]
            if len(numbers) >= _LIMIT_OF_TWO_DIGITS:
                break
        by_threshold[threshold] = numbers[:_LIMIT_OF_TWO_DIGITS]
    return [by_threshold[threshold] for threshold in _THRESHOLDS]


_SHORT_NUMBERS: Final = _make_short_numbers()


def encode(label: str) -> str:
    """Return the Punycode form of ``label``, without "xn--"."""
    if len(label) > _SHORT:
        return _encode_long(label)
    code_points = [*map(ord, label)]
    order = sorted(range(len(label)), key=code_points.__getitem__)
    output = ""
    count = handled = 0  # how many code points are handled, and a bit for the position of each
    if order and code_points[order[0]] < _INITIAL_N:
        output = label.encode("ascii", "ignore").decode("ascii")
        count = len(output)
        output += _HYPHEN
        for at in order[:count]:
            handled |= 1 << at
        del order[:count]
    n, damp, adapted = _INITIAL_N, _DAMP, _INITIALLY_ADAPTED
    # The RFC counts the handled code points before a position. Counting those after it needs fewer
    # operations.
    previous_after = count
    for at in order:
        code_point = code_points[at]
        after = (handled >> at).bit_count()
        handled |= 1 << at
        count += 1
        delta = rest = (code_point - n) * count + previous_after - after
        n, previous_after = code_point, after
        while adapted >= _UNDIVIDED:  # a digit whose threshold is 1
            if not rest:
                adapted = 0  # The last digit, 0, is the same for each threshold.
                break
            rest -= _T_MIN
            output += _DIGITS_FROM_T_MIN[rest % _DIVISOR]
            rest //= _DIVISOR
            adapted //= _DIVISOR
        if rest >= _LIMIT_OF_TWO_DIGITS:
            threshold = _THRESHOLDS[adapted]
            adapted = 0  # The threshold there is 26.
            while rest >= _LIMIT_OF_TWO_DIGITS:
                rest -= threshold
                output += _DIGITS[threshold + rest % (_BASE - threshold)]
                rest //= _BASE - threshold
                threshold = _T_MAX
        output += _SHORT_NUMBERS[adapted][rest]
        adapted = delta // damp
        adapted += adapted // count
        damp = 2
    return output


def decode(text: str) -> str | None:
    """Return the label whose Punycode form, without "xn--", is ``text``, or None for failure.

    The label may contain surrogates, so the caller must check its code points.
    """
    if len(text) > _SHORT:
        return _decode_long(text)
    if not text.isascii():
        return None
    length = max(text.rfind(_HYPHEN), 0)
    label = list(text[:length])
    values = map(_VALUE_OF.__getitem__, text[length + 1 if length else 0 :])
    n, index, damp, adapted = _INITIAL_N, 0, _DAMP, _INITIALLY_ADAPTED
    try:
        for first in values:
            delta = value = first
            weight = 1
            while adapted >= _UNDIVIDED and value:  # a digit whose threshold is 1
                weight *= _DIVISOR
                adapted //= _DIVISOR
                value = next(values)
                delta += value * weight
            if adapted < _UNDIVIDED and value >= (threshold := _THRESHOLDS[adapted]):
                weight *= _BASE - threshold
                value = next(values)
                delta += value * weight
                while value >= _T_MAX and delta < _TOO_LARGE:
                    weight *= _BASE - _T_MAX
                    value = next(values)
                    delta += value * weight
            length += 1
            more, index = divmod(index + delta, length)
            n += more
            if n > _MAX_CODE_POINT:
                return None
            label.insert(index, chr(n))
            index += 1
            adapted = delta // damp
            adapted += adapted // length
            damp = 2
    except (KeyError, StopIteration):  # not a digit, or no digit where a number continues
        return None
    return "".join(label)


# --- labels of any length ------------------------------------------------------------------


def _encode_long(label: str) -> str:
    """Return what `encode` does, for a label of any length."""
    output = bytearray(label.encode("ascii", "ignore"))
    count = len(output)
    if output:
        output += _HYPHEN.encode()
    digits = _DIGITS.encode()
    damp, bias = _DAMP, _INITIAL_BIAS
    for delta in _deltas(label):
        rest = delta
        k = _BASE - bias
        while rest >= (threshold := _T_MIN if k <= _T_MIN else min(k, _T_MAX)):
            rest -= threshold
            output.append(digits[threshold + rest % (_BASE - threshold)])
            rest //= _BASE - threshold
            k += _BASE
        output.append(digits[rest])
        count += 1
        bias = _adapt(delta // damp, count)
        damp = 2
    return output.decode("ascii")


def _deltas(label: str) -> Iterator[int]:
    """Yield the delta of each code point beyond ASCII in ``label``, in the order of insertion."""
    order = _in_order(label)
    count = len(label) - len(order)
    basic = (at for at, char in enumerate(label) if char < "\x80")
    positions = _Positions(basic, len(label))
    n, index = _INITIAL_N, 0
    for at in order:
        code_point = ord(label[at])
        before = positions.add(at)
        count += 1
        yield (code_point - n) * count + before - index
        n, index = code_point, before + 1


def _decode_long(text: str) -> str | None:
    """Return what `decode` does, for text of any length."""
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
    return _put_together(basic, places, code_points)


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

"""Punycode (RFC 3492), one label at a time, in time n log n.

The interpreter's codec does the same in quadratic time, both ways: one host of a megabyte
would keep it busy for hours. A Fenwick tree counts and finds where it shifts and scans. Short
labels, as nearly all are, do without: there a list that shifts takes half the time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
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
_SHORT: Final = 1024  # code points: so many pointers are moved in less time than a tree is walked
# What a delta adapts the bias to, if it is no larger than this.
_BIASES: Final = [
    (_BASE - _T_MIN + 1) * delta // (delta + _SKEW)
    for delta in range((_BASE - _T_MIN) * _T_MAX // 2 + 1)
]
_VALUE_OF: Final = {digit: value for value, digit in enumerate(_DIGITS)} | {
    digit.upper(): value for value, digit in enumerate(_DIGITS)
}


class _Positions:
    """A set of positions from 0 to ``size`` - 1, to begin with ``members``, in a Fenwick tree."""

    __slots__ = ("_top", "_tree")

    def __init__(self, members: Iterable[int], size: int) -> None:
        tree = [0] * (size + 1)
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


def _deltas(basic: list[int], extended: list[tuple[int, int]]) -> list[int]:
    """Return how far the decoder's state goes for each of the ``extended`` code points.

    They come in the order of insertion, each with its position; ``basic`` are the positions of
    the others, ascending.
    """
    size = len(basic) + len(extended)
    n, index, count = _INITIAL_N, 0, len(basic)
    deltas: list[int] = []
    if size <= _SHORT:
        for code_point, at in extended:
            before = bisect_left(basic, at)
            basic.insert(before, at)
            count += 1
            deltas.append((code_point - n) * count + before - index)
            n, index = code_point, before + 1
        return deltas
    handled = _Positions(basic, size)
    for code_point, at in extended:
        before = handled.add(at)
        count += 1
        deltas.append((code_point - n) * count + before - index)
        n, index = code_point, before + 1
    return deltas


def encode(label: str) -> str:
    """Return the Punycode form of ``label``, without "xn--"."""
    basic = [at for at, char in enumerate(label) if char < "\x80"]
    extended = sorted([(ord(char), at) for at, char in enumerate(label) if char >= "\x80"])
    output = [label[at] for at in basic]
    if output:
        output.append("-")
    count = len(basic)
    damp, bias = _DAMP, _INITIAL_BIAS
    for delta in _deltas(basic, extended):
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
    return "".join(output)


def decode(text: str) -> str | None:
    """Return the label whose Punycode form, without "xn--", is ``text``; None if it is none.

    What comes out may hold surrogates: whoever asks has to check the code points.
    """
    if not text.isascii():
        return None
    basic_length = max(text.rfind("-"), 0)
    basic = text[:basic_length]
    digits = iter(text[basic_length + 1 if basic_length else 0 :])
    insertions: list[tuple[int, int]] = []
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
        insertions.append((index, n))
        index += 1
    if length <= _SHORT:
        decoded = list(basic)
        for at, code_point in insertions:
            decoded.insert(at, chr(code_point))
        return "".join(decoded)
    # The last one inserted stands where it was put; each one before it, counted among the
    # places that are still free; the basic code points fill what is left.
    label: list[str] = [""] * length
    free = _Positions(range(length), length)
    for at, code_point in reversed(insertions):
        label[free.take(at)] = chr(code_point)
    rest = iter(basic)
    return "".join([char or next(rest) for char in label])

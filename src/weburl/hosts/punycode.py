"""Punycode (RFC 3492), one label at a time, in time n log n.

The interpreter's codec does the same in quadratic time, both ways: one host of a megabyte
would keep it busy for hours. A Fenwick tree counts and finds where it shifts and scans.
"""

from __future__ import annotations

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
_VALUE_OF: Final = {digit: value for value, digit in enumerate(_DIGITS)} | {
    digit.upper(): value for value, digit in enumerate(_DIGITS)
}


class _Positions:
    """A set of positions that counts those before one, and finds the nth.

    ``members`` says of each position whether it is in the set at first.
    """

    def __init__(self, members: list[bool]) -> None:
        tree = [0, *map(int, members)]
        size = len(members)
        for index in range(1, size + 1):
            above = index + (index & -index)
            if above <= size:
                tree[above] += tree[index]
        self._tree = tree
        self._top = 1 << size.bit_length() - 1 if size else 0

    def change(self, position: int, by: int) -> None:
        """Put ``position`` in (``by`` = 1) or take it out (-1)."""
        tree = self._tree
        size = len(tree)
        index = position + 1
        while index < size:
            tree[index] += by
            index += index & -index

    def count_before(self, position: int) -> int:
        """Return how many members are less than ``position``."""
        tree = self._tree
        count = 0
        while position:
            count += tree[position]
            position &= position - 1
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
        self.change(index, -1)
        return index


def _adapt(delta: int, count: int, *, first: bool) -> int:
    delta = delta // _DAMP if first else delta // 2
    delta += delta // count
    k = 0
    while delta > (_BASE - _T_MIN) * _T_MAX // 2:
        delta //= _BASE - _T_MIN
        k += _BASE
    return k + (_BASE - _T_MIN + 1) * delta // (delta + _SKEW)


def encode(label: str) -> str:
    """Return the Punycode form of ``label``, without "xn--"."""
    basic = [char for char in label if char < "\x80"]
    extended = sorted((ord(char), at) for at, char in enumerate(label) if char >= "\x80")
    output = [*basic, "-"] if basic else []
    handled = _Positions([char < "\x80" for char in label])
    n, index, length, bias = _INITIAL_N, 0, len(basic), _INITIAL_BIAS
    for code_point, at in extended:
        before = handled.count_before(at)
        delta = (code_point - n) * (length + 1) + before - index
        k, rest = _BASE, delta
        while rest >= (threshold := min(max(k - bias, _T_MIN), _T_MAX)):
            rest, digit = divmod(rest - threshold, _BASE - threshold)
            output.append(_DIGITS[threshold + digit])
            k += _BASE
        output.append(_DIGITS[rest])
        length += 1
        bias = _adapt(delta, length, first=length == len(basic) + 1)
        n, index = code_point, before + 1
        handled.change(at, 1)
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
    n, index, length, bias = _INITIAL_N, 0, basic_length, _INITIAL_BIAS
    for digit in digits:
        previous, weight, k = index, 1, _BASE
        limit = (_MAX_CODE_POINT + 1 - n) * (length + 1)
        value = _VALUE_OF.get(digit)
        while True:
            if value is None:
                return None
            index += value * weight
            if index >= limit:
                return None
            threshold = min(max(k - bias, _T_MIN), _T_MAX)
            if value < threshold:
                break
            weight *= _BASE - threshold
            k += _BASE
            value = _VALUE_OF.get(next(digits, ""))
        length += 1
        bias = _adapt(index - previous, length, first=length == basic_length + 1)
        more, index = divmod(index, length)
        n += more
        insertions.append((index, n))
        index += 1
    # The last one inserted stands where it was put; each one before it, counted among the
    # places that are still free; the basic code points fill what is left.
    label: list[str] = [""] * length
    free = _Positions([True] * length)
    for at, code_point in reversed(insertions):
        label[free.take(at)] = chr(code_point)
    rest = iter(basic)
    return "".join([char or next(rest) for char in label])

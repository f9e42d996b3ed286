"""Punycode (RFC 3492), one label at a time, in time n log n: `hosts.punycode`, compiled."""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.libc.string import memcpy, memmove
from cython.cimports.weburl.standard.compiled.positions import (
    Positions,
    add,
    count_before,
    finish,
    start,
    take,
)

# A key for each code point beyond ASCII: the code point times 2**32, plus its position.
Key = cython.typedef(cython.ulonglong)
PKey = cython.typedef(cython.pointer(cython.ulonglong))

DIGITS = cython.declare(cython.p_char, b"abcdefghijklmnopqrstuvwxyz0123456789")
# For this many, simple sorting and moving is faster than the algorithms for long labels.
FEW = cython.declare(cython.Py_ssize_t, 48)
SHORT = cython.declare(cython.Py_ssize_t, 512)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _adapt(delta: cython.longlong, count: cython.longlong) -> cython.longlong:
    k: cython.longlong = 0
    delta += delta // count
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _threshold(k: cython.longlong, bias: cython.longlong) -> cython.longlong:
    return 1 if k <= bias + 1 else 26 if k >= bias + 26 else k - bias


@cython.cfunc
@cython.exceptval(-2, check=True)
def encode(
    label: cython.p_uint, n: cython.Py_ssize_t, out: cython.p_uchar, room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write the Punycode of a label and return its length; -1 if there is no room."""
    few: cython.ulonglong[48]
    keys: PKey = few
    positions: Positions
    extended: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    if n > room:
        return -1
    for i in range(n):
        extended += label[i] >= 0x80
    if extended > FEW:
        # Sorting needs a second array of the same size.
        keys = cython.cast(PKey, PyMem_Malloc(2 * extended * cython.sizeof(cython.ulonglong)))
        if keys == cython.NULL:
            raise MemoryError
    try:
        start(cython.address(positions), n)
        return _encode(label, n, extended, keys, cython.address(positions), out, room)
    finally:
        finish(cython.address(positions))
        if keys != few:
            PyMem_Free(keys)


@cython.cfunc
@cython.exceptval(check=False)
def _encode(  # noqa: PLR0915  # the standard's steps, kept whole
    label: cython.p_uint,
    n: cython.Py_ssize_t,
    extended: cython.Py_ssize_t,
    keys: PKey,
    handled: cython.pointer(Positions),
    out: cython.p_uchar,
    room: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t = 0
    code: cython.longlong = 0x80
    damp: cython.longlong = 700
    bias: cython.longlong = 72
    count: cython.longlong = n - extended
    at: cython.Py_ssize_t = 0
    for i in range(n):
        if label[i] < 0x80:
            out[j] = label[i]
            j += 1
            add(handled, i)
        else:
            keys[at] = cython.cast(cython.ulonglong, label[i]) << 32 | i
            at += 1
    if j:
        if j == room:
            return -1
        out[j] = 0x2D
        j += 1
    _sort(keys, extended)
    for i in range(extended):
        if j + 16 > room:
            return -1
        code_point: cython.longlong = keys[i] >> 32
        at = cython.cast(cython.uint, keys[i])
        before: cython.Py_ssize_t = count_before(handled, at)
        add(handled, at)
        count += 1
        delta: cython.longlong = (code_point - code) * count + before - index
        code = code_point
        index = before + 1
        k: cython.longlong = 36
        next_bias: cython.longlong = _adapt(delta // damp, count)
        damp = 2
        while True:
            t: cython.longlong = _threshold(k, bias)
            if delta < t:
                break
            out[j] = DIGITS[t + (delta - t) % (36 - t)]
            j += 1
            delta = (delta - t) // (36 - t)
            k += 36
        out[j] = DIGITS[delta]
        j += 1
        bias = next_bias
    return j


@cython.cfunc
@cython.exceptval(check=False)
def _sort(keys: PKey, n: cython.Py_ssize_t) -> cython.void:
    """Sort keys whose positions ascend. Many keys need as much free room after them."""
    i: cython.Py_ssize_t
    counts: cython.Py_ssize_t[2048]
    shift: cython.int
    source: PKey = keys
    target: PKey = keys + n
    if n <= FEW:
        for i in range(1, n):
            key: cython.ulonglong = keys[i]
            j: cython.Py_ssize_t = i
            while j and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return
    for shift in range(32, 54, 11):  # a stable radix sort by the 22 bits of the code point
        for i in range(2048):
            counts[i] = 0
        for i in range(n):
            counts[(source[i] >> shift) & 2047] += 1
        total: cython.Py_ssize_t = 0
        for i in range(2048):
            total += counts[i]
            counts[i] = total - counts[i]
        for i in range(n):
            digit: cython.Py_ssize_t = (source[i] >> shift) & 2047
            target[counts[digit]] = source[i]
            counts[digit] += 1
        source, target = target, source


@cython.cfunc
@cython.exceptval(-2, check=True)
def decode(text: cython.p_uint, n: cython.Py_ssize_t, out: cython.p_uint) -> cython.Py_ssize_t:  # noqa: C901, PLR0915  # the standard's steps, kept whole
    """Decode lowercase Punycode into a label and return its length; -1 for invalid Punycode.

    The label has at most ``n`` code points. It may contain surrogates.
    """
    few: cython.ulonglong[512]
    inserted: PKey = few
    free: Positions
    basic: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(n):
        if text[i] >= 0x80:
            return -1
        if text[i] == 0x2D:
            basic = i
    i = basic + 1 if basic else 0
    if n - i > SHORT:
        inserted = cython.cast(PKey, PyMem_Malloc((n - i) * cython.sizeof(cython.ulonglong)))
        if inserted == cython.NULL:
            raise MemoryError
    try:
        length: cython.Py_ssize_t = _insertions(text + i, n - i, basic, inserted)
        if length < 0:
            return -1
        j: cython.Py_ssize_t = length - basic
        if length <= SHORT:
            memcpy(out, text, basic * cython.sizeof(cython.uint))
            for i in range(j):
                at = cython.cast(cython.uint, inserted[i])
                memmove(out + at + 1, out + at, (basic + i - at) * cython.sizeof(cython.uint))
                out[at] = inserted[i] >> 32
            return length
        # The code point inserted last has its final place. Go backwards: each earlier one takes the
        # nth place that is still free. The basic code points then fill the remaining places.
        start(cython.address(free), length)
        try:
            for i in range(length):
                add(cython.address(free), i)
                out[i] = 0
            while j:
                j -= 1
                at = take(cython.address(free), cython.cast(cython.uint, inserted[j]))
                out[at] = inserted[j] >> 32
        finally:
            finish(cython.address(free))
        at = 0
        for i in range(length):
            if out[i] == 0:
                out[i] = text[at]
                at += 1
        return length
    finally:
        if inserted != few:
            PyMem_Free(inserted)


@cython.cfunc
@cython.exceptval(check=False)
def _insertions(
    text: cython.p_uint, n: cython.Py_ssize_t, basic: cython.Py_ssize_t, inserted: PKey
) -> cython.Py_ssize_t:
    """Write the code points that the digits insert, and their places; return the label's length.

    Returns -1 for invalid Punycode.
    """
    i: cython.Py_ssize_t = 0
    count: cython.longlong = basic
    index: cython.longlong = 0
    code: cython.longlong = 0x80
    digit: cython.longlong
    damp: cython.longlong = 700
    bias: cython.longlong = 72
    while i < n:
        old: cython.longlong = index
        weight: cython.longlong = 1
        k: cython.longlong = 36
        limit: cython.longlong = (0x110000 - code) * (count + 1)
        while True:
            if i == n:
                return -1
            c: cython.uint = text[i]
            i += 1
            if 0x61 <= c <= 0x7A:
                digit = c - 0x61
            elif 0x30 <= c <= 0x39:
                digit = c - 22
            else:
                return -1
            index += digit * weight
            if index >= limit:
                return -1
            t: cython.longlong = _threshold(k, bias)
            if digit < t:
                break
            weight *= 36 - t
            k += 36
        count += 1
        bias = _adapt((index - old) // damp, count)
        damp = 2
        code += index // count
        index %= count
        inserted[count - basic - 1] = cython.cast(cython.ulonglong, code) << 32 | index
        index += 1
    return count

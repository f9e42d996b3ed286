"""Domains that are not ASCII, or hold Punycode: to ASCII, by loops over code points.

What a code point is, is asked of the Unicode libraries a page of 256 at a time, and kept.
Declines what is long, invalid, holds joiners, or is not plainly normalized.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc

LONGEST = cython.declare(cython.int, 256)  # code points
_pages_ = cython.declare(cython.p_uchar[4352])
Page = cython.struct(facts=cython.uchar[256], bidi=cython.uchar[256], mapped=cython.int[256])
PPage = cython.typedef(cython.pointer(Page))

# Facts. What has none of the first three is disallowed, or for others to tell.
VALID = cython.declare(cython.int, 1)  # stays as it is
MAPPED = cython.declare(cython.int, 2)  # to one code point
IGNORED = cython.declare(cython.int, 4)
NORMAL = cython.declare(cython.int, 8)  # in NFC whatever stands beside it, and no mark
RTL = cython.declare(cython.int, 16)  # makes a domain a bidi domain name

# Bidi classes, as bits of two bytes would be; the rest is 0.
L = cython.declare(cython.int, 1)
R_AL = cython.declare(cython.int, 2)
AN = cython.declare(cython.int, 3)
EN = cython.declare(cython.int, 4)
NSM = cython.declare(cython.int, 5)
NEUTRAL = cython.declare(cython.int, 6)


@cython.cfunc
def _page(number: cython.int) -> PPage:
    """Return a page; make it, the first time."""
    from weburl.compiled.code_point_facts import facts_of

    page: PPage = cython.cast(PPage, PyMem_Malloc(cython.sizeof(Page)))
    if page == cython.NULL:
        raise MemoryError
    i: cython.int
    try:
        for i in range(256):
            page.facts[i], page.bidi[i], page.mapped[i] = facts_of(number << 8 | i)
    except BaseException:
        PyMem_Free(page)
        raise
    _pages_[number] = cython.cast(cython.p_uchar, page)
    return page


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _adapt(delta: cython.longlong, count: cython.longlong, first: cython.bint) -> cython.longlong:
    k: cython.longlong = 0
    delta = delta // 700 if first else delta // 2
    delta += delta // count
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38)


@cython.cfunc
@cython.exceptval(check=False)
def _encode(
    label: cython.pointer(cython.uint), n: cython.Py_ssize_t, out: cython.p_uchar, room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write the Punycode of a label, and return its length; -1 where there is no room for it."""
    digits: cython.p_char = b"abcdefghijklmnopqrstuvwxyz0123456789"
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t = 0
    handled: cython.longlong
    basic: cython.longlong
    m: cython.uint
    code: cython.uint = 0x80
    delta: cython.longlong = 0
    bias: cython.longlong = 72
    q: cython.longlong
    k: cython.longlong
    t: cython.longlong
    if n + 8 > room:
        return -1
    for i in range(n):
        if label[i] < 0x80:
            out[j] = label[i]
            j += 1
    basic = handled = j
    if basic:
        out[j] = 0x2D
        j += 1
    while handled < n:
        m = 0x7FFFFFFF
        for i in range(n):
            if code <= label[i] < m:
                m = label[i]
        delta += cython.cast(cython.longlong, m - code) * (handled + 1)
        code = m
        for i in range(n):
            if label[i] < code:
                delta += 1
            elif label[i] == code:
                if j + 16 > room:
                    return -1
                q = delta
                k = 36
                while True:
                    t = 1 if k <= bias + 1 else 26 if k >= bias + 26 else k - bias
                    if q < t:
                        break
                    out[j] = digits[t + (q - t) % (36 - t)]
                    j += 1
                    q = (q - t) // (36 - t)
                    k += 36
                out[j] = digits[q]
                j += 1
                bias = _adapt(delta, handled + 1, handled == basic)
                delta = 0
                handled += 1
        delta += 1
        code += 1
    return j


@cython.cfunc
@cython.exceptval(check=False)
def _decode(
    text: cython.pointer(cython.uint), n: cython.Py_ssize_t, out: cython.pointer(cython.uint), room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write the label that lower-case Punycode stands for, and return its length; -1 for none."""
    at: cython.Py_ssize_t
    j: cython.Py_ssize_t = 0
    i: cython.longlong = 0
    old: cython.longlong
    w: cython.longlong
    k: cython.longlong
    t: cython.longlong
    digit: cython.longlong
    bias: cython.longlong = 72
    code: cython.longlong = 0x80
    c: cython.uint
    move: cython.Py_ssize_t
    basic: cython.Py_ssize_t = 0
    if n > room:
        return -1
    for at in range(n):
        if text[at] >= 0x80:
            return -1
        if text[at] == 0x2D:
            basic = at
    for at in range(basic):
        out[at] = text[at]
    j = basic
    at = basic + 1 if basic else 0
    while at < n:
        old = i
        w = 1
        k = 36
        while True:
            if at == n:
                return -1
            c = text[at]
            at += 1
            if 0x61 <= c <= 0x7A:
                digit = c - 0x61
            elif 0x30 <= c <= 0x39:
                digit = c - 22
            else:
                return -1
            i += digit * w
            if i > 0x7FFFFFFF:
                return -1
            t = 1 if k <= bias + 1 else 26 if k >= bias + 26 else k - bias
            if digit < t:
                break
            w *= 36 - t
            if w > 0x7FFFFFFF:
                return -1
            k += 36
        if j >= room:
            return -1
        bias = _adapt(i - old, j + 1, old == 0 and j == basic)
        code += i // (j + 1)
        i %= j + 1
        if code > 0x10FFFF:
            return -1
        move = j
        while move > i:
            out[move] = out[move - 1]
            move -= 1
        out[i] = cython.cast(cython.uint, code)
        i += 1
        j += 1
    return j


@cython.cfunc
def _is_valid(label: cython.pointer(cython.uint), n: cython.Py_ssize_t) -> cython.int:
    """Return 1 for a label that is valid and normalized, 3 if it is in a bidi domain name's
    letters; 0 where others have to tell."""
    i: cython.Py_ssize_t
    c: cython.uint
    page: PPage
    fact: cython.int
    answer: cython.int = 1
    for i in range(n):
        c = label[i]
        page = cython.cast(PPage, _pages_[c >> 8])
        if page == cython.NULL:
            page = _page(c >> 8)
        fact = page.facts[c & 255]
        if fact & 9 != 9:
            return 0
        if fact & 16:
            answer = 3
    return answer


@cython.cfunc
@cython.exceptval(check=False)
def _satisfies_bidi_rule(label: cython.pointer(cython.uint), n: cython.Py_ssize_t) -> cython.bint:
    """All pages are there."""
    i: cython.Py_ssize_t
    kind: cython.int
    first: cython.int = 0
    last: cython.int = 5
    seen: cython.int = 0
    for i in range(n):
        kind = cython.cast(PPage, _pages_[label[i] >> 8]).bidi[label[i] & 255]
        if i == 0:
            first = kind
        if kind != 5:
            last = kind
        seen |= 1 << kind
    if first == 2:
        return not seen & 3 and 2 <= last <= 4 and seen & 0b11000 != 0b11000
    return first == 1 and not seen & 0b1101 and (last == 1 or last == 4)


@cython.cfunc
@cython.exceptval(-2, check=True)
def host_to_ascii(
    src: cython.p_uchar, n: cython.Py_ssize_t, out: cython.p_uchar, room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write a host, UTF-8 without percent signs, in ASCII; return its length, or -1."""
    mapped: cython.uint[256]
    labels: cython.uint[512]  # in Unicode, each behind the other
    starts: cython.Py_ssize_t[130]
    count: cython.Py_ssize_t = 0
    m: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    start: cython.Py_ssize_t
    length: cython.Py_ssize_t
    top: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    c: cython.uint
    page: PPage
    fact: cython.int
    answer: cython.int
    is_ascii: cython.bint
    is_bidi: cython.bint = False
    if n > 1024:
        return -1
    while at < n:
        c = src[at]
        if c < 0x80:
            at += 1
            if 0x41 <= c <= 0x5A:
                c += 32
        else:
            if c < 0xE0:
                c = (c & 0x1F) << 6 | (src[at + 1] & 0x3F)
                at += 2
            elif c < 0xF0:
                c = (c & 0x0F) << 12 | (src[at + 1] & 0x3F) << 6 | (src[at + 2] & 0x3F)
                at += 3
            else:
                c = (
                    (c & 0x07) << 18
                    | (src[at + 1] & 0x3F) << 12
                    | (src[at + 2] & 0x3F) << 6
                    | (src[at + 3] & 0x3F)
                )
                at += 4
            page = cython.cast(PPage, _pages_[c >> 8])
            if page == cython.NULL:
                page = _page(c >> 8)
            fact = page.facts[c & 255]
            if fact & 2:
                c = page.mapped[c & 255]
            elif fact & 4:
                continue
            elif not fact & 1:
                return -1
        if m == 256:
            return -1
        mapped[m] = c
        m += 1
    start = 0
    while True:
        end = start
        is_ascii = True
        while end < m and mapped[end] != 0x2E:
            if mapped[end] >= 0x80:
                is_ascii = False
            end += 1
        if count == 128:
            return -1
        starts[count] = top
        count += 1
        if count > 1:
            if j >= room:
                return -1
            out[j] = 0x2E
            j += 1
        length = end - start
        if (
            length >= 4
            and mapped[start] == 0x78
            and mapped[start + 1] == 0x6E
            and mapped[start + 2] == 0x2D
            and mapped[start + 3] == 0x2D
        ):
            length = _decode(mapped + start + 4, length - 4, labels + top, 512 - top)
            if length < 0:
                return -1
            is_ascii = True
            for i in range(length):
                if labels[top + i] >= 0x80:
                    is_ascii = False
            if is_ascii:
                return -1
            answer = _is_valid(labels + top, length)
            if answer == 0 or (length >= 4 and labels[top] == 0x78 and labels[top + 1] == 0x6E and labels[top + 2] == 0x2D and labels[top + 3] == 0x2D):
                return -1
            if answer & 2:
                is_bidi = True
            if j + end - start > room:
                return -1
            for i in range(start, end):  # Punycode is the only one of its label
                out[j] = mapped[i]
                j += 1
        else:
            if top + length > 512:
                return -1
            for i in range(length):
                labels[top + i] = mapped[start + i]
            if is_ascii:
                if j + length > room:
                    return -1
                for i in range(start, end):
                    out[j] = mapped[i]
                    j += 1
            else:
                answer = _is_valid(labels + top, length)
                if answer == 0:
                    return -1
                if answer & 2:
                    is_bidi = True
                if j + 4 > room:
                    return -1
                out[j] = 0x78
                out[j + 1] = 0x6E
                out[j + 2] = out[j + 3] = 0x2D
                j += 4
                i = _encode(labels + top, length, out + j, room - j)
                if i < 0:
                    return -1
                j += i
        top += length
        if end == m:
            break
        start = end + 1
    if is_bidi:
        starts[count] = top
        if cython.cast(PPage, _pages_[0]) == cython.NULL:
            _page(0)
        for i in range(count):
            if starts[i + 1] > starts[i] and not _satisfies_bidi_rule(labels + starts[i], starts[i + 1] - starts[i]):
                return -1
    return j

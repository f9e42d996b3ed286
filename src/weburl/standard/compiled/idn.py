"""Domains that are not ASCII, or hold Punycode: `hosts.uts46`, not strict, compiled.

UTS #46 with the URL Standard's options: map, normalize, cut into labels, check each label, and
write labels that are not ASCII in Punycode. Declines invalid domains; the general parser reports
them.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.unicode import PyUnicode_AsUTF8AndSize
from cython.cimports.weburl.standard.compiled.code_points import *
from cython.cimports.weburl.standard.compiled.nfc import (
    Text,
    finish,
    is_in_nfc,
    make_room,
    normalize,
    start,
)
from cython.cimports.weburl.standard.compiled.punycode import decode, encode

PPage = cython.typedef(cython.pointer(Page))
PText = cython.typedef(cython.pointer(Text))

# Outcomes of a step. After a failure the general parser runs, and reports the error.
DECLINED = cython.declare(cython.int, -1)
DONE = cython.declare(cython.int, 0)
TO_BE_NORMALIZED = cython.declare(cython.int, 1)
IN_A_BIDI_DOMAIN = cython.declare(cython.int, 1)  # the label has right-to-left letters
BREAKS_BIDI_RULE = cython.declare(cython.int, 2)

# Bidi classes and joining types, with the numbers of `code_point_facts`.
L = cython.declare(cython.int, 1)
R_OR_AL = cython.declare(cython.int, 2)
AN = cython.declare(cython.int, 3)
EN = cython.declare(cython.int, 4)
NSM = cython.declare(cython.int, 5)
LEFT_JOINING = cython.declare(cython.int, 1)
RIGHT_JOINING = cython.declare(cython.int, 2)
DUAL_JOINING = cython.declare(cython.int, 3)
TRANSPARENT = cython.declare(cython.int, 4)


@cython.cfunc
@cython.exceptval(-2, check=False)
def _map(src: cython.p_uchar, n: cython.Py_ssize_t, text: PText) -> cython.int:
    """Append the mapping of a domain in UTF-8; say whether the result may need normalizing."""
    at: cython.Py_ssize_t = 0
    outcome: cython.int = DONE
    i: cython.uint
    while at < n:
        c: cython.uint = src[at]
        if text.length == text.room:
            make_room(text, 1)
        if c < 0x80:
            text.data[text.length] = c + 32 if 0x41 <= c <= 0x5A else c
            text.length += 1
            at += 1
            continue
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
        page: PPage = page_of(c)
        facts: cython.int = page.facts[c & 255]
        if facts & IGNORED:
            continue
        if not facts & (VALID | MAPPED):
            return DECLINED
        if not facts & INERT:
            outcome = TO_BE_NORMALIZED
        c = page.mapped[c & 255]
        if c & MANY:
            several: cython.p_uint = several_at(page, c)
            c &= 31
            make_room(text, c)
            for i in range(c):
                text.data[text.length + i] = several[i]
            text.length += c
        else:
            text.data[text.length] = c
            text.length += 1
    return outcome


@cython.cfunc
@cython.exceptval(-2, check=False)
def _check_label(
    label: cython.p_uint, n: cython.Py_ssize_t, is_normalized: cython.bint
) -> cython.int:
    """Check a label in Unicode, and return what it means for a bidi domain name.

    Spec: https://www.unicode.org/reports/tr46/#Validity_Criteria
    """
    i: cython.Py_ssize_t
    every: cython.int = 0  # the facts of all its code points, joined
    inert: cython.int = INERT
    first: cython.int = 0  # bidi classes
    last: cython.int = NSM
    seen: cython.int = 0
    if n == 0:
        return DONE
    for i in range(n):
        c: cython.uint = label[i]
        page: PPage = page_of(c)
        facts: cython.int = page.facts[c & 255]
        if not facts & VALID:
            return DECLINED
        every |= facts
        inert &= facts
        kind: cython.int = page.classes[c & 255] & 7
        if i == 0:
            if facts & MARK:
                return DECLINED
            first = kind
        if kind != NSM:
            last = kind
        seen |= 1 << kind
    if not is_normalized and not inert and not is_in_nfc(label, n):
        return DECLINED
    if every & JOINER and not _has_joiners_in_context(label, n):
        return DECLINED
    # RFC 5893, section 2.
    if first == R_OR_AL:
        if (
            not seen & (1 | 1 << L)
            and 1 << last & (1 << R_OR_AL | 1 << AN | 1 << EN)
            and seen & (1 << AN | 1 << EN) != 1 << AN | 1 << EN
        ):
            return IN_A_BIDI_DOMAIN
    elif first == L and not seen & (1 | 1 << R_OR_AL | 1 << AN) and 1 << last & (1 << L | 1 << EN):
        return DONE
    return BREAKS_BIDI_RULE | IN_A_BIDI_DOMAIN if every & RIGHT_TO_LEFT else BREAKS_BIDI_RULE


@cython.cfunc
@cython.exceptval(check=False)
def _has_joiners_in_context(label: cython.p_uint, n: cython.Py_ssize_t) -> cython.bint:
    """Return whether every joiner is in a context that allows it. All pages are made already.

    Spec: https://www.rfc-editor.org/rfc/rfc5892#appendix-A
    """
    i: cython.Py_ssize_t
    for i in range(n):
        if label[i] != 0x200C and label[i] != 0x200D:
            continue
        if i and page_of(label[i - 1]).facts[label[i - 1] & 255] & VIRAMA:
            continue
        if label[i] == 0x200D:
            return False
        before: cython.int = _joining_type(label, n, i - 1, -1)
        after: cython.int = _joining_type(label, n, i + 1, 1)
        if before != LEFT_JOINING and before != DUAL_JOINING:
            return False
        if after != RIGHT_JOINING and after != DUAL_JOINING:
            return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _joining_type(
    label: cython.p_uint, n: cython.Py_ssize_t, at: cython.Py_ssize_t, step: cython.int
) -> cython.int:
    """Return the joining type of the first code point, from ``at``, that is not transparent."""
    while 0 <= at < n:
        kind: cython.int = page_of(label[at]).classes[label[at] & 255] >> 3
        if kind != TRANSPARENT:
            return kind
        at += step
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _has_ace_prefix(label: cython.p_uint, n: cython.Py_ssize_t) -> cython.bint:
    return (
        n >= 4 and label[0] == 0x78 and label[1] == 0x6E and label[2] == 0x2D and label[3] == 0x2D
    )


@cython.cfunc
@cython.exceptval(-2, check=False)
def _labels_to_ascii(
    text: PText, decoded: PText, out: cython.p_uchar, room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Check the labels of a mapped domain and write them in ASCII; return the length or -1."""
    end: cython.p_uint = text.data + text.length
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t = 0
    outcome: cython.int
    every: cython.int = DONE
    label: cython.p_uint = text.data
    while True:
        n: cython.Py_ssize_t = 0
        code_points: cython.uint = 0
        while label + n != end and label[n] != 0x2E:
            code_points |= label[n]
            n += 1
        if j + n + 6 > room:
            return -1
        if code_points >= 0x80 and not _has_ace_prefix(label, n):
            outcome = _check_label(label, n, True)
            out[j] = 0x78
            out[j + 1] = 0x6E
            out[j + 2] = out[j + 3] = 0x2D
            if outcome >= 0:
                i = encode(label, n, out + j + 4, room - j - 6)
                if i < 0:
                    return -1
                j += 4 + i
        else:
            if _has_ace_prefix(label, n):
                outcome = _check_a_label(label + 4, n - 4, decoded)
            else:
                outcome = _check_label(label, n, True)
            if outcome >= 0:
                # Only one spelling in Punycode is valid, so a label in Punycode stays as it is.
                for i in range(n):
                    out[j + i] = label[i]
                j += n
        if outcome < 0:
            return -1
        every |= outcome
        label += n
        if label == end:
            break
        out[j] = 0x2E
        j += 1
        label += 1
    return -1 if every == BREAKS_BIDI_RULE | IN_A_BIDI_DOMAIN else j


@cython.cfunc
@cython.exceptval(-2, check=False)
def _check_a_label(digits: cython.p_uint, n: cython.Py_ssize_t, decoded: PText) -> cython.int:
    """Check, as `_check_label` does, the label that is written in Punycode after "xn--"."""
    i: cython.Py_ssize_t
    code_points: cython.uint = 0
    make_room(decoded, n)
    length: cython.Py_ssize_t = decode(digits, n, decoded.data)
    for i in range(length):
        code_points |= decoded.data[i]
    if code_points < 0x80 or _has_ace_prefix(decoded.data, length):
        return DECLINED
    return _check_label(decoded.data, length, False)


@cython.cfunc
@cython.exceptval(-2, check=False)
def host_to_ascii(
    src: cython.p_uchar, n: cython.Py_ssize_t, out: cython.p_uchar, room: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write a host in ASCII and return its length, or -1. It is UTF-8 without percent signs.

    The caller checks the result for forbidden code points.
    """
    text: Text
    decoded: Text
    start(cython.address(text))
    start(cython.address(decoded))
    try:
        outcome: cython.int = _map(src, n, cython.address(text))
        if outcome == TO_BE_NORMALIZED:
            normalize(cython.address(text))
        if outcome < 0:
            return -1
        return _labels_to_ascii(cython.address(text), cython.address(decoded), out, room)
    finally:
        finish(cython.address(text))
        finish(cython.address(decoded))


def domain_to_ascii(domain: str) -> str | None:
    """Return the standard's "domain to ASCII", not strict; None if unsure. No surrogates."""
    length: cython.Py_ssize_t = 0
    # The text caches this UTF-8, so it lives as long as the text.
    src: cython.p_char = cython.cast(
        cython.p_char, PyUnicode_AsUTF8AndSize(domain, cython.address(length))
    )
    room: cython.Py_ssize_t = 6 * length + 64
    out: cython.p_uchar = cython.cast(cython.p_uchar, PyMem_Malloc(room))
    if out == cython.NULL:
        raise MemoryError
    try:
        length = host_to_ascii(cython.cast(cython.p_uchar, src), length, out, room)
        return None if length < 0 else out[:length].decode("ascii")
    finally:
        PyMem_Free(out)

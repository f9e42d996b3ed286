"""What all phases share: the tables of code points, and the buffer.

A `Scan` reads `src` and counts the bytes of output. Most URLs are canonical, so nothing is copied
while the output equals the input. At the first byte that differs, a phase calls `write`; from then
on all output goes into the buffer.

No phase needs the GIL, except for a domain that is not ASCII: see `hosts`.
"""

import cython
from cython.cimports.cpython.mem import PyMem_RawFree, PyMem_RawMalloc
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.scan import *

from weburl.standard.infra.code_points import (
    ASCII_ALPHANUMERIC,
    ASCII_DIGITS,
    ASCII_HEX_DIGITS,
    C0_CONTROL_PERCENT_ENCODE_SET,
    FORBIDDEN_DOMAIN_CODE_POINTS,
    FORBIDDEN_HOST_CODE_POINTS,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
)


def _fill_tables():
    """Fill the tables from the same sets that the regexes of the general parser are made from."""
    ascii_code_points = [chr(code) for code in range(0x80)]
    capitals = {c for c in ASCII_ALPHANUMERIC if c != c.lower()}
    c0 = C0_CONTROL_PERCENT_ENCODE_SET
    members = (
        (CAPITAL, capitals),
        (IN_SCHEME, (ASCII_ALPHANUMERIC - capitals) | set("+-.")),
        (IN_USERINFO, _kept(USERINFO_PERCENT_ENCODE_SET)),
        (IN_DOMAIN, set(ascii_code_points) - FORBIDDEN_DOMAIN_CODE_POINTS - capitals),
        (IN_OPAQUE_HOST, _kept(c0) - FORBIDDEN_HOST_CODE_POINTS),
        (IN_PATH, _kept(PATH_PERCENT_ENCODE_SET) - set(".%\\")),
        (IN_QUERY, _kept(QUERY_PERCENT_ENCODE_SET)),
        (IN_SPECIAL_QUERY, _kept(SPECIAL_QUERY_PERCENT_ENCODE_SET)),
        (IN_FRAGMENT, _kept(FRAGMENT_PERCENT_ENCODE_SET)),
        (IN_OPAQUE_PATH, _kept(c0) - set("?#")),
        (DIGIT, ASCII_DIGITS),
        (TAB_OR_NEWLINE, set("\t\n\r")),
    )
    for code in range(0x100):
        KINDS[code] = 0
        HEX_VALUES[code] = int(chr(code), 16) if chr(code) in ASCII_HEX_DIGITS else -1
        for kind, code_points in members:
            if chr(code) in code_points:
                KINDS[code] |= kind
    for code in range(16):
        HEX_DIGITS[code] = ord("0123456789ABCDEF"[code])


def _kept(percent_encode_set):
    """Return the code points that are not in a percent-encode set."""
    return {chr(code) for code, is_kept in enumerate(percent_encode_set.kept) if is_kept}


_fill_tables()


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def start_writing(s: PScan) -> cython.int:
    """Get a buffer, and copy the output so far into it."""
    reserve(s, 0)
    memcpy(s.dst, s.src, s.out)
    s.writing = True
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def reserve(s: PScan, more: cython.Py_ssize_t) -> cython.int:
    """Get a buffer for the longest possible output and ``more`` bytes."""
    size: cython.Py_ssize_t = 3 * s.n + SLACK + more
    if size <= s.size:
        return 0
    buffer: cython.p_uchar = cython.cast(cython.p_uchar, PyMem_RawMalloc(size))
    if buffer == cython.NULL:
        with cython.gil:
            raise MemoryError
    if s.writing:
        memcpy(buffer, s.dst, s.out)
    if s.owned != cython.NULL:
        PyMem_RawFree(s.owned)
    s.owned = s.dst = buffer
    s.size = size
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def drop_tabs_and_newlines(s: PScan) -> cython.int:
    """Drop tabs and newlines from the input. The caller then starts again.

    Spec: #concept-basic-url-parser
    """
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    s.cleaned = cython.cast(cython.p_uchar, PyMem_RawMalloc(s.n))
    if s.cleaned == cython.NULL:
        with cython.gil:
            raise MemoryError
    for i in range(s.n):
        if not KINDS[s.src[i]] & TAB_OR_NEWLINE:
            s.cleaned[at] = s.src[i]
            at += 1
    s.src = s.cleaned
    s.n = at
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_buffers(s: PScan) -> cython.void:
    """Free all buffers."""
    if s.owned != cython.NULL:
        PyMem_RawFree(s.owned)
    if s.cleaned != cython.NULL:
        PyMem_RawFree(s.cleaned)

"""The scheme, up to its colon."""

import cython
from cython.cimports.libc.string import memcmp
from cython.cimports.weburl.compiled.scan import (
    CAPITAL,
    DECLINED,
    DIGIT,
    DIRTY,
    DONE,
    FILE,
    FTP,
    HTTP,
    HTTPS,
    IN_SCHEME,
    KINDS,
    NOT_SPECIAL,
    TAB_OR_NEWLINE,
    WS,
    WSS,
    PScan,
    output,
    put,
    take_run,
    write,
)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def special_scheme(name: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Return which of the special schemes a lowercase name is, or NOT_SPECIAL.

    Spec: #special-scheme
    """
    if size == 5 and memcmp(name, b"https", 5) == 0:
        return HTTPS
    if size == 4 and memcmp(name, b"http", 4) == 0:
        return HTTP
    if size == 4 and memcmp(name, b"file", 4) == 0:
        return FILE
    if size == 3 and memcmp(name, b"wss", 3) == 0:
        return WSS
    if size == 3 and memcmp(name, b"ftp", 3) == 0:
        return FTP
    if size == 2 and memcmp(name, b"ws", 2) == 0:
        return WS
    return NOT_SPECIAL


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_scheme(s: PScan) -> cython.int:
    """Go behind the colon of a scheme; DECLINED where there is none, and nothing is read.

    Spec: #scheme-start-state, #scheme-state
    """
    end: cython.Py_ssize_t = 0
    every: cython.int = 0
    while end < s.n and KINDS[s.src[end]] & (IN_SCHEME | CAPITAL):
        every |= KINDS[s.src[end]]
        end += 1
    if end == s.n or s.src[end] != 0x3A:
        return DIRTY if end < s.n and KINDS[s.src[end]] & TAB_OR_NEWLINE else DECLINED
    if end == 0 or KINDS[s.src[0]] & DIGIT or s.src[0] < 0x41:  # "+", "-" or "."
        return DECLINED
    if every & CAPITAL:
        write(s)
        while s.at < end:
            put(s, s.src[s.at] | 0x20 if KINDS[s.src[s.at]] & CAPITAL else s.src[s.at])
            s.at += 1
    else:
        take_run(s, IN_SCHEME)
    s.scheme_end = end
    s.scheme = special_scheme(output(s), end)
    if s.writing:
        put(s, 0x3A)
    else:
        s.out += 1
    s.at = end + 1
    return DONE

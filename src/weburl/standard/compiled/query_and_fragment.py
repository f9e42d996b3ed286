"""The parts after the path: the query and the fragment."""

import cython
from cython.cimports.weburl.standard.compiled.scan import *


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_query_and_fragment(s: PScan) -> cython.int:
    """Read the rest of the URL after the path. The query is encoded as UTF-8.

    Spec: #query-state, #fragment-state
    """
    status: cython.int = DONE
    s.path_end = s.out
    if s.at < s.n and s.src[s.at] == 0x3F:
        take(s)
        status = scan_part(s, IN_QUERY if s.scheme == NOT_SPECIAL else IN_SPECIAL_QUERY, 0x23)
    s.query_end = s.out
    if status == DONE and s.at < s.n:
        take(s)
        status = scan_part(s, IN_FRAGMENT, 0)
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_part(s: PScan, kind: cython.int, end: cython.uchar) -> cython.int:
    """Read up to the byte that ends the part, or to the end of the input."""
    while True:
        take_run(s, kind)
        if s.at == s.n:
            return DONE
        c: cython.uchar = s.src[s.at]
        if c == end and end:
            return DONE
        if KINDS[c] & TAB_OR_NEWLINE:
            return DIRTY
        write(s)
        put_encoded(s, c)
        s.at += 1

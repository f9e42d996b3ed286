"""A whole URL, absolute or relative to a base: which parts it has, and in which order.

`files` does the same for file URLs.
"""

import cython
from cython.cimports.libc.string import memcmp
from cython.cimports.weburl.standard.compiled.authority import scan_authority
from cython.cimports.weburl.standard.compiled.bases import (
    PBase,
    keep_path,
    put_base_scheme,
    scan_path_after,
)
from cython.cimports.weburl.standard.compiled.failures import MISSING_SCHEME_NON_RELATIVE_URL
from cython.cimports.weburl.standard.compiled.files import scan_file
from cython.cimports.weburl.standard.compiled.paths import (
    scan_opaque_path,
    scan_path_start,
    shortened,
)
from cython.cimports.weburl.standard.compiled.query_and_fragment import scan_query_and_fragment
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import scan_scheme


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_url(s: PScan, base: PBase) -> cython.int:
    """Read a whole URL. ``base`` is NULL if there is none.

    Spec: #concept-basic-url-parser
    """
    status: cython.int = _scan_hierarchy(s, base)
    return scan_query_and_fragment(s) if status == DONE else status


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_origin(s: PScan) -> cython.int:
    """Read a URL up to its host and port, if nothing after them can make it fail.

    So it is enough to know whether a URL with a special scheme parses.
    """
    if not _starts_with_http(s):
        status: cython.int = scan_scheme(s)
        if status != DONE:
            return failed(s, MISSING_SCHEME_NON_RELATIVE_URL) if status == DECLINED else status
        if s.scheme == NOT_SPECIAL or s.scheme == FILE:
            return _scan_after_scheme(s, cython.NULL)
        put_slashes(s)
    return scan_authority(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_hierarchy(s: PScan, base: PBase) -> cython.int:
    """Read everything before the query.

    Spec: #scheme-start-state, #no-scheme-state
    """
    if _starts_with_http(s):
        return _scan_authority_and_path(s)
    status: cython.int = scan_scheme(s)
    if status == DONE:
        return _scan_after_scheme(s, base)
    if status != DECLINED:
        return status
    if base == cython.NULL:
        return failed(s, MISSING_SCHEME_NON_RELATIVE_URL)
    s.scheme = base.scheme
    if base.has_opaque_path:
        return (
            keep_path(s) if s.n and s.src[0] == 0x23 else failed(s, MISSING_SCHEME_NON_RELATIVE_URL)
        )
    return scan_file(s, base) if s.scheme == FILE else _scan_relative(s, base)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _starts_with_http(s: PScan) -> cython.bint:
    """Read "https://" or "http://", unless another slash follows; return whether it was there.

    A shortcut: most URLs start so, and it saves reading the scheme byte by byte.
    """
    size: cython.int
    if s.n > 8 and memcmp(s.src, b"https://", 8) == 0:
        size = 8
        s.scheme = HTTPS
    elif s.n > 7 and memcmp(s.src, b"http://", 7) == 0:
        size = 7
        s.scheme = HTTP
    else:
        return False
    if is_slash(s, size):
        return False
    s.at = s.out = size
    s.scheme_end = size - 3
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_after_scheme(s: PScan, base: PBase) -> cython.int:
    """Read the part after the scheme's colon.

    Spec: #scheme-state
    """
    has_slashes: cython.bint = s.at + 1 < s.n and s.src[s.at] == 0x2F and s.src[s.at + 1] == 0x2F
    if s.scheme == NOT_SPECIAL:
        if has_slashes:
            take(s)
            take(s)
            return _scan_authority_and_path(s)
        s.host_kind = NO_HOST
        if s.at < s.n and s.src[s.at] == 0x2F:
            return scan_path_start(s)
        return scan_opaque_path(s)
    if s.scheme == FILE:
        return scan_file(s, cython.NULL if base == cython.NULL or base.scheme != FILE else base)
    if not has_slashes and base != cython.NULL and base.scheme == s.scheme:
        return _scan_relative(s, base)
    put_slashes(s)
    return _scan_authority_and_path(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def put_slashes(s: PScan) -> cython.int:
    """Write two slashes in place of any number of them.

    Spec: #special-authority-ignore-slashes-state
    """
    if (
        s.at + 1 < s.n
        and s.src[s.at] == 0x2F
        and s.src[s.at + 1] == 0x2F
        and not is_slash(s, s.at + 2)
    ):
        take(s)
        take(s)
        return 0
    write(s)
    put(s, 0x2F)
    put(s, 0x2F)
    while is_slash(s, s.at):
        s.at += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_authority_and_path(s: PScan) -> cython.int:
    status: cython.int = scan_authority(s)
    return scan_path_start(s) if status == DONE else status


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_relative(s: PScan, base: PBase) -> cython.int:
    """Read a relative URL whose base is not a file URL.

    Spec: #relative-state, #relative-slash-state
    """
    if s.at == s.n or s.src[s.at] == 0x3F or s.src[s.at] == 0x23:
        return keep_path(s)
    if not is_slash(s, s.at):
        return scan_path_after(s, base.path, shortened(base.path, base.path_size, base.scheme))
    if is_slash(s, s.at + 1):
        put_base_scheme(s, base)
        if s.scheme != NOT_SPECIAL:
            put_slashes(s)
        else:
            put(s, 0x2F)
            put(s, 0x2F)
            s.at += 2
        return _scan_authority_and_path(s)
    s.kept = KEEPS_AUTHORITY
    return scan_path_start(s)

"""File URLs: hosts, drive letters, and relative URLs whose base is a file URL.

The standard has states of their own for the scheme `file`, so it is the one special scheme that is
named here and not only a row of a table.
"""

import cython
from cython.cimports.libc.string import memcmp
from cython.cimports.weburl.standard.compiled.bases import (
    PBase,
    keep_path,
    put_base_scheme,
    scan_path_after,
)
from cython.cimports.weburl.standard.compiled.hosts import scan_host
from cython.cimports.weburl.standard.compiled.paths import (
    is_drive_letter,
    scan_path,
    scan_path_start,
    shortened,
    starts_with_a_windows_drive_letter,
)
from cython.cimports.weburl.standard.compiled.scan import *


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_file(s: PScan, base: PBase) -> cython.int:
    """Read the text after "file:", or a relative URL. ``base`` is a file URL, or NULL for none.

    Spec: #file-state, #file-slash-state
    """
    size: cython.Py_ssize_t = 0
    if is_slash(s, s.at):
        if is_slash(s, s.at + 1):
            if base != cython.NULL:
                put_base_scheme(s, base)
            return _scan_file_host(s)
        s.at += 1
        if base != cython.NULL:
            if _starts_with_drive(base) and not starts_with_a_windows_drive_letter(s, s.at):
                size = 3
            return scan_path_after(s, base.path, size)
    elif base != cython.NULL:
        if s.at == s.n or s.src[s.at] == 0x3F or s.src[s.at] == 0x23:
            return keep_path(s)
        if not starts_with_a_windows_drive_letter(s, s.at):
            size = shortened(base.path, base.path_size, base.scheme)
        return scan_path_after(s, base.path, size)
    # "write" copies the output so far, which does not include the slash that was skipped.
    write(s)
    put(s, 0x2F)
    put(s, 0x2F)
    _set_empty_host(s)
    s.path = s.out
    put(s, 0x2F)
    return scan_path(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _starts_with_drive(base: PBase) -> cython.bint:
    """Return whether the first segment of the base's path is a normalized drive letter."""
    return (
        base.path_size >= 3
        and is_drive_letter(base.path + 1)
        and base.path[2] == 0x3A
        and (base.path_size == 3 or base.path[3] == 0x2F)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _set_empty_host(s: PScan) -> cython.void:
    s.host = s.host_end = s.out
    s.host_kind = EMPTY_HOST


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_file_host(s: PScan) -> cython.int:
    """Read two slashes, a host that may be empty, and the path.

    Spec: #file-host-state
    """
    if s.src[s.at] == 0x2F and s.src[s.at + 1] == 0x2F:
        take(s)
        take(s)
    else:
        write(s)
        put(s, 0x2F)
        put(s, 0x2F)
        s.at += 2
    if ends_segment(s, s.at):
        _set_empty_host(s)
        return scan_path_start(s)
    if starts_with_a_windows_drive_letter(s, s.at):
        write(s)
        _set_empty_host(s)
        s.path = s.out
        put(s, 0x2F)
        return scan_path(s)
    status: cython.int = scan_host(s)
    if status != DONE:
        s.failure = 0  # A colon ends no host here, so another failure may come first.
        return status
    if not ends_segment(s, s.at):
        return DIRTY if KINDS[s.src[s.at]] & TAB_OR_NEWLINE else DECLINED
    if s.host_kind == DOMAIN and s.out - s.host == 9:
        if memcmp((s.dst if s.writing else s.src) + s.host, b"localhost", 9) == 0:
            write(s)
            s.out = s.host
            _set_empty_host(s)
    return scan_path_start(s)

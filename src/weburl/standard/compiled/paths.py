"""Paths: segments, dot segments, shortening, Windows drive letters."""

import cython
from cython.cimports.weburl.standard.compiled.scan import *


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_drive_letter(text: cython.p_uchar) -> cython.bint:
    """Return whether two bytes are a letter followed by ":" or "|".

    Spec: #windows-drive-letter
    """
    return 0x61 <= text[0] | 0x20 <= 0x7A and (text[1] == 0x3A or text[1] == 0x7C)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def starts_with_a_windows_drive_letter(s: PScan, at: cython.Py_ssize_t) -> cython.bint:
    """Return whether the input has a Windows drive letter, and then its end or a delimiter.

    Spec: #start-with-a-windows-drive-letter
    """
    return at + 2 <= s.n and is_drive_letter(s.src + at) and ends_segment(s, at + 2)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shortened(
    path: cython.p_uchar, size: cython.Py_ssize_t, scheme: cython.int
) -> cython.Py_ssize_t:
    """Return the length of a path without its last segment. A file URL keeps its drive letter.

    Spec: #shorten-a-urls-path
    """
    if scheme == FILE and size == 3 and is_drive_letter(path + 1) and path[2] == 0x3A:
        return size
    while size and path[size - 1] != 0x2F:
        size -= 1
    return size - 1 if size else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_path_start(s: PScan) -> cython.int:
    """Read the path after an authority, with its first slash, which may be missing in a setter.

    Spec: #path-start-state
    """
    s.path = s.out
    if s.at < s.n and s.src[s.at] == 0x2F:
        take(s)
    elif s.scheme == NOT_SPECIAL and ends_segment(s, s.at):
        return DONE
    else:
        write(s)
        put(s, 0x2F)
        if is_slash(s, s.at):
            s.at += 1
    return scan_path(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_path(s: PScan) -> cython.int:
    """Read a path after its first slash, or the rest of a path after a part of the base's.

    Spec: #path-state
    """
    first: cython.Py_ssize_t = s.at
    while True:
        if s.scheme == FILE and s.out - 1 == s.path and starts_with_a_windows_drive_letter(s, s.at):
            if s.src[s.at + 1] == 0x7C:
                write(s)
            take(s)
            if s.writing:
                s.dst[s.out] = 0x3A
            s.out += 1
            s.at += 1
        take_run(s, IN_PATH)
        if s.at == s.n:
            return DONE
        c: cython.uchar = s.src[s.at]
        if c == 0x2E or c == 0x25:
            if (s.at == first or is_slash(s, s.at - 1)) and _resolve_dot_segment(s):
                continue
            take(s)
        elif c == 0x3F or c == 0x23:
            return DONE
        elif c == 0x5C:
            if s.scheme == NOT_SPECIAL:
                take(s)
            else:
                write(s)
                put(s, 0x2F)
                s.at += 1
        elif KINDS[c] & TAB_OR_NEWLINE:
            return DIRTY
        else:
            write(s)
            put_encoded(s, c)
            s.at += 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _dot_size(s: PScan, at: cython.Py_ssize_t) -> cython.int:
    """Return the length of a dot, plain or percent-encoded; 0 if there is no dot."""
    if at < s.n and s.src[at] == 0x2E:
        return 1
    if (
        at + 2 < s.n
        and s.src[at] == 0x25
        and s.src[at + 1] == 0x32
        and s.src[at + 2] | 0x20 == 0x65
    ):
        return 3
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _resolve_dot_segment(s: PScan) -> cython.int:
    """If a dot segment starts here, resolve it. Return whether there was one.

    Spec: #single-dot-path-segment, #double-dot-path-segment
    """
    at: cython.Py_ssize_t = s.at
    size: cython.int = _dot_size(s, at)
    is_double: cython.bint = False
    if size == 0:
        return False
    at += size
    size = _dot_size(s, at)
    if size:
        is_double = True
        at += size
    if not ends_segment(s, at):
        return False
    write(s)
    if is_double and s.out - 1 > s.path and not _is_only_a_drive_letter(s):
        s.out -= 1
        while s.dst[s.out - 1] != 0x2F:
            s.out -= 1
    s.at = at + 1 if is_slash(s, at) else at
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_only_a_drive_letter(s: PScan) -> cython.bint:
    """Return whether the path so far is a drive letter of a file URL and a slash."""
    return (
        s.scheme == FILE
        and s.out - s.path == 4
        and is_drive_letter(s.dst + s.path + 1)
        and s.dst[s.path + 2] == 0x3A
        and s.dst[s.path + 3] == 0x2F
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_opaque_path(s: PScan) -> cython.int:
    """Read an opaque path.

    Spec: #cannot-be-a-base-url-path-state
    """
    s.path = s.out
    while True:
        take_run(s, IN_OPAQUE_PATH)
        if s.at == s.n:
            return DONE
        c: cython.uchar = s.src[s.at]
        if c == 0x3F or c == 0x23:
            if s.out > s.path and s.src[s.at - 1] == 0x20:
                write(s)
                s.out -= 1
                put_encoded(s, 0x20)
            return DONE
        if KINDS[c] & TAB_OR_NEWLINE:
            return DIRTY
        write(s)
        put_encoded(s, c)
        s.at += 1

"""What a relative URL keeps of its base: the scheme, or everything up to the path or query."""

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.bases import PBase, is_opaque
from cython.cimports.weburl.standard.compiled.paths import scan_path
from cython.cimports.weburl.standard.compiled.scan import *


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def base_of_scan(s: PScan, base: PBase) -> cython.void:
    """Use a URL that was just read as a base, without making a record of it."""
    base.scheme = s.scheme
    base.scheme_text = output(s)
    base.scheme_size = s.scheme_end
    base.path = output(s) + s.path
    base.path_size = s.path_end - s.path
    base.has_opaque_path = is_opaque(s.host_kind, base.path, base.path_size)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def put_base_scheme(s: PScan, base: PBase) -> cython.int:
    """Write the scheme of the base, unless a scheme is already written (it is the same)."""
    if s.out:
        return 0
    reserve(s, base.scheme_size)
    write(s)
    memcpy(s.dst, base.scheme_text, base.scheme_size)
    s.out = s.scheme_end = base.scheme_size
    put(s, 0x3A)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def keep_path(s: PScan) -> cython.int:
    """Keep the base's path, and its query if the relative URL has none."""
    s.kept = KEEPS_PATH if s.at < s.n and s.src[s.at] == 0x3F else KEEPS_QUERY
    s.path = s.out
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_path_after(s: PScan, before: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Write ``size`` bytes of ``before``, the base's path, and read the rest of the path."""
    reserve(s, size)
    write(s)
    s.kept = KEEPS_AUTHORITY
    s.path = s.out
    memcpy(s.dst + s.out, before, size)
    s.out += size
    put(s, 0x2F)
    return scan_path(s)

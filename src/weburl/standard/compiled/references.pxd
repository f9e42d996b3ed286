from weburl.standard.compiled.bases cimport PBase
from weburl.standard.compiled.scan cimport (
    DIRTY, DONE, NO_HOST, PScan, drop_tabs_and_newlines, output, rewind
)

cdef int scan_url(PScan s, PBase base) except -1 nogil
cdef int scan_origin(PScan s) except -1 nogil


cdef inline bint scan_all(PScan s, PBase base) except -1 nogil:
    """Read a whole URL. If there are tabs or newlines, drop them and read it again."""
    cdef int status = scan_url(s, base)
    if status == DIRTY:
        drop_tabs_and_newlines(s)
        rewind(s)
        status = scan_url(s, base)
    return status == DONE


cdef inline bint scan_origin_of(PScan s) except -1 nogil:
    """Call `scan_origin`. If there are tabs or newlines, drop them and call it again."""
    cdef int status = scan_origin(s)
    if status == DIRTY:
        drop_tabs_and_newlines(s)
        rewind(s)
        status = scan_origin(s)
    return status == DONE


cdef inline bint begins_with_slashes(PScan s) noexcept nogil:
    """Return whether the path that was read begins with two slashes."""
    cdef unsigned char *data = output(s)
    return s.path_end - s.path > 1 and data[s.path] == 0x2F and data[s.path + 1] == 0x2F


cdef inline bint needs_dot(PScan s) noexcept nogil:
    """Return whether an href needs "/." before the path. Only the href has it, never the path."""
    return s.host_kind == NO_HOST and begins_with_slashes(s)

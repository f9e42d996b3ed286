from weburl.compiled.bases cimport PBase
from weburl.compiled.scan cimport (
    DIRTY, DONE, NO_HOST, PScan, drop_tabs_and_newlines, output, rewind
)

cdef int scan_url(PScan s, PBase base) except -1 nogil
cdef int scan_origin(PScan s) except -1 nogil


cdef inline bint scan_all(PScan s, PBase base) except -1 nogil:
    """Read all; once more without tabs and newlines, if there are any."""
    cdef int status = scan_url(s, base)
    if status == DIRTY:
        drop_tabs_and_newlines(s)
        rewind(s)
        status = scan_url(s, base)
    return status == DONE


cdef inline bint scan_origin_of(PScan s) except -1 nogil:
    """Read what `scan_origin` does; once more without tabs and newlines, if there are any."""
    cdef int status = scan_origin(s)
    if status == DIRTY:
        drop_tabs_and_newlines(s)
        rewind(s)
        status = scan_origin(s)
    return status == DONE


cdef inline bint begins_with_slashes(PScan s) noexcept nogil:
    """Whether the path that was read begins with two slashes."""
    cdef unsigned char *data = output(s)
    return s.path_end - s.path > 1 and data[s.path] == 0x2F and data[s.path + 1] == 0x2F


cdef inline bint needs_dot(PScan s) noexcept nogil:
    """Whether "/." stands before the path in an href, and nowhere else."""
    return s.host_kind == NO_HOST and begins_with_slashes(s)

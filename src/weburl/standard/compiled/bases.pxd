from weburl.standard.compiled.scan cimport NO_HOST, PScan

ctypedef struct Base:  # what the parser needs of a base URL
    int scheme
    unsigned char *scheme_text
    Py_ssize_t scheme_size
    unsigned char *path
    Py_ssize_t path_size
    bint has_opaque_path

ctypedef Base *PBase

cdef void base_of_scan(PScan s, PBase base) noexcept nogil
cdef int put_base_scheme(PScan s, PBase base) except -1 nogil
cdef int keep_path(PScan s) except -1 nogil
cdef int scan_path_after(PScan s, unsigned char *before, Py_ssize_t size) except -1 nogil


cdef inline bint is_opaque(int host_kind, const unsigned char *path, Py_ssize_t size) noexcept nogil:
    """Return whether a path is opaque: without a host, it does not begin with a slash."""
    return host_kind == NO_HOST and (size == 0 or path[0] != 0x2F)

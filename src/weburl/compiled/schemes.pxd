from weburl.compiled.scan cimport PScan

cdef int special_scheme(unsigned char *name, Py_ssize_t size) noexcept nogil
cdef int scan_scheme(PScan s) except -1 nogil

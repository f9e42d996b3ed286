from weburl.standard.compiled.scan cimport PScan

cdef int scan_authority(PScan s) except -1 nogil
cdef int scan_userinfo(PScan s, Py_ssize_t at_sign, bint is_username) except -1 nogil
cdef int scan_port(PScan s) except -1 nogil

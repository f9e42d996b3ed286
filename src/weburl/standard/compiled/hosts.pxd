from weburl.standard.compiled.scan cimport PScan

cdef int scan_host(PScan s) except -1 nogil
cdef int scan_opaque_host(PScan s) except -1 nogil

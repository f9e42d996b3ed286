from weburl.standard.compiled.scan cimport PScan

cdef int scan_query_and_fragment(PScan s) except -1 nogil
cdef int scan_part(PScan s, int kind, unsigned char end) except -1 nogil

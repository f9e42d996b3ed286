from weburl.standard.compiled.scan cimport PScan

cdef int scan_authority(PScan s) except -1 nogil

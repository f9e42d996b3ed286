from weburl.standard.compiled.bases cimport PBase
from weburl.standard.compiled.scan cimport PScan

cdef int scan_file(PScan s, PBase base) except -1 nogil

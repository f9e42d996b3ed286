from weburl.compiled.bases cimport PBase
from weburl.compiled.scan cimport PScan

cdef int scan_url(PScan s, PBase base) except? -1
cdef int scan_origin(PScan s) except? -1

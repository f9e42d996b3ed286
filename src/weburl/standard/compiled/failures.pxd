# The failures that a scan can be certain of, as numbers: each is a place in the standard's table of
# validation errors, counted from 1. 0 is no failure, or one that only the general parser can name.

cdef int DOMAIN_TO_ASCII
cdef int HOST_INVALID_CODE_POINT
cdef int IPV4_TOO_MANY_PARTS
cdef int IPV4_NON_NUMERIC_PART
cdef int IPV4_OUT_OF_RANGE_PART
cdef int IPV6_UNCLOSED
cdef int MISSING_SCHEME
cdef int HOST_MISSING
cdef int PORT_OUT_OF_RANGE
cdef int PORT_INVALID

cdef object name_of(int failure)

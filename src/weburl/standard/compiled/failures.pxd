# The failures that a scan can be certain of, as numbers: each is a place in the standard's table of
# validation errors, counted from 1, which a test compares. 0 means that no failure is certain.
# `rows` has the names.

cdef enum:
    UNNAMED = -1  # certain to fail, but only the general parser can tell the cause
    DOMAIN_TO_ASCII = 1
    HOST_INVALID_CODE_POINT = 3
    IPV4_TOO_MANY_PARTS = 7
    IPV4_NON_NUMERIC_PART = 8
    IPV4_OUT_OF_RANGE_PART = 10
    IPV6_UNCLOSED = 11
    MISSING_SCHEME_NON_RELATIVE_URL = 24
    HOST_MISSING = 27
    PORT_OUT_OF_RANGE = 28
    PORT_INVALID = 29

cdef enum:
    MOST_PAIRS_OF_SURT = 64  # of a query
    MOST_BYTES_OF_SURT = 1024  # of a query with several pairs

cdef Py_ssize_t write_surt(
    const unsigned char *href,
    Py_ssize_t host,
    Py_ssize_t host_end,
    Py_ssize_t path,
    Py_ssize_t path_end,
    Py_ssize_t query_end,
    unsigned char *out,
) noexcept nogil

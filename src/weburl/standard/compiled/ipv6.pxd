cdef bint parse_ipv6(unsigned char *text, Py_ssize_t size, unsigned char *address) noexcept nogil
cdef int serialize_ipv6(unsigned char *address, unsigned char *out) noexcept nogil

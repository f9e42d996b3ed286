cdef bint parse_ipv6(unsigned char *text, Py_ssize_t size, unsigned char *address) noexcept
cdef int serialize_ipv6(unsigned char *address, unsigned char *out) noexcept

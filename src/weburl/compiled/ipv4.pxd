cdef bint ends_in_a_number(unsigned char *domain, Py_ssize_t size) noexcept
cdef bint parse_ipv4(unsigned char *domain, Py_ssize_t size, unsigned int *address) noexcept
cdef int serialize_ipv4(unsigned int address, unsigned char *out) noexcept

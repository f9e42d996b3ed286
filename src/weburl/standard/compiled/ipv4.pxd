cdef bint ends_in_a_number(unsigned char *domain, Py_ssize_t size) noexcept nogil
cdef bint parse_ipv4(unsigned char *domain, Py_ssize_t size, unsigned int *address) noexcept nogil
cdef int failure_of_ipv4(unsigned char *domain, Py_ssize_t size) noexcept nogil
cdef int serialize_ipv4(unsigned int address, unsigned char *out) noexcept nogil

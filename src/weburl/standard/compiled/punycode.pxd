cdef Py_ssize_t encode(unsigned int *label, Py_ssize_t n, unsigned char *out, Py_ssize_t room) except? -2
cdef Py_ssize_t decode(unsigned int *text, Py_ssize_t n, unsigned int *out) except? -2

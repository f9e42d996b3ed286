from cpython.object cimport PyObject

cdef bint host_text(
    PyObject *host, unsigned char *buffer, unsigned char **start, Py_ssize_t *size
) except -1
cdef int write_port(long long port, unsigned char *text) noexcept
cpdef object href_of(object record)

from cpython.object cimport PyObject

from weburl.standard.compiled.scan cimport PScan

ctypedef struct Scheme:
    PyObject *text  # the name as a record holds it
    PyObject *protocol  # the name with its colon
    const unsigned char *name
    Py_ssize_t size
    int default_port  # -1 for none
    bint has_tuple_origin

# The special schemes, by their numbers in `scan.pxd`. The first row is for all other schemes.
cdef Scheme *SCHEMES

cdef int special_scheme(unsigned char *name, Py_ssize_t size) noexcept nogil
cdef int scan_scheme(PScan s) except -1 nogil

# A table of the names in the Public Suffix List, for code that runs without Python objects.
from weburl.standard.compiled.quick cimport Name, Table

ctypedef Name *PName
ctypedef Table *PTable

cdef class SuffixTable:
    cdef bytes texts
    cdef Table table

cdef Py_ssize_t registrable_domain(
    PTable table, unsigned char *domain, Py_ssize_t size
) noexcept nogil

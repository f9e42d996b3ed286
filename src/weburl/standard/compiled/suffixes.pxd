# A table of the names in the Public Suffix List, for code that runs without Python objects.

ctypedef struct Name:
    Py_ssize_t start
    Py_ssize_t size
    int kind

ctypedef Name *PName

ctypedef struct Table:  # a hash table with open addresses
    PName names  # an empty place has the size 0
    unsigned int mask  # the number of places, a power of two, minus one
    unsigned char *texts  # all names, one after another

ctypedef Table *PTable

cdef class SuffixTable:
    cdef bytes texts
    cdef Table table

cdef Py_ssize_t registrable_domain(
    PTable table, unsigned char *domain, Py_ssize_t size
) noexcept nogil

# A set of positions in a label that counts the members before one, and finds the nth.
ctypedef struct Positions:
    unsigned long long *words  # a bit for each position
    unsigned int *tree  # a Fenwick tree over the number of members in each block of 512
    Py_ssize_t blocks
    unsigned long long few[8]  # the words of a short label

cdef int start(Positions *positions, Py_ssize_t size) except -1
cdef void finish(Positions *positions) noexcept
cdef void add(Positions *positions, Py_ssize_t position) noexcept
cdef Py_ssize_t count_before(Positions *positions, Py_ssize_t position) noexcept
cdef Py_ssize_t take(Positions *positions, Py_ssize_t nth) noexcept

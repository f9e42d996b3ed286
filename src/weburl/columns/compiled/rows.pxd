# The rows of a column of text, in Arrow's buffers.
from libc.string cimport memcpy

ctypedef struct Rows:
    const unsigned char *data
    Py_ssize_t size
    const unsigned char *offsets
    const unsigned char *validity  # a bit for each row; NULL if no row is null
    Py_ssize_t start
    Py_ssize_t length
    bint wide  # offsets of 64 bits

ctypedef Rows *PRows

cdef int open_rows(PRows rows, object column) except? -1
cdef Py_ssize_t size_of_rows(PRows rows, Py_ssize_t length) noexcept nogil
cdef int outside() except? -1


cdef inline bint is_null(PRows rows, Py_ssize_t row) noexcept nogil:
    if rows.validity == NULL:
        return False
    row += rows.start
    return not rows.validity[row >> 3] >> (row & 7) & 1


cdef inline Py_ssize_t offset_at(PRows rows, Py_ssize_t at) noexcept nogil:
    # Copied byte by byte, because buffers may be unaligned.
    cdef int narrow_one = 0
    cdef long long wide_one = 0
    if rows.wide:
        memcpy(&wide_one, rows.offsets + 8 * at, 8)
        return wide_one
    memcpy(&narrow_one, rows.offsets + 4 * at, 4)
    return narrow_one


cdef inline Py_ssize_t find_row(PRows rows, Py_ssize_t row, unsigned char **text) noexcept nogil:
    """Find the bytes of a row and return how many; -1 for offsets outside the data."""
    cdef Py_ssize_t first = offset_at(rows, rows.start + row)
    cdef Py_ssize_t end = offset_at(rows, rows.start + row + 1)
    if first < 0 or end < first or end > rows.size:
        return -1
    text[0] = <unsigned char *>rows.data + first
    return end - first


cdef inline Py_ssize_t require_row(PRows rows, Py_ssize_t row, unsigned char **text) except? -1:
    """Find the bytes of a row and return how many; ValueError for offsets outside the data."""
    cdef Py_ssize_t size = find_row(rows, row, text)
    return outside() if size < 0 else size

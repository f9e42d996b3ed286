# Buffers in Arrow's layout that take the results for a column, row by row.
from libc.string cimport memcpy, memset

from weburl.standard.compiled.suffixes cimport PTable

cdef enum:  # the part that is cut from a URL
    HREF = 0
    SCHEME = 1
    USERNAME = 2
    PASSWORD = 3
    HOST = 4
    PATH = 5
    QUERY = 6
    FRAGMENT = 7
    ORIGIN = 8
    DOMAIN_ALONE = 9  # the host, if it is a domain
    PORT = 10
    HOST_KIND = 11
    REGISTRABLE = 12  # the registrable domain of a domain
    SITE_OF = 13
    KINDS_OF_SINKS = 14

ctypedef struct Sink:
    int what
    bint wide  # whether offsets have 64 bits
    unsigned char *data
    Py_ssize_t size  # of the memory at `data`, for text
    Py_ssize_t used
    unsigned char *offsets
    unsigned char *validity  # a bit for each row
    Py_ssize_t nulls
    PTable suffixes  # for REGISTRABLE and SITE_OF

ctypedef Sink *PSink

cdef list open_sinks(
    PSink sinks, object wanted, Py_ssize_t length, bint wide, Py_ssize_t most=*, PTable suffixes=*
)
cdef object closed(PSink sink, list buffers)
cdef int make_room(PSink sinks, list buffers, int count, Py_ssize_t more) except? -1
cdef int insert(
    PSink sinks, list buffers, PSink others, int count, list rows, Py_ssize_t length
) except? -1
cdef int put_told(object parts, PSink sinks, list buffers, int count, Py_ssize_t row) except? -1


cdef inline void end_row_at(PSink sink, Py_ssize_t row, Py_ssize_t end) noexcept nogil:
    """Write the offset at which the text of a row ends."""
    if sink.wide:
        (<long long *>sink.offsets)[row + 1] = end
    else:
        (<int *>sink.offsets)[row + 1] = <int>end


cdef inline void end_row(PSink sink, Py_ssize_t row) noexcept nogil:
    """End a row after what was written last."""
    end_row_at(sink, row, sink.used)


cdef inline void leave_out(PSink sinks, int count, Py_ssize_t row) noexcept nogil:
    """Leave out a row. It is inserted later."""
    cdef int i
    for i in range(count):
        if sinks[i].what != PORT and sinks[i].what != HOST_KIND:
            end_row(sinks + i, row)


cdef inline void put_null(PSink sink, Py_ssize_t row) noexcept nogil:
    sink.nulls += 1
    if sink.what != PORT and sink.what != HOST_KIND:
        end_row(sink, row)


cdef inline void put_number(PSink sink, Py_ssize_t row, int number) noexcept nogil:
    """Put a port or the kind of a host."""
    if sink.what == PORT:
        (<int *>sink.data)[row] = number
    else:
        sink.data[row] = <unsigned char>number
    sink.validity[row >> 3] |= <unsigned char>(1 << (row & 7))


cdef inline bint has_room(PSink sinks, int count, Py_ssize_t more) noexcept nogil:
    """Return whether each sink has room for ``more`` bytes."""
    cdef int i
    for i in range(count):
        if more > sinks[i].size - sinks[i].used:
            return False
    return True


cdef inline void put(
    PSink sink, Py_ssize_t row, const unsigned char *text, Py_ssize_t size
) noexcept nogil:
    """Put the text of a row. There must be room for it."""
    memcpy(sink.data + sink.used, text, size)
    sink.used += size
    end_row(sink, row)
    sink.validity[row >> 3] |= <unsigned char>(1 << (row & 7))


cdef inline void put_written(PSink sink, Py_ssize_t row, Py_ssize_t size) noexcept nogil:
    """End a row whose text has been written already, where the text of a row begins."""
    sink.used += size
    end_row(sink, row)
    sink.validity[row >> 3] |= <unsigned char>(1 << (row & 7))


cdef inline void put_plain(
    PSink sink, Py_ssize_t row, const unsigned char *text, Py_ssize_t size
) noexcept nogil:
    """Put the text of a row. There must be SLACK_OF_ROWS bytes after it, here and in the sink."""
    cdef unsigned char *to = sink.data + sink.used
    memcpy(to, text, 32)  # Most texts are no longer, and a copy of a fixed size is quick.
    if size > 32:
        memcpy(to + 32, text + 32, size - 32)
    put_written(sink, row, size)


cdef inline void set_bits(unsigned char *bits, Py_ssize_t at, Py_ssize_t end) noexcept nogil:
    """Set the bits of the rows from ``at`` up to, but not including, ``end``."""
    while at < end and at & 7:
        bits[at >> 3] |= <unsigned char>(1 << (at & 7))
        at += 1
    memset(bits + (at >> 3), 0xFF, (end - at) >> 3)
    at += (end - at) & ~7
    while at < end:
        bits[at >> 3] |= <unsigned char>(1 << (at & 7))
        at += 1

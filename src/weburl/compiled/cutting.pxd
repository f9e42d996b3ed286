from weburl.compiled.scan cimport PScan
from weburl.compiled.sinks cimport PSink

cdef void cut(PSink sink, Py_ssize_t row, PScan s) noexcept nogil


cdef inline Py_ssize_t most_cut(PScan s) noexcept nogil:
    """A number of bytes that no part is longer than: an origin may be "null"."""
    return s.out + 4

from weburl.standard.compiled.scan cimport PScan
from weburl.standard.compiled.sinks cimport PSink

cdef void cut(PSink sink, Py_ssize_t row, PScan s) noexcept nogil


cdef inline Py_ssize_t most_cut(PScan s) noexcept nogil:
    """Return the most bytes that a part may take: an origin may be "null", longer than the URL."""
    return s.out + 4

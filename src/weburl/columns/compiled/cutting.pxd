from weburl.columns.compiled.plain cimport PPlain
from weburl.columns.compiled.sinks cimport PSink
from weburl.standard.compiled.scan cimport PScan

cdef void cut(PSink sink, Py_ssize_t row, PScan s) noexcept nogil
cdef void cut_plain(PSink sink, Py_ssize_t row, PPlain block, int count) noexcept nogil


cdef inline Py_ssize_t most_cut(PScan s) noexcept nogil:
    """Return the most bytes that a part may take: an origin may be "null", longer than the URL."""
    return s.out + 4

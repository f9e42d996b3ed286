# Jobs over the rows of a column.
cimport cython

from weburl.columns.compiled.plain cimport PBlock
from weburl.columns.compiled.rows cimport Rows
from weburl.columns.compiled.sinks cimport KINDS_OF_SINKS, PSink, Sink
from weburl.standard.compiled.scan cimport PScan
from weburl.standard.compiled.suffixes cimport PTable

cdef enum:  # what became of a row
    LEFT  # it is read again at the end
    DONE
    NO_ROOM  # its sinks lack room for `more` bytes

cdef class Job:
    cdef Rows texts
    cdef int extent  # of plain rows, as in `read_plain`
    cdef PTable suffixes  # NULL if no suffixes are needed
    cdef Py_ssize_t more
    cdef int count  # of sinks
    cdef Sink[KINDS_OF_SINKS] sinks
    cdef Sink[KINDS_OF_SINKS] others  # of the rows that are left
    cdef unsigned char *bits  # whether each row is done
    cdef object done  # the bytes of `bits`
    cdef list wanted
    cdef list buffers
    cdef object column
    cdef object general
    cdef object failures

    @cython.final
    cdef int open(self, object column, object general, object failures) except -1
    @cython.final
    cdef int open_all_sinks(self, list wanted, Py_ssize_t most) except -1
    @cython.final
    cdef tuple run(self, Py_ssize_t row=*)

    cdef bint has_null(self, Py_ssize_t row) noexcept nogil
    cdef void put_block(self, Py_ssize_t row, PBlock block, int count) noexcept nogil
    cdef int put(
        self, PScan s, unsigned char *text, Py_ssize_t size, Py_ssize_t row, Py_ssize_t at, PSink sinks
    ) except -1 nogil

    @cython.final
    cdef Py_ssize_t put_rows(self, Py_ssize_t row) except -1 nogil
    @cython.final
    cdef int put_row(
        self, unsigned char *text, Py_ssize_t size, Py_ssize_t row, Py_ssize_t at, PSink sinks, int *failure
    ) except -1 nogil
    @cython.final
    cdef int put_left(self, Py_ssize_t row, Py_ssize_t at, list buffers) except -1

from cpython.object cimport PyObject

from weburl.standard.compiled.bases cimport PBase
from weburl.standard.compiled.records cimport *
from weburl.standard.compiled.scan cimport PScan
from weburl.standard.compiled.slots cimport is_type

# The classes of values.
cdef object Record, Storage, Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost
cdef object _empty_host

cdef enum:
    SLACK = 32  # bytes in which the record of a `URL` can become longer
    TOO_LONG = 0x7FFFFF00  # for the bytes of a text, with some to spare

ctypedef struct Span:  # bytes of a text; -1 bytes where there are none
    const unsigned char *start
    Py_ssize_t size

ctypedef struct Address:  # an IP address, the number in it, and its text
    PyObject *host
    PyObject *value
    Py_ssize_t size
    unsigned char text[48]

cdef object new_record(PScan s, PScan base, object base_record, int slack)
cdef object filled_record(object type_, tuple parts)
cdef object read_part(object record, void *part)
cdef object host_of(PRecord record)
cdef object port_of(PRecord record)
cdef int port_number(PRecord record) noexcept
cdef int write_port(long long port, unsigned char *text) noexcept
cdef bint read_base(object record, PBase base) noexcept


cdef inline bint is_record(PyObject *value) noexcept:
    """Return whether it is a record of the public class itself, and filled."""
    return is_type(value, <PyObject *>Record) and record_form(value) != EMPTY


cdef inline Span span_of(PRecord r, int part) noexcept:
    """Return the bytes of a part that is text. The size is -1 for no query or fragment."""
    cdef unsigned int start, end
    cdef Span span
    if part == PATH:
        start, end = get_offset(r, PATH_OFFSET), get_offset(r, PATH_END)
    elif part == QUERY:
        start, end = get_offset(r, PATH_END) + 1, get_offset(r, QUERY_END)
    elif part == FRAGMENT:
        start, end = get_offset(r, QUERY_END) + 1, get_offset(r, SIZE)
    elif part == SCHEME:
        start, end = 0, get_offset(r, SCHEME_END)
    elif part == USERNAME:
        # Without a host, both are after the colon.
        start = min(get_offset(r, SCHEME_END) + 3, get_offset(r, HOST_OFFSET))
        end = get_offset(r, USERNAME_END)
    else:
        start = get_offset(r, USERNAME_END) + 1
        end = max(get_offset(r, HOST_OFFSET) - 1, start)
    span.start = text_of(r) + start
    span.size = <Py_ssize_t>end - <Py_ssize_t>start
    return span

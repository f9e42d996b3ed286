from cpython.object cimport PyObject

from weburl.standard.compiled.bases cimport PBase
from weburl.standard.compiled.scan cimport PScan
from weburl.standard.compiled.slots cimport get_slot, is_ascii_text, is_type

# The classes of values, and where their slots are.
cdef object Record, Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost
cdef enum:
    SLOT_COUNT = 8
cdef Py_ssize_t[8] SLOTS  # of a record, in the order of the state of a pickle
cdef Py_ssize_t SCHEME, USERNAME, PASSWORD, HOST, PORT, PATH, QUERY, FRAGMENT
cdef Py_ssize_t DOMAIN_VALUE, IPV4_VALUE, IPV6_VALUE, OPAQUE_VALUE

cdef object new_record(PScan s, PScan base, object base_record)
cdef object copy_without(PyObject *record, Py_ssize_t slot)
cdef int fill_host(PScan s, PyObject *record, unsigned char *data) except -1
cdef int fill_domain(PyObject *record, unsigned char *data, Py_ssize_t size) except -1
cdef bint read_base(object record, PBase base) noexcept
cdef bint is_sound(PyObject *value) noexcept
cdef bint is_host(PyObject *value) noexcept


cdef inline bint is_domain(PyObject *value) noexcept:
    """Return whether it is a domain that was not tampered with."""
    return is_type(value, <PyObject *>Domain) and is_ascii_text(get_slot(value, DOMAIN_VALUE))

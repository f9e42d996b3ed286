from cpython.object cimport PyObject

from weburl.standard.compiled.bases cimport PBase
from weburl.standard.compiled.scan cimport PScan

# The classes of values, and where their slots are.
cdef object Record, Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost
cdef Py_ssize_t SCHEME, USERNAME, PASSWORD, HOST, PORT, PATH, QUERY, FRAGMENT
cdef Py_ssize_t DOMAIN_VALUE, IPV4_VALUE, IPV6_VALUE, OPAQUE_VALUE

cdef object new_record(PScan s, PScan base, object base_record)
cdef bint read_base(object record, PBase base) noexcept
cdef bint is_sound(PyObject *value) noexcept

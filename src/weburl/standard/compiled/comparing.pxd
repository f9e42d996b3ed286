from cpython.object cimport PyObject

cdef object compare_records(object one, object other, int operation)
cdef bint is_same(PyObject *one, PyObject *other, Py_ssize_t at) except -1
cdef Py_hash_t hash_record(object record) except -1

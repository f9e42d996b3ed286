cdef object compare_records(object one, object other, int operation)
cdef Py_hash_t hash_record(object record) except -1

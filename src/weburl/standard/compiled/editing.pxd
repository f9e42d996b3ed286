from weburl.standard.compiled.records cimport Marks

cdef object edited(object record, int part, object text, unsigned char mark, bint is_own)
cdef object spliced(
    object record, unsigned int start, unsigned int end, unsigned char *data, Py_ssize_t size,
    Marks marks, int first, bint is_own
)

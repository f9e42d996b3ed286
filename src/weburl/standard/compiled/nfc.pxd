# The code points of a domain or a label. Many of them get memory on the heap.
ctypedef struct Text:
    unsigned int *data
    Py_ssize_t length
    Py_ssize_t room
    unsigned int few[256]

cdef void start(Text *text) noexcept
cdef void finish(Text *text) noexcept
cdef int make_room(Text *text, Py_ssize_t more) except -1
cdef int normalize(Text *text) except -1
cdef int is_in_nfc(unsigned int *text, Py_ssize_t n) except -1

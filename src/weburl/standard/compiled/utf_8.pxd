from libc.string cimport memcpy

cdef bint is_utf_8(unsigned char *text, Py_ssize_t size) noexcept nogil
cdef object utf_8_of(object text)


cdef inline bint is_ascii_bytes(const unsigned char *text, Py_ssize_t size) noexcept nogil:
    """Return whether no byte is above 0x7F. Checks eight bytes at a time."""
    cdef unsigned long long word = 0
    cdef unsigned long long every = 0
    while size >= 8:
        memcpy(&word, text, 8)
        every |= word
        text += 8
        size -= 8
    while size:
        every |= text[0]
        text += 1
        size -= 1
    return every & 0x8080808080808080ull == 0


cdef inline bint is_text(unsigned char *text, Py_ssize_t size) noexcept nogil:
    """Return whether bytes are UTF-8. Tries ASCII first, because most are and it is quicker."""
    return is_ascii_bytes(text, size) or is_utf_8(text, size)

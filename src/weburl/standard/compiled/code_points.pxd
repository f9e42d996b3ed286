# What a label may hold, a page of 256 code points at a time.
ctypedef struct Page:
    unsigned char facts[256]
    unsigned char classes[256]
    unsigned char combining[256]
    # A code point; or the place of several, times 32, and their number, and MANY.
    unsigned int mapped[256]
    unsigned int *several

cdef enum:
    VALID = 1
    MAPPED = 2
    IGNORED = 4
    INERT = 8
    RIGHT_TO_LEFT = 16
    MARK = 32
    JOINER = 64
    VIRAMA = 128
    MANY = 0x80000000u

cdef Page *page_of(unsigned int code_point) except? NULL
cdef unsigned int *several_at(Page *page, unsigned int mapped) noexcept

# One pass over the bytes of a text that writes the bytes of its href: what all phases share.

cdef enum:  # what a phase returns
    DECLINED = 0  # unsure: the general parser decides
    DONE = 1
    DIRTY = 2  # tabs or newlines must be dropped first

# Rows of the table SCHEMES of `schemes.pxd`. These have names because code treats them in a way of
# their own; the other special schemes follow them.
cdef enum:
    NOT_SPECIAL = 0
    FILE = 1  # the standard's algorithms name it
    HTTPS = 2  # the two that most URLs have, which are looked for first
    HTTP = 3

cdef enum:  # hosts
    NO_HOST = 0
    EMPTY_HOST = 1
    DOMAIN = 2
    IPV4 = 3
    IPV6 = 4
    OPAQUE_HOST = 5

cdef enum:  # what a relative URL keeps of its base; each includes the ones above
    KEEPS_NOTHING = 0
    KEEPS_AUTHORITY = 1
    KEEPS_PATH = 2
    KEEPS_QUERY = 3

cdef enum:  # what a byte is, as bits of KINDS
    CAPITAL = 1
    IN_SCHEME = 2
    IN_USERINFO = 4
    IN_DOMAIN = 8  # without capitals
    IN_OPAQUE_HOST = 16
    IN_PATH = 32  # without ".", "%" and "\", which need a closer look
    IN_QUERY = 64
    IN_SPECIAL_QUERY = 128
    IN_FRAGMENT = 256
    IN_OPAQUE_PATH = 512
    DIGIT = 1024
    TAB_OR_NEWLINE = 2048

cdef unsigned short[256] KINDS
cdef unsigned char[16] HEX_DIGITS
cdef signed char[256] HEX_VALUES  # -1 for a byte that is not a hexadecimal digit

cdef enum:
    STACK = 1024  # bytes of the buffer on the stack, which needs no allocation
    SLACK = 64  # room for output beyond three bytes for each byte of input

ctypedef struct Scan:
    unsigned char *src
    Py_ssize_t n
    Py_ssize_t at
    unsigned char *dst  # the output, once it differs from the input
    Py_ssize_t out
    Py_ssize_t size
    bint writing
    bint has_gil
    unsigned char *owned  # a buffer on the heap, if the one on the stack is too small
    unsigned char *cleaned  # the input without tabs and newlines, if it had any
    int scheme
    Py_ssize_t scheme_end
    bint has_credentials
    Py_ssize_t username
    Py_ssize_t username_end
    Py_ssize_t password_end  # equal to username_end if there is no password
    int host_kind
    Py_ssize_t host
    Py_ssize_t host_end
    unsigned int ipv4
    unsigned char[16] ipv6
    int port  # -1 if there is none
    Py_ssize_t path
    Py_ssize_t path_end
    Py_ssize_t query_end
    int kept
    int failure  # if it is certain to fail: the number of the failure, by `failures`; else 0

ctypedef Scan *PScan

cdef int start_writing(PScan s) except -1 nogil
cdef int reserve(PScan s, Py_ssize_t more) except -1 nogil
cdef int drop_tabs_and_newlines(PScan s) except -1 nogil
cdef void free_buffers(PScan s) noexcept nogil


cdef inline void rewind(PScan s) noexcept nogil:
    """Go back to the start of the input."""
    s.at = s.out = 0
    s.writing = False
    s.has_credentials = False
    s.host_kind = NO_HOST
    s.host = s.host_end = 0
    s.port = -1
    s.kept = KEEPS_NOTHING
    s.failure = 0


cdef inline void begin(
    PScan s, unsigned char *data, Py_ssize_t n, unsigned char *stack
) noexcept nogil:
    """Trim the input and prepare to read it. ``stack`` has room for STACK bytes.

    A caller without the GIL sets ``has_gil`` to False afterwards.
    """
    while n and data[n - 1] <= 0x20:
        n -= 1
    while n and data[0] <= 0x20:
        data += 1
        n -= 1
    begin_part(s, data, n, stack)


cdef inline void begin_part(
    PScan s, unsigned char *data, Py_ssize_t n, unsigned char *stack
) noexcept nogil:
    """Prepare to read one part of a URL, which is not trimmed. See `begin`."""
    s.src = data
    s.n = n
    s.dst = stack
    s.size = STACK
    s.owned = s.cleaned = NULL
    s.has_gil = True
    rewind(s)


cdef inline int failed(PScan s, int failure) noexcept nogil:
    """Decline a text that is certain to fail."""
    s.failure = failure
    return DECLINED


cdef inline int write(PScan s) except -1 nogil:
    """Start writing: from here on the output differs from the input."""
    if s.writing:
        return 0
    return start_writing(s)


cdef inline unsigned char *output(PScan s) noexcept nogil:
    return s.dst if s.writing else s.src


cdef inline void put(PScan s, unsigned char byte) noexcept nogil:
    s.dst[s.out] = byte
    s.out += 1


cdef inline void put_encoded(PScan s, unsigned char byte) noexcept nogil:
    s.dst[s.out] = 0x25
    s.dst[s.out + 1] = HEX_DIGITS[byte >> 4]
    s.dst[s.out + 2] = HEX_DIGITS[byte & 15]
    s.out += 3


cdef inline void take(PScan s) noexcept nogil:
    """Take one byte unchanged."""
    if s.writing:
        s.dst[s.out] = s.src[s.at]
    s.out += 1
    s.at += 1


cdef inline void take_run(PScan s, int kind) noexcept nogil:
    """Take all bytes unchanged, up to the first that is not of ``kind``."""
    cdef unsigned char *src = s.src
    cdef unsigned short *kinds = KINDS
    cdef Py_ssize_t start = s.at
    cdef Py_ssize_t at = start
    cdef Py_ssize_t n = s.n
    cdef Py_ssize_t i
    while at < n and kinds[src[at]] & kind:
        at += 1
    if s.writing:
        for i in range(at - start):
            s.dst[s.out + i] = src[start + i]
    s.out += at - start
    s.at = at


cdef inline bint is_slash(PScan s, Py_ssize_t at) noexcept nogil:
    """Return whether there is a slash, or a backslash after a special scheme."""
    if at >= s.n:
        return False
    return s.src[at] == 0x2F or (s.src[at] == 0x5C and s.scheme != NOT_SPECIAL)


cdef inline bint ends_segment(PScan s, Py_ssize_t at) noexcept nogil:
    """Return whether there is the end, a slash, a question mark or a number sign."""
    return at >= s.n or s.src[at] == 0x3F or s.src[at] == 0x23 or is_slash(s, at)

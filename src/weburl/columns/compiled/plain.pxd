# Plain rows, which are their own canonical form.
from weburl.columns.compiled.masks cimport HAS_VECTORS, Byte, Pair, Range
from weburl.columns.compiled.rows cimport PRows

cdef enum:
    MOST_PLAIN = 64  # rows of a block
    LONGEST_WAIT = 31  # rows that are not looked at where no row is plain
    SLACK_OF_ROWS = 64  # bytes after a row that are read, and after what is written of it

cdef enum:  # how much of a row must be plain
    NO_BLOCKS = -1  # blocks are not read
    UP_TO_PORT = 0  # the rest must be UTF-8, because it cannot fail, and its ends are not filled in
    WHOLE = 1
    ITSELF = 2  # and it has a path, so it is its own href

ctypedef struct Plain:
    const unsigned char *text
    Py_ssize_t size
    int scheme  # HTTPS or HTTP
    Py_ssize_t host
    Py_ssize_t host_end
    int port  # -1 if there is none
    Py_ssize_t path  # equal to its end if it is empty: the href then has a slash
    Py_ssize_t path_end
    Py_ssize_t query_end
    bint has_empty_label

ctypedef Plain *PPlain

ctypedef struct Block:
    Plain[MOST_PLAIN] rows
    int wait  # how many rows are not looked at before the next block
    int last_wait

ctypedef Block *PBlock

cdef enum:  # how many ranges, pairs and bytes the classes of bytes take
    RANGES_OF_HOSTS = 3
    RANGES_OF_CHANGED = 1
    PAIRS_OF_CHANGED = 2
    BYTES_OF_CHANGED = 5

cdef Range[RANGES_OF_HOSTS] HOST_RANGES  # the bytes of a plain host
cdef Range[RANGES_OF_CHANGED] CHANGED_RANGES  # the bytes after a host that some part encodes
cdef Pair[PAIRS_OF_CHANGED] CHANGED_PAIRS
cdef Byte[BYTES_OF_CHANGED] CHANGED_BYTES

cdef int read_block(PRows rows, Py_ssize_t row, int extent, PBlock block) noexcept nogil


cdef inline int read_plain(PRows rows, Py_ssize_t row, int extent, PBlock block) noexcept nogil:
    """Read a block of rows, up to the first that is not plain, and return how many.

    If that is none, some rows are not looked at: one, then twice as many and one, up to
    LONGEST_WAIT. So a column without plain rows takes hardly longer than without this.

    ``extent``: UP_TO_PORT, WHOLE or ITSELF.
    """
    if not HAS_VECTORS or row >= rows.length:
        return 0
    if block.wait:
        block.wait -= 1
        return 0
    return read_block(rows, row, extent, block)


cdef inline void begin_blocks(PBlock block) noexcept nogil:
    block.wait = block.last_wait = 0


cdef inline Py_ssize_t size_of_block(PBlock block, int count) noexcept nogil:
    """Return how many bytes the hrefs of a block take at the most, with SLACK_OF_ROWS."""
    cdef PPlain last = block.rows + count - 1
    return last.text + last.size - block.rows[0].text + count + SLACK_OF_ROWS

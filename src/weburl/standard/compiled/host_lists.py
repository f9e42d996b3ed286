"""Whether the hosts of a column are in a list of hosts, by the table of its names.

A host is read from its end, and looked up at each dot. `weburl.policies.host_table` describes the
table. Nothing here knows pyarrow, because a column is just its buffers.
"""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
from cython.cimports.weburl.standard.compiled.rows import (
    PRows,
    Rows,
    find_row,
    is_null,
    open_rows,
    outside,
)

ITSELF = cython.declare(cython.int, 1)
BELOW = cython.declare(cython.int, 2)

# Of zlib's checksum, one byte at a time.
_remainders = cython.declare(cython.uint[256])


@cython.cfunc
def _fill_remainders():
    number: cython.int
    value: cython.uint
    for number in range(256):
        value = number
        for _ in range(8):
            value = (value >> 1) ^ (cython.cast(cython.uint, 0xEDB88320) if value & 1 else 0)
        _remainders[number] = value


_fill_remainders()

Table = cython.struct(
    texts=cython.p_const_uchar,
    ends=cython.pointer(cython.const[cython.uint]),
    kinds=cython.p_const_uchar,
    starts=cython.pointer(cython.const[cython.uint]),
    shift=cython.int,
    longest=cython.Py_ssize_t,
)
PTable = cython.typedef(cython.pointer(Table))


@cython.ccall
def listed_rows(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.const[cython.uint][::1],
    shift: cython.int,
    longest: cython.Py_ssize_t,
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
) -> object:
    """Find out which rows of a column are in a list.

    Args: ``names`` to ``shift``: the `NameTable`. ``longest``: how long its names can be.
    ``data`` and so on: the canonical hosts, as in `columns.cut_column`.

    Returns: one bit for each row that is in the list, and one for each that has another spelling,
    so that the bytes alone do not answer: an IPv6 address, or a dot at an end.

    Raises: ValueError for buffers that do not contain all rows, or a table without its parts.
    """
    rows: Rows
    table: Table
    row: cython.Py_ssize_t
    open_rows(cython.address(rows), data, offsets, validity, start, length, wide)
    listed: object = bytearray((length + 7) >> 3)
    asked: object = bytearray((length + 7) >> 3)
    listed_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(listed))
    asked_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(asked))
    if (
        not 0 <= shift < 32
        or starts.shape[0] != (cython.cast(cython.Py_ssize_t, 1) << (32 - shift)) + 1
    ):
        raise ValueError("the table has another number of places")
    if ends.shape[0] != kinds.shape[0] or starts[starts.shape[0] - 1] != kinds.shape[0]:
        raise ValueError("the table has another number of names")
    if kinds.shape[0] == 0:
        return listed, asked
    if ends[ends.shape[0] - 1] != names.shape[0]:
        raise ValueError("the table has names of another length")
    table.texts = cython.address(names[0])
    table.ends = cython.address(ends[0])
    table.kinds = cython.address(kinds[0])
    table.starts = cython.address(starts[0])
    table.shift = shift
    table.longest = longest
    with cython.nogil:
        row = _look_up(cython.address(rows), length, cython.address(table), listed_bits, asked_bits)
    if row < length:
        outside()
    return listed, asked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_up(
    rows: PRows,
    length: cython.Py_ssize_t,
    table: PTable,
    listed_bits: cython.p_uchar,
    asked_bits: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Set the bits of each row; return the first row outside of the data, or the end."""
    host: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    for row in range(length):
        if is_null(rows, row):
            continue
        size = find_row(rows, row, cython.address(host))
        if size < 0:
            return row
        if size == 0:
            continue
        if host[0] == 0x5B or host[0] == 0x2E or host[size - 1] == 0x2E:
            asked_bits[row >> 3] |= 1 << (row & 7)
        elif _is_listed(table, host, size):
            listed_bits[row >> 3] |= 1 << (row & 7)
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_listed(table: PTable, host: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Return whether a name means a host, which does not begin with a dot."""
    checksum: cython.uint = 0xFFFFFFFF
    at: cython.Py_ssize_t = size
    kind: cython.int
    while at > 0 and size - at < table.longest:
        at -= 1
        checksum = _remainders[(checksum ^ host[at]) & 0xFF] ^ (checksum >> 8)
        if at == 0 or host[at - 1] == 0x2E:
            kind = _kind(table, ~checksum >> table.shift, host, size, size - at)
            if kind & (BELOW if at else ITSELF):
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _kind(
    table: PTable,
    bits: cython.uint,
    host: cython.p_uchar,
    size: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
) -> cython.int:
    """Return what the name means that is the last ``length`` bytes of a host; 0 without it."""
    low: cython.uint = table.starts[bits]
    high: cython.uint = table.starts[bits + 1]
    middle: cython.uint
    start: cython.Py_ssize_t
    order: cython.int
    while low < high:
        middle = low + (high - low) // 2
        start = table.ends[middle - 1] if middle else 0
        order = _order(table.texts + start, table.ends[middle] - start, host, size, length)
        if order == 0:
            return table.kinds[middle]
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order(
    name: cython.p_const_uchar,
    name_size: cython.Py_ssize_t,
    host: cython.p_uchar,
    size: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
) -> cython.int:
    """Compare a name in reverse with the last ``length`` bytes of a host: -1, 0 or 1."""
    at: cython.Py_ssize_t
    for at in range(min(length, name_size)):
        if name[at] != host[size - 1 - at]:
            return -1 if name[at] < host[size - 1 - at] else 1
    return -1 if name_size < length else name_size > length

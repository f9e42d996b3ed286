"""Whether a host is in a list of hosts, by the table of its names.

A host is read from its end, and looked up at each dot. `weburl.policies.host_table` describes the
table.
"""

import cython
from cython.cimports.weburl.policies.compiled.host_lists import PTable, Table

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


@cython.cfunc
@cython.exceptval(-1)
def open_table(
    table: cython.pointer(Table),
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.const[cython.uint][::1],
    shift: cython.int,
    longest: cython.Py_ssize_t,
) -> cython.bint:
    """Prepare to look hosts up, and return whether there are any names.

    Args: ``names`` to ``shift``: the `NameTable`. ``longest``: how long its names can be.

    Raises: ValueError for a table without its parts.
    """
    if (
        not 0 <= shift < 32
        or starts.shape[0] != (cython.cast(cython.Py_ssize_t, 1) << (32 - shift)) + 1
    ):
        raise ValueError("the table has another number of places")
    if ends.shape[0] != kinds.shape[0] or starts[starts.shape[0] - 1] != kinds.shape[0]:
        raise ValueError("the table has another number of names")
    if kinds.shape[0] == 0:
        return False
    if ends[ends.shape[0] - 1] != names.shape[0]:
        raise ValueError("the table has names of another length")
    table.texts = cython.address(names[0])
    table.ends = cython.address(ends[0])
    table.kinds = cython.address(kinds[0])
    table.starts = cython.address(starts[0])
    table.shift = shift
    table.longest = longest
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_listed(table: PTable, host: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
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

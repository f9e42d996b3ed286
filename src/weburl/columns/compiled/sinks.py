"""Buffers in Arrow's layout that take the results for a column, row by row.

The code that runs for each row is in `sinks.pxd`.
"""

import cython
from cython.cimports.cpython.bytearray import (
    PyByteArray_AS_STRING,
    PyByteArray_FromStringAndSize,
    PyByteArray_Resize,
)
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.pyport import PY_SSIZE_T_MAX
from cython.cimports.libc.string import memcpy, memmove, memset
from cython.cimports.weburl.columns.compiled.sinks import (
    HOST_KIND,
    PORT,
    PSink,
    put,
    put_null,
    put_number,
)
from cython.cimports.weburl.standard.compiled.slots import bytes_data
from cython.cimports.weburl.standard.compiled.suffixes import PTable

_MOST_BYTES = cython.declare(cython.Py_ssize_t, 0x7FFFFFFF)  # as far as 32-bit offsets reach
_LARGE = cython.declare(cython.Py_ssize_t, 1 << 14)  # bytes of a buffer for `_allocate`
_allocate = cython.declare(object, None)


def allocate_by(allocate):
    """Let a function allocate large buffers, which have ``address`` and ``resize``.

    The pool of pyarrow reuses its pages. A large bytearray gets new ones from the system each time.
    """
    global _allocate
    _allocate = allocate


@cython.cfunc
def _memory(size: cython.Py_ssize_t) -> object:
    if _allocate is not None and size >= _LARGE:
        return _allocate(size)
    return PyByteArray_FromStringAndSize(cython.NULL, size)


@cython.cfunc
@cython.exceptval(check=False)
def _place_of(buffer: object) -> cython.p_uchar:
    if type(buffer) is bytearray:
        return cython.cast(cython.p_uchar, PyByteArray_AS_STRING(buffer))
    address: cython.size_t = buffer.address
    return cython.cast(cython.p_uchar, address)


@cython.cfunc
@cython.exceptval(-1)
def _resize(buffer: object, size: cython.Py_ssize_t, shrinks: cython.bint) -> cython.int:
    if type(buffer) is bytearray:
        PyByteArray_Resize(buffer, size)
    else:
        buffer.resize(size, shrinks)
    return 0


@cython.cfunc
def open_sinks(
    sinks: PSink,
    wanted: object,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    most: cython.Py_ssize_t = 0,
    suffixes: PTable = cython.NULL,
) -> list:
    """Make a sink for each wanted part, with buffers for bytes, offsets and validity.

    ``most``: how many bytes of text to make room for at first, if that is known. ``suffixes``: for
    the sinks that need a public suffix list.
    """
    i: cython.int
    return [
        _open_sink(sinks + i, wanted[i], length, wide, most, suffixes) for i in range(len(wanted))
    ]


@cython.cfunc
def _open_sink(
    sink: PSink,
    what: cython.int,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    most: cython.Py_ssize_t,
    suffixes: PTable,
) -> object:
    """Make the buffers of a sink."""
    fixed: cython.Py_ssize_t = 4 if what == PORT else 1 if what == HOST_KIND else 0
    room: cython.Py_ssize_t = fixed * length if fixed else max(8 * length + 64, most)
    # Not filled with zeros, except for numbers and the first offset.
    data: object = _memory(room)
    offsets: object = _memory(0 if fixed else (length + 1) * (8 if wide else 4))
    if fixed:
        memset(_place_of(data), 0, room)
    else:
        memset(_place_of(offsets), 0, 8 if wide else 4)
    validity: object = bytearray((length + 7) >> 3)
    sink.what = what
    sink.wide = wide
    sink.data = _place_of(data)
    sink.size = PY_SSIZE_T_MAX if fixed else room  # Numbers always have room.
    sink.used = 0
    sink.offsets = _place_of(offsets)
    sink.validity = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(validity))
    sink.nulls = 0
    sink.suffixes = suffixes
    return [data, offsets, validity]


@cython.cfunc
@cython.exceptval(-1)
def _check_size(sink: PSink, more: cython.Py_ssize_t) -> cython.int:
    """Raise OverflowError if the text and ``more`` bytes exceed 32-bit offsets."""
    if not sink.wide and more > _MOST_BYTES - sink.used:
        raise OverflowError("more than 2 GB of text")
    return 0


@cython.cfunc
def closed(sink: PSink, buffers: list) -> object:
    """Return the buffers of a sink, cut to the bytes in use, and the number of nulls.

    Raises OverflowError if 32-bit offsets cannot address the text.
    """
    if sink.what != PORT and sink.what != HOST_KIND:
        _check_size(sink, 0)
        _resize(buffers[0], sink.used, sink.used < sink.size >> 1)
    return buffers[0], buffers[1], buffers[2] if sink.nulls else None, sink.nulls


@cython.cfunc
@cython.exceptval(-1)
def make_room(
    sinks: PSink, buffers: list, count: cython.int, more: cython.Py_ssize_t
) -> cython.int:
    """Make room in each sink for ``more`` bytes, and for some of the rows that follow.

    Raises OverflowError if 32-bit offsets cannot address what was written.
    """
    i: cython.int
    for i in range(count):
        sink: PSink = sinks + i
        if more <= sink.size - sink.used:
            continue
        # Only what is written counts: a whole URL has room, but of a part often little is used.
        _check_size(sink, 0)
        if more > PY_SSIZE_T_MAX - sink.size - (sink.size >> 1):
            raise OverflowError("more text than memory")
        sink.size += (sink.size >> 1) + more
        data: object = buffers[i][0]
        _resize(data, sink.size, False)
        sink.data = _place_of(data)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def put_told(
    parts: object, sinks: PSink, buffers: list, count: cython.int, row: cython.Py_ssize_t
) -> cython.int:
    """Put the general parser's results for a row; False if it is not a URL."""
    i: cython.int
    for i in range(count):
        part: object = None if parts is None else parts[i]
        if part is None:
            put_null(sinks + i, row)
        elif sinks[i].what == PORT or sinks[i].what == HOST_KIND:
            put_number(sinks + i, row, part)
        else:
            encoded: bytes = part.encode()
            make_room(sinks + i, [buffers[i]], 1, PyBytes_GET_SIZE(encoded))
            put(sinks + i, row, bytes_data(encoded), PyBytes_GET_SIZE(encoded))
    return parts is not None


# --- rows that were left out, with their results ------------------------------------------------


@cython.cfunc
@cython.exceptval(-1)
def insert(
    sinks: PSink,
    buffers: list,
    others: PSink,
    count: cython.int,
    rows: list,
    length: cython.Py_ssize_t,
) -> cython.int:
    """Insert the rows that were left out: each row of ``others`` goes to its place in ``rows``."""
    i: cython.int
    for i in range(count):
        if sinks[i].what == PORT or sinks[i].what == HOST_KIND:
            _insert_numbers(sinks + i, others + i, rows)
        else:
            _check_size(others + i, 0)
            _check_size(sinks + i, others[i].used)
            make_room(sinks + i, [buffers[i]], 1, others[i].used)
            _insert_texts(sinks + i, others + i, rows, length)
        sinks[i].nulls += others[i].nulls
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _insert_numbers(sink: PSink, other: PSink, rows: list) -> cython.int:
    size: cython.Py_ssize_t = 4 if sink.what == PORT else 1
    at: cython.Py_ssize_t
    for at in range(len(rows)):
        row: cython.Py_ssize_t = rows[at]
        memcpy(sink.data + row * size, other.data + at * size, size)
        _copy_validity(sink, row, other, at)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _insert_texts(sink: PSink, other: PSink, rows: list, length: cython.Py_ssize_t) -> cython.int:
    """Move the text after each inserted row, the last first. There is room for it."""
    at: cython.Py_ssize_t = len(rows)
    last: cython.Py_ssize_t = length  # offsets before this row must still be moved
    end: cython.Py_ssize_t = sink.used
    shift: cython.Py_ssize_t = other.used
    sink.used += shift
    while at:
        at -= 1
        row: cython.Py_ssize_t = rows[at]
        first: cython.Py_ssize_t = _offset(sink, row + 1)
        memmove(sink.data + first + shift, sink.data + first, end - first)
        _shift_offsets(sink, row + 1, last + 1, shift)
        shift = _offset(other, at)
        memcpy(sink.data + first + shift, other.data + shift, _offset(other, at + 1) - shift)
        _copy_validity(sink, row, other, at)
        end = first
        last = row
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _offset(sink: PSink, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    if sink.wide:
        return cython.cast(cython.p_longlong, sink.offsets)[at]
    return cython.cast(cython.p_int, sink.offsets)[at]


@cython.cfunc
@cython.exceptval(check=False)
def _shift_offsets(
    sink: PSink, first: cython.Py_ssize_t, end: cython.Py_ssize_t, shift: cython.Py_ssize_t
) -> cython.void:
    """Add a number to the offsets from one row up to, but not including, another."""
    at: cython.Py_ssize_t
    wide: cython.p_longlong = cython.cast(cython.p_longlong, sink.offsets)
    narrow: cython.p_int = cython.cast(cython.p_int, sink.offsets)
    for at in range(first, end):
        if sink.wide:
            wide[at] += shift
        else:
            narrow[at] += cython.cast(cython.int, shift)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _copy_validity(
    sink: PSink, row: cython.Py_ssize_t, other: PSink, at: cython.Py_ssize_t
) -> cython.void:
    if other.validity[at >> 3] >> (at & 7) & 1:
        sink.validity[row >> 3] |= cython.cast(cython.uchar, 1 << (row & 7))

"""Where the answers for a column are put, row by row: buffers as Arrow has them.

What a row costs stands in `sinks.pxd`.
"""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING, PyByteArray_Resize
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.pyport import PY_SSIZE_T_MAX
from cython.cimports.weburl.compiled.sinks import (
    HOST_KIND,
    PORT,
    PSink,
    put,
    put_null,
    put_number,
)
from cython.cimports.weburl.compiled.slots import bytes_data

_MOST_BYTES = cython.declare(cython.Py_ssize_t, 0x7FFFFFFF)  # that offsets of 32 bits reach


@cython.cfunc
def open_sink(
    sink: PSink, what: cython.int, length: cython.Py_ssize_t, wide: cython.bint
) -> object:
    """Get the buffers of a sink: bytes, offsets, validity."""
    fixed: cython.Py_ssize_t = 4 if what == PORT else 1 if what == HOST_KIND else 0
    room: cython.Py_ssize_t = fixed * length if fixed else 8 * length + 64
    data: object = bytearray(room)
    offsets: object = bytearray(0 if fixed else (length + 1) * (8 if wide else 4))
    validity: object = bytearray((length + 7) >> 3)
    sink.what = what
    sink.wide = wide
    sink.data = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(data))
    sink.size = PY_SSIZE_T_MAX if fixed else room  # Numbers have room.
    sink.used = 0
    sink.offsets = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(offsets))
    sink.validity = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(validity))
    sink.nulls = 0
    return [data, offsets, validity]


@cython.cfunc
def closed(sink: PSink, buffers: list) -> object:
    """Return the buffers of a sink, as long as they are full, and how many rows are null."""
    if sink.what != PORT and sink.what != HOST_KIND:
        PyByteArray_Resize(buffers[0], sink.used)
    return buffers[0], buffers[1], buffers[2] if sink.nulls else None, sink.nulls


@cython.cfunc
@cython.exceptval(-1)
def make_room(
    sinks: PSink, buffers: list, count: cython.int, more: cython.Py_ssize_t
) -> cython.int:
    """Make room in each sink for so many bytes more, and for some of what may follow."""
    i: cython.int
    sink: PSink
    data: object
    most: cython.Py_ssize_t
    for i in range(count):
        sink = sinks + i
        if more <= sink.size - sink.used:
            continue
        most = PY_SSIZE_T_MAX if sink.wide else _MOST_BYTES
        if more > most - sink.used:
            raise OverflowError("more than 2 GB of text")
        sink.size = min(sink.size + (sink.size >> 1) + more, most)
        data = buffers[i][0]
        PyByteArray_Resize(data, sink.size)
        sink.data = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(data))
    return 0


@cython.cfunc
@cython.exceptval(-1)
def put_told(
    parts: object, sinks: PSink, buffers: list, count: cython.int, row: cython.Py_ssize_t
) -> cython.int:
    """Put what the general parser tells about a row; False where it is no URL."""
    i: cython.int
    part: object
    encoded: bytes
    for i in range(count):
        part = None if parts is None else parts[i]
        if part is None:
            put_null(sinks + i, row)
        elif sinks[i].what == PORT or sinks[i].what == HOST_KIND:
            put_number(sinks + i, row, part)
        else:
            encoded = part.encode()
            make_room(sinks + i, [buffers[i]], 1, PyBytes_GET_SIZE(encoded))
            put(sinks + i, row, bytes_data(encoded), PyBytes_GET_SIZE(encoded))
    return parts is not None

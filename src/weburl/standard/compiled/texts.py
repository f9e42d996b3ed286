"""What is made of each text of a column without Python objects: of paths, and SURTs of hrefs."""

import cython
from cython.cimports.cpython.bytearray import (
    PyByteArray_AS_STRING,
    PyByteArray_FromStringAndSize,
    PyByteArray_Resize,
)
from cython.cimports.weburl.standard.compiled.loops import *
from cython.cimports.weburl.standard.compiled.quick import over_texts, segments
from cython.cimports.weburl.standard.compiled.rows import outside
from cython.cimports.weburl.standard.compiled.sinks import PORT

WHAT = {"file_extension": 0, "file_name": 1, "path_depth": 2, "surt": 3}


@cython.ccall
def text_column(
    what: cython.int,
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    general,
) -> object:
    """Return buffers of what is made of each text; ``general`` is called for the rest."""
    texts: Rows
    sink: Sink
    others: Sink
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t
    most: cython.Py_ssize_t = 0
    is_depth: cython.bint = what == 2
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    if length:
        most = offset_at(cython.address(texts), start + length) - offset_at(
            cython.address(texts), start
        )
        if most < 0 or most > data.shape[0]:
            outside()
    wanted: list = [PORT if is_depth else HREF]
    buffers: list = open_sinks(cython.address(sink), wanted, length, wide, most + 128)
    left: list = []
    while row < length:
        with cython.nogil:
            row = over_texts(
                cython.address(texts),
                row,
                length,
                cython.address(sink),
                what,
                cython.cast(cython.p_int, sink.data),
            )
        if row < length:
            leave_out(cython.address(sink), 1, row)
            left.append(row)
            row += 1
    if left:
        more: list = open_sinks(cython.address(others), wanted, len(left), wide)
        for at in range(len(left)):
            size = require_row(cython.address(texts), left[at], cython.address(text))
            put_told((general(text[:size].decode()),), cython.address(others), more, 1, at)
        insert(cython.address(sink), buffers, cython.address(others), 1, left, length)
    return closed(cython.address(sink), buffers[0])


@cython.ccall
def segment_column(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
) -> object:
    """Return the buffers of the lists of the segments of paths: bits, lists, offsets, data."""
    texts: Rows
    used: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    most: cython.Py_ssize_t = 0
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    with cython.nogil:
        count = segments(
            cython.address(texts),
            length,
            cython.NULL,
            cython.NULL,
            cython.NULL,
            cython.NULL,
            cython.NULL,
        )
    if count < 0:
        outside()
    if length:
        most = offset_at(cython.address(texts), start + length) - offset_at(
            cython.address(texts), start
        )
    bits: object = bytearray((length + 7) >> 3)
    lists: object = PyByteArray_FromStringAndSize(cython.NULL, 4 * (length + 1))
    ends: object = PyByteArray_FromStringAndSize(cython.NULL, (8 if wide else 4) * (count + 1))
    made: object = PyByteArray_FromStringAndSize(cython.NULL, most + 64)
    p_lists: cython.p_int = cython.cast(cython.p_int, PyByteArray_AS_STRING(lists))
    p_ends: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(ends))
    p_made: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(made))
    p_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(bits))
    with cython.nogil:
        segments(
            cython.address(texts), length, p_lists, p_ends, p_made, p_bits, cython.address(used)
        )
    PyByteArray_Resize(made, used)
    return bits, lists, ends, made, count

"""The most used readers of a record: its href, and its path in segments.

For records of other classes the functions of the interpreted build run.
"""

import cython
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.string import memchr
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

_general_href = cython.declare(object)
_general_path = cython.declare(object)
_general_includes_credentials = cython.declare(object)

_empty = cython.declare(object, "")


@cython.ccall
def href_of(record) -> object:
    """Return the href of a record.

    Spec: #concept-url-serializer
    """
    if not is_record(cython.cast(PObject, record)):
        return _general_href(record)
    r: PRecord = piece_of(cython.cast(PObject, record))
    return part_text(text_of(r), ruler_of(r).size)


@cython.ccall
def path_of(record) -> object:
    """Return the segments of a record's path, or one text if the path is opaque."""
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not is_record(cython.cast(PObject, record)):
        return _general_path(record)
    path: Span = span_of(piece_of(cython.cast(PObject, record)), PATH)
    data: cython.p_uchar = cython.cast(cython.p_uchar, path.start)
    if path.size == 0 or data[0] != 0x2F:
        return _general_path(record)
    for i in range(path.size):
        count += data[i] == 0x2F
    segments: tuple = PyTuple_New(count)
    end: cython.p_uchar = data + path.size
    for i in range(count):
        data += 1
        slash: cython.p_uchar = cython.cast(cython.p_uchar, memchr(data, 0x2F, end - data))
        if slash == cython.NULL:
            slash = end
        segment: object = _empty if slash == data else new_ascii_text(data, slash - data)
        Py_INCREF(segment)
        PyTuple_SET_ITEM(segments, i, segment)
        data = slash
    return segments


@cython.cfunc
def _read_href(record: object, closure: cython.p_void) -> object:  # noqa: ARG001  # C's signature
    return href_of(record)


@cython.cfunc
def _read_path(record: object, closure: cython.p_void) -> object:  # noqa: ARG001
    return path_of(record)


@cython.cfunc
def _read_includes_credentials(record: object, closure: cython.p_void) -> object:  # noqa: ARG001
    if not is_record(cython.cast(PObject, record)):
        return _general_includes_credentials(record)
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    return ruler.host > ruler.scheme_end + 3


def read_quickly(record_class: type, storage: type) -> None:
    """Give records attributes of C: ``href`` to their class, and others to that of their parts.

    The URL room calls this once. The properties of Python read records of other classes.
    """
    global _general_href, _general_path, _general_includes_credentials
    general = storage.includes_credentials
    _general_includes_credentials = general.fget
    storage.includes_credentials = new_getset(
        storage,
        "includes_credentials",
        _read_includes_credentials,
        cython.NULL,
        general.__doc__,
        0,
    )
    _general_href = record_class.href.fget
    _general_path = storage.path.fget
    record_class.href = new_getset(
        record_class, "href", _read_href, cython.NULL, record_class.href.__doc__, 0
    )
    storage.path = new_getset(storage, "path", _read_path, cython.NULL, storage.path.__doc__, 0)

"""The most used readers of a record: its href, and its path in segments.

A record may have been tampered with, so each slot is checked to contain what the parser puts there
before it is read. For any other record the functions of the interpreted build run and may raise.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.ipv4 import serialize_ipv4
from cython.cimports.weburl.standard.compiled.ipv6 import serialize_ipv6
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

PObject = cython.typedef(cython.pointer(PyObject))

_general_href = cython.declare(object)
_general_path = cython.declare(object)

_empty = cython.declare(object, "")


@cython.cfunc
@cython.exceptval(-1, check=False)
def host_text(
    host: PObject,
    buffer: cython.p_uchar,
    start: cython.pointer(cython.p_uchar),
    size: cython.pointer(cython.Py_ssize_t),
) -> cython.bint:
    """Set ``start`` and ``size`` to the bytes of a host; False if it was tampered with.

    ``buffer``: room for 48 bytes, in which an address is written.
    """
    value: PObject
    number: cython.longlong
    address: cython.uchar[16]
    if is_type(host, cython.cast(PObject, Domain)):
        value = get_slot(host, DOMAIN_VALUE)
    elif is_type(host, cython.cast(PObject, OpaqueHost)):
        value = get_slot(host, OPAQUE_VALUE)
    else:
        start[0] = buffer
        size[0] = 0
        if is_type(host, cython.cast(PObject, IPv4Address)):
            number = number_or_none(get_slot(host, IPV4_VALUE), 0xFFFFFFFF)
            if number < 0:
                return False
            size[0] = serialize_ipv4(cython.cast(cython.uint, number), buffer)
        elif is_type(host, cython.cast(PObject, IPv6Address)):
            if not write_16_bytes(get_slot(host, IPV6_VALUE), address):
                return False
            size[0] = 2 + serialize_ipv6(address, buffer + 1)
            buffer[0] = 0x5B
            buffer[size[0] - 1] = 0x5D
        return True
    if not is_ascii_text(value):
        return False
    start[0] = ascii_data(value)
    size[0] = ascii_size(value)
    return True


@cython.cfunc
@cython.exceptval(check=False)
def write_port(port: cython.longlong, text: cython.p_uchar) -> cython.int:
    """Write a colon and a port at the end of 8 bytes. Return where they begin; 8 for no port."""
    at: cython.int = 8
    if port < 0:
        return at
    while True:
        at -= 1
        text[at] = cython.cast(cython.uchar, 0x30 + port % 10)
        port //= 10
        if port == 0:
            break
    at -= 1
    text[at] = 0x3A
    return at


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _copied(out: cython.p_uchar, text: PObject) -> cython.p_uchar:
    """Write a text and return where it ends."""
    memcpy(out, ascii_data(text), ascii_size(text))
    return out + ascii_size(text)


@cython.ccall
def href_of(record) -> object:  # noqa: C901, PLR0915  # measures and then writes in the same order
    """Return the href of a record.

    Spec: #concept-url-serializer
    """
    r: PObject = cython.cast(PObject, record)
    none: PObject = cython.cast(PObject, None)
    host_buffer: cython.uchar[48]
    host: cython.p_uchar = host_buffer
    host_size: cython.Py_ssize_t = 0
    port_text: cython.uchar[8]
    port_at: cython.int = 8
    size: cython.Py_ssize_t
    out: cython.p_uchar
    has_host: cython.bint
    needs_dot: cython.bint
    if not is_sound(r):
        return _general_href(record)
    username: PObject = get_slot(r, USERNAME)
    password: PObject = get_slot(r, PASSWORD)
    path: PObject = get_slot(r, PATH)
    query: PObject = get_slot(r, QUERY)
    fragment: PObject = get_slot(r, FRAGMENT)
    has_host = get_slot(r, HOST) != none
    if has_host:
        if not host_text(
            get_slot(r, HOST), host_buffer, cython.address(host), cython.address(host_size)
        ):
            return _general_href(record)
        port_at = write_port(number_or_none(get_slot(r, PORT), 0xFFFF), port_text)
    # "/." keeps a path that starts with an empty segment from being read as a host.
    needs_dot = (
        not has_host
        and ascii_size(path) > 1
        and ascii_data(path)[0] == 0x2F
        and ascii_data(path)[1] == 0x2F
    )
    size = ascii_size(get_slot(r, SCHEME)) + 1 + ascii_size(path)
    if has_host:
        size += 2 + ascii_size(username) + host_size + 8 - port_at
        if ascii_size(password):
            size += 2 + ascii_size(password)
        elif ascii_size(username):
            size += 1
    elif needs_dot:
        size += 2
    if query != none:
        size += 1 + ascii_size(query)
    if fragment != none:
        size += 1 + ascii_size(fragment)
    made: object = empty_ascii_text(size)
    out = _copied(data_of_ascii(made), get_slot(r, SCHEME))
    out[0] = 0x3A
    out += 1
    if has_host:
        out[0] = out[1] = 0x2F
        out += 2
        if ascii_size(username) or ascii_size(password):
            out = _copied(out, username)
            if ascii_size(password):
                out[0] = 0x3A
                out = _copied(out + 1, password)
            out[0] = 0x40
            out += 1
        memcpy(out, host, host_size)
        out += host_size
        memcpy(out, port_text + port_at, 8 - port_at)
        out += 8 - port_at
    elif needs_dot:
        out[0] = 0x2F
        out[1] = 0x2E
        out += 2
    out = _copied(out, path)
    if query != none:
        out[0] = 0x3F
        out = _copied(out + 1, query)
    if fragment != none:
        out[0] = 0x23
        _copied(out + 1, fragment)
    return made


@cython.ccall
def path_of(record) -> object:
    """Return the segments of a record's path, or one text if the path is opaque."""
    r: PObject = cython.cast(PObject, record)
    text: PObject
    data: cython.p_uchar
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t = 1
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    segments: tuple
    segment: object
    if not is_type(r, cython.cast(PObject, Record)):
        return _general_path(record)
    text = get_slot(r, PATH)
    if not is_ascii_text(text) or ascii_size(text) == 0 or ascii_data(text)[0] != 0x2F:
        return _general_path(record)
    data = ascii_data(text)
    size = ascii_size(text)
    for i in range(size):
        count += data[i] == 0x2F
    segments = PyTuple_New(count)
    count = 0
    for i in range(1, size + 1):
        if i == size or data[i] == 0x2F:
            segment = _empty if i == start else new_ascii_text(data + start, i - start)
            Py_INCREF(segment)
            PyTuple_SET_ITEM(segments, count, segment)
            count += 1
            start = i + 1
    return segments


@cython.cfunc
def _read_href(record: object, closure: cython.p_void) -> object:  # noqa: ARG001  # C's signature
    return href_of(record)


@cython.cfunc
def _read_path(record: object, closure: cython.p_void) -> object:  # noqa: ARG001
    return path_of(record)


def read_quickly(record_class: type, storage: type) -> None:
    """Give records attributes of C: ``href`` to their class, and ``path`` to that of their slots.

    The URL room calls this once. The properties of Python read the records that were tampered with.
    """
    global _general_href, _general_path
    _general_href = record_class.href.fget
    _general_path = storage.path.fget
    record_class.href = new_getset(
        record_class, "href", _read_href, cython.NULL, record_class.href.__doc__, 0
    )
    storage.path = new_getset(storage, "path", _read_path, cython.NULL, storage.path.__doc__, 0)

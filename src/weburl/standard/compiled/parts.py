"""The parts of a record as text, as the attributes of the class `URL` give them, and its origin.

The functions return None when unsure: for a record that was tampered with, and for the origin of a
blob URL, which is the origin of another URL.

Spec: #url-class
"""

from functools import update_wrapper

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.comparing import is_same
from cython.cimports.weburl.standard.compiled.parts import (
    HASH,
    HOST_PART,
    HOSTNAME,
    ORIGIN,
    PASSWORD_PART,
    PATHNAME,
    PORT_PART,
    PROTOCOL,
    SEARCH,
    USERNAME_PART,
)
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES, special_scheme
from cython.cimports.weburl.standard.compiled.serializer import host_text, write_port
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

PObject = cython.typedef(cython.pointer(PyObject))

NAMES = (
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
    "origin",
)
"""The names of the parts, in the order of their numbers."""

_general_parts = cython.declare(dict, {})
_empty = cython.declare(object, "")


@cython.cfunc
def part_of(record: object, part: cython.int) -> object:
    """Return a part of a record."""
    r: PObject = cython.cast(PObject, record)
    if not is_sound(r):
        return None
    if part == PATHNAME:
        return cython.cast(object, get_slot(r, PATH))
    if part == USERNAME_PART:
        return cython.cast(object, get_slot(r, USERNAME))
    if part == PASSWORD_PART:
        return cython.cast(object, get_slot(r, PASSWORD))
    if part == SEARCH:
        return _marked(b"?", get_slot(r, QUERY))
    if part == HASH:
        return _marked(b"#", get_slot(r, FRAGMENT))
    if part == PROTOCOL:
        return _joined(get_slot(r, SCHEME), b":", 1, cython.NULL, 0, cython.NULL, 0)
    return _host_and_port(r, part)


@cython.cfunc
def _host_and_port(r: PObject, part: cython.int) -> object:
    """Return the origin of a record, or what it has of the host and the port.

    Spec: #concept-url-origin
    """
    buffer: cython.uchar[48]
    digits: cython.uchar[8]
    scheme: PObject = get_slot(r, SCHEME)
    host: cython.p_uchar = buffer
    size: cython.Py_ssize_t = 0
    at: cython.int = write_port(number_or_none(get_slot(r, PORT), 0xFFFF), digits)
    if part == PORT_PART:
        return _empty if at == 8 else new_ascii_text(digits + at + 1, 7 - at)
    if part == ORIGIN and not SCHEMES[_scheme_of(r)].has_tuple_origin:
        return None if is_text_of(scheme, b"blob", 4) else "null"
    if get_slot(r, HOST) == cython.cast(PObject, None):
        # A host is missing from what `URL` shows, but not from an origin.
        return None if part == ORIGIN else _empty
    if part == HOST_PART and at == 8:
        part = HOSTNAME
    if part == HOSTNAME and is_domain(get_slot(r, HOST)):
        return cython.cast(object, get_slot(get_slot(r, HOST), DOMAIN_VALUE))
    if not host_text(get_slot(r, HOST), buffer, cython.address(host), cython.address(size)):
        return None
    if part == HOSTNAME:
        return new_ascii_text(host, size)
    if part == HOST_PART:
        return _joined(cython.NULL, host, size, digits + at, 8 - at, cython.NULL, 0)
    return _joined(scheme, b"://", 3, host, size, digits + at, 8 - at)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _scheme_of(r: PObject) -> cython.int:
    """Return the number of the scheme of a sound record."""
    return special_scheme(ascii_data(get_slot(r, SCHEME)), ascii_size(get_slot(r, SCHEME)))


@cython.cfunc
def _marked(mark: cython.p_uchar, text: PObject) -> object:
    """Return a string after its mark; "" if it is None or empty."""
    if text == cython.cast(PObject, None) or ascii_size(text) == 0:
        return _empty
    return _joined(cython.NULL, mark, 1, ascii_data(text), ascii_size(text), cython.NULL, 0)


@cython.cfunc
def _joined(
    first: PObject,
    a: cython.p_uchar,
    size_of_a: cython.Py_ssize_t,
    b: cython.p_uchar,
    size_of_b: cython.Py_ssize_t,
    c: cython.p_uchar,
    size_of_c: cython.Py_ssize_t,
) -> object:
    """Return the ASCII string ``first``, which may be NULL, and all these bytes after it."""
    size: cython.Py_ssize_t = 0 if first == cython.NULL else ascii_size(first)
    made: object = empty_ascii_text(size + size_of_a + size_of_b + size_of_c)
    out: cython.p_uchar = data_of_ascii(made)
    if size:
        memcpy(out, ascii_data(first), size)
    memcpy(out + size, a, size_of_a)
    if size_of_b:
        memcpy(out + size + size_of_a, b, size_of_b)
    if size_of_c:
        memcpy(out + size + size_of_a + size_of_b, c, size_of_c)
    return made


@cython.cfunc
def _read(record: object, part: cython.p_void) -> object:
    number: cython.int = cython.cast(cython.Py_ssize_t, part)
    text: object = part_of(record, number)
    return _general_parts[number].__get__(record) if text is None else text


def read_parts_quickly(record_class: type) -> None:
    """Give records compiled attributes `hostname` and `origin`. The URL room calls this once."""
    number: cython.Py_ssize_t
    for number in (HOSTNAME, ORIGIN):
        name = NAMES[number]
        general = _general_parts[number] = getattr(record_class, name)
        made = new_getset(record_class, name, _read, cython.NULL, general.__doc__, number)
        setattr(record_class, name, made)


# --- origins as values ----------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def _has_tuple_origin(record: PObject) -> cython.bint:
    """Return whether it is a sound record whose own scheme, host and port are its origin."""
    scheme: cython.int
    host: PObject
    if not is_sound(record):
        return False
    scheme = _scheme_of(record)
    host = get_slot(record, HOST)
    return (
        SCHEMES[scheme].has_tuple_origin
        and number_or_none(get_slot(record, PORT), 0xFFFF) != SCHEMES[scheme].default_port
        and (
            is_domain(host)
            or is_type(host, cython.cast(PObject, IPv4Address))
            or is_type(host, cython.cast(PObject, IPv6Address))
        )
    )


def with_fast_origin(origin_class):
    """Return a decorator of `weburl.origin_of`, which runs only if the compiled code is unsure.

    ``origin_class``: the class of tuple origins.
    """
    scheme_at: cython.Py_ssize_t = slot_offset(origin_class, "scheme")
    host_at: cython.Py_ssize_t = slot_offset(origin_class, "host")
    port_at: cython.Py_ssize_t = slot_offset(origin_class, "port")
    domain_at: cython.Py_ssize_t = slot_offset(origin_class, "domain")

    def decorator(general):
        @cython.binding(True)
        def origin_of(record, *, blob_entry_origin=None):
            r: PObject = cython.cast(PObject, record)
            made: PObject
            origin: object
            if not _has_tuple_origin(r):
                return general(record, blob_entry_origin=blob_entry_origin)
            made = new_value(origin_class)
            origin = cython.cast(object, made)
            Py_DECREF(origin)  # `origin` has a reference of its own
            fill_slot(made, scheme_at, get_slot(r, SCHEME))
            fill_slot(made, host_at, get_slot(r, HOST))
            fill_slot(made, port_at, get_slot(r, PORT))
            fill_slot(made, domain_at, cython.cast(PObject, None))
            return origin

        return update_wrapper(origin_of, general)

    return decorator


def have_same_origin(a, b):
    """Return whether two records have the same origin; None if unsure, or for another value."""
    one: PObject = cython.cast(PObject, a)
    other: PObject = cython.cast(PObject, b)
    if not _has_tuple_origin(one) or not _has_tuple_origin(other):
        return None
    return is_same(one, other, SCHEME) and is_same(one, other, HOST) and is_same(one, other, PORT)

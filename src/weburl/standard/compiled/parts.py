"""The parts of a record as text, as the attributes of the class `URL` give them, and its origin.

The functions return None when unsure: for a part that was tampered with, and for the origin of a
blob URL, which is the origin of another URL. They check only the slots that they read.

Spec: #url-class
"""

from functools import update_wrapper

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.libc.string import memchr, memcpy
from cython.cimports.weburl.standard.compiled.comparing import is_same
from cython.cimports.weburl.standard.compiled.parts import (
    HASH,
    HOSTNAME,
    ORIGIN,
    PASSWORD_PART,
    PATHNAME,
    PORT_PART,
    PROTOCOL,
    SEARCH,
    USERNAME_PART,
)
from cython.cimports.weburl.standard.compiled.scan import NOT_SPECIAL
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
def part_of(record: object, part: cython.int, href: object) -> object:
    """Return a part of a record. ``href``: its href if that is at hand, or None."""
    r: PObject = cython.cast(PObject, record)
    if not is_type(r, cython.cast(PObject, Record)):
        return None
    if part == PATHNAME:
        return _sound_text(get_slot(r, PATH))
    if part == USERNAME_PART:
        return _sound_text(get_slot(r, USERNAME))
    if part == PASSWORD_PART:
        return _sound_text(get_slot(r, PASSWORD))
    if part == SEARCH:
        return _marked(b"?", get_slot(r, QUERY))
    if part == HASH:
        return _marked(b"#", get_slot(r, FRAGMENT))
    if part == PROTOCOL:
        return _protocol(get_slot(r, SCHEME))
    return _origin(r, href) if part == ORIGIN else _host_and_port(r, part, href)


@cython.cfunc
@cython.inline
def _sound_text(text: PObject) -> object:
    return cython.cast(object, text) if is_ascii_text(text) else None


@cython.cfunc
def _protocol(scheme: PObject) -> object:
    """Return a scheme with its colon."""
    number: cython.int
    if not is_ascii_text(scheme):
        return None
    number = special_scheme(ascii_data(scheme), ascii_size(scheme))
    if number != NOT_SPECIAL:
        return cython.cast(object, SCHEMES[number].protocol)
    return _joined(scheme, b":", 1, cython.NULL, 0, cython.NULL, 0)


@cython.cfunc
@cython.exceptval(-1, check=False)
def _find_host(
    value: PObject,
    href: object,
    buffer: cython.p_uchar,
    start: cython.pointer(cython.p_uchar),
    size: cython.pointer(cython.Py_ssize_t),
) -> cython.bint:
    """Do what `host_text` does, but find an IPv6 address in the href, if that is at hand."""
    first: cython.p_uchar
    end: cython.p_uchar
    if not is_type(value, cython.cast(PObject, IPv6Address)) or not is_ascii_text(
        cython.cast(PObject, href)
    ):
        return host_text(value, buffer, start, size)
    # Everything before the address is percent-encoded, so this is its bracket.
    first = cython.cast(cython.p_uchar, memchr(data_of_ascii(href), 0x5B, size_of_ascii(href)))
    end = data_of_ascii(href) + size_of_ascii(href)
    if first != cython.NULL:
        end = cython.cast(cython.p_uchar, memchr(first, 0x5D, end - first))
    if first == cython.NULL or end == cython.NULL:
        return host_text(value, buffer, start, size)
    start[0] = first
    size[0] = end + 1 - first
    return True


@cython.cfunc
def _host_and_port(r: PObject, part: cython.int, href: object) -> object:
    """Return what a record has of the host and the port."""
    buffer: cython.uchar[48]
    digits: cython.uchar[8]
    value: PObject = get_slot(r, HOST)
    host: cython.p_uchar = buffer
    size: cython.Py_ssize_t = 0
    at: cython.int = 8
    port: cython.longlong
    if part != HOSTNAME:
        port = number_or_none(get_slot(r, PORT), 0xFFFF)
        if port == -2:
            return None
        at = write_port(port, digits)
    if part == PORT_PART:
        return _empty if at == 8 else new_ascii_text(digits + at + 1, 7 - at)
    if not is_host(value):
        return None
    if value == cython.cast(PObject, None):
        return _empty
    if at == 8 and is_domain(value):
        return cython.cast(object, get_slot(value, DOMAIN_VALUE))
    if not _find_host(value, href, buffer, cython.address(host), cython.address(size)):
        return None
    return _joined(cython.NULL, host, size, digits + at, 8 - at, cython.NULL, 0)


@cython.cfunc
def _origin(r: PObject, href: object) -> object:
    """Return the origin of a record.

    Spec: #concept-url-origin
    """
    buffer: cython.uchar[48]
    digits: cython.uchar[8]
    scheme: PObject = get_slot(r, SCHEME)
    value: PObject = get_slot(r, HOST)
    host: cython.p_uchar = buffer
    size: cython.Py_ssize_t = 0
    at: cython.int
    port: cython.longlong = number_or_none(get_slot(r, PORT), 0xFFFF)
    if port == -2 or not is_ascii_text(scheme):
        return None
    if not SCHEMES[_scheme_of(r)].has_tuple_origin:
        return None if is_text_of(scheme, b"blob", 4) else "null"
    # Only a record that was tampered with has no host here.
    if not is_host(value) or value == cython.cast(PObject, None):
        return None
    if not _find_host(value, href, buffer, cython.address(host), cython.address(size)):
        return None
    at = write_port(port, digits)
    return _joined(scheme, b"://", 3, host, size, digits + at, 8 - at)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _scheme_of(r: PObject) -> cython.int:
    """Return the number of the scheme of a record, which is sound."""
    return special_scheme(ascii_data(get_slot(r, SCHEME)), ascii_size(get_slot(r, SCHEME)))


@cython.cfunc
def _marked(mark: cython.p_uchar, text: PObject) -> object:
    """Return a string after its mark; "" if it is None or empty."""
    if not is_ascii_text_or_none(text):
        return None
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
    text: object = part_of(record, number, None)
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
    """Return whether it is a record whose own scheme, host and port are sound and its origin."""
    scheme: cython.int
    host: PObject
    port: cython.longlong
    if not is_type(record, cython.cast(PObject, Record)):
        return False
    if not is_ascii_text(get_slot(record, SCHEME)):
        return False
    scheme = _scheme_of(record)
    host = get_slot(record, HOST)
    port = number_or_none(get_slot(record, PORT), 0xFFFF)
    return (
        SCHEMES[scheme].has_tuple_origin
        and port > -2
        and port != SCHEMES[scheme].default_port
        and host != cython.NULL
        and (
            is_domain(host)
            or is_type(host, cython.cast(PObject, IPv4Address))
            or is_type(host, cython.cast(PObject, IPv6Address))
        )
    )


@cython.cfunc
@cython.exceptval(check=False)
def _has_opaque_origin(record: PObject) -> cython.bint:
    """Return whether it is a record whose scheme always has an opaque origin."""
    scheme: PObject
    if not is_type(record, cython.cast(PObject, Record)):
        return False
    scheme = get_slot(record, SCHEME)
    if not is_ascii_text(scheme) or is_text_of(scheme, b"blob", 4):
        return False
    return not SCHEMES[_scheme_of(record)].has_tuple_origin


def with_fast_origin(origin_class, opaque_class):
    """Return a decorator of `weburl.origin_of`, which runs only if the compiled code is unsure.

    The classes are those of tuple origins and of opaque origins.
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
            is_opaque: cython.bint = False
            if not _has_tuple_origin(r):
                if not _has_opaque_origin(r):
                    return general(record, blob_entry_origin=blob_entry_origin)
                is_opaque = True
            made = new_value(opaque_class if is_opaque else origin_class)
            origin = cython.cast(object, made)
            Py_DECREF(origin)  # `origin` has a reference of its own
            if is_opaque:
                return origin
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
    one_has_tuple: cython.bint = _has_tuple_origin(one)
    other_has_tuple: cython.bint = _has_tuple_origin(other)
    if one_has_tuple and other_has_tuple:
        return (
            is_same(one, other, SCHEME) and is_same(one, other, HOST) and is_same(one, other, PORT)
        )
    # Each URL has an opaque origin of its own.
    if (one_has_tuple or _has_opaque_origin(one)) and (
        other_has_tuple or _has_opaque_origin(other)
    ):
        return False
    return None

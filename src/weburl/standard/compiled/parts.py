"""The parts of a record as text, as the attributes of the class `URL` give them, and its origin.

The functions return None when unsure: for a record of another class, and for the origin of a blob
URL, which is the origin of another URL.

Spec: #url-class
"""

from functools import update_wrapper

import cython
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.standard.compiled.parts import *
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.scan import DOMAIN, IPV6, NO_HOST, NOT_SPECIAL
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

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
_last_origin = cython.declare(object, None)
_empty = cython.declare(object, "")


@cython.cfunc
def part_of(r: PRecord, part: cython.int) -> object:
    """Return a part of a record. Most of them are bytes of its text."""
    start: cython.uint
    end: cython.uint
    if part == PATHNAME:
        start, end = get_offset(r, PATH_OFFSET), get_offset(r, PATH_END)
    elif part == HOSTNAME:
        start, end = get_offset(r, HOST_OFFSET), get_offset(r, HOST_END)
    elif part == SEARCH or part == HASH:
        start = get_offset(r, PATH_END if part == SEARCH else QUERY_END)
        end = get_offset(r, QUERY_END if part == SEARCH else SIZE)
        if end - start <= 1:
            return _empty
    elif part == PROTOCOL:
        if r.scheme != NOT_SPECIAL:
            return cython.cast(object, SCHEMES[r.scheme].protocol)
        start, end = 0, get_offset(r, SCHEME_END) + 1
    elif part == ORIGIN:
        return _origin(r)
    elif part == USERNAME_PART or part == PASSWORD_PART:
        span: Span = span_of(r, USERNAME if part == USERNAME_PART else PASSWORD)
        return part_text(span.start, span.size) if span.size > 0 else _empty
    elif r.host_kind == NO_HOST:
        return _empty
    else:
        start, end = get_offset(r, HOST_OFFSET), get_offset(r, PATH_OFFSET)
        if part == PORT_PART:
            start = min(get_offset(r, HOST_END) + 1, end)
    return part_text(text_of(r) + start, end - start) if end > start else _empty


@cython.cfunc
def _origin(r: PRecord) -> object:
    """Return the origin of a record.

    Spec: #concept-url-origin
    """
    ruler: Ruler = ruler_of(r)
    text: cython.p_uchar = text_of(r)
    before: cython.uint = ruler.scheme_end + 3
    if not SCHEMES[r.scheme].has_tuple_origin:
        return None if _is_blob(r) else "null"
    if r.host_kind == NO_HOST:  # only a record whose parts were forged
        return None
    if ruler.host == before:
        return part_text(text, ruler.path)
    made: object = empty_ascii_text(before + ruler.path - ruler.host)
    memcpy(data_of_ascii(made), text, before)
    memcpy(data_of_ascii(made) + before, text + ruler.host, ruler.path - ruler.host)
    return made


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_blob(r: PRecord) -> cython.bint:
    return ruler_of(r).scheme_end == 4 and memcmp(text_of(r), b"blob", 4) == 0


@cython.cfunc
def _read(record: object, part: cython.p_void) -> object:
    number: cython.int = cython.cast(cython.Py_ssize_t, part)
    text: object = None
    if is_record(cython.cast(PObject, record)):
        text = part_of(piece_of(cython.cast(PObject, record)), number)
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
    """Return whether it is a record whose own scheme, host and port are its origin."""
    if not is_record(record):
        return False
    r: PRecord = piece_of(record)
    return SCHEMES[r.scheme].has_tuple_origin and DOMAIN <= r.host_kind <= IPV6


@cython.cfunc
@cython.exceptval(check=False)
def _has_opaque_origin(record: PObject) -> cython.bint:
    """Return whether it is a record whose scheme always has an opaque origin."""
    if not is_record(record):
        return False
    r: PRecord = piece_of(record)
    return not SCHEMES[r.scheme].has_tuple_origin and not _is_blob(r)


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
            global _last_origin
            r: PObject = cython.cast(PObject, record)
            origin: object
            if not _has_tuple_origin(r):
                if _has_opaque_origin(r):
                    return owned(new_value(opaque_class))
                return general(record, blob_entry_origin=blob_entry_origin)
            # Most origins are compared and forgotten. Then this one becomes the next.
            if is_forgotten(cython.cast(PObject, _last_origin)):
                origin = _last_origin
            else:
                origin = owned(new_value(origin_class))
                if HAS_GIL:
                    _last_origin = origin
            made: PObject = cython.cast(PObject, origin)
            piece: PRecord = piece_of(r)
            replace_slot(made, scheme_at, cython.cast(object, SCHEMES[piece.scheme].text))
            replace_slot(made, host_at, host_of(piece))
            replace_slot(made, port_at, port_of(piece))
            replace_slot(made, domain_at, None)
            return origin

        return update_wrapper(origin_of, general)

    return decorator


@cython.cfunc
@cython.exceptval(check=False)
def _has_same_scheme_host_and_port(one: PRecord, other: PRecord) -> cython.bint:
    a: Ruler = ruler_of(one)
    b: Ruler = ruler_of(other)
    return (
        one.scheme == other.scheme
        and a.path - a.host == b.path - b.host
        and memcmp(text_of(one) + a.host, text_of(other) + b.host, a.path - a.host) == 0
    )


def have_same_origin(a, b):
    """Return whether two records have the same origin; None if unsure, or for another value."""
    one: PObject = cython.cast(PObject, a)
    other: PObject = cython.cast(PObject, b)
    one_has_tuple: cython.bint = _has_tuple_origin(one)
    other_has_tuple: cython.bint = _has_tuple_origin(other)
    if one_has_tuple and other_has_tuple:
        return _has_same_scheme_host_and_port(piece_of(one), piece_of(other))
    # Each URL has an opaque origin of its own.
    if (one_has_tuple or _has_opaque_origin(one)) and (
        other_has_tuple or _has_opaque_origin(other)
    ):
        return False
    return None

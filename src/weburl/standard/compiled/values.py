"""Makes records and hosts from the bytes that were read, and reads a record as a base.

Objects are allocated empty, and their slots are filled at the offsets that their descriptors give.
This takes a third of the time of assigning attributes. A record may have been tampered with, so
each slot is checked to contain what the parser puts there before it is read.

The garbage collector does not traverse these objects. They can be in no cycle of references,
because they hold only text, numbers and hosts. A kept record takes a quarter of the time this way,
most of which the collector spent walking over the records that were there.
"""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.weburl.standard.compiled.bases import PBase
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES, special_scheme
from cython.cimports.weburl.standard.compiled.slots import *

PObject = cython.typedef(cython.pointer(PyObject))

_LONGEST = cython.declare(cython.Py_ssize_t, 64)
_hosts = cython.declare(PObject[256])  # domains that records may share; each has one place
_schemes = cython.declare(PObject[256])  # the same for schemes that are not special

_empty_host = cython.declare(object)
_empty = cython.declare(object, "")
_slash = cython.declare(object, "/")


def use_values(
    record_class: type,
    domain_class: type,
    ipv4_class: type,
    ipv6_class: type,
    opaque_class: type,
    empty_class: type,
) -> None:
    """Make values of these classes. The URL room calls this once, before anything is parsed."""
    global Record, SCHEME, USERNAME, PASSWORD, HOST, PORT, PATH, QUERY, FRAGMENT
    global Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost, _empty_host
    global DOMAIN_VALUE, IPV4_VALUE, IPV6_VALUE, OPAQUE_VALUE
    SCHEME = slot_offset(record_class, "scheme")
    USERNAME = slot_offset(record_class, "username")
    PASSWORD = slot_offset(record_class, "password")
    HOST = slot_offset(record_class, "host")
    PORT = slot_offset(record_class, "port")
    PATH = slot_offset(record_class, "path_text")
    QUERY = slot_offset(record_class, "query")
    FRAGMENT = slot_offset(record_class, "fragment")
    slots: tuple = (SCHEME, USERNAME, PASSWORD, HOST, PORT, PATH, QUERY, FRAGMENT)
    for at in range(SLOT_COUNT):
        SLOTS[at] = slots[at]
    DOMAIN_VALUE = slot_offset(domain_class, "value")
    IPV4_VALUE = slot_offset(ipv4_class, "value")
    IPV6_VALUE = slot_offset(ipv6_class, "value")
    OPAQUE_VALUE = slot_offset(opaque_class, "value")
    Record, Domain = record_class, domain_class
    IPv4Address, IPv6Address = ipv4_class, ipv6_class
    OpaqueHost, EmptyHost = opaque_class, empty_class
    _empty_host = empty_class()


@cython.ccall
def untracked(value) -> object:
    """Return a value, off the list of the garbage collector. It must be in no cycle."""
    untrack(value)
    return value


# --- from bytes to values -----------------------------------------------------------------------


@cython.cfunc
def new_record(s: PScan, base: PScan, base_record: object) -> object:
    """Return the record of the URL that was read.

    The parts that it keeps of its base come from ``base``, what was read of the base, or from
    ``base_record`` if ``base`` is NULL.
    """
    data: cython.p_uchar = output(s)
    none: PObject = cython.cast(PObject, None)
    record: PObject = new_plain_value(Record)
    made: object = cython.cast(object, record)
    Py_DECREF(made)  # `made` has a reference of its own
    old: PObject = cython.cast(PObject, base_record)
    if s.kept == KEEPS_NOTHING:
        _fill_authority(s, record, data)
    elif base != cython.NULL:
        _fill_authority(base, record, output(base))
    else:
        fill_slot(record, SCHEME, get_slot(old, SCHEME))
        fill_slot(record, USERNAME, get_slot(old, USERNAME))
        fill_slot(record, PASSWORD, get_slot(old, PASSWORD))
        fill_slot(record, HOST, get_slot(old, HOST))
        fill_slot(record, PORT, get_slot(old, PORT))
    if s.kept <= KEEPS_AUTHORITY:
        _fill_path(s, record, data)
    elif base != cython.NULL:
        _fill_path(base, record, output(base))
    else:
        fill_slot(record, PATH, get_slot(old, PATH))
    if s.query_end > s.path_end or s.kept <= KEEPS_PATH:
        _fill_query(s, record, data)
    elif base != cython.NULL:
        _fill_query(base, record, output(base))
    else:
        fill_slot(record, QUERY, get_slot(old, QUERY))
    if s.out > s.query_end:
        give_slot(record, FRAGMENT, ascii_text(data + s.query_end + 1, s.out - s.query_end - 1))
    else:
        fill_slot(record, FRAGMENT, none)
    return made


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _fill_path(s: PScan, record: PObject, data: cython.p_uchar) -> cython.int:
    """Give a record its path."""
    if s.path_end - s.path == 1 and data[s.path] == 0x2F:
        fill_slot(record, PATH, cython.cast(PObject, _slash))
    else:
        give_slot(record, PATH, ascii_text(data + s.path, s.path_end - s.path))
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _fill_query(s: PScan, record: PObject, data: cython.p_uchar) -> cython.int:
    """Give a record its query, or None."""
    if s.query_end > s.path_end:
        give_slot(record, QUERY, ascii_text(data + s.path_end + 1, s.query_end - s.path_end - 1))
    else:
        fill_slot(record, QUERY, cython.cast(PObject, None))
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _fill_authority(s: PScan, record: PObject, data: cython.p_uchar) -> cython.int:
    """Give a record its scheme, credentials, host and port."""
    port: object
    if s.scheme == NOT_SPECIAL:
        _fill_scheme(record, data, s.scheme_end)
    else:
        fill_slot(record, SCHEME, SCHEMES[s.scheme].text)
    if s.has_credentials:
        give_slot(record, USERNAME, ascii_text(data + s.username, s.username_end - s.username))
        if s.password_end > s.username_end:
            give_slot(
                record,
                PASSWORD,
                ascii_text(data + s.username_end + 1, s.password_end - s.username_end - 1),
            )
        else:
            fill_slot(record, PASSWORD, cython.cast(PObject, _empty))
    else:
        fill_slot(record, USERNAME, cython.cast(PObject, _empty))
        fill_slot(record, PASSWORD, cython.cast(PObject, _empty))
    fill_host(s, record, data)
    if s.port < 0:
        fill_slot(record, PORT, cython.cast(PObject, None))
    else:
        port = s.port
        fill_slot(record, PORT, cython.cast(PObject, port))
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill_scheme(record: PObject, data: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Give a record a scheme that is not special: the last one of the same name, as a domain."""
    place: cython.pointer(PObject) = _schemes + place_of(data, size)
    found: PObject
    if HAS_GIL and is_text_of(place[0], data, size):
        fill_slot(record, SCHEME, place[0])
        return 0
    give_slot(record, SCHEME, ascii_text(data, size))
    if HAS_GIL and size <= _LONGEST:
        found = place[0]
        place[0] = get_slot(record, SCHEME)
        Py_INCREF(cython.cast(object, place[0]))
        if found != cython.NULL:
            Py_DECREF(cython.cast(object, found))
    return 0


@cython.cfunc
def copy_without(record: PObject, slot: cython.Py_ssize_t) -> object:
    """Return a copy of a sound record in which one slot is empty, for the caller to fill."""
    made: PObject = new_plain_value(Record)
    copy: object = cython.cast(object, made)
    Py_DECREF(copy)  # `copy` has a reference of its own
    i: cython.int
    for i in range(SLOT_COUNT):
        if SLOTS[i] != slot:
            fill_slot(made, SLOTS[i], get_slot(record, SLOTS[i]))
    return copy


@cython.cfunc
@cython.exceptval(-1, check=False)
def fill_host(s: PScan, record: PObject, data: cython.p_uchar) -> cython.int:
    """Give a record its host."""
    host: PObject
    number: object
    if s.host_kind == DOMAIN:
        fill_domain(record, data + s.host, s.host_end - s.host)
    elif s.host_kind == NO_HOST:
        fill_slot(record, HOST, cython.cast(PObject, None))
    elif s.host_kind == EMPTY_HOST:
        fill_slot(record, HOST, cython.cast(PObject, _empty_host))
    elif s.host_kind == IPV4:
        host = new_value(IPv4Address)
        give_slot(record, HOST, host)
        number = s.ipv4
        fill_slot(host, IPV4_VALUE, cython.cast(PObject, number))
    elif s.host_kind == IPV6:
        host = new_value(IPv6Address)
        give_slot(record, HOST, host)
        give_slot(host, IPV6_VALUE, number_of_16_bytes(s.ipv6))
    else:
        host = new_value(OpaqueHost)
        give_slot(record, HOST, host)
        give_slot(host, OPAQUE_VALUE, ascii_text(data + s.host, s.host_end - s.host))
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def fill_domain(record: PObject, data: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Give a record its domain: the last one of the same name, unless its place was taken since.

    Without the GIL, each record has a domain of its own.
    """
    place: cython.pointer(PObject) = cython.NULL
    found: PObject = cython.NULL
    host: PObject
    if HAS_GIL and size <= _LONGEST:
        place = _hosts + place_of(data, size)
        found = place[0]
        if found != cython.NULL and is_text_of(get_slot(found, DOMAIN_VALUE), data, size):
            fill_slot(record, HOST, found)
            return 0
    host = new_plain_value(Domain)
    give_slot(record, HOST, host)
    give_slot(host, DOMAIN_VALUE, ascii_text(data, size))
    if place != cython.NULL:
        Py_INCREF(cython.cast(object, host))
        place[0] = host
        if found != cython.NULL:
            Py_DECREF(cython.cast(object, found))
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_host(value: PObject) -> cython.bint:
    """Return whether it is None or of one of the classes of hosts."""
    return value != cython.NULL and (
        is_type(value, cython.cast(PObject, Domain))
        or value == cython.cast(PObject, None)
        or is_type(value, cython.cast(PObject, IPv4Address))
        or is_type(value, cython.cast(PObject, IPv6Address))
        or is_type(value, cython.cast(PObject, OpaqueHost))
        or is_type(value, cython.cast(PObject, EmptyHost))
    )


@cython.cfunc
@cython.exceptval(check=False)
def is_sound(value: PObject) -> cython.bint:
    """Return whether it is a record whose slots are as the parser fills them.

    The slot of the host is only known to hold a host or None.
    """
    return (
        is_type(value, cython.cast(PObject, Record))
        and is_ascii_text(get_slot(value, SCHEME))
        and is_ascii_text(get_slot(value, USERNAME))
        and is_ascii_text(get_slot(value, PASSWORD))
        and is_host(get_slot(value, HOST))
        and number_or_none(get_slot(value, PORT), 0xFFFF) > -2
        and is_ascii_text(get_slot(value, PATH))
        and is_ascii_text_or_none(get_slot(value, QUERY))
        and is_ascii_text_or_none(get_slot(value, FRAGMENT))
    )


@cython.cfunc
@cython.exceptval(check=False)
def read_base(record: object, base: PBase) -> cython.bint:
    """Read a record as a base; False if it was tampered with."""
    value: PObject = cython.cast(PObject, record)
    text: PObject
    if not is_sound(value):
        return False
    text = get_slot(value, SCHEME)
    base.scheme_text = ascii_data(text)
    base.scheme_size = ascii_size(text)
    base.scheme = special_scheme(base.scheme_text, base.scheme_size)
    text = get_slot(value, PATH)
    base.path = ascii_data(text)
    base.path_size = ascii_size(text)
    base.has_opaque_path = get_slot(value, HOST) == cython.cast(PObject, None) and (
        base.path_size == 0 or base.path[0] != 0x2F
    )
    return base.scheme == NOT_SPECIAL or (base.path_size > 0 and base.path[0] == 0x2F)

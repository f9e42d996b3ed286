"""Makes records and hosts: from the bytes that were read, from parts, and from a record's text.

Objects are allocated empty, and filled without their classes. This takes a third of the time of
assigning attributes. A host may have been tampered with, so its slot is checked to contain what the
parser puts there before it is read. A record cannot be changed once it is filled.
"""

import cython
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.standard.compiled.bases import PBase, is_opaque
from cython.cimports.weburl.standard.compiled.ipv4 import parse_ipv4, serialize_ipv4
from cython.cimports.weburl.standard.compiled.ipv6 import parse_ipv6, serialize_ipv6
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.references import needs_dot
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES, special_scheme
from cython.cimports.weburl.standard.compiled.slots import *

PSpan = cython.typedef(cython.pointer(Span))
PAddress = cython.typedef(cython.pointer(Address))

_LONGEST = cython.declare(cython.Py_ssize_t, 64)
_hosts = cython.declare(PObject[256])  # domains that readers may share; each has one place
_addresses = cython.declare(Address[256])  # the same, of IP addresses

_NAMES = ("scheme", "username", "password", "host", "port", "path_text", "query", "fragment")

_empty = cython.declare(object, "")
DOMAIN_VALUE = cython.declare(cython.Py_ssize_t)
IPV4_VALUE = cython.declare(cython.Py_ssize_t)
IPV6_VALUE = cython.declare(cython.Py_ssize_t)
OPAQUE_VALUE = cython.declare(cython.Py_ssize_t)


def use_values(
    record_class: type,
    storage_class: type,
    domain_class: type,
    ipv4_class: type,
    ipv6_class: type,
    opaque_class: type,
    empty_class: type,
) -> None:
    """Make values of these classes. The URL room calls this once, before anything is parsed."""
    global Record, Storage, Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost, _empty_host
    global DOMAIN_VALUE, IPV4_VALUE, IPV6_VALUE, OPAQUE_VALUE
    DOMAIN_VALUE = slot_offset(domain_class, "value")
    IPV4_VALUE = slot_offset(ipv4_class, "value")
    IPV6_VALUE = slot_offset(ipv6_class, "value")
    OPAQUE_VALUE = slot_offset(opaque_class, "value")
    Record, Storage, Domain = record_class, storage_class, domain_class
    IPv4Address, IPv6Address = ipv4_class, ipv6_class
    OpaqueHost, EmptyHost = opaque_class, empty_class
    _empty_host = empty_class()


@cython.ccall
def untracked(value) -> object:
    """Return a value, off the list of the garbage collector. It must be in no cycle."""
    untrack(value)
    return value


# --- from bytes to records ------------------------------------------------------------------------


@cython.cfunc
def new_record(s: PScan, base: PScan, base_record: object, slack: cython.int) -> object:
    """Return the record of the URL that was read, or None if it is too long.

    The parts that it keeps of its base come from ``base``, what was read of the base, or from
    ``base_record`` if ``base`` is NULL. ``slack``: room for changes, in bytes.
    """
    data: cython.p_uchar = output(s)
    own: Ruler = _ruler_of_scan(s)
    old: Ruler
    if s.kept == KEEPS_NOTHING:
        if s.out >= TOO_LONG:
            return None
        if needs_dot(s):
            return _joined(own, data, s.scheme, s.host_kind, own, data, KEEPS_NOTHING)
        made: object = _new_piece(own, data, s.scheme, s.host_kind, slack)
        memcpy(text_of(piece_of(cython.cast(PObject, made))), data, own.size)
        return made
    if base != cython.NULL:
        if s.out + base.out >= TOO_LONG:
            return None
        old = _ruler_of_scan(base)
        return _joined(own, data, base.scheme, base.host_kind, old, output(base), s.kept)
    of_base: PRecord = piece_of(cython.cast(PObject, base_record))
    old = ruler_of(of_base)
    if s.out + old.size >= TOO_LONG:
        return None
    kept: cython.p_uchar = text_of(of_base)
    return _joined(own, data, of_base.scheme, of_base.host_kind, old, kept, s.kept)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _ruler_of_scan(s: PScan) -> Ruler:
    """Return where the parts are in what was read. There is no "/." yet."""
    ruler: Ruler
    ruler.scheme_end = s.scheme_end
    ruler.host = s.host
    ruler.host_end = s.host_end
    if s.host_kind == NO_HOST:
        ruler.host = ruler.host_end = s.scheme_end + 1
    ruler.username_end = s.username_end if s.has_credentials else ruler.host
    ruler.path = s.path
    ruler.path_end = s.path_end
    ruler.query_end = s.query_end
    ruler.size = s.out
    return ruler


@cython.cfunc
def _joined(
    own: Ruler,
    data: cython.p_uchar,
    scheme: cython.int,
    host_kind: cython.int,
    old: Ruler,
    kept: cython.p_uchar,
    keeps: cython.int,
) -> object:
    """Return a record of what was read, and of what it keeps of its base.

    ``own``, ``data``: what was read. ``old``, ``kept``: the base.
    """
    ruler: Ruler = old
    # Everything before the path, without the "/." that the base may have.
    front: cython.uint = old.scheme_end + 1 if host_kind == NO_HOST else old.path
    path: cython.p_uchar = kept + old.path
    path_size: cython.uint = old.path_end - old.path
    query: cython.p_uchar = kept + old.path_end
    query_size: cython.uint = old.query_end - old.path_end
    if keeps <= KEEPS_AUTHORITY:
        path = data + own.path
        path_size = own.path_end - own.path
    if keeps <= KEEPS_PATH or own.query_end > own.path_end:
        query = data + own.path_end
        query_size = own.query_end - own.path_end
    has_dot: cython.bint = host_kind == NO_HOST and path_size > 1 and memcmp(path, b"//", 2) == 0
    ruler.path = front + 2 * has_dot
    ruler.path_end = ruler.path + path_size
    ruler.query_end = ruler.path_end + query_size
    ruler.size = ruler.query_end + own.size - own.query_end
    made: object = _new_piece(ruler, kept, scheme, host_kind, 0)
    text: cython.p_uchar = text_of(piece_of(cython.cast(PObject, made)))
    memcpy(text, kept, front)
    if has_dot:
        memcpy(text + front, b"/.", 2)
    memcpy(text + ruler.path, path, path_size)
    memcpy(text + ruler.path_end, query, query_size)
    memcpy(text + ruler.query_end, data + own.query_end, own.size - own.query_end)
    return made


@cython.cfunc
@cython.inline
def _new_piece(
    ruler: Ruler,
    data: cython.p_uchar,
    scheme: cython.int,
    host_kind: cython.int,
    slack: cython.int,
) -> object:
    """Return a record without its text. ``data``: bytes that begin with the scheme."""
    if scheme != NOT_SPECIAL:
        return owned(new_piece(Record, ruler, SCHEMES[scheme].text, scheme, host_kind, slack))
    other: object = part_text(data, ruler.scheme_end)
    return owned(new_piece(Record, ruler, cython.cast(PObject, other), scheme, host_kind, slack))


# --- from parts to records ------------------------------------------------------------------------


@cython.ccall
def filled(scheme, username, password, host, port, path, query, fragment) -> object:
    """See `weburl.standard.url.value.filled`. Raises ValueError for what a text cannot hold."""
    made: object = filled_record(
        Storage, (scheme, username, password, host, port, path, query, fragment)
    )
    if made is None:
        raise ValueError("a record cannot hold these parts")
    return made


@cython.cfunc
def filled_record(type_: object, parts: tuple) -> object:
    """Return a record of eight parts, in which a domain may be text; None if one is not sound."""
    spans: Span[8]
    room_of_host: cython.uchar[48]
    room_of_port: cython.uchar[8]
    size: cython.Py_ssize_t = 16
    part: cython.int
    for part in range(8):
        if part != HOST and part != PORT:
            if not _span_of_text(parts[part], part >= QUERY, cython.address(spans[part])):
                return None
    host_kind: cython.int = _span_of_host(parts[HOST], room_of_host, cython.address(spans[HOST]))
    if host_kind < 0 or not _span_of_port(parts[PORT], room_of_port, cython.address(spans[PORT])):
        return None
    if host_kind == NO_HOST and spans[USERNAME].size + spans[PASSWORD].size + spans[PORT].size:
        return None
    for part in range(8):
        size += spans[part].size
    if size >= TOO_LONG:
        return None
    ruler: Ruler = _measured(spans, host_kind)
    made: PObject = new_piece(
        type_,
        ruler,
        cython.cast(PObject, parts[SCHEME]),
        special_scheme(cython.cast(cython.p_uchar, spans[SCHEME].start), spans[SCHEME].size),
        host_kind,
        0,
    )
    _write_parts(cython.cast(PRecord, made), spans)
    return owned(made)


@cython.cfunc
@cython.exceptval(check=False)
def _measured(spans: PSpan, host_kind: cython.int) -> Ruler:
    """Return where parts will be in the text of a record."""
    ruler: Ruler
    ruler.scheme_end = spans[SCHEME].size
    at: cython.Py_ssize_t = spans[SCHEME].size + 1
    if host_kind == NO_HOST:
        ruler.username_end = ruler.host = ruler.host_end = at
        if spans[PATH].size > 1 and memcmp(spans[PATH].start, b"//", 2) == 0:
            at += 2
    else:
        at += 2 + spans[USERNAME].size
        ruler.username_end = at
        if spans[PASSWORD].size:
            at += 1 + spans[PASSWORD].size
        if spans[USERNAME].size or spans[PASSWORD].size:
            at += 1
        ruler.host = at
        ruler.host_end = at + spans[HOST].size
        at = ruler.host_end + spans[PORT].size
    ruler.path = at
    ruler.path_end = at + spans[PATH].size
    ruler.query_end = ruler.path_end + spans[QUERY].size + 1
    ruler.size = ruler.query_end + spans[FRAGMENT].size + 1
    return ruler


@cython.cfunc
@cython.exceptval(check=False)
def _write_parts(r: PRecord, spans: PSpan) -> cython.void:
    """Write the parts, and the marks between them, where the ruler of a record has them."""
    ruler: Ruler = ruler_of(r)
    text: cython.p_uchar = text_of(r)
    _copy(text, spans[SCHEME])
    text[ruler.scheme_end] = 0x3A
    if r.host_kind != NO_HOST:
        memcpy(text + ruler.scheme_end + 1, b"//", 2)
        _copy(text + ruler.scheme_end + 3, spans[USERNAME])
        if spans[PASSWORD].size:
            text[ruler.username_end] = 0x3A
            _copy(text + ruler.username_end + 1, spans[PASSWORD])
        if ruler.host > ruler.scheme_end + 3:
            text[ruler.host - 1] = 0x40
        _copy(text + ruler.host, spans[HOST])
        _copy(text + ruler.host_end, spans[PORT])
    elif ruler.path > ruler.host:
        memcpy(text + ruler.host, b"/.", 2)
    _copy(text + ruler.path, spans[PATH])
    if spans[QUERY].size >= 0:
        text[ruler.path_end] = 0x3F
        _copy(text + ruler.path_end + 1, spans[QUERY])
    if spans[FRAGMENT].size >= 0:
        text[ruler.query_end] = 0x23
        _copy(text + ruler.query_end + 1, spans[FRAGMENT])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _copy(text: cython.p_uchar, span: Span) -> cython.void:
    if span.size > 0:
        memcpy(text, span.start, span.size)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _span_of_text(part: object, may_be_none: cython.bint, span: PSpan) -> cython.bint:
    """Find the bytes of a string; False for anything else."""
    if part is None and may_be_none:
        span.size = -1
        return True
    if not is_ascii_text(cython.cast(PObject, part)):
        return False
    span.start = data_of_ascii(part)
    span.size = size_of_ascii(part)
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _span_of_port(port: object, room: cython.p_uchar, span: PSpan) -> cython.bint:
    """Write a colon and a port at the end of 8 bytes; False for what is not a port."""
    number: cython.longlong = number_or_none(cython.cast(PObject, port), 0xFFFF)
    at: cython.int = write_port(number, room)
    span.start = room + at
    span.size = 8 - at
    return number > -2


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
@cython.exceptval(check=False)
def _span_of_host(host: object, room: cython.p_uchar, span: PSpan) -> cython.int:
    """Find the bytes of a host and return its kind; -1 if it was tampered with.

    ``room``: room for 48 bytes, in which an address is written.
    """
    value: PObject = cython.cast(PObject, host)
    address: cython.uchar[16]
    kind: cython.int = DOMAIN
    span.start = room
    span.size = 0
    if host is None:
        return NO_HOST
    if is_type(value, cython.cast(PObject, EmptyHost)):
        return EMPTY_HOST
    if is_type(value, cython.cast(PObject, IPv4Address)):
        number: cython.longlong = number_or_none(get_slot(value, IPV4_VALUE), 0xFFFFFFFF)
        if number < 0:
            return -1
        span.size = serialize_ipv4(cython.cast(cython.uint, number), room)
        return IPV4
    if is_type(value, cython.cast(PObject, IPv6Address)):
        if not write_16_bytes(get_slot(value, IPV6_VALUE), address):
            return -1
        span.size = 2 + serialize_ipv6(address, room + 1)
        room[0] = 0x5B
        room[span.size - 1] = 0x5D
        return IPV6
    if is_type(value, cython.cast(PObject, Domain)):
        value = get_slot(value, DOMAIN_VALUE)
    elif is_type(value, cython.cast(PObject, OpaqueHost)):
        value = get_slot(value, OPAQUE_VALUE)
        kind = OPAQUE_HOST
    if not is_ascii_text(value):
        return -1
    span.start = ascii_data(value)
    span.size = ascii_size(value)
    return kind


# --- from records to parts ------------------------------------------------------------------------


@cython.cfunc
def read_part(record: object, part: cython.p_void) -> object:
    """Return a part of a record, which may be of a subclass."""
    number: cython.int = cython.cast(cython.Py_ssize_t, part)
    if record_form(cython.cast(PObject, record)) == EMPTY:
        raise AttributeError(_NAMES[number])
    r: PRecord = piece_of(cython.cast(PObject, record))
    if number == HOST:
        return host_of(r)
    if number == PORT:
        return port_of(r)
    span: Span = span_of(r, number)
    if span.size > 0:
        return part_text(span.start, span.size)
    return _empty if span.size == 0 else None


@cython.cfunc
@cython.exceptval(check=False)
def port_number(r: PRecord) -> cython.int:
    """Return the port of a record, or -1."""
    text: cython.p_uchar = text_of(r)
    at: cython.uint = get_offset(r, HOST_END) + 1
    end: cython.uint = get_offset(r, PATH_OFFSET)
    port: cython.int = 0
    if at >= end or r.host_kind == NO_HOST:
        return -1
    while at < end:
        port = port * 10 + text[at] - 0x30
        at += 1
    return port


@cython.cfunc
def port_of(r: PRecord) -> object:
    """Return the port of a record, or None."""
    port: cython.int = port_number(r)
    return None if port < 0 else port


@cython.cfunc
def host_of(r: PRecord) -> object:
    """Return the host of a record as a value, or None."""
    start: cython.uint = get_offset(r, HOST_OFFSET)
    data: cython.p_uchar = text_of(r) + start
    size: cython.Py_ssize_t = get_offset(r, HOST_END) - start
    if r.host_kind == DOMAIN:
        return _domain(data, size)
    if r.host_kind == NO_HOST:
        return None
    if r.host_kind == EMPTY_HOST:
        return _empty_host
    if r.host_kind == OPAQUE_HOST:
        return _new_host(OpaqueHost, OPAQUE_VALUE, new_ascii_text(data, size))
    return _address(data, size, r.host_kind == IPV6)


@cython.cfunc
def _address(data: cython.p_uchar, size: cython.Py_ssize_t, is_ipv6: cython.bint) -> object:
    """Return an IP address: the last one of the same text, unless its place was taken since.

    Without the GIL, each reader gets an address of its own.
    """
    place: PAddress = cython.address(_addresses[place_of(data, size)])
    type_: object = IPv6Address if is_ipv6 else IPv4Address
    at: cython.Py_ssize_t = IPV6_VALUE if is_ipv6 else IPV4_VALUE
    number: cython.uint = 0
    bytes_: cython.uchar[16]
    value: object
    if (
        HAS_GIL
        and place.size == size
        and memcmp(place.text, data, size) == 0
        and is_type(place.host, cython.cast(PObject, type_))
        and get_slot(place.host, at) == place.value
    ):
        return cython.cast(object, place.host)
    if is_ipv6:
        parse_ipv6(data + 1, size - 2, bytes_)
        value = owned(number_of_16_bytes(bytes_))
    else:
        parse_ipv4(data, size, cython.address(number))
        value = number
    made: object = _new_host(type_, at, value)
    if HAS_GIL:
        _keep_address(place, data, size, cython.cast(PObject, made), cython.cast(PObject, value))
    return made


@cython.cfunc
@cython.exceptval(check=False)
def _keep_address(
    place: PAddress, data: cython.p_uchar, size: cython.Py_ssize_t, host: PObject, value: PObject
) -> cython.void:
    old: Address = place[0]
    Py_INCREF(cython.cast(object, host))
    Py_INCREF(cython.cast(object, value))
    place.host = host
    place.value = value
    place.size = size
    memcpy(place.text, data, size)
    if old.size:
        Py_DECREF(cython.cast(object, old.host))
        Py_DECREF(cython.cast(object, old.value))


@cython.cfunc
def _new_host(type_: object, at: cython.Py_ssize_t, value: object) -> object:
    host: PObject = new_value(type_)
    fill_slot(host, at, cython.cast(PObject, value))
    return owned(host)


@cython.cfunc
def _domain(data: cython.p_uchar, size: cython.Py_ssize_t) -> object:
    """Return a domain: the last one of the same name, unless its place was taken since.

    Without the GIL, each reader gets a domain of its own.
    """
    place: cython.pointer(PObject) = cython.NULL
    found: PObject = cython.NULL
    if HAS_GIL and size <= _LONGEST:
        # A name is overwritten by one that is not longer, so sizes have places of their own.
        place = _hosts + (place_of(data, size) & 0x7F | (size & 16) << 3)
        found = place[0]
        if found != cython.NULL and is_text_of(get_slot(found, DOMAIN_VALUE), data, size):
            return cython.cast(object, found)
    if found != cython.NULL and is_forgotten(found):  # No one else can see that it changes.
        value: PObject = get_slot(found, DOMAIN_VALUE)
        if not is_ascii_text(value) or not is_overwritten(value, data, size, ascii_size(value)):
            replace_slot(found, DOMAIN_VALUE, new_ascii_text(data, size))
        return cython.cast(object, found)
    made: object = new_ascii_text(data, size)
    host: PObject = new_plain_value(Domain)
    fill_slot(host, DOMAIN_VALUE, cython.cast(PObject, made))
    if place != cython.NULL:
        Py_INCREF(cython.cast(object, host))
        place[0] = host
        if found != cython.NULL:
            Py_DECREF(cython.cast(object, found))
    return owned(host)


@cython.cfunc
@cython.exceptval(check=False)
def read_base(record: object, base: PBase) -> cython.bint:
    """Read a record as a base; False if it is of another class."""
    if not is_record(cython.cast(PObject, record)):
        return False
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    base.scheme = r.scheme
    base.scheme_text = text_of(r)
    base.scheme_size = ruler.scheme_end
    base.path = text_of(r) + ruler.path
    base.path_size = ruler.path_end - ruler.path
    base.has_opaque_path = is_opaque(r.host_kind, base.path, base.path_size)
    return base.scheme == NOT_SPECIAL or (base.path_size > 0 and base.path[0] == 0x2F)

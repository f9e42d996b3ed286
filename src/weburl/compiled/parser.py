"""One pass over text that is a special URL with a plain domain, whatever its spelling.

Lowers, percent-encodes, resolves and drops as it goes; declines what is not so plain.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.cpython.unicode import PyUnicode_GET_LENGTH
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.compiled.slots import (
    alloc,
    ascii_data,
    ascii_text,
    fill_slot,
    get_slot,
    give_slot,
    is_ascii,
    is_small,
    is_sound,
    new_ascii,
    slot_offset,
    utf8_data,
)

from cython.cimports.weburl.compiled.idn import host_to_ascii

from weburl.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
)
from weburl.hosts.values import Domain
from weburl.records.record import URLRecord

HOST = cython.declare(cython.int, 1)  # what a plain domain holds, but for "-" and capitals
CAPITAL = cython.declare(cython.int, 2)
PATH = cython.declare(cython.int, 4)  # kept, and neither "." nor "%" nor "\\"
QUERY = cython.declare(cython.int, 8)
FRAGMENT = cython.declare(cython.int, 16)
DROPPED = cython.declare(cython.int, 32)  # a tab or newline

KINDS = cython.declare(cython.uchar[256])
HEX = cython.declare(cython.uchar[16])
STACK = cython.declare(cython.int, 1024)

# Schemes: index + 1 is what a Scan has; 0 is none.
Scan = cython.struct(
    src=cython.p_uchar,
    n=cython.Py_ssize_t,
    at=cython.Py_ssize_t,
    dst=cython.p_uchar,
    stack=cython.p_uchar,
    size=cython.Py_ssize_t,
    out=cython.Py_ssize_t,
    writing=cython.bint,
    owned=cython.p_uchar,
    cleaned=cython.p_uchar,
    scheme=cython.int,
    level=cython.int,
    host=cython.Py_ssize_t,
    host_end=cython.Py_ssize_t,
    port=cython.int,
    path=cython.Py_ssize_t,
    path_end=cython.Py_ssize_t,
    query_end=cython.Py_ssize_t,
)
PScan = cython.typedef(cython.pointer(Scan))

DECLINED = cython.declare(cython.int, 0)
DONE = cython.declare(cython.int, 1)
DIRTY = cython.declare(cython.int, 2)  # there are tabs or newlines to be dropped

_SCHEMES = cython.declare(tuple, (None, "https", "http", "wss", "ws", "ftp"))
_HTTPS = cython.declare(object, "https")
_HTTP = cython.declare(object, "http")
_SLASH = cython.declare(object, "/")
_EMPTY = cython.declare(object, "")

_scheme = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "scheme"))
_username = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "username"))
_password = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "password"))
_host = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "host"))
_port = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "port"))
_path = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "path_text"))
_query = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "query"))
_fragment = cython.declare(cython.Py_ssize_t, slot_offset(URLRecord, "fragment"))
_value = cython.declare(cython.Py_ssize_t, slot_offset(Domain, "value"))
_Record = cython.declare(object, URLRecord)
_Domain = cython.declare(object, Domain)


@cython.cfunc
def _fill_tables() -> cython.void:
    code: cython.int
    for code in range(256):
        kind = 0
        char = chr(code)
        if char in "abcdefghijklmnopqrstuvwxyz0123456789_.":
            kind |= 1
        if char in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            kind |= 2
        if code < 0x80:
            if PATH_PERCENT_ENCODE_SET.kept[code] and char not in ".%\\":
                kind |= 4
            if SPECIAL_QUERY_PERCENT_ENCODE_SET.kept[code]:
                kind |= 8
            if FRAGMENT_PERCENT_ENCODE_SET.kept[code]:
                kind |= 16
            if char in "\t\n\r":
                kind |= 32
        KINDS[code] = kind
    for code in range(16):
        HEX[code] = ord("0123456789ABCDEF"[code])


_fill_tables()


@cython.cfunc
@cython.exceptval(check=False)
def _write(s: PScan) -> cython.bint:
    """From now on, what comes out is not what goes in. False: no memory."""
    if not s.writing:
        if 3 * s.n + 16 > s.size:
            s.owned = cython.cast(cython.p_uchar, PyMem_Malloc(3 * s.n + 16))
            if s.owned == cython.NULL:
                return False
            s.dst = s.owned
            s.size = 3 * s.n + 16
        memcpy(s.dst, s.src, s.out)
        s.writing = True
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _put(s: PScan, c: cython.uchar) -> cython.void:
    s.dst[s.out] = c
    s.out += 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _encode(s: PScan, c: cython.uchar) -> cython.void:
    s.dst[s.out] = 0x25
    s.dst[s.out + 1] = HEX[c >> 4]
    s.dst[s.out + 2] = HEX[c & 15]
    s.out += 3


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _run(s: PScan, kind: cython.int) -> cython.void:
    """Go to the first byte that is not of the kind."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    start: cython.Py_ssize_t = s.at
    at: cython.Py_ssize_t = start
    while at < n and KINDS[src[at]] & kind:
        at += 1
    if s.writing:
        memcpy(s.dst + s.out, src + start, at - start)
    s.out += at - start
    s.at = at


@cython.cfunc
@cython.exceptval(check=False)
def _scan_scheme(s: PScan) -> cython.int:
    """Return a scheme's index and go behind its colon; 0 if there is none that is known."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    name: cython.uchar[8]
    i: cython.Py_ssize_t = 0
    c: cython.uchar
    while i < n and i < 6:
        c = src[i]
        if c == 0x3A:
            break
        if KINDS[c] & 32:
            return -1
        if KINDS[c] & 2:
            c |= 0x20
        name[i] = c
        i += 1
    if i == n or src[i] != 0x3A:
        return 0
    s.at = i + 1
    if i == 5 and memcmp(name, b"https", 5) == 0:
        return 1
    if i == 4 and memcmp(name, b"http", 4) == 0:
        return 2
    if i == 3 and memcmp(name, b"wss", 3) == 0:
        return 3
    if i == 2 and memcmp(name, b"ws", 2) == 0:
        return 4
    if i == 3 and memcmp(name, b"ftp", 3) == 0:
        return 5
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _put_scheme(s: PScan, scheme: cython.int) -> cython.bint:
    """Write a scheme and two slashes at the start, and skip the slashes that are there."""
    names: cython.p_char = b"https://http:// wss://  ws://   ftp://  "
    lengths: cython.p_char = b"\x08\x07\x06\x05\x06"
    if not _write(s):
        return False
    memcpy(s.dst, names + 8 * (scheme - 1), 8)
    s.out = lengths[scheme - 1]
    while s.at < s.n and (s.src[s.at] == 0x2F or s.src[s.at] == 0x5C):
        s.at += 1
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _scan_idn(s: PScan, start: cython.Py_ssize_t) -> cython.bint:
    """Write a host that is not ASCII, or holds Punycode. False: for others to tell."""
    src: cython.p_uchar = s.src
    at: cython.Py_ssize_t = start
    c: cython.uchar
    length: cython.Py_ssize_t
    i: cython.Py_ssize_t
    while at < s.n:
        c = src[at]
        if c == 0x2F or c == 0x3F or c == 0x23 or c == 0x5C or c == 0x3A:
            break
        if c < 0x80 and not KINDS[c] & 3 and c != 0x2D:
            return False
        at += 1
    s.out = s.host
    if not _write(s):
        return False
    length = s.size - s.out - 3 * (s.n - at) - 16
    try:
        length = host_to_ascii(src + start, at - start, s.dst + s.out, length)
    except MemoryError:
        return False
    if length < 0:
        return False
    for i in range(s.out, s.out + length):
        if not KINDS[s.dst[i]] & 1 and s.dst[i] != 0x2D:
            return False  # mapping may have made it
    s.out += length
    s.at = at
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _scan_authority(s: PScan) -> cython.int:
    """Read host and port, up to the first slash, question mark, number sign, or end."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    c: cython.uchar
    data: cython.p_uchar
    end: cython.Py_ssize_t
    at: cython.Py_ssize_t
    port: cython.int
    default: cython.int
    start: cython.Py_ssize_t = s.at
    s.host = s.out
    while True:
        _run(s, HOST)
        if s.at == n:
            break
        c = src[s.at]
        if c == 0x2F or c == 0x3F or c == 0x23 or c == 0x5C or c == 0x3A:
            break
        if KINDS[c] & 2:
            if not _write(s):
                return DECLINED
            while s.at < n and KINDS[src[s.at]] & 2:
                _put(s, src[s.at] | 0x20)
                s.at += 1
        elif c == 0x2D:
            if s.at + 1 < n and src[s.at + 1] == 0x2D and s.out - s.host >= 2:
                data = s.dst if s.writing else src
                if data[s.out - 2] == 0x78 and data[s.out - 1] == 0x6E:
                    if not _scan_idn(s, start):
                        return DECLINED
                    continue
            if s.writing:
                s.dst[s.out] = c
            s.out += 1
            s.at += 1
        elif KINDS[c] & 32:
            return DIRTY
        elif c < 0x80 or not _scan_idn(s, start):
            return DECLINED
    end = s.host_end = s.out
    data = s.dst if s.writing else src
    # A last label that starts with a digit may be a number.
    if end > s.host and data[end - 1] == 0x2E:
        end -= 1
    if end == s.host:
        return DECLINED
    while end > s.host and data[end - 1] != 0x2E:
        end -= 1
    if 0x30 <= data[end] <= 0x39:
        return DECLINED
    s.port = -1
    if s.at < n and src[s.at] == 0x3A:
        at = s.at + 1
        port = 0
        while at < n and 0x30 <= src[at] <= 0x39:
            port = port * 10 + (src[at] - 0x30)
            if port > 0xFFFF:
                return DECLINED
            at += 1
        if at < n:
            c = src[at]
            if KINDS[c] & 32:
                return DIRTY
            if c != 0x2F and c != 0x3F and c != 0x23 and c != 0x5C:
                return DECLINED  # credentials, or an error
        default = 443 if s.scheme == 1 or s.scheme == 3 else 21 if s.scheme == 5 else 80
        if at == s.at + 1 or port == default:
            if not _write(s):
                return DECLINED
        else:
            s.port = port
            if src[s.at + 1] == 0x30 and at > s.at + 2:  # leading zeros
                if not _write(s):
                    return DECLINED
                end = s.at + 1
                while src[end] == 0x30 and end + 1 < at:
                    end += 1
                _put(s, 0x3A)
                memcpy(s.dst + s.out, src + end, at - end)
                s.out += at - end
            else:
                if s.writing:
                    memcpy(s.dst + s.out, src + s.at, at - s.at)
                s.out += at - s.at
        s.at = at
    return DONE


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _dot(src: cython.p_uchar, n: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.int:
    """Return how long the dot at ``at`` is, plain or percent-encoded; 0 if there is none."""
    if at < n and src[at] == 0x2E:
        return 1
    if at + 2 < n and src[at] == 0x25 and src[at + 1] == 0x32 and src[at + 2] | 0x20 == 0x65:
        return 3
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _scan_path(s: PScan) -> cython.int:
    """Read a path whose first slash is written already, at ``s.path``, or more of it."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    first: cython.Py_ssize_t = s.at
    c: cython.uchar
    at: cython.Py_ssize_t
    length: cython.int
    dots: cython.int
    while True:
        _run(s, PATH)
        if s.at == n:
            return DONE
        at = s.at
        c = src[at]
        if c == 0x2E or c == 0x25:
            if at == first or src[at - 1] == 0x2F or src[at - 1] == 0x5C:
                dots = 0
                while dots < 2:
                    length = _dot(src, n, at)
                    if length == 0:
                        break
                    at += length
                    dots += 1
                if dots and (
                    at == n
                    or src[at] == 0x2F
                    or src[at] == 0x5C
                    or src[at] == 0x3F
                    or src[at] == 0x23
                ):
                    if not _write(s):
                        return DECLINED
                    if dots == 2 and s.out - 1 > s.path:
                        s.out -= 1
                        while s.dst[s.out - 1] != 0x2F:
                            s.out -= 1
                    if at < n and (src[at] == 0x2F or src[at] == 0x5C):
                        at += 1
                    s.at = at
                    continue
            if s.writing:
                s.dst[s.out] = c
            s.out += 1
            s.at += 1
        elif c == 0x3F or c == 0x23:
            return DONE
        elif KINDS[c] & 32:
            return DIRTY
        else:
            if not _write(s):
                return DECLINED
            if c == 0x5C:
                _put(s, 0x2F)
            else:
                _encode(s, c)
            s.at += 1


@cython.cfunc
@cython.exceptval(check=False)
def _scan_rest(s: PScan) -> cython.int:
    """Read query and fragment, behind the path."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    c: cython.uchar
    s.path_end = s.out
    if s.at < n and src[s.at] == 0x3F:
        if s.writing:
            s.dst[s.out] = 0x3F
        s.out += 1
        s.at += 1
        while True:
            _run(s, QUERY)
            if s.at == n:
                break
            c = src[s.at]
            if c == 0x23:
                break
            if KINDS[c] & 32:
                return DIRTY
            if not _write(s):
                return DECLINED
            _encode(s, c)
            s.at += 1
    s.query_end = s.out
    if s.at < n:
        if s.writing:
            s.dst[s.out] = 0x23
        s.out += 1
        s.at += 1
        while True:
            _run(s, FRAGMENT)
            if s.at == n:
                break
            c = src[s.at]
            if KINDS[c] & 32:
                return DIRTY
            if not _write(s):
                return DECLINED
            _encode(s, c)
            s.at += 1
    return DONE


@cython.cfunc
@cython.exceptval(check=False)
def _scan_from_path(s: PScan) -> cython.int:
    """Read what follows an authority."""
    status: cython.int
    s.path = s.out
    if s.at < s.n and s.src[s.at] == 0x2F:
        if s.writing:
            s.dst[s.out] = 0x2F
        s.out += 1
        s.at += 1
    else:
        if not _write(s):
            return DECLINED
        _put(s, 0x2F)
        if s.at < s.n and s.src[s.at] == 0x5C:
            s.at += 1
    status = _scan_path(s)
    return _scan_rest(s) if status == DONE else status


@cython.cfunc
@cython.exceptval(check=False)
def _scan_absolute(s: PScan, base_scheme: cython.int) -> cython.int:
    """Read a whole URL. ``base_scheme`` is that of the base; 0 without one."""
    status: cython.int = _scan_origin(s, base_scheme)
    return _scan_from_path(s) if status == DONE else status


@cython.cfunc
@cython.exceptval(check=False)
def _scan_origin(s: PScan, base_scheme: cython.int) -> cython.int:
    """Read scheme, host and port."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    scheme: cython.int
    status: cython.int
    if n > 8 and memcmp(src, b"https://", 8) == 0:
        s.scheme = 1
        s.at = s.out = 8
        if src[8] == 0x2F or src[8] == 0x5C:
            if not _put_scheme(s, 1):
                return DECLINED
    elif n > 7 and memcmp(src, b"http://", 7) == 0:
        s.scheme = 2
        s.at = s.out = 7
        if src[7] == 0x2F or src[7] == 0x5C:
            if not _put_scheme(s, 2):
                return DECLINED
    else:
        scheme = _scan_scheme(s)
        if scheme == 0:
            return DECLINED
        if scheme < 0:
            return DIRTY
        if scheme == base_scheme and not (
            s.at + 1 < n and src[s.at] == 0x2F and src[s.at + 1] == 0x2F
        ):
            return DECLINED
        s.scheme = scheme
        if not _put_scheme(s, scheme):
            return DECLINED
    return _scan_authority(s)


@cython.cfunc
@cython.exceptval(check=False)
def _reset(s: PScan) -> cython.bint:
    """Drop tabs and newlines, and start again. False: no memory."""
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    s.cleaned = cython.cast(cython.p_uchar, PyMem_Malloc(s.n))
    if s.cleaned == cython.NULL:
        return False
    for i in range(s.n):
        if not KINDS[s.src[i]] & 32:
            s.cleaned[at] = s.src[i]
            at += 1
    s.src = s.cleaned
    s.n = at
    s.at = s.out = 0
    s.writing = False
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _prepare(s: PScan, data: cython.p_uchar, n: cython.Py_ssize_t, stack: cython.p_uchar) -> cython.void:
    while n and data[n - 1] <= 0x20:
        n -= 1
    while n and data[0] <= 0x20:
        data += 1
        n -= 1
    s.src = data
    s.n = n
    s.at = s.out = 0
    s.dst = stack
    s.stack = stack
    s.size = STACK
    s.writing = False
    s.owned = cython.NULL
    s.cleaned = cython.NULL
    s.scheme = 0
    s.level = 0
    s.port = -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _free(s: PScan) -> cython.void:
    if s.owned != cython.NULL:
        PyMem_Free(s.owned)
    if s.cleaned != cython.NULL:
        PyMem_Free(s.cleaned)


@cython.cfunc
@cython.inline
def _text(data: cython.p_uchar, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.pointer(PyObject):
    return ascii_text(data + start, end - start)


@cython.cfunc
@cython.exceptval(check=False)
def _scan(s: PScan, data: cython.p_uchar, n: cython.Py_ssize_t, stack: cython.p_uchar) -> cython.bint:
    status: cython.int
    _prepare(s, data, n, stack)
    status = _scan_absolute(s, 0)
    if status == DIRTY:
        status = _scan_absolute(s, 0) if _reset(s) else DECLINED
    return status == DONE


@cython.cfunc
def _fill_rest(s: PScan, record: cython.pointer(PyObject), data: cython.p_uchar) -> cython.void:
    """Give the record what stands behind the authority."""
    none: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), None)
    if s.path_end - s.path == 1:
        fill_slot(record, _path, cython.cast(cython.pointer(PyObject), _SLASH))
    else:
        give_slot(record, _path, _text(data, s.path, s.path_end))
    _fill_query(s, record, data)


@cython.cfunc
def _fill_query(s: PScan, record: cython.pointer(PyObject), data: cython.p_uchar) -> cython.void:
    none: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), None)
    if s.query_end > s.path_end:
        give_slot(record, _query, _text(data, s.path_end + 1, s.query_end))
    else:
        fill_slot(record, _query, none)
    if s.out > s.query_end:
        give_slot(record, _fragment, _text(data, s.query_end + 1, s.out))
    else:
        fill_slot(record, _fragment, none)


@cython.cfunc
def _record(s: PScan) -> object:
    """Return the record of what was read."""
    data: cython.p_uchar = s.dst if s.writing else s.src
    record: cython.pointer(PyObject) = alloc(_Record)
    made: object = cython.cast(object, record)
    Py_DECREF(made)  # `made` counts for one now
    domain: cython.pointer(PyObject)
    scheme: object = _HTTPS if s.scheme == 1 else _HTTP if s.scheme == 2 else _SCHEMES[s.scheme]
    fill_slot(record, _scheme, cython.cast(cython.pointer(PyObject), scheme))
    fill_slot(record, _username, cython.cast(cython.pointer(PyObject), _EMPTY))
    fill_slot(record, _password, cython.cast(cython.pointer(PyObject), _EMPTY))
    domain = alloc(_Domain)
    give_slot(record, _host, domain)
    give_slot(domain, _value, _text(data, s.host, s.host_end))
    port: object = None if s.port < 0 else s.port
    fill_slot(record, _port, cython.cast(cython.pointer(PyObject), port))
    _fill_rest(s, record, data)
    return made


@cython.ccall
def parse_plain(input) -> object:
    """Return the record of ``input``, or None where the parser has to tell."""
    s: Scan
    stack: cython.uchar[1024]
    result: object = None
    encoded: object = None
    if type(input) is not str:
        return None
    if not is_ascii(input):
        encoded = _utf_8(input)
        if encoded is None:
            return None
    if _scan(cython.address(s), _data(input, encoded), _length(input, encoded), stack):
        result = _record(cython.address(s))
    _free(cython.address(s))
    return result


@cython.ccall
def canonical(input) -> object:
    """Return the href of ``input``, or None where the parser has to tell."""
    s: Scan
    stack: cython.uchar[1024]
    result: object = None
    encoded: object = None
    if type(input) is not str:
        return None
    if not is_ascii(input):
        encoded = _utf_8(input)
        if encoded is None:
            return None
    if _scan(cython.address(s), _data(input, encoded), _length(input, encoded), stack):
        if not s.writing and encoded is None and s.n == _length(input, None):
            result = input
        else:
            result = _made(s.dst if s.writing else s.src, s.out)
    _free(cython.address(s))
    return result


@cython.ccall
def parsable(input) -> object:
    """Return True if ``input`` parses, or None where the parser has to tell."""
    s: Scan
    stack: cython.uchar[1024]
    data: cython.p_uchar
    status: cython.int
    encoded: object = None
    if type(input) is not str:
        return None
    if not is_ascii(input):
        encoded = _utf_8(input)
        if encoded is None:
            return None
    _prepare(cython.address(s), _data(input, encoded), _length(input, encoded), stack)
    status = _scan_origin(cython.address(s), 0)
    if status == DIRTY:
        status = _scan_origin(cython.address(s), 0) if _reset(cython.address(s)) else DECLINED
    _free(cython.address(s))
    return True if status == DONE else None


@cython.ccall
def join_plain(base, input) -> object:
    """Return the record of ``input`` relative to a record, or None where the parser has to tell."""
    s: Scan
    stack: cython.uchar[1024]
    result: object = None
    encoded: object = None
    status: cython.int
    if type(input) is not str or type(base) is not _Record:
        return None
    if not is_ascii(input):
        encoded = _utf_8(input)
        if encoded is None:
            return None
    if not _is_whole(cython.cast(cython.pointer(PyObject), base)):
        return None
    scheme: cython.int = _index(cython.cast(object, get_slot(cython.cast(cython.pointer(PyObject), base), _scheme)))
    if scheme == 0:
        return None
    _prepare(cython.address(s), _data(input, encoded), _length(input, encoded), stack)
    status = _scan_reference(cython.address(s), cython.cast(cython.pointer(PyObject), base), scheme)
    if status == DIRTY:
        status = _scan_reference(cython.address(s), cython.cast(cython.pointer(PyObject), base), scheme) if _reset(cython.address(s)) else DECLINED
    if status == DONE:
        result = _record(cython.address(s)) if s.level == 0 else _relative_record(cython.address(s), cython.cast(cython.pointer(PyObject), base))
    _free(cython.address(s))
    return result


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _data(input: object, encoded: object) -> cython.p_uchar:
    return ascii_data(input) if encoded is None else utf8_data(encoded)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _length(input: object, encoded: object) -> cython.Py_ssize_t:
    return PyUnicode_GET_LENGTH(input) if encoded is None else PyBytes_GET_SIZE(encoded)


@cython.cfunc
def _utf_8(input: str) -> object:
    try:
        return input.encode()
    except UnicodeEncodeError:  # surrogates
        return None


@cython.cfunc
@cython.inline
def _made(data: cython.p_uchar, length: cython.Py_ssize_t) -> object:
    text: cython.pointer(PyObject) = ascii_text(data, length)
    made: object = cython.cast(object, text)
    Py_DECREF(made)
    return made


@cython.cfunc
@cython.exceptval(check=False)
def _index(scheme: object) -> cython.int:
    """Return the number of a scheme; 0 for all that have no reference of their own here."""
    if scheme is _HTTPS:
        return 1
    if scheme is _HTTP:
        return 2
    n: cython.Py_ssize_t = PyUnicode_GET_LENGTH(scheme)
    data: cython.p_uchar
    if not is_ascii(scheme):
        return 0
    data = ascii_data(scheme)
    if n == 5 and memcmp(data, b"https", 5) == 0:
        return 1
    if n == 4 and memcmp(data, b"http", 4) == 0:
        return 2
    if n == 3 and memcmp(data, b"wss", 3) == 0:
        return 3
    if n == 2 and memcmp(data, b"ws", 2) == 0:
        return 4
    if n == 3 and memcmp(data, b"ftp", 3) == 0:
        return 5
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _scan_reference(s: PScan, base: cython.pointer(PyObject), scheme: cython.int) -> cython.int:
    """Read a reference. ``s.level`` says what stays the base's: 0 nothing but perhaps the scheme,
    1 the authority, 2 the path too, 3 the query too."""
    src: cython.p_uchar = s.src
    n: cython.Py_ssize_t = s.n
    i: cython.Py_ssize_t
    c: cython.uchar
    status: cython.int
    path: cython.p_uchar
    text: object
    if n == 0:
        s.level = 3
        s.path_end = s.query_end = 0
        return DONE
    c = src[0]
    if c == 0x3F or c == 0x23:
        s.level = 2 if c == 0x3F else 3
        return _scan_rest(s)
    if c == 0x2F or c == 0x5C:
        if n > 1 and (src[1] == 0x2F or src[1] == 0x5C):
            s.level = 0
            s.scheme = scheme
            if not _put_scheme(s, scheme):
                return DECLINED
            status = _scan_authority(s)
            return _scan_from_path(s) if status == DONE else status
        s.level = 1
        return _scan_from_path(s)
    if KINDS[c | 0x20] & 1 and 0x61 <= c | 0x20 <= 0x7A:
        i = 1
        while i < n and (KINDS[src[i]] & 3 or src[i] == 0x2B or src[i] == 0x2D) and src[i] != 0x5F:
            i += 1
        if i < n:
            if src[i] == 0x3A:
                s.level = 0
                return _scan_absolute(s, scheme)
            if KINDS[src[i]] & 32:
                return DIRTY
    s.level = 1
    s.path = 0
    text = cython.cast(object, get_slot(base, _path))
    path = ascii_data(text)
    i = PyUnicode_GET_LENGTH(text)
    while i and path[i - 1] != 0x2F:
        i -= 1
    if i == 0:
        return DECLINED
    if i + 3 * n + 16 > s.size:
        if s.owned != cython.NULL:
            PyMem_Free(s.owned)
        s.owned = cython.cast(cython.p_uchar, PyMem_Malloc(i + 3 * n + 16))
        if s.owned == cython.NULL:
            return DECLINED
        s.dst = s.owned
        s.size = i + 3 * n + 16
    memcpy(s.dst, path, i)
    s.out = i
    s.writing = True
    status = _scan_path(s)
    return _scan_rest(s) if status == DONE else status


@cython.cfunc
def _relative_record(s: PScan, base: cython.pointer(PyObject)) -> object:
    data: cython.p_uchar = s.dst if s.writing else s.src
    record: cython.pointer(PyObject) = alloc(_Record)
    made: object = cython.cast(object, record)
    Py_DECREF(made)
    fill_slot(record, _scheme, get_slot(base, _scheme))
    fill_slot(record, _username, get_slot(base, _username))
    fill_slot(record, _password, get_slot(base, _password))
    fill_slot(record, _host, get_slot(base, _host))
    fill_slot(record, _port, get_slot(base, _port))
    if s.level == 1:
        _fill_rest(s, record, data)
        return made
    fill_slot(record, _path, get_slot(base, _path))
    if s.level == 2:
        _fill_query(s, record, data)
        return made
    fill_slot(record, _query, get_slot(base, _query))
    if s.out > s.query_end:
        give_slot(record, _fragment, _text(data, s.query_end + 1, s.out))
    else:
        fill_slot(record, _fragment, cython.cast(cython.pointer(PyObject), None))
    return made


@cython.ccall
def split_path(text) -> tuple:
    """Return the segments of a path that starts with a slash."""
    n: cython.Py_ssize_t = PyUnicode_GET_LENGTH(text)
    data: cython.p_uchar = ascii_data(text)
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t = 1
    count: cython.Py_ssize_t = 1
    for i in range(1, n):
        count += data[i] == 0x2F
    segments: tuple = PyTuple_New(count)
    count = 0
    for i in range(1, n + 1):
        if i == n or data[i] == 0x2F:
            segment = _EMPTY if i == start else _made(data + start, i - start)
            Py_INCREF(segment)
            PyTuple_SET_ITEM(segments, count, segment)
            count += 1
            start = i + 1
    return segments


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _size(text: cython.pointer(PyObject)) -> cython.Py_ssize_t:
    return PyUnicode_GET_LENGTH(cython.cast(object, text))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _copied(out: cython.p_uchar, text: cython.pointer(PyObject)) -> cython.p_uchar:
    n: cython.Py_ssize_t = _size(text)
    memcpy(out, ascii_data(cython.cast(object, text)), n)
    return out + n


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_whole(r: cython.pointer(PyObject)) -> cython.bint:
    """Return whether a record holds what a record can hold."""
    return (
        is_sound(get_slot(r, _scheme), False)
        and is_sound(get_slot(r, _username), False)
        and is_sound(get_slot(r, _password), False)
        and get_slot(r, _host) != cython.NULL
        and is_small(get_slot(r, _port))
        and is_sound(get_slot(r, _path), False)
        and is_sound(get_slot(r, _query), True)
        and is_sound(get_slot(r, _fragment), True)
    )


@cython.ccall
def href_of(record) -> object:
    """Return the href of a record with a domain and without credentials, or None."""
    r: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), record)
    none: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), None)
    scheme: cython.pointer(PyObject) = get_slot(r, _scheme)
    host: cython.pointer(PyObject) = get_slot(r, _host)
    path: cython.pointer(PyObject) = get_slot(r, _path)
    query: cython.pointer(PyObject) = get_slot(r, _query)
    fragment: cython.pointer(PyObject) = get_slot(r, _fragment)
    if not isinstance(record, _Record):
        return None
    value: cython.pointer(PyObject)
    digits: cython.uchar[8]
    port: cython.int
    k: cython.int = 8
    size: cython.Py_ssize_t
    out: cython.p_uchar
    text: cython.pointer(PyObject)
    if not _is_whole(r) or type(cython.cast(object, host)) is not _Domain or _size(get_slot(r, _username)) or _size(get_slot(r, _password)):
        return None
    value = get_slot(host, _value)
    if not is_sound(value, False):
        return None
    size = _size(scheme) + 3 + _size(value) + _size(path)
    if get_slot(r, _port) != none:
        port = cython.cast(object, get_slot(r, _port))
        while True:
            k -= 1
            digits[k] = 0x30 + port % 10
            port //= 10
            if port == 0:
                break
        k -= 1
        digits[k] = 0x3A
        size += 8 - k
    if query != none:
        size += 1 + _size(query)
    if fragment != none:
        size += 1 + _size(fragment)
    text = new_ascii(size)
    made: object = cython.cast(object, text)
    Py_DECREF(made)
    out = _copied(ascii_data(made), scheme)
    out[0] = 0x3A
    out[1] = 0x2F
    out[2] = 0x2F
    out = _copied(out + 3, value)
    memcpy(out, digits + k, 8 - k)
    out = _copied(out + (8 - k), path)
    if query != none:
        out[0] = 0x3F
        out = _copied(out + 1, query)
    if fragment != none:
        out[0] = 0x23
        out = _copied(out + 1, fragment)
    return made


@cython.ccall
def path_of(record) -> object:
    """Return the segments of a record's path; a text where it is opaque."""
    r: cython.pointer(PyObject) = cython.cast(cython.pointer(PyObject), record)
    if not isinstance(record, _Record) or not is_sound(get_slot(r, _path), False) or get_slot(r, _host) == cython.NULL:
        raise AttributeError("path")
    text: object = cython.cast(object, get_slot(r, _path))
    if PyUnicode_GET_LENGTH(text) and ascii_data(text)[0] == 0x2F:
        return split_path(text)
    return text if get_slot(r, _host) == cython.cast(cython.pointer(PyObject), None) else ()

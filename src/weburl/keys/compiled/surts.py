"""The SURT of most URLs by the profile "archive", as `weburl.keys.surt` makes it."""

import cython
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.weburl.keys.compiled.surts import MOST_BYTES_OF_SURT, MOST_PAIRS_OF_SURT
from cython.cimports.weburl.standard.compiled.scan import CAPITAL, DIGIT, KINDS
from cython.cimports.weburl.standard.compiled.suffixes import has_empty_label, start_of_label

# A pair of a query, where its name ends, and where its value starts.
Pair = cython.struct(
    start=cython.p_uchar, name_end=cython.p_uchar, value=cython.p_uchar, end=cython.p_uchar
)
PPair = cython.typedef(cython.pointer(Pair))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_surt(
    href: cython.p_const_uchar,
    host: cython.Py_ssize_t,
    host_end: cython.Py_ssize_t,
    path: cython.Py_ssize_t,
    path_end: cython.Py_ssize_t,
    query_end: cython.Py_ssize_t,
    out: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Write a SURT and return its size; -1 if Python must make it.

    The URL is http or https, its host is a domain, and its path and query have no dot segment and
    only printable ASCII. The SURT is no longer than the href.
    """
    at: cython.Py_ssize_t
    if memchr(href + path, 0x25, query_end - path) != cython.NULL:
        return -1
    if has_empty_label(href + host, host_end - host):
        return -1
    to: cython.Py_ssize_t = _write_host(href, host, host_end, out)
    memcpy(out + to, href + host_end, path - host_end)  # the port
    to += path - host_end
    out[to] = 0x29
    to += 1
    start: cython.Py_ssize_t = to
    to = _write_lowercase(href, path, path_end, out, to)
    for at in range(start, to - 1):
        if out[at] == 0x2F and out[at + 1] == 0x2F:
            return -1
    if _contains(out + start, to - start, b".aspx", 5):
        return -1
    while to - start > 1 and out[to - 1] == 0x2F:
        to -= 1
    if query_end - path_end > 1:
        out[to] = 0x3F
        start = to + 1
        to = _write_lowercase(href, path_end + 1, query_end, out, start)
        if not _sorts_pairs(out + start, to - start):
            return -1
    return to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_host(
    href: cython.p_const_uchar,
    host: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Write the labels of a host from the last one on, without "www." and its digits."""
    to: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    if end - host > 3 and memcmp(href + host, b"www", 3) == 0:
        at = host + 3
        while at < end and KINDS[href[at]] & DIGIT:
            at += 1
        if at < end and href[at] == 0x2E:
            host = at + 1
    while True:
        at = host + start_of_label(href + host, end - host)
        memcpy(out + to, href + at, end - at)
        to += end - at
        if at == host:
            return to
        out[to] = 0x2C
        to += 1
        end = at - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_lowercase(
    href: cython.p_const_uchar,
    at: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.p_uchar,
    to: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    while at < end:
        out[to] = href[at] | 0x20 if KINDS[href[at]] & CAPITAL else href[at]
        at += 1
        to += 1
    return to


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _contains(
    text: cython.p_const_uchar,
    size: cython.Py_ssize_t,
    wanted: cython.p_const_char,
    length: cython.Py_ssize_t,
) -> cython.bint:
    at: cython.Py_ssize_t
    for at in range(size - length + 1):
        if text[at] == wanted[0] and memcmp(text + at, wanted, length) == 0:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sorts_pairs(query: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Sort the pairs of a query in lowercase; False if it may have a session id, or too many."""
    sorted_pairs: cython.uchar[MOST_BYTES_OF_SURT]
    pairs: Pair[MOST_PAIRS_OF_SURT]
    new: Pair
    count: cython.int = 0
    place: cython.int
    at: cython.p_uchar = query
    if (
        _contains(query, size, b"sid=", 4)
        or _contains(query, size, b"sessionid", 9)
        or _contains(query, size, b"cfid=", 5)
    ):
        return False
    if memchr(query, 0x26, size) == cython.NULL:
        return True
    if size > MOST_BYTES_OF_SURT:
        return False
    while at <= query + size:
        if count == MOST_PAIRS_OF_SURT:
            return False
        at = _read_pair(at, query + size, cython.address(new)) + 1
        place = count
        while place and _is_after(cython.address(pairs[place - 1]), cython.address(new)):
            pairs[place] = pairs[place - 1]
            place -= 1
        pairs[place] = new
        count += 1
    size = 0
    for place in range(count):
        if place:
            sorted_pairs[size] = 0x26
            size += 1
        memcpy(sorted_pairs + size, pairs[place].start, pairs[place].end - pairs[place].start)
        size += pairs[place].end - pairs[place].start
    memcpy(query, sorted_pairs, size)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_pair(at: cython.p_uchar, end: cython.p_uchar, pair: PPair) -> cython.p_uchar:
    """Read a pair and return where it ends."""
    pair.start = at
    pair.name_end = cython.NULL
    while at < end and at[0] != 0x26:
        if at[0] == 0x3D and pair.name_end == cython.NULL:
            pair.name_end = at
        at += 1
    pair.end = at
    pair.value = at if pair.name_end == cython.NULL else pair.name_end + 1
    if pair.name_end == cython.NULL:
        pair.name_end = at
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_after(pair: PPair, other: PPair) -> cython.bint:
    """Return whether a pair comes after another one, by its name and then by its value."""
    order: cython.int = _order(pair.start, pair.name_end, other.start, other.name_end)
    if order == 0:
        order = _order(pair.value, pair.end, other.value, other.end)
    return order > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _order(
    a: cython.p_uchar, a_end: cython.p_uchar, b: cython.p_uchar, b_end: cython.p_uchar
) -> cython.int:
    order: cython.int = memcmp(a, b, min(a_end - a, b_end - b))
    if order:
        return order
    return (a_end - a > b_end - b) - (a_end - a < b_end - b)

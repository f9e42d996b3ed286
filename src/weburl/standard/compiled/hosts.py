"""The host: a domain, an IPv4 or IPv6 address, or an opaque host."""

import cython
from cython.cimports.cpython.mem import PyMem_RawFree, PyMem_RawMalloc
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.standard.compiled.failures import (
    DOMAIN_TO_ASCII,
    HOST_INVALID_CODE_POINT,
    HOST_MISSING,
    IPV6_UNCLOSED,
    UNNAMED,
)
from cython.cimports.weburl.standard.compiled.idn import ToASCII, host_to_ascii
from cython.cimports.weburl.standard.compiled.ipv4 import (
    ends_in_a_number,
    failure_of_ipv4,
    parse_ipv4,
    serialize_ipv4,
)
from cython.cimports.weburl.standard.compiled.ipv6 import parse_ipv6, serialize_ipv6
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.utf_8 import is_utf_8

# Python fills the pages of code points that all threads share, so the GIL is their lock.
# `_put_in_ascii` checks that the thread holds it, which Cython cannot see.
_to_ascii = cython.declare(ToASCII, cython.cast(ToASCII, host_to_ascii))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_host(s: PScan) -> cython.int:
    """Read the host of a URL with a special scheme. It must not be empty.

    Spec: #concept-host-parser
    """
    start: cython.Py_ssize_t = s.at
    s.host = s.out
    if s.at < s.n and s.src[s.at] == 0x5B:
        return _scan_ipv6(s)
    while True:
        take_run(s, IN_DOMAIN)
        if s.at == s.n or s.src[s.at] == 0x3A or ends_segment(s, s.at):
            break
        c: cython.uchar = s.src[s.at]
        if KINDS[c] & CAPITAL:
            write(s)
            while s.at < s.n and KINDS[s.src[s.at]] & CAPITAL:
                put(s, s.src[s.at] | 0x20)
                s.at += 1
        elif c == 0x25 or c >= 0x80:
            status: cython.int = _scan_domain_to_ascii(s, start)
            if status != DONE:
                return status
        elif KINDS[c] & TAB_OR_NEWLINE:
            return DIRTY
        else:
            return failed(s, DOMAIN_TO_ASCII) if _stays_forbidden(s) else DECLINED
    if s.out == s.host:
        return failed(s, HOST_MISSING) if s.at == start else DECLINED
    s.host_end = s.out
    s.host_kind = DOMAIN
    # Most domains end in a label that starts with a letter.
    data: cython.p_uchar = output(s)
    end: cython.Py_ssize_t = s.out - 1 if data[s.out - 1] == 0x2E else s.out
    while end > s.host and data[end - 1] != 0x2E:
        end -= 1
    if KINDS[data[end]] & DIGIT and ends_in_a_number(data + s.host, s.out - s.host):
        return _scan_ipv4(s)
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _stays_forbidden(s: PScan) -> cython.bint:
    """Return whether the code point at which a domain was left makes it fail, whatever follows.

    Mapping may change it if there are other code points than ASCII ones, and after a bracket a
    colon does not end the host.
    """
    at: cython.Py_ssize_t = s.at
    while at < s.n and s.src[at] != 0x3A and not ends_segment(s, at):
        if s.src[at] >= 0x80 or s.src[at] == 0x25 or s.src[at] == 0x5B:
            return False
        at += 1
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_ipv4(s: PScan) -> cython.int:
    """Parse the host that was read as an IPv4 address."""
    text: cython.uchar[16]
    data: cython.p_uchar = output(s) + s.host
    if not parse_ipv4(data, s.out - s.host, cython.address(s.ipv4)):
        return failed(s, failure_of_ipv4(data, s.out - s.host))
    size: cython.int = serialize_ipv4(s.ipv4, text)
    if size != s.out - s.host or memcmp(text, data, size) != 0:
        write(s)
        memcpy(s.dst + s.host, text, size)
        s.out = s.host_end = s.host + size
    s.host_kind = IPV4
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_ipv6(s: PScan) -> cython.int:
    """Read an IPv6 address in its brackets."""
    text: cython.uchar[48]
    end: cython.Py_ssize_t = s.at + 1
    while end < s.n and (HEX_VALUES[s.src[end]] >= 0 or s.src[end] == 0x3A or s.src[end] == 0x2E):
        end += 1
    if ends_segment(s, end):
        return failed(s, IPV6_UNCLOSED)
    if s.src[end] != 0x5D:
        return DIRTY if KINDS[s.src[end]] & TAB_OR_NEWLINE else failed(s, UNNAMED)
    if not parse_ipv6(s.src + s.at + 1, end - s.at - 1, s.ipv6):
        return failed(s, UNNAMED)
    text[0] = 0x5B
    size: cython.int = 1 + serialize_ipv6(s.ipv6, text + 1)
    text[size] = 0x5D
    size += 1
    if not s.writing and (size != end + 1 - s.at or memcmp(text, s.src + s.at, size) != 0):
        write(s)
    if s.writing:
        memcpy(s.dst + s.out, text, size)
    s.out += size
    s.at = end + 1
    s.host_end = s.out
    s.host_kind = IPV6
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_domain_to_ascii(s: PScan, start: cython.Py_ssize_t) -> cython.int:
    """Read a domain from its start to its end, if it is percent-encoded or not ASCII.

    Spec: #concept-domain-to-ascii
    """
    end: cython.Py_ssize_t = start
    has_percent_sign: cython.bint = False
    status: cython.int
    while end < s.n and s.src[end] != 0x3A and not ends_segment(s, end):
        kind: cython.int = KINDS[s.src[end]]
        if s.src[end] == 0x25:
            has_percent_sign = True
        elif s.src[end] < 0x80 and not kind & (IN_DOMAIN | CAPITAL):
            return DIRTY if kind & TAB_OR_NEWLINE else DECLINED
        end += 1
    s.out = s.host
    write(s)
    if has_percent_sign:
        status = _put_decoded(s, s.src + start, end - start, s.n - end)
    else:
        status = _put_in_ascii(s, s.src + start, end - start, s.n - end)
    s.at = end
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _put_decoded(
    s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t, after: cython.Py_ssize_t
) -> cython.int:
    """Percent-decode a domain and write it in ASCII."""
    decoded: cython.p_uchar = cython.cast(cython.p_uchar, PyMem_RawMalloc(size))
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    every: cython.uchar = 0
    c: cython.uchar
    if decoded == cython.NULL:
        with cython.gil:
            raise MemoryError
    try:
        while i < size:
            c = text[i]
            i += 1
            if (
                c == 0x25
                and i + 1 < size
                and HEX_VALUES[text[i]] >= 0
                and HEX_VALUES[text[i + 1]] >= 0
            ):
                c = HEX_VALUES[text[i]] << 4 | HEX_VALUES[text[i + 1]]
                i += 2
            decoded[j] = c
            every |= c
            j += 1
        if every >= 0x80:
            # Invalid UTF-8 becomes U+FFFD, which is not allowed in a domain.
            return _put_in_ascii(s, decoded, j, after) if is_utf_8(decoded, j) else DECLINED
        for i in range(j):
            c = decoded[i]
            if KINDS[c] & CAPITAL:
                c |= 0x20
            if not KINDS[c] & IN_DOMAIN:
                return failed(s, DOMAIN_TO_ASCII)
            put(s, c)
        return DONE
    finally:
        PyMem_RawFree(decoded)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _put_in_ascii(
    s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t, after: cython.Py_ssize_t
) -> cython.int:
    """Write a domain that is not ASCII, and leave room for the rest of the URL after it."""
    i: cython.Py_ssize_t
    room: cython.Py_ssize_t = s.size - s.out - 3 * after - 16
    if not s.has_gil:
        return DECLINED  # The column reader takes the GIL and retries this row.
    length: cython.Py_ssize_t = _to_ascii(text, size, s.dst + s.out, room)
    if length < 0:
        return DECLINED
    for i in range(s.out, s.out + length):
        if not KINDS[s.dst[i]] & IN_DOMAIN:
            return DECLINED  # mapping may have made a forbidden code point
    s.out += length
    return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_opaque_host(s: PScan) -> cython.int:
    """Read the host of a URL whose scheme is not special. It may be empty.

    Spec: #concept-opaque-host-parser
    """
    s.host = s.out
    if s.at < s.n and s.src[s.at] == 0x5B:
        return _scan_ipv6(s)
    while True:
        take_run(s, IN_OPAQUE_HOST)
        if s.at == s.n or s.src[s.at] == 0x3A or ends_segment(s, s.at):
            break
        c: cython.uchar = s.src[s.at]
        if KINDS[c] & TAB_OR_NEWLINE:
            return DIRTY
        if (c < 0x80 and c > 0x20 and c != 0x7F) or c == 0 or c == 0x20:
            return failed(s, HOST_INVALID_CODE_POINT)
        write(s)
        put_encoded(s, c)
        s.at += 1
    s.host_end = s.out
    s.host_kind = OPAQUE_HOST
    return DONE

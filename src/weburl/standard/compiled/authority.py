"""The part between the slashes and the path: credentials, host and port."""

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.failures import (
    HOST_MISSING,
    PORT_INVALID,
    PORT_OUT_OF_RANGE,
)
from cython.cimports.weburl.standard.compiled.hosts import scan_host, scan_opaque_host
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES

_TOO_LARGE = cython.declare(cython.int, 1 << 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_authority(s: PScan) -> cython.int:
    """Read credentials, host and port, up to the end of the authority.

    Spec: #authority-state
    """
    start: cython.Py_ssize_t = s.at
    out: cython.Py_ssize_t = s.out
    end: cython.Py_ssize_t = start
    at_sign: cython.Py_ssize_t = -1
    # Most URLs have no credentials, so try to read a host first, and look for "@" if that fails.
    status: cython.int = _scan_host_and_port(s)
    if status != DECLINED:
        return status
    while not ends_segment(s, end):
        if s.src[end] == 0x40:
            at_sign = end
        end += 1
    if at_sign < 0:
        return DECLINED
    s.at = start
    s.out = out
    s.failure = 0  # What failed was not the host.
    if not _scan_credentials(s, at_sign):
        return DIRTY
    start = s.at
    status = _scan_host_and_port(s)
    if status == DONE and s.host_kind == EMPTY_HOST:
        return failed(s, HOST_MISSING)
    return status


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_credentials(s: PScan, at_sign: cython.Py_ssize_t) -> cython.int:
    """Read username, password and the "@" after them; False if there are tabs or newlines.

    Spec: #authority-state
    """
    s.username = s.out
    if not scan_userinfo(s, at_sign, True):
        return False
    s.username_end = s.out
    if s.at < at_sign:
        if s.at + 1 == at_sign:  # an empty password
            write(s)
            s.at += 1
        else:
            take(s)
            if not scan_userinfo(s, at_sign, False):
                return False
    s.password_end = s.out
    if s.out == s.username:
        write(s)
        s.at += 1
    else:
        s.has_credentials = True
        take(s)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_userinfo(s: PScan, at_sign: cython.Py_ssize_t, is_username: cython.bint) -> cython.int:
    """Read up to the "@", or the colon after a username; False if there are tabs or newlines."""
    while True:
        take_run(s, IN_USERINFO)
        c: cython.uchar = s.src[s.at]
        if s.at == at_sign or (c == 0x3A and is_username):
            return True
        if KINDS[c] & TAB_OR_NEWLINE:
            return False
        write(s)
        put_encoded(s, c)
        s.at += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _scan_host_and_port(s: PScan) -> cython.int:
    """Read a host and a port, up to the end of the authority.

    Spec: #host-state
    """
    status: cython.int
    s.port = -1
    if s.scheme != NOT_SPECIAL:
        status = scan_host(s)
    else:
        status = scan_opaque_host(s)
    if status != DONE:
        return status
    if s.at < s.n and s.src[s.at] == 0x3A:
        if s.host_end == s.host:
            return failed(s, HOST_MISSING)
        status = scan_port(s)
        if status != DONE:
            return status
    elif s.host_end == s.host:
        s.host_kind = EMPTY_HOST
    if ends_segment(s, s.at):
        return DONE
    return DIRTY if KINDS[s.src[s.at]] & TAB_OR_NEWLINE else DECLINED


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_port(s: PScan) -> cython.int:
    """Read a colon and a port.

    Spec: #port-state
    """
    first: cython.Py_ssize_t = s.at + 1
    end: cython.Py_ssize_t = first
    port: cython.int = 0
    while end < s.n and KINDS[s.src[end]] & DIGIT:
        port = min(port * 10 + (s.src[end] - 0x30), _TOO_LARGE)
        end += 1
    if end < s.n and not ends_segment(s, end):
        return DIRTY if KINDS[s.src[end]] & TAB_OR_NEWLINE else failed(s, PORT_INVALID)
    if port >= _TOO_LARGE:
        return failed(s, PORT_OUT_OF_RANGE)
    if end == first or port == SCHEMES[s.scheme].default_port:
        write(s)
        s.at = end
        return DONE
    s.port = port
    if s.src[first] == 0x30 and end > first + 1:
        write(s)  # without leading zeros
        while s.src[first] == 0x30 and first + 1 < end:
            first += 1
    if s.writing:
        put(s, 0x3A)
        memcpy(s.dst + s.out, s.src + first, end - first)
        s.out += end - first
    else:
        s.out += end - s.at
    s.at = end
    return DONE

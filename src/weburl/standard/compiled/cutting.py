"""Cuts parts from a URL that was read, and puts them into sinks that have room for them."""

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.scan import (
    DOMAIN,
    EMPTY_HOST,
    NO_HOST,
    PScan,
    output,
)
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES
from cython.cimports.weburl.standard.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.suffixes import PTable, registrable_domain


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut(sink: PSink, row: cython.Py_ssize_t, s: PScan) -> cython.void:  # noqa: C901, PLR0915  # one pass over the href
    """Put the part that the sink is for."""
    what: cython.int = sink.what
    data: cython.p_uchar = output(s)
    first: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = -1  # negative for null
    if what == HREF:
        end = s.out
    elif what == HOST:
        if s.host_kind == EMPTY_HOST:
            end = 0
        elif s.host_kind != NO_HOST:
            first, end = s.host, s.host_end
    elif what == DOMAIN_ALONE:
        if s.host_kind == DOMAIN:
            first, end = s.host, s.host_end
    elif what == PATH:
        first, end = s.path, s.path_end
    elif what == QUERY:
        if s.query_end > s.path_end:
            first, end = s.path_end + 1, s.query_end
    elif what == FRAGMENT:
        if s.out > s.query_end:
            first, end = s.query_end + 1, s.out
    elif what == SCHEME:
        end = s.scheme_end
    elif what == USERNAME:
        end = 0
        if s.has_credentials:
            first, end = s.username, s.username_end
    elif what == PASSWORD:
        end = 0
        if s.has_credentials and s.password_end > s.username_end:
            first, end = s.username_end + 1, s.password_end
    elif what == PORT:
        if s.port >= 0:
            put_number(sink, row, s.port)
            return
    elif what == HOST_KIND:
        if s.host_kind != NO_HOST:
            # `columns.kernels` names the kinds in this order: domain, IPv4, IPv6, opaque, empty.
            put_number(sink, row, 4 if s.host_kind == EMPTY_HOST else s.host_kind - DOMAIN)
            return
    elif what == REGISTRABLE:
        if s.host_kind == DOMAIN:
            first = registrable_domain(
                cython.cast(PTable, sink.table), data + s.host, s.host_end - s.host
            )
            if first >= 0:
                first += s.host
                end = s.host_end
    elif what == SITE_OF and s.host_kind == DOMAIN and SCHEMES[s.scheme].has_tuple_origin:
        first = registrable_domain(
            cython.cast(PTable, sink.table), data + s.host, s.host_end - s.host
        )
        first = s.host + max(first, 0)
        end = s.host_end
        memcpy(sink.data + sink.used, data, s.scheme_end + 3)
        sink.used += s.scheme_end + 3
    else:
        _cut_origin(sink, row, s)
        return
    if end < 0:
        put_null(sink, row)
    else:
        put(sink, row, data + first, end - first)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _cut_origin(sink: PSink, row: cython.Py_ssize_t, s: PScan) -> cython.void:
    """Put the origin of the URL that was read, or the origin without its port.

    Spec: #concept-url-origin
    """
    data: cython.p_uchar = output(s)
    end: cython.Py_ssize_t = s.path if sink.what == ORIGIN else s.host_end
    size: cython.Py_ssize_t = s.scheme_end + 3
    if not SCHEMES[s.scheme].has_tuple_origin:
        put(sink, row, b"null", 4)
    elif s.host == size:  # no credentials
        put(sink, row, data, end)
    else:
        memcpy(sink.data + sink.used, data, size)
        sink.used += size
        put(sink, row, data + s.host, end - s.host)

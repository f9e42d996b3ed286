"""Cuts parts from a URL that was read, and puts them into sinks that have room for them."""

import cython
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.columns.compiled.plain import PPlain
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.scan import (
    DOMAIN,
    EMPTY_HOST,
    NO_HOST,
    PScan,
    output,
)
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES
from cython.cimports.weburl.standard.compiled.suffixes import registrable_domain, suffix_start


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
            first = registrable_domain(sink.suffixes, data + s.host, s.host_end - s.host)
            if first >= 0:
                first += s.host
                end = s.host_end
    elif what == SITE_OF and s.host_kind == DOMAIN and SCHEMES[s.scheme].has_tuple_origin:
        first = registrable_domain(sink.suffixes, data + s.host, s.host_end - s.host)
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


# --- plain rows ----------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_plain(  # noqa: C901, PLR0915  # one pass over the part
    sink: PSink, row: cython.Py_ssize_t, block: PPlain, count: cython.int
) -> cython.void:
    """Put the part that the sink is for, of as many plain rows as ``count`` from ``row`` on.

    For all these rows, there must be room for their text, a slash for each, and SLACK_OF_ROWS.
    """
    what: cython.int = sink.what
    at: cython.int
    if what == HREF:
        _copy_plain(sink, row, block, count)
        return
    for at in range(count):
        plain: PPlain = block + at
        first: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = -1  # negative for null
        if what == HOST or what == DOMAIN_ALONE:
            first, end = plain.host, plain.host_end
        elif what == PATH:
            if plain.path == plain.path_end:
                put(sink, row, b"/", 1)
                row += 1
                continue
            first, end = plain.path, plain.path_end
        elif what == QUERY:
            if plain.query_end > plain.path_end:
                first, end = plain.path_end + 1, plain.query_end
        elif what == FRAGMENT:
            if plain.size > plain.query_end:
                first, end = plain.query_end + 1, plain.size
        elif what == SCHEME:
            end = plain.host - 3
        elif what == USERNAME or what == PASSWORD:
            end = 0
        elif what == ORIGIN:
            end = plain.path
        elif what == REGISTRABLE:
            first = _registrable_of_plain(sink, plain)
            if first >= 0:
                end = plain.host_end
        elif what == SITE_OF:
            first = _registrable_of_plain(sink, plain)
            if first > plain.host:
                memcpy(sink.data + sink.used, plain.text, 8)
                sink.used += plain.host
            else:
                first = 0
            end = plain.host_end
        else:
            if what == HOST_KIND:
                put_number(sink, row, 0)  # a domain, as in `cut`
            elif plain.port >= 0:
                put_number(sink, row, plain.port)
            else:
                sink.nulls += 1
            row += 1
            continue
        if end < 0:
            put_null(sink, row)
        else:
            put_plain(sink, row, plain.text + first, end - first)
        row += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _registrable_of_plain(sink: PSink, plain: PPlain) -> cython.Py_ssize_t:
    """Return where the registrable domain of a plain row starts; -1 if it has none."""
    if plain.has_empty_label:
        return -1
    start: cython.Py_ssize_t = suffix_start(
        sink.suffixes, plain.text + plain.host, plain.host_end - plain.host, 0, plain.host
    )
    return start if start < 0 else plain.host + start


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _copy_plain(
    sink: PSink, row: cython.Py_ssize_t, block: PPlain, count: cython.int
) -> cython.void:
    """Put the hrefs of plain rows: their own text, with a slash in place of an empty path.

    Rows lie one after the other, so rows that have a path are copied together.
    """
    first: cython.int = 0
    while first < count:
        end: cython.int = first
        used: cython.Py_ssize_t = sink.used
        while end < count and block[end].path < block[end].path_end:
            used += block[end].size
            end_row_at(sink, row + end, used)
            end += 1
        memcpy(sink.data + sink.used, block[first].text, used - sink.used)
        sink.used = used
        if end < count:
            plain: PPlain = block + end
            memcpy(sink.data + used, plain.text, plain.path)
            sink.data[used + plain.path] = 0x2F
            size: cython.Py_ssize_t = plain.size - plain.path
            memcpy(sink.data + used + plain.path + 1, plain.text + plain.path, size)
            sink.used += plain.size + 1
            end_row(sink, row + end)
        first = end + 1
    set_bits(sink.validity, row, row + count)

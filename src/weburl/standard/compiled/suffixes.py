"""Registrable domains and public suffixes, by a table of the names in a list.

A domain is read from its end, and looked up at each dot for as long as the list has longer names
with the same end. Nothing here knows pyarrow, because a column is just its buffers.

Spec: https://github.com/publicsuffix/list/wiki/Format#algorithm
"""

import cython
from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
from cython.cimports.libc.string import memchr, memcpy
from cython.cimports.weburl.standard.compiled.quick import Name, suffix_after_dot, suffix_put
from cython.cimports.weburl.standard.compiled.rows import (
    PRows,
    Rows,
    find_row,
    is_null,
    open_rows,
    outside,
)
from cython.cimports.weburl.standard.compiled.sinks import (
    HOST,
    PSink,
    Sink,
    closed,
    make_room,
    open_sinks,
    put,
    put_null,
)
from cython.cimports.weburl.standard.compiled.slots import (
    bytes_data,
    data_of_ascii,
    is_ascii,
    new_ascii_text,
    size_of_ascii,
)
from cython.cimports.weburl.standard.compiled.suffixes import PName, PTable

from weburl.standard.infra import suffix_kinds

RULE = cython.declare(cython.int, suffix_kinds.RULE)
WILDCARD = cython.declare(cython.int, suffix_kinds.WILDCARD)
EXCEPTION = cython.declare(cython.int, suffix_kinds.EXCEPTION)
UNKNOWN = cython.declare(cython.int, suffix_kinds.UNKNOWN)

WHAT = {"registrable_domain": 0, "site": 1, "public_suffix": 2, "subdomain": 3}
SITE = cython.declare(cython.int, WHAT["site"])
PUBLIC_SUFFIX = cython.declare(cython.int, WHAT["public_suffix"])
SUBDOMAIN = cython.declare(cython.int, WHAT["subdomain"])


@cython.cclass
class SuffixTable:
    """The names in a list, with their kinds."""

    def __cinit__(self, kinds):
        places: cython.Py_ssize_t = 1
        # A domain is ASCII, so it can be none of the other names.
        encoded = {name.encode(): kind for name, kind in kinds.items() if name.isascii()}
        while places < 3 * len(encoded):
            places *= 2
        self.texts = b"".join(encoded)
        self.table.texts = bytes_data(self.texts)
        self.table.mask = cython.cast(cython.uint, places - 1)
        self.table.names = cython.cast(PName, PyMem_Calloc(places, cython.sizeof(Name)))
        if self.table.names == cython.NULL:
            raise MemoryError
        start: cython.Py_ssize_t = 0
        for name, kind in encoded.items():
            suffix_put(cython.address(self.table), start, len(name), kind)
            start += len(name)

    def __dealloc__(self):
        PyMem_Free(self.table.names)

    def last_labels(self, domain: str, more: cython.int) -> object:
        """Return the public suffix of a domain with one label before it, or none, or None."""
        start: cython.Py_ssize_t
        if not is_ascii(domain):
            data: bytes = domain.encode("utf-8", "surrogatepass")
            start = _after_dot(cython.address(self.table), bytes_data(data), len(data), 1 - more)
            return None if start < 0 else data[start:].decode("utf-8", "surrogatepass")
        start = _after_dot(
            cython.address(self.table), data_of_ascii(domain), size_of_ascii(domain), 1 - more
        )
        if start <= 0:
            return None if start < 0 else domain
        return new_ascii_text(data_of_ascii(domain) + start, size_of_ascii(domain) - start)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def registrable_domain(
    table: PTable, domain: cython.p_uchar, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where the registrable domain of a domain starts; -1 if it has none.

    This is `PublicSuffixList.registrable_domain`, with the same names.
    """
    return _after_dot(table, domain, size, 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _public_suffix(
    table: PTable, domain: cython.p_uchar, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where the public suffix of a domain starts; -1 if it has none.

    This is `PublicSuffixList.public_suffix`, with the same names.
    """
    return _after_dot(table, domain, size, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _after_dot(
    table: PTable, domain: cython.p_uchar, size: cython.Py_ssize_t, fewer: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where the public suffix and the label before it start, or ``fewer`` labels; or -1."""
    return suffix_after_dot(table, domain, size, fewer)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_ipv4(host: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Return whether a host is an IPv4 address: only then, its last label is a number."""
    at: cython.Py_ssize_t = size
    while at > 0 and 0x30 <= host[at - 1] <= 0x39:
        at -= 1
    return 0 < at < size and host[at - 1] == 0x2E


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_site(
    sink: PSink,
    row: cython.Py_ssize_t,
    table: PTable,
    text: cython.p_uchar,
    size: cython.Py_ssize_t,
) -> cython.void:
    """Put the site for a scheme and a host; "null" stays "null".

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#obtain-a-site
    """
    host: cython.Py_ssize_t
    start: cython.Py_ssize_t = -1
    colon: cython.p_uchar = cython.cast(cython.p_uchar, memchr(text, 0x3A, size))
    if colon == cython.NULL:
        put(sink, row, text, size)
        return
    host = colon - text + 3
    if host < size and text[host] != 0x5B and not _is_ipv4(text + host, size - host):
        start = registrable_domain(table, text + host, size - host)
    if start > 0:
        memcpy(sink.data + sink.used, text, host)
        sink.used += host
        put(sink, row, text + host + start, size - host - start)
    else:
        put(sink, row, text, size)


@cython.ccall
def registrable_column(
    table: SuffixTable,
    wanted: cython.int,
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
) -> object:
    """Find the registrable domain of each domain of a column, or something like it.

    Args: ``wanted``: one of the numbers in `WHAT`. For sites, the rows are schemes and hosts, as
    `columns.cut_column` cuts them, and otherwise domains. ``data`` and so on: as there. A null
    stays null.

    Returns: bytes, offsets, validity (None without nulls) and number of nulls.

    Raises: ValueError for buffers that do not contain all rows.
    """
    rows: Rows
    sink: Sink
    row: cython.Py_ssize_t
    open_rows(cython.address(rows), data, offsets, validity, start, length, wide)
    buffers: list = open_sinks(cython.address(sink), [HOST], length, wide)
    make_room(cython.address(sink), buffers, 1, data.shape[0])  # no row becomes longer
    with cython.nogil:
        row = _find_all(
            cython.address(rows),
            length,
            cython.address(sink),
            wanted,
            cython.address(table.table),
        )
    if row < length:
        outside()
    return closed(cython.address(sink), buffers[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_all(
    rows: PRows,
    length: cython.Py_ssize_t,
    sink: PSink,
    wanted: cython.int,
    table: PTable,
) -> cython.Py_ssize_t:
    """Put the result of each row; return the first row outside of the data, or the end."""
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    start: cython.Py_ssize_t
    for row in range(length):
        if is_null(rows, row):
            put_null(sink, row)
            continue
        size = find_row(rows, row, cython.address(text))
        if size < 0:
            return row
        if wanted == SITE:
            _put_site(sink, row, table, text, size)
            continue
        if wanted == PUBLIC_SUFFIX:
            start = _public_suffix(table, text, size)
        else:
            start = registrable_domain(table, text, size)
        if start < 0:
            put_null(sink, row)
        elif wanted == SUBDOMAIN:
            put(sink, row, text, start - 1 if start else 0)
        else:
            put(sink, row, text + start, size - start)
    return length

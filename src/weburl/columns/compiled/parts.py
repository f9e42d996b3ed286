"""Columns of text in Arrow's layout: takes buffers of UTF-8 and returns buffers.

Only rows for the general parser become Python objects. Nothing here imports pyarrow: a column
is just its buffers.

All rows are read without the GIL first. Rows for the general parser, and domains that are not
ASCII, are read again at the end with the GIL. If each of these rows took the GIL by itself, threads
would spend most of their time waiting for one another. No row takes the GIL halfway, because in an
interpreter other than the main one it might wait forever.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.columns.compiled.cutting import cut, cut_plain, most_cut
from cython.cimports.weburl.columns.compiled.loops import *
from cython.cimports.weburl.columns.compiled.plain import (
    ITSELF,
    UP_TO_PORT,
    WHOLE,
    Block,
    begin_blocks,
    read_plain,
    size_of_block,
)
from cython.cimports.weburl.columns.compiled.rows import outside, size_of_rows
from cython.cimports.weburl.columns.compiled.sinks import (
    DOMAIN_ALONE,
    FRAGMENT,
    HOST,
    HOST_KIND,
    KINDS_OF_SINKS,
    ORIGIN,
    PASSWORD,
    PATH,
    PORT,
    QUERY,
    REGISTRABLE,
    SCHEME,
    SCHEME_AND_HOST,
    SITE_OF,
    USERNAME,
    end_row_at,
    set_bits,
)
from cython.cimports.weburl.standard.compiled.hosts import scan_host
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all, scan_origin_of
from cython.cimports.weburl.standard.compiled.scan import DONE, HTTPS, NOT_SPECIAL
from cython.cimports.weburl.standard.compiled.suffixes import PTable, SuffixTable

WHAT = {
    "href": HREF,
    "scheme": SCHEME,
    "username": USERNAME,
    "password": PASSWORD,
    "host": HOST,
    "path": PATH,
    "query": QUERY,
    "fragment": FRAGMENT,
    "origin": ORIGIN,
    "scheme_and_host": SCHEME_AND_HOST,
    "domain": DOMAIN_ALONE,
    "port": PORT,
    "host_kind": HOST_KIND,
    "registrable_domain": REGISTRABLE,
    "site": SITE_OF,
}

# Bits among those of the wanted parts: bare hosts are read; a part after the port is wanted.
OF_HOSTS = cython.declare(cython.int, 1 << 30)
AFTER_PORT = cython.declare(cython.int, 1 << HREF | 1 << PATH | 1 << QUERY | 1 << FRAGMENT)


@cython.ccall
def cut_column(  # noqa: C901, PLR0915  # one pass over the rows, without a call for each
    wanted,
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    general,
    of_hosts: cython.bint = False,
    failures=None,
    suffixes: SuffixTable = None,
    unchanged: cython.Py_ssize_t = 0,
) -> object:
    """Cut parts from every URL of a column and return them as buffers.

    Args: ``wanted``: the numbers of the parts (see `WHAT`). ``data``, ``offsets``, ``validity``:
    the buffers of the column; empty validity means that no row is null. ``start``, ``length``: the
    rows to read. ``wide``: whether offsets have 64 bits. ``general``: called with a row and its
    text, None for invalid UTF-8; returns the parts that the general parser finds, or None.
    ``of_hosts``: whether the rows are bare hosts. Then only parts of the host can be wanted.
    ``failures``: a dict from rows to the names of failures, or None. ``general`` is not called for
    a row whose failure is certain, which is recorded there. ``suffixes``: for registrable domains
    and sites. ``unchanged``: how many of the first rows `unchanged_rows` has found. Then only hrefs
    can be wanted.

    Returns: for each part, its bytes, offsets, validity (None without nulls) and number of nulls;
    then one bit for each row that is a URL; then the number of rows that are not.

    Raises: ValueError for too many parts, or for buffers that do not contain all rows.
    """
    s: Scan
    texts: Rows
    stack: cython.uchar[STACK]
    sinks: Sink[KINDS_OF_SINKS]
    others: Sink[KINDS_OF_SINKS]
    rows: object = bytearray((length + 7) >> 3)
    bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(rows))
    count: cython.int = len(wanted)
    i: cython.int
    text: cython.p_uchar = cython.NULL
    at: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t
    more: cython.Py_ssize_t = 0
    nulls: cython.Py_ssize_t = 0
    wants: cython.int = 0
    if count > KINDS_OF_SINKS:
        raise ValueError("too many parts")
    for i in range(count):
        wants |= 1 << cython.cast(cython.int, wanted[i])
    if of_hosts:
        if wants & ~(1 << HOST | 1 << DOMAIN_ALONE | 1 << HOST_KIND):
            raise ValueError("a bare host has no other parts")
        wants |= OF_HOSTS
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    table: PTable = cython.NULL if suffixes is None else cython.address(suffixes.table)
    # Few parts are longer than their row.
    most: cython.Py_ssize_t = size_of_rows(cython.address(texts), length) + 4096
    buffers: list = open_sinks(sinks, wanted, length, wide, most, table)
    if unchanged:
        _copy_unchanged(cython.address(texts), unchanged, sinks)
        set_bits(bits, 0, unchanged)
        row = unchanged
    while row < length:
        with cython.nogil:
            row = _cut_rows(
                cython.address(texts), row, length, sinks, count, wants, bits, cython.address(more)
            )
        if row < length:
            make_room(sinks, buffers, count, more)
    left: list = []
    for row in range(length):
        if is_null(cython.address(texts), row):
            nulls += 1
        elif not bits[row >> 3] >> (row & 7) & 1:
            left.append(row)
    if left:
        buffers_of_others: list = open_sinks(others, wanted, len(left), wide, 0, table)
        for at in range(len(left)):
            row = left[at]
            size = require_row(cython.address(texts), row, cython.address(text))
            begin(cython.address(s), text, size, stack)
            try:
                if _reads(cython.address(s), text, size, wants):
                    make_room(others, buffers_of_others, count, most_cut(cython.address(s)))
                    bits[row >> 3] |= 1 << (row & 7)
                    for i in range(count):
                        cut(cython.address(others[i]), at, cython.address(s))
                elif put_told(
                    told(general, failures, row, s.failure, text, size),
                    others,
                    buffers_of_others,
                    count,
                    at,
                ):
                    bits[row >> 3] |= 1 << (row & 7)
                else:
                    nulls += 1
            finally:
                free_buffers(cython.address(s))
        insert(sinks, buffers, others, count, left, length)
    return (
        [closed(cython.address(sinks[i]), buffers[i]) for i in range(count)],
        rows,
        nulls,
    )


@cython.ccall
def unchanged_rows(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
) -> object:
    """Return how many rows at the start of a column are certain to be their own hrefs.

    Args: as `cut_column`. Raises ValueError for buffers that do not contain all rows.
    """
    texts: Rows
    block: Block
    row: cython.Py_ssize_t = 0
    count: cython.int = 1
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    with cython.nogil:
        begin_blocks(cython.address(block))
        while count:
            count = read_plain(cython.address(texts), row, length, ITSELF, cython.address(block))
            row += count
    return row


@cython.ccall
def parsable_rows(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    general,
    failures=None,
) -> object:
    """Find out which rows of a column are URLs.

    Args: as `cut_column`; ``general`` returns whether the general parser takes the text.

    Returns: one bit for each row that parses; one bit for each row that is not null, or None if no
    row is null; and the number of nulls.

    Raises: ValueError for buffers that do not contain all rows.
    """
    s: Scan
    texts: Rows
    stack: cython.uchar[STACK]
    answers: object = bytearray((length + 7) >> 3)
    there: object = bytearray((length + 7) >> 3)
    answer_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(answers))
    there_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(there))
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    nulls: cython.Py_ssize_t = 0
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    with cython.nogil:
        nulls = _parse_rows(cython.address(texts), length, answer_bits, there_bits)
    for row in range(length):
        if (there_bits[row >> 3] & ~answer_bits[row >> 3]) >> (row & 7) & 1 == 0:
            continue
        size = require_row(cython.address(texts), row, cython.address(text))
        begin(cython.address(s), text, size, stack)
        try:
            if _parses(cython.address(s), text, size) or told(
                general, failures, row, s.failure, text, size
            ):
                answer_bits[row >> 3] |= 1 << (row & 7)
        finally:
            free_buffers(cython.address(s))
    return answers, there if nulls else None, nulls


@cython.cfunc
@cython.exceptval(-1)
def _copy_unchanged(texts: PRows, count: cython.Py_ssize_t, sink: PSink) -> cython.int:
    """Put the first ``count`` rows. Raises ValueError for rows outside of the data."""
    row: cython.Py_ssize_t
    first: cython.Py_ssize_t = offset_at(texts, texts.start)
    sink.used = size_of_rows(texts, count)
    if first < 0 or first > texts.size - sink.used or sink.used > sink.size:
        outside()
    memcpy(sink.data, texts.data + first, sink.used)
    for row in range(count):
        end_row_at(sink, row, offset_at(texts, texts.start + row + 1) - first)
    set_bits(sink.validity, 0, count)
    return 0


# --- rows, without the GIL -----------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _cut_rows(  # noqa: PLR0915  # one loop over rows
    texts: PRows,
    row: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    sinks: PSink,
    count: cython.int,
    wants: cython.int,
    bits: cython.p_uchar,
    more: cython.pointer(cython.Py_ssize_t),
) -> cython.Py_ssize_t:
    """Cut rows from ``row`` on and set their bits; return the first row without room, or the end.

    If there is no room, ``more`` becomes the number of bytes that the row needs.
    """
    s: Scan
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    i: cython.int
    block: Block
    plain: cython.int = 0
    extent: cython.int = WHOLE if wants & AFTER_PORT else UP_TO_PORT
    begin_blocks(cython.address(block))
    while row < length:
        if not wants & OF_HOSTS:
            plain = read_plain(texts, row, length, extent, cython.address(block))
        if plain:
            more[0] = size_of_block(cython.address(block), plain)
            if not has_room(sinks, count, more[0]):
                return row
            for i in range(count):
                cut_plain(sinks + i, row, block.rows, plain)
            set_bits(bits, row, row + plain)
            row += plain
            continue
        if is_null(texts, row):
            for i in range(count):
                put_null(sinks + i, row)
            row += 1
            continue
        size = find_row(texts, row, cython.address(text))
        if size < 0:
            leave_out(sinks, count, row)
            row += 1
            continue
        begin(cython.address(s), text, size, stack)
        s.has_gil = False
        try:
            if not _reads(cython.address(s), text, size, wants):
                leave_out(sinks, count, row)
            else:
                more[0] = most_cut(cython.address(s))
                if not has_room(sinks, count, more[0]):
                    return row
                bits[row >> 3] |= 1 << (row & 7)
                for i in range(count):
                    cut(sinks + i, row, cython.address(s))
        finally:
            free_buffers(cython.address(s))
        row += 1
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _parse_rows(
    texts: PRows,
    length: cython.Py_ssize_t,
    answer_bits: cython.p_uchar,
    there_bits: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Set bits for rows that are not null and for rows that certainly parse; return the nulls."""
    s: Scan
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    nulls: cython.Py_ssize_t = 0
    block: Block
    plain: cython.int
    begin_blocks(cython.address(block))
    row = -1
    while row + 1 < length:
        row += 1
        plain = read_plain(texts, row, length, UP_TO_PORT, cython.address(block))
        if plain:
            set_bits(answer_bits, row, row + plain)
            set_bits(there_bits, row, row + plain)
            row += plain - 1
            continue
        if is_null(texts, row):
            nulls += 1
            continue
        there_bits[row >> 3] |= 1 << (row & 7)
        size = find_row(texts, row, cython.address(text))
        if size < 0:
            continue
        begin(cython.address(s), text, size, stack)
        s.has_gil = False
        try:
            if _parses(cython.address(s), text, size):
                answer_bits[row >> 3] |= 1 << (row & 7)
        finally:
            free_buffers(cython.address(s))
    return nulls


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads(
    s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t, wants: cython.int
) -> cython.bint:
    """Read a URL and return whether every wanted part can be cut from the bytes that were read."""
    if wants & OF_HOSTS:
        return _reads_host(s, text, size)
    return (
        is_text(text, size)
        and scan_all(s, cython.NULL)
        and not (wants & 1 << HREF and needs_dot(s))
        and not (wants & (1 << ORIGIN | 1 << SCHEME_AND_HOST | 1 << SITE_OF) and _is_blob(s))
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads_host(s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Read a bare host, as the host of a URL with a special scheme.

    `begin` trims spaces, which a host cannot have. The general parser decides about those.
    """
    if size == 0 or s.n != size or not is_text(text, size):
        return False
    s.scheme = HTTPS
    if scan_host(s) == DONE:
        return s.at == size
    s.failure = 0  # A colon or a slash ends no bare host, so another failure may come first.
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(-1, check=False)
def _parses(s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    return is_text(text, size) and scan_origin_of(s)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blob(s: PScan) -> cython.bint:
    """Return whether it is a blob URL, whose origin is that of the URL in its path."""
    return s.scheme == NOT_SPECIAL and s.scheme_end == 4 and memcmp(output(s), b"blob", 4) == 0

"""Keys of a column of URLs, from the bytes of their hrefs."""

import cython
from cython.cimports.weburl.columns.compiled.loops import *
from cython.cimports.weburl.columns.compiled.plain import (
    ITSELF,
    Block,
    PPlain,
    begin_blocks,
    read_plain,
    size_of_block,
)
from cython.cimports.weburl.columns.compiled.rows import size_of_rows
from cython.cimports.weburl.columns.compiled.sinks import put_written
from cython.cimports.weburl.keys.compiled.plans import KeyPlan, PPlan, write_key
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all
from cython.cimports.weburl.standard.compiled.scan import DOMAIN, begin_part
from cython.cimports.weburl.standard.compiled.suffixes import PTable, SuffixTable


@cython.ccall
def key_column(  # noqa: PLR0915  # the rows, then those that were left out
    plan: KeyPlan,
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    general,
    failures=None,
) -> object:
    """Return the keys of the URLs of a column as buffers.

    The arguments and the result are those of `columns.cut_column` for one part. ``general`` is also
    called for rows for which the steps must run.
    """
    s: Scan
    texts: Rows
    sink: Sink
    others: Sink
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    more: cython.Py_ssize_t = 0
    p: PPlan = cython.address(plan.plan)
    suffixes: SuffixTable
    table: PTable = cython.NULL
    if p.folds_www:
        suffixes = plan.suffixes()
        table = cython.address(suffixes.table)
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    most: cython.Py_ssize_t = size_of_rows(cython.address(texts), length) + 4096
    buffers: list = open_sinks(cython.address(sink), [HREF], length, wide, most)
    while row < length:
        with cython.nogil:
            row = _key_rows(
                p,
                table,
                cython.address(texts),
                row,
                length,
                cython.address(sink),
                cython.address(more),
            )
        if row < length:
            make_room(cython.address(sink), buffers, 1, more)
    left: list = [
        row
        for row in range(length)
        if not sink.validity[row >> 3] >> (row & 7) & 1 and not is_null(cython.address(texts), row)
    ]
    if left:
        buffers_of_others: list = open_sinks(cython.address(others), [HREF], len(left), wide)
        for at in range(len(left)):
            row = left[at]
            size = require_row(cython.address(texts), row, cython.address(text))
            begin(cython.address(s), text, size, stack)
            try:
                if _reads(cython.address(s), text, size):
                    make_room(cython.address(others), buffers_of_others, 1, s.out + 1)
                    size = write_key(p, table, cython.address(s), others.data + others.used)
                    if size >= 0:
                        put_written(cython.address(others), at, size)
                        continue
                    size = require_row(cython.address(texts), row, cython.address(text))
                put_told(
                    told(general, failures, row, s.failure, text, size),
                    cython.address(others),
                    buffers_of_others,
                    1,
                    at,
                )
            finally:
                free_buffers(cython.address(s))
        insert(cython.address(sink), buffers, cython.address(others), 1, left, length)
    return closed(cython.address(sink), buffers[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _key_rows(  # noqa: PLR0915  # one loop over rows
    plan: PPlan,
    table: PTable,
    texts: PRows,
    row: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    sink: PSink,
    more: cython.pointer(cython.Py_ssize_t),
) -> cython.Py_ssize_t:
    """Put the keys of rows from ``row`` on; return the first row without room, or the end.

    If there is no room, ``more`` becomes the number of bytes that the row needs.
    """
    s: Scan
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    block: Block
    count: cython.int
    i: cython.int
    begin_blocks(cython.address(block))
    while row < length:
        count = read_plain(texts, row, length, ITSELF, cython.address(block))
        if count:
            more[0] = size_of_block(cython.address(block), count)
            if not has_room(sink, 1, more[0]):
                return row
            for i in range(count):
                size = _write_plain(plan, table, block.rows + i, sink.data + sink.used)
                if size < 0:
                    leave_out(sink, 1, row)
                else:
                    put_written(sink, row, size)
                row += 1
            continue
        if is_null(texts, row):
            put_null(sink, row)
            row += 1
            continue
        size = find_row(texts, row, cython.address(text))
        if size < 0:
            leave_out(sink, 1, row)
            row += 1
            continue
        begin(cython.address(s), text, size, stack)
        s.has_gil = False
        try:
            size = -1 if not _reads(cython.address(s), text, size) else 0
            if size == 0:
                more[0] = s.out + 1
                if not has_room(sink, 1, more[0]):
                    return row
                size = write_key(plan, table, cython.address(s), sink.data + sink.used)
            if size < 0:
                leave_out(sink, 1, row)
            else:
                put_written(sink, row, size)
        finally:
            free_buffers(cython.address(s))
        row += 1
    return length


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _write_plain(
    plan: PPlan, table: PTable, plain: PPlain, out: cython.p_uchar
) -> cython.Py_ssize_t:
    """Write the key of a plain row and return its size; -1 if the steps must run."""
    s: Scan
    begin_part(cython.address(s), cython.cast(cython.p_uchar, plain.text), plain.size, cython.NULL)
    s.scheme = plain.scheme
    s.scheme_end = plain.host - 3
    s.at = s.out = plain.size
    s.host_kind = DOMAIN
    s.host = plain.host
    s.host_end = plain.host_end
    s.port = plain.port
    s.path = plain.path
    s.path_end = plain.path_end
    s.query_end = plain.query_end
    return write_key(plan, table, cython.address(s), out)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads(s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    return is_text(text, size) and scan_all(s, cython.NULL) and not needs_dot(s)

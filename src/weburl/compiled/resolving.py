"""A column of text resolved on a column of bases, or on one base: hrefs, from buffers to buffers.

A base is read once where rows with the same base follow one another.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.compiled.bases import Base, base_of_scan
from cython.cimports.weburl.compiled.references import needs_dot, scan_all
from cython.cimports.weburl.compiled.rows import Rows, find_row, is_null, open_rows, text_of
from cython.cimports.weburl.compiled.scan import (
    KEEPS_AUTHORITY,
    KEEPS_NOTHING,
    KEEPS_PATH,
    NO_HOST,
    STACK,
    PScan,
    Scan,
    begin,
    free_buffers,
    output,
)
from cython.cimports.weburl.compiled.sinks import (
    HREF,
    PSink,
    Sink,
    closed,
    grow,
    open_sink,
    put,
    put_null,
    put_told,
)
from cython.cimports.weburl.compiled.utf_8 import is_ascii_bytes, is_utf_8


@cython.ccall
def resolve_column(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    bases,
    general,
) -> object:
    """Return the hrefs of URLs on their bases, as buffers; ``general`` tells what is declined.

    ``bases``: the buffers of a column as long, or of one row for all. What comes back is what
    `columns.cut_column` gives for an href.
    """
    s: Scan
    of_base: Scan
    base: Base
    texts: Rows
    base_texts: Rows
    sink: Sink
    stack: cython.uchar[STACK]
    stack_of_base: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    base_text: cython.p_uchar = cython.NULL
    last_text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    base_size: cython.Py_ssize_t
    last_size: cython.Py_ssize_t = -1
    row: cython.Py_ssize_t
    of_row: cython.Py_ssize_t
    is_base: cython.bint = False
    buffers: list
    open_rows(cython.address(texts), data, offsets, validity, start, length, wide)
    base_data, base_offsets, base_validity, base_start, base_length, base_wide = bases
    open_rows(
        cython.address(base_texts),
        base_data,
        base_offsets,
        base_validity,
        base_start,
        base_length,
        base_wide,
    )
    one: cython.bint = base_length == 1
    if not one and base_length != length:
        raise ValueError("there are not as many bases as URLs")
    buffers = open_sink(cython.address(sink), HREF, length, wide)
    begin(cython.address(of_base), cython.NULL, 0, stack_of_base)
    try:
        for row in range(length):
            of_row = 0 if one else row
            if is_null(cython.address(texts), row) or is_null(cython.address(base_texts), of_row):
                put_null(cython.address(sink), row)
                continue
            size = find_row(cython.address(texts), row, cython.address(text))
            base_size = find_row(cython.address(base_texts), of_row, cython.address(base_text))
            if base_size != last_size or (
                base_text != last_text and memcmp(base_text, last_text, base_size) != 0
            ):
                free_buffers(cython.address(of_base))
                begin(cython.address(of_base), base_text, base_size, stack_of_base)
                is_base = (
                    is_utf_8(base_text, base_size)
                    and scan_all(cython.address(of_base), cython.NULL)
                    and not needs_dot(cython.address(of_base))
                )
                if is_base:
                    base_of_scan(cython.address(of_base), cython.address(base))
                last_text, last_size = base_text, base_size
            begin(cython.address(s), text, size, stack)
            try:
                if not (
                    is_base
                    and (is_ascii_bytes(text, size) or is_utf_8(text, size))
                    and scan_all(cython.address(s), cython.address(base))
                    and _put_resolved(
                        cython.address(sink),
                        buffers,
                        row,
                        cython.address(s),
                        cython.address(of_base),
                    )
                ):
                    put_told(
                        general(row, text_of(text, size)), cython.address(sink), [buffers], 1, row
                    )
            finally:
                free_buffers(cython.address(s))
    finally:
        free_buffers(cython.address(of_base))
    return closed(cython.address(sink), buffers)


@cython.cfunc
@cython.exceptval(-1)
def _put_resolved(
    sink: PSink, buffers: list, row: cython.Py_ssize_t, s: PScan, base: PScan
) -> cython.int:
    """Put what is kept of the base, and what was read behind it; False if "/." is to be between."""
    data: cython.p_uchar = output(s)
    kept: cython.Py_ssize_t
    first: cython.Py_ssize_t
    if s.kept == KEEPS_NOTHING:
        if needs_dot(s):
            return False
        put(sink, buffers, row, data, s.out)
        return True
    if s.kept == KEEPS_AUTHORITY:
        kept, first = base.path, s.path
        if (
            base.host_kind == NO_HOST
            and s.path_end - s.path > 1
            and data[s.path] == 0x2F
            and data[s.path + 1] == 0x2F
        ):
            return False
    elif s.kept == KEEPS_PATH:
        kept, first = base.path_end, s.path_end
    else:
        kept, first = base.query_end, s.query_end
    if sink.used + kept + s.out - first > sink.size:
        grow(sink, buffers, kept + s.out - first)
    memcpy(sink.data + sink.used, output(base), kept)
    sink.used += kept
    put(sink, buffers, row, data + first, s.out - first)
    return True

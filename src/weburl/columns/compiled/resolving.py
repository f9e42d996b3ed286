"""A column of text resolved on a column of bases, or on one base: hrefs, from buffers to buffers.

If consecutive rows have the same base, it is read only once. As in `columns`, rows are read without
the GIL first, and the remaining ones with it.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.columns.compiled.loops import *
from cython.cimports.weburl.columns.compiled.sinks import put
from cython.cimports.weburl.standard.compiled.bases import Base, base_of_scan
from cython.cimports.weburl.standard.compiled.references import (
    begins_with_slashes,
    needs_dot,
    scan_all,
)
from cython.cimports.weburl.standard.compiled.scan import (
    KEEPS_AUTHORITY,
    KEEPS_NOTHING,
    KEEPS_PATH,
    NO_HOST,
)

# The base that was read last, and its text.
Known = cython.struct(
    scan=Scan,
    base=Base,
    text=cython.p_uchar,
    size=cython.Py_ssize_t,
    is_base=cython.bint,
    stack=cython.uchar[STACK],
)
PKnown = cython.typedef(cython.pointer(Known))


@cython.ccall
def resolve_column(  # noqa: PLR0915  # one pass over the rows, without a call for each
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    validity: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    wide: cython.bint,
    bases,
    general,
    failures=None,
) -> object:
    """Resolve every URL of a column on its base and return the hrefs as buffers.

    Args: ``bases``: the buffers of a column of the same length, or of one row for all URLs.
    ``general``: called for rows that only the general parser can decide. The others are as in
    `columns.cut_column`.

    Returns: what `columns.cut_column` returns for hrefs.
    """
    s: Scan
    known: Known
    texts: Rows
    base_texts: Rows
    sink: Sink
    others: Sink
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    base_text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    base_size: cython.Py_ssize_t
    row: cython.Py_ssize_t = 0
    of_row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    more: cython.Py_ssize_t = 0
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
    buffers = open_sinks(cython.address(sink), [HREF], length, wide)
    known.size = -1
    begin(cython.address(known.scan), cython.NULL, 0, known.stack)
    try:
        if one and length and not is_null(cython.address(base_texts), 0):
            base_size = require_row(cython.address(base_texts), 0, cython.address(base_text))
            _reads_base(cython.address(known), base_text, base_size, True)
        while row < length:
            with cython.nogil:
                row = _resolve_rows(
                    cython.address(texts),
                    cython.address(base_texts),
                    one,
                    row,
                    length,
                    cython.address(known),
                    cython.address(sink),
                    cython.address(more),
                )
            if row < length:
                make_room(cython.address(sink), buffers, 1, more)
        left: list = []
        for row in range(length):
            if sink.validity[row >> 3] >> (row & 7) & 1:
                continue
            of_row = 0 if one else row
            if not is_null(cython.address(texts), row) and not is_null(
                cython.address(base_texts), of_row
            ):
                left.append(row)
        if left:
            buffers_of_others: list = open_sinks(cython.address(others), [HREF], len(left), wide)
            for at in range(len(left)):
                row = left[at]
                size = require_row(cython.address(texts), row, cython.address(text))
                base_size = require_row(
                    cython.address(base_texts), 0 if one else row, cython.address(base_text)
                )
                begin(cython.address(s), text, size, stack)
                try:
                    if _reads_base(cython.address(known), base_text, base_size, True) and _reads(
                        cython.address(s), text, size, cython.address(known)
                    ):
                        more = known.scan.out + s.out
                        make_room(cython.address(others), buffers_of_others, 1, more)
                        _put_resolved(
                            cython.address(others),
                            at,
                            cython.address(s),
                            cython.address(known.scan),
                        )
                    else:
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
    finally:
        free_buffers(cython.address(known.scan))
    return closed(cython.address(sink), buffers[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _resolve_rows(
    texts: PRows,
    base_texts: PRows,
    one: cython.bint,
    row: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    known: PKnown,
    sink: PSink,
    more: cython.pointer(cython.Py_ssize_t),
) -> cython.Py_ssize_t:
    """Resolve rows from ``row`` on; return the first row without room, or the end.

    If there is no room, ``more`` becomes the number of bytes that the row needs. Rows that cannot
    be resolved here are left out, to be inserted later.
    """
    s: Scan
    stack: cython.uchar[STACK]
    text: cython.p_uchar = cython.NULL
    base_text: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    base_size: cython.Py_ssize_t
    of_row: cython.Py_ssize_t
    while row < length:
        of_row = 0 if one else row
        if is_null(texts, row) or is_null(base_texts, of_row):
            put_null(sink, row)
            row += 1
            continue
        size = find_row(texts, row, cython.address(text))
        base_size = find_row(base_texts, of_row, cython.address(base_text))
        if size < 0 or base_size < 0 or not _reads_base(known, base_text, base_size, False):
            leave_out(sink, 1, row)
            row += 1
            continue
        begin(cython.address(s), text, size, stack)
        s.has_gil = False
        try:
            if not _reads(cython.address(s), text, size, known):
                leave_out(sink, 1, row)
            else:
                more[0] = known.scan.out + s.out
                if not has_room(sink, 1, more[0]):
                    return row
                _put_resolved(sink, row, cython.address(s), cython.address(known.scan))
        finally:
            free_buffers(cython.address(s))
        row += 1
    return length


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads_base(
    known: PKnown, text: cython.p_uchar, size: cython.Py_ssize_t, has_gil: cython.bint
) -> cython.bint:
    """Read a base, unless it was read last, and return whether it is a URL."""
    s: PScan = cython.address(known.scan)
    if (
        size == known.size
        and (text == known.text or memcmp(text, known.text, size) == 0)
        # A base that fails without the GIL may succeed with it.
        and (known.is_base or s.has_gil or not has_gil)
    ):
        return known.is_base
    free_buffers(s)
    begin(s, text, size, known.stack)
    s.has_gil = has_gil
    known.text = text
    known.size = size
    known.is_base = is_text(text, size) and scan_all(s, cython.NULL) and not needs_dot(s)
    if known.is_base:
        base_of_scan(s, cython.address(known.base))
    return known.is_base


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads(s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t, known: PKnown) -> cython.bint:
    """Read a URL on its base and return whether the href can be put together."""
    return (
        is_text(text, size)
        and scan_all(s, cython.address(known.base))
        and not _needs_dot_on_base(s, cython.address(known.scan))
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _needs_dot_on_base(s: PScan, base: PScan) -> cython.bint:
    """Return whether "/." must go between the part kept of the base and the part that was read."""
    if s.kept == KEEPS_NOTHING:
        return needs_dot(s)
    return s.kept == KEEPS_AUTHORITY and base.host_kind == NO_HOST and begins_with_slashes(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_resolved(sink: PSink, row: cython.Py_ssize_t, s: PScan, base: PScan) -> cython.void:
    """Put the part kept of the base, and after it the part that was read."""
    data: cython.p_uchar = output(s)
    kept: cython.Py_ssize_t
    first: cython.Py_ssize_t
    if s.kept == KEEPS_NOTHING:
        kept, first = 0, 0
    elif s.kept == KEEPS_AUTHORITY:
        kept, first = base.path, s.path
    elif s.kept == KEEPS_PATH:
        kept, first = base.path_end, s.path_end
    else:
        kept, first = base.query_end, s.query_end
    memcpy(sink.data + sink.used, output(base), kept)
    sink.used += kept
    put(sink, row, data + first, s.out - first)

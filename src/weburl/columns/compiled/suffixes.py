"""Registrable domains and public suffixes of a column of domains."""

import cython
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.suffixes import (
    PTable,
    SuffixTable,
    public_suffix,
    registrable_domain,
)

WHAT = {"registrable_domain": 0, "public_suffix": 1, "subdomain": 2}
PUBLIC_SUFFIX = cython.declare(cython.int, WHAT["public_suffix"])
SUBDOMAIN = cython.declare(cython.int, WHAT["subdomain"])


@cython.ccall
def registrable_column(table: SuffixTable, wanted: cython.int, column: tuple) -> object:
    """Find the registrable domain of each domain of a column, or something like it.

    Args: ``wanted``: one of the numbers in `WHAT`. ``column``: as in `open_rows`. A null stays
    null.

    Returns: bytes, offsets, validity (None without nulls) and number of nulls.

    Raises: ValueError for buffers that do not contain all rows.
    """
    rows: Rows
    sink: Sink
    row: cython.Py_ssize_t
    open_rows(cython.address(rows), column)
    # No row becomes longer.
    buffers: list = open_sinks(cython.address(sink), [HOST], rows.length, rows.wide, rows.size)
    with cython.nogil:
        row = _find_all(
            cython.address(rows), cython.address(sink), wanted, cython.address(table.table)
        )
    if row < rows.length:
        outside()
    return closed(cython.address(sink), buffers[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _find_all(
    rows: PRows,
    sink: PSink,
    wanted: cython.int,
    table: PTable,
) -> cython.Py_ssize_t:
    """Put the result of each row; return the first row outside of the data, or the end."""
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    start: cython.Py_ssize_t
    for row in range(rows.length):
        if is_null(rows, row):
            put_null(sink, row)
            continue
        size: cython.Py_ssize_t = find_row(rows, row, cython.address(text))
        if size < 0:
            return row
        if wanted == PUBLIC_SUFFIX:
            start = public_suffix(table, text, size)
        else:
            start = registrable_domain(table, text, size)
        if start < 0:
            put_null(sink, row)
        elif wanted == SUBDOMAIN:
            put(sink, row, text, start - 1 if start else 0)
        else:
            put(sink, row, text + start, size - start)
    return rows.length

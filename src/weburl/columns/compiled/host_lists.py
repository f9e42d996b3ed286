"""Whether the hosts of a column are in a list of hosts."""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.policies.compiled.host_lists import (
    PTable,
    Table,
    is_listed,
    open_table,
)


@cython.ccall
def listed_rows(
    names: cython.const[cython.uchar][::1],
    ends: cython.const[cython.uint][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.const[cython.uint][::1],
    shift: cython.int,
    longest: cython.Py_ssize_t,
    column: tuple,
) -> object:
    """Find out which rows of a column are in a list.

    Args: ``names`` to ``shift``: the `NameTable`. ``longest``: how long its names can be.
    ``column``: the canonical hosts, as in `parts.cut_column`.

    Returns: one bit for each row that is in the list, and one for each that has another spelling,
    so that the bytes alone do not answer: an IPv6 address, or a dot at an end.

    Raises: ValueError for buffers that do not contain all rows, or a table without its parts.
    """
    rows: Rows
    table: Table
    row: cython.Py_ssize_t
    open_rows(cython.address(rows), column)
    listed: object = bytearray((rows.length + 7) >> 3)
    asked: object = bytearray((rows.length + 7) >> 3)
    listed_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(listed))
    asked_bits: cython.p_uchar = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(asked))
    if not open_table(cython.address(table), names, ends, kinds, starts, shift, longest):
        return listed, asked
    with cython.nogil:
        row = _look_up(cython.address(rows), cython.address(table), listed_bits, asked_bits)
    if row < rows.length:
        outside()
    return listed, asked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _look_up(
    rows: PRows,
    table: PTable,
    listed_bits: cython.p_uchar,
    asked_bits: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Set the bits of each row; return the first row outside of the data, or the end."""
    host: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    for row in range(rows.length):
        if is_null(rows, row):
            continue
        size: cython.Py_ssize_t = find_row(rows, row, cython.address(host))
        if size < 0:
            return row
        if size == 0:
            continue
        if host[0] == 0x5B or host[0] == 0x2E or host[size - 1] == 0x2E:
            asked_bits[row >> 3] |= 1 << (row & 7)
        elif is_listed(table, host, size):
            listed_bits[row >> 3] |= 1 << (row & 7)
    return rows.length

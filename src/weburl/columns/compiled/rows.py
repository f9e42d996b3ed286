"""The rows of a column of text, in Arrow's buffers. The code for each row is in `rows.pxd`."""

import cython
from cython.cimports.weburl.columns.compiled.rows import PRows, offset_at


@cython.cfunc
@cython.exceptval(-1)
def open_rows(rows: PRows, column: object) -> cython.int:
    """Prepare to read the rows of a column.

    ``column``: its bytes, offsets and validity, which is empty if no row is null; the first row,
    how many there are, and whether offsets have 64 bits. It must live as long as ``rows``.

    Raises ValueError if the buffers do not contain all rows.
    """
    data: cython.const[cython.uchar][::1]
    offsets: cython.const[cython.uchar][::1]
    validity: cython.const[cython.uchar][::1]
    start: cython.Py_ssize_t
    length: cython.Py_ssize_t
    wide: cython.bint
    data, offsets, validity, start, length, wide = column
    size: cython.Py_ssize_t = 8 if wide else 4
    if start < 0 or length < 0 or (length and offsets.shape[0] // size <= start + length):
        raise ValueError("an array's offsets are fewer than its rows")
    if validity.shape[0] and validity.shape[0] < (start + length + 7) >> 3:
        raise ValueError("an array's bits of validity are fewer than its rows")
    if data.shape[0]:
        rows.data = cython.address(data[0])
    else:
        rows.data = b""  # C does not allow NULL even for the text of an empty row.
    rows.size = data.shape[0]
    rows.offsets = cython.address(offsets[0]) if offsets.shape[0] else cython.NULL
    rows.validity = cython.address(validity[0]) if validity.shape[0] else cython.NULL
    rows.start = start
    rows.length = length
    rows.wide = wide
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def size_of_rows(rows: PRows, length: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return how many bytes all rows have; 0 for offsets that do not fit the buffers."""
    size: cython.Py_ssize_t = 0
    if length:
        size = offset_at(rows, rows.start + length) - offset_at(rows, rows.start)
    return size if 0 <= size <= rows.size else 0


@cython.cfunc
@cython.exceptval(-1)
def outside() -> cython.int:
    """Raise ValueError for offsets that do not fit the buffers."""
    raise ValueError("an array's offsets point outside of its text")

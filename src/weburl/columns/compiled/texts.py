"""What is made of each path or query of a column, without Python objects."""

import cython
from cython.cimports.cpython.bytearray import (
    PyByteArray_AS_STRING,
    PyByteArray_FromStringAndSize,
    PyByteArray_Resize,
)
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.libc.string import memchr, memcmp, memcpy, memmove
from cython.cimports.weburl.columns.compiled.plain import SLACK_OF_ROWS
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.scan import HEX_VALUES
from cython.cimports.weburl.standard.compiled.slots import bytes_data

WHAT = {"file_extension": 0, "file_name": 1, "path_depth": 2, "search_param": 3}
FILE_EXTENSION = cython.declare(cython.int, WHAT["file_extension"])
FILE_NAME = cython.declare(cython.int, WHAT["file_name"])
PATH_DEPTH = cython.declare(cython.int, WHAT["path_depth"])


@cython.ccall
def text_column(what: cython.int, column: tuple, name: bytes = b"") -> object:
    """Make something of each string of a column, which is a path or a query, and return buffers.

    Args: ``what``: one of the numbers in `WHAT`. ``column``: as in `open_rows`. ``name``: of the
    param.

    Returns: bytes, offsets, validity (None without nulls) and number of nulls. A null stays null.

    Raises: ValueError for buffers that do not contain all rows.
    """
    texts: Rows
    sink: Sink
    row: cython.Py_ssize_t
    open_rows(cython.address(texts), column)
    wanted: list = [PORT if what == PATH_DEPTH else HREF]
    wanted_name: cython.p_const_uchar = bytes_data(name)
    name_size: cython.Py_ssize_t = PyBytes_GET_SIZE(name)
    # Nothing that is made is longer than its string.
    most: cython.Py_ssize_t = size_of_rows(cython.address(texts), texts.length) + SLACK_OF_ROWS
    buffers: list = open_sinks(cython.address(sink), wanted, texts.length, texts.wide, most)
    with cython.nogil:
        if what == PATH_DEPTH:
            row = _count_segments(cython.address(texts), cython.address(sink))
        else:
            row = _make_texts(
                what, cython.address(texts), cython.address(sink), wanted_name, name_size
            )
    if row < texts.length:
        outside()
    return closed(cython.address(sink), buffers[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_segments(texts: PRows, sink: PSink) -> cython.Py_ssize_t:
    """Put the depth of each path; return the first row outside of the data, or the end."""
    path: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for row in range(texts.length):
        if is_null(texts, row):
            put_null(sink, row)
            continue
        size: cython.Py_ssize_t = find_row(texts, row, cython.address(path))
        if size < 0:
            return row
        count: cython.int = 0
        if size and path[0] == 0x2F:
            for at in range(size):
                count += path[at] == 0x2F
            count -= path[size - 1] == 0x2F
        put_number(sink, row, count)
    return texts.length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_texts(
    what: cython.int,
    texts: PRows,
    sink: PSink,
    name: cython.p_const_uchar,
    name_size: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Put what is made of each path or query; return the first row outside of the data, or the end.

    Spec: #urlencoded-parsing
    """
    text: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    for row in range(texts.length):
        size: cython.Py_ssize_t = -1
        if not is_null(texts, row):
            size = find_row(texts, row, cython.address(text))
            if size < 0:
                return row
            out: cython.p_uchar = sink.data + sink.used
            if what == FILE_NAME:
                size = _write_name(text, size, out)
            elif what == FILE_EXTENSION:
                size = _write_extension(text, size, out)
            else:
                size = _write_param(text, size, name, name_size, out)
        if size < 0:
            put_null(sink, row)
        else:
            put_written(sink, row, size)
    return texts.length


# --- one path or query ----------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_name(
    path: cython.p_const_uchar, size: cython.Py_ssize_t, out: cython.p_uchar
) -> cython.Py_ssize_t:
    """Write the last segment, decoded, and return its size."""
    at: cython.Py_ssize_t = size
    if size == 0 or path[0] != 0x2F:
        return 0
    while path[at - 1] != 0x2F:
        at -= 1
    return _write_decoded(path + at, size - at, False, out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_extension(
    path: cython.p_const_uchar, size: cython.Py_ssize_t, out: cython.p_uchar
) -> cython.Py_ssize_t:
    """Write the end of the last segment from its last dot on, and return its size."""
    name: cython.Py_ssize_t = _write_name(path, size, out)
    dot: cython.Py_ssize_t = name - 1
    while dot > 0 and out[dot] != 0x2E:
        dot -= 1
    if dot <= 0 or dot == name - 1:
        return 0
    memmove(out, out + dot, name - dot)
    return name - dot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_param(
    query: cython.p_const_uchar,
    size: cython.Py_ssize_t,
    name: cython.p_const_uchar,
    name_size: cython.Py_ssize_t,
    out: cython.p_uchar,
) -> cython.Py_ssize_t:
    """Write the first value of a name, decoded, and return its size; -1 if there is none."""
    start: cython.Py_ssize_t = 0
    while start < size:
        end: cython.Py_ssize_t = start
        name_end: cython.Py_ssize_t = -1
        while end < size and query[end] != 0x26:
            if query[end] == 0x3D and name_end < 0:
                name_end = end
            end += 1
        if name_end < 0:
            name_end = end
        if (
            end > start
            and _write_decoded(query + start, name_end - start, True, out) == name_size
            and memcmp(out, name, name_size) == 0
        ):
            name_end = min(name_end + 1, end)
            return _write_decoded(query + name_end, end - name_end, True, out)
        start = end + 1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_decoded(  # noqa: C901, PLR0915  # one pass over the bytes
    text: cython.p_const_uchar, size: cython.Py_ssize_t, is_form: cython.bint, out: cython.p_uchar
) -> cython.Py_ssize_t:
    """Percent-decode ASCII as UTF-8 and return the size of the result, which is never longer.

    ``is_form``: whether a plus sign is a space. What is not UTF-8 becomes U+FFFD, once for each
    longest sequence that could have begun a code point.

    Spec: #string-percent-decode, https://encoding.spec.whatwg.org/#utf-8-decode-without-bom
    """
    at: cython.Py_ssize_t = 0
    to: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 0  # of the sequence that is being written
    needed: cython.int = 0  # bytes of it that are missing
    least: cython.uchar = 0x80  # of the next of them
    most: cython.uchar = 0xBF
    if memchr(text, 0x25, size) == cython.NULL:
        memcpy(out, text, size)
        if is_form:
            for at in range(size):
                if out[at] == 0x2B:
                    out[at] = 0x20
        return size
    while at < size:
        c: cython.uchar = text[at]
        next_at: cython.Py_ssize_t = at + 1
        if c == 0x25 and size - at >= 3:
            if HEX_VALUES[text[at + 1]] >= 0 and HEX_VALUES[text[at + 2]] >= 0:
                c = HEX_VALUES[text[at + 1]] << 4 | HEX_VALUES[text[at + 2]]
                next_at = at + 3
        elif c == 0x2B and is_form:
            c = 0x20
        if needed and not least <= c <= most:
            to = _write_replacement(out, start)
            needed = 0
        if needed:
            needed -= 1
            least, most = 0x80, 0xBF
        elif c >= 0x80:
            start = to
            least, most = 0x80, 0xBF
            if 0xC2 <= c < 0xE0:
                needed = 1
            elif 0xE0 <= c < 0xF0:
                needed = 2
                least = 0xA0 if c == 0xE0 else 0x80
                most = 0x9F if c == 0xED else 0xBF
            elif 0xF0 <= c < 0xF5:
                needed = 3
                least = 0x90 if c == 0xF0 else 0x80
                most = 0x8F if c == 0xF4 else 0xBF
            else:
                to = _write_replacement(out, start)
                at = next_at
                continue
        out[to] = c
        to += 1
        at = next_at
    return _write_replacement(out, start) if needed else to


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _write_replacement(out: cython.p_uchar, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Write U+FFFD and return where it ends."""
    out[at] = 0xEF
    out[at + 1] = 0xBF
    out[at + 2] = 0xBD
    return at + 3


# --- lists of segments ----------------------------------------------------------------------------


@cython.ccall
def segment_column(column: tuple) -> object:
    """Return the segments of each path of a column, decoded, as the buffers of a column of lists.

    Args: as in `text_column`.

    Returns: where the list of each row starts, as numbers of 32 bits; then the offsets of all
    segments, their bytes, and how many there are. A null is an empty list here.

    Raises: ValueError for buffers that do not contain all rows. OverflowError for more segments
    than 32 bits can count.
    """
    texts: Rows
    count: cython.Py_ssize_t
    open_rows(cython.address(texts), column)
    with cython.nogil:
        count = _count_all(cython.address(texts))
    if count < 0:
        outside()
    if count > 0x7FFFFFFF:
        raise OverflowError("more than two billion segments")
    # There is room for an offset that is written after the last one.
    lists: object = PyByteArray_FromStringAndSize(cython.NULL, 4 * (texts.length + 1))
    width: cython.int = 8 if texts.wide else 4
    ends: object = PyByteArray_FromStringAndSize(cython.NULL, width * (count + 1))
    size: cython.Py_ssize_t = size_of_rows(cython.address(texts), texts.length)
    made: object = PyByteArray_FromStringAndSize(cython.NULL, size)
    list_starts: cython.p_int = cython.cast(cython.p_int, PyByteArray_AS_STRING(lists))
    of_segments: Sink
    of_segments.wide = texts.wide
    of_segments.offsets = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(ends))
    of_segments.data = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(made))
    of_segments.used = 0
    with cython.nogil:
        _put_segments(cython.address(texts), list_starts, cython.address(of_segments))
    PyByteArray_Resize(made, of_segments.used)
    return lists, ends, made, count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_all(texts: PRows) -> cython.Py_ssize_t:
    """Return how many segments there are; -1 for a row outside of the data."""
    path: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for row in range(texts.length):
        if is_null(texts, row):
            continue
        size: cython.Py_ssize_t = find_row(texts, row, cython.address(path))
        if size < 0:
            return -1
        if size and path[0] == 0x2F:
            for at in range(size):
                count += path[at] == 0x2F
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_segments(texts: PRows, list_starts: cython.p_int, sink: PSink) -> cython.void:
    """Put all segments, and where the list of each row starts."""
    path: cython.p_uchar = cython.NULL
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    end_row(sink, -1)
    for row in range(texts.length):
        list_starts[row] = cython.cast(cython.int, count)
        if is_null(texts, row):
            continue
        size: cython.Py_ssize_t = find_row(texts, row, cython.address(path))
        if size == 0 or path[0] != 0x2F:
            continue
        start: cython.Py_ssize_t = 1
        for at in range(1, size + 1):
            if at == size or path[at] == 0x2F:
                sink.used += _write_decoded(path + start, at - start, False, sink.data + sink.used)
                end_row(sink, count)
                count += 1
                start = at + 1
    list_starts[texts.length] = cython.cast(cython.int, count)

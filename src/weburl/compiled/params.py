"""application/x-www-form-urlencoded, by loops over bytes."""

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.cpython.unicode import (
    PyUnicode_AsUTF8String,
    PyUnicode_DecodeUTF8,
    PyUnicode_GET_LENGTH,
)
from cython.cimports.weburl.compiled.slots import ascii_text, is_ascii
from cython.cimports.weburl.compiled.slots import bytes_data as utf8_data
from cython.cimports.weburl.compiled.slots import data_of_ascii as ascii_data

from weburl.infra.code_points import FORM_URLENCODED_PERCENT_ENCODE_SET

KEPT = cython.declare(cython.uchar[256])
DIGIT = cython.declare(cython.schar[256])
HEX = cython.declare(cython.uchar[16])
_EMPTY = cython.declare(object, "")


@cython.cfunc
def _fill_tables() -> cython.void:
    code: cython.int
    for code in range(256):
        KEPT[code] = code < 0x80 and FORM_URLENCODED_PERCENT_ENCODE_SET.kept[code]
        DIGIT[code] = int(chr(code), 16) if chr(code) in "0123456789abcdefABCDEF" else -1
    for code in range(16):
        HEX[code] = ord("0123456789ABCDEF"[code])


_fill_tables()


@cython.cfunc
@cython.inline
def _made(data: cython.p_uchar, length: cython.Py_ssize_t) -> object:
    text: cython.pointer(PyObject) = ascii_text(data, length)
    made: object = cython.cast(object, text)
    Py_DECREF(made)
    return made


@cython.cfunc
def _decoded(data: cython.p_uchar, n: cython.Py_ssize_t, out: cython.p_uchar) -> object:
    """Return what ``data`` stands for; ``out`` has room for it."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    c: cython.uchar
    every: cython.uchar = 0
    while i < n:
        c = data[i]
        i += 1
        if c == 0x2B:
            c = 0x20
        elif c == 0x25 and i + 1 < n and DIGIT[data[i]] >= 0 and DIGIT[data[i + 1]] >= 0:
            c = DIGIT[data[i]] << 4 | DIGIT[data[i + 1]]
            i += 2
        every |= c
        out[j] = c
        j += 1
    if every < 0x80:
        return _made(out, j) if j else _EMPTY
    return PyUnicode_DecodeUTF8(cython.cast(cython.p_char, out), j, b"replace")


@cython.cfunc
def _parsed(text: str, skip: cython.int) -> list:
    """Skip a question mark at the start, or not."""
    pairs: list = []
    stack: cython.uchar[1024]
    buffer: cython.p_uchar = stack
    owned: cython.p_uchar = cython.NULL
    encoded: object = None if is_ascii(text) else PyUnicode_AsUTF8String(text)
    data: cython.p_uchar = ascii_data(text) if encoded is None else utf8_data(encoded)
    n: cython.Py_ssize_t = (
        PyUnicode_GET_LENGTH(text) if encoded is None else PyBytes_GET_SIZE(encoded)
    )
    i: cython.Py_ssize_t = 1 if skip and n and data[0] == 0x3F else 0
    start: cython.Py_ssize_t
    equals: cython.Py_ssize_t
    c: cython.uchar
    plain: cython.uchar
    name: object
    value: object
    pair: tuple
    while i < n:
        start = i
        equals = -1
        plain = 0
        while i < n:
            c = data[i]
            if c == 0x26:
                break
            if c == 0x3D:
                if equals < 0:
                    equals = i
            elif c == 0x2B or c == 0x25 or c >= 0x80:
                plain = 1
            i += 1
        if i > start:
            if plain and i - start > 1024 and owned == cython.NULL:
                owned = cython.cast(cython.p_uchar, PyMem_Malloc(n))
                if owned == cython.NULL:
                    raise MemoryError
                buffer = owned
            if equals < 0:
                name = (
                    _decoded(data + start, i - start, buffer)
                    if plain
                    else _made(data + start, i - start)
                )
                value = _EMPTY
            else:
                if equals == start:
                    name = _EMPTY
                elif plain:
                    name = _decoded(data + start, equals - start, buffer)
                else:
                    name = _made(data + start, equals - start)
                equals += 1
                if equals == i:
                    value = _EMPTY
                elif plain:
                    value = _decoded(data + equals, i - equals, buffer)
                else:
                    value = _made(data + equals, i - equals)
            pairs.append((name, value))
        i += 1
    if owned != cython.NULL:
        PyMem_Free(owned)
    return pairs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _written(data: cython.p_uchar, n: cython.Py_ssize_t, out: cython.p_uchar) -> cython.p_uchar:
    i: cython.Py_ssize_t
    c: cython.uchar
    for i in range(n):
        c = data[i]
        if KEPT[c]:
            out[0] = c
            out += 1
        elif c == 0x20:
            out[0] = 0x2B
            out += 1
        else:
            out[0] = 0x25
            out[1] = HEX[c >> 4]
            out[2] = HEX[c & 15]
            out += 3
    return out


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _byte(c: cython.uint, out: cython.p_uchar) -> cython.p_uchar:
    out[0] = 0x25
    out[1] = HEX[c >> 4 & 15]
    out[2] = HEX[c & 15]
    return out + 3


@cython.cfunc
@cython.exceptval(check=False)
def _wide_written(text: str, out: cython.p_uchar) -> cython.p_uchar:
    char: cython.Py_UCS4
    c: cython.uint
    low: cython.uchar
    for char in text:
        c = char
        if c < 0x80:
            low = c
            out = _written(cython.address(low), 1, out)
        elif c < 0x800:
            out = _byte(0x80 | (c & 0x3F), _byte(0xC0 | c >> 6, out))
        elif c < 0x10000:
            out = _byte(
                0x80 | (c & 0x3F), _byte(0x80 | (c >> 6 & 0x3F), _byte(0xE0 | c >> 12, out))
            )
        else:
            out = _byte(0x80 | (c >> 12 & 0x3F), _byte(0xF0 | c >> 18, out))
            out = _byte(0x80 | (c & 0x3F), _byte(0x80 | (c >> 6 & 0x3F), out))
    return out


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _text_written(text: str, out: cython.p_uchar) -> cython.p_uchar:
    if is_ascii(text):
        return _written(ascii_data(text), PyUnicode_GET_LENGTH(text), out)
    return _wide_written(text, out)


@cython.ccall
def write_form(pairs: list) -> object:
    """Return ``pairs``, which hold no surrogates, as text."""
    size: cython.Py_ssize_t = 0
    stack: cython.uchar[1024]
    out: cython.p_uchar
    buffer: cython.p_uchar = stack
    name: str
    value: str
    made: object
    for name, value in pairs:
        size += 2 + PyUnicode_GET_LENGTH(name) * (3 if is_ascii(name) else 12)
        size += PyUnicode_GET_LENGTH(value) * (3 if is_ascii(value) else 12)
    if size > 1024:
        buffer = cython.cast(cython.p_uchar, PyMem_Malloc(size))
        if buffer == cython.NULL:
            raise MemoryError
    out = buffer
    for name, value in pairs:
        if out != buffer:
            out[0] = 0x26
            out += 1
        out = _text_written(name, out)
        out[0] = 0x3D
        out = _text_written(value, out + 1)
    try:
        made = _made(buffer, out - buffer)
    finally:
        if buffer != stack:
            PyMem_Free(buffer)
    return made


@cython.ccall
def pairs_of(text) -> list:
    """Return the pairs of an exact text, with or without a question mark, None for any other.

    None, too, for one that holds surrogates.
    """
    if type(text) is not str:
        return None
    try:
        return _parsed(text, 1)
    except UnicodeEncodeError:
        return None


@cython.ccall
def parse_form(text: str) -> list:
    """Return the names and values that ``text``, which holds no surrogates, writes."""
    return _parsed(text, 0)

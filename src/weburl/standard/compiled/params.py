"""§5: application/x-www-form-urlencoded from bytes, as `infra.form_urlencoded` reads text."""

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.unicode import (
    PyUnicode_AsUTF8String,
    PyUnicode_DecodeUTF8,
    PyUnicode_GET_LENGTH,
)
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.scan import HEX_VALUES
from cython.cimports.weburl.standard.compiled.slots import (
    bytes_data,
    data_of_ascii,
    is_ascii,
    new_ascii_text,
    unshared,
    untrack,
)

from weburl.standard.infra.code_points import FORM_URLENCODED_PERCENT_ENCODE_SET

SHORT = cython.declare(cython.Py_ssize_t, 1024)

# What each byte is written as (four bytes each), and how long that is.
WRITTEN = cython.declare(cython.uchar[1024])
LENGTHS = cython.declare(cython.uchar[256])
_EMPTY = cython.declare(object, "")


def _fill_tables() -> None:
    code: cython.int
    at: cython.int
    for code in range(256):
        encoded = "+" if code == 0x20 else FORM_URLENCODED_PERCENT_ENCODE_SET.encoded[code]
        LENGTHS[code] = len(encoded)
        for at in range(len(encoded)):
            WRITTEN[4 * code + at] = ord(encoded[at])


_fill_tables()


# --- from text to names and values ----------------------------------------------------------


@cython.cfunc
def _decoded(data: cython.p_uchar, size: cython.Py_ssize_t, out: cython.p_uchar) -> object:
    """Decode a name or a value and return its text; ``out`` has room for it.

    Spec: #percent-decode
    """
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    every: cython.uchar = 0
    while i < size:
        c: cython.uchar = data[i]
        i += 1
        if c == 0x2B:
            c = 0x20
        elif (
            c == 0x25 and i + 1 < size and HEX_VALUES[data[i]] >= 0 and HEX_VALUES[data[i + 1]] >= 0
        ):
            c = HEX_VALUES[data[i]] << 4 | HEX_VALUES[data[i + 1]]
            i += 2
        every |= c
        out[j] = c
        j += 1
    if j == 0:
        return _EMPTY
    if every < 0x80:
        return new_ascii_text(out, j)
    return PyUnicode_DecodeUTF8(cython.cast(cython.p_char, out), j, b"replace")


@cython.cfunc
def decoded_part(
    data: cython.p_uchar, size: cython.Py_ssize_t, is_plain: cython.bint, out: cython.p_uchar
) -> object:
    if size == 0:
        return _EMPTY
    return new_ascii_text(data, size) if is_plain else _decoded(data, size, out)


@cython.cfunc
def _pairs(
    data: cython.p_uchar, size: cython.Py_ssize_t, at: cython.Py_ssize_t, out: cython.p_uchar
) -> list:
    pairs: list = []
    pair: tuple
    while at < size:
        start: cython.Py_ssize_t = at
        equals: cython.Py_ssize_t = -1
        is_plain: cython.bint = True
        while at < size:
            c: cython.uchar = data[at]
            if c == 0x26:
                break
            if c == 0x3D:
                if equals < 0:
                    equals = at
            elif c == 0x2B or c == 0x25 or c >= 0x80:
                is_plain = False
            at += 1
        if equals >= 0:
            pair = (
                decoded_part(data + start, equals - start, is_plain, out),
                decoded_part(data + equals + 1, at - equals - 1, is_plain, out),
            )
        elif at > start:
            pair = (decoded_part(data + start, at - start, is_plain, out), _EMPTY)
        else:
            at += 1
            continue
        untrack(pair)  # two texts, so the garbage collector need not look
        pairs.append(pair)
        at += 1
    return pairs


@cython.cfunc
def _parse(text: str, skips_question_mark: cython.bint) -> list:
    few: cython.uchar[1024]
    out: cython.p_uchar = few
    utf_8: object = None if is_ascii(text) else PyUnicode_AsUTF8String(text)
    data: cython.p_uchar = data_of_ascii(text) if utf_8 is None else bytes_data(utf_8)
    size: cython.Py_ssize_t = (
        PyUnicode_GET_LENGTH(text) if utf_8 is None else PyBytes_GET_SIZE(utf_8)
    )
    if size > SHORT:
        out = cython.cast(cython.p_uchar, PyMem_Malloc(size))
        if out == cython.NULL:
            raise MemoryError
    try:
        return _pairs(data, size, skips_question_mark and size and data[0] == 0x3F, out)
    finally:
        if out != few:
            PyMem_Free(out)


@cython.ccall
def parse_form(text: str) -> list:
    """Parse ``text``, which has no surrogates, and return its names and values.

    Spec: #concept-urlencoded-string-parser
    """
    return _parse(text, False)


@cython.ccall
def pairs_of(text) -> list:
    """Parse ``text``, with or without a question mark, and return its pairs.

    Returns None for text with surrogates and for values that are not exactly a `str`.
    """
    if type(text) is not str:
        return None
    try:
        return _parse(text, True)
    except UnicodeEncodeError:
        return None


# --- from names and values to text ----------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def write_part(
    data: cython.p_uchar, size: cython.Py_ssize_t, out: cython.p_uchar
) -> cython.p_uchar:
    """Write bytes, percent-encoded where necessary, and return where they end.

    ``out`` has room for three times as many, and three more.
    """
    i: cython.Py_ssize_t
    for i in range(size):
        # Always copy four bytes, which needs no branch. The buffer has room for them.
        memcpy(out, cython.address(WRITTEN[4 * data[i]]), 4)
        out += LENGTHS[data[i]]
    return out


@cython.cfunc
@cython.inline
def _write(text: str, out: cython.p_uchar) -> cython.p_uchar:
    if is_ascii(text):
        return write_part(data_of_ascii(text), PyUnicode_GET_LENGTH(text), out)
    utf_8: object = PyUnicode_AsUTF8String(text)
    return write_part(bytes_data(utf_8), PyBytes_GET_SIZE(utf_8), out)


@cython.cfunc
def _write_pairs(pairs: list, out: cython.p_uchar) -> object:
    start: cython.p_uchar = out
    pair: tuple
    for pair in pairs:
        if out != start:
            out[0] = 0x26
            out += 1
        out = _write(pair[0], out)
        out[0] = 0x3D
        out = _write(pair[1], out + 1)
    return new_ascii_text(start, out - start)


@cython.ccall
def write_form(pairs: list) -> object:
    """Serialize ``pairs``: tuples of texts without surrogates.

    Spec: #concept-urlencoded-serializer
    """
    few: cython.uchar[1024]
    out: cython.p_uchar = few
    room: cython.Py_ssize_t = 1
    pair: tuple
    name: str
    value: str
    pairs = unshared(pairs)
    for pair in pairs:
        name, value = pair
        room += 2 + PyUnicode_GET_LENGTH(name) * (3 if is_ascii(name) else 12)
        room += PyUnicode_GET_LENGTH(value) * (3 if is_ascii(value) else 12)
    if room > SHORT:
        out = cython.cast(cython.p_uchar, PyMem_Malloc(room))
        if out == cython.NULL:
            raise MemoryError
    try:
        return _write_pairs(pairs, out)
    finally:
        if out != few:
            PyMem_Free(out)

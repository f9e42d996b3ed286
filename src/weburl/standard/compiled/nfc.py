"""Texts of code points that can grow, and Normalization Form C.

This module finds out whether a text is normalized. If it is not, `unicode_data` normalizes it.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cython.cimports.cpython.unicode import (
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cython.cimports.libc.string import memcpy
from cython.cimports.weburl.standard.compiled.code_points import INERT, Page, page_of
from cython.cimports.weburl.standard.compiled.nfc import Text
from cython.cimports.weburl.standard.compiled.shared import load_number, store_number

PText = cython.typedef(cython.pointer(Text))

# Pairs of code points seen so far, as a key times two, plus one if NFC changes the pair.
_pairs = cython.declare(cython.ulonglong[1024])


@cython.cfunc
@cython.exceptval(check=False)
def start(text: PText) -> cython.void:
    """Make an empty text. The caller must call `finish`."""
    text.data = text.few
    text.length = 0
    text.room = 256


@cython.cfunc
@cython.exceptval(check=False)
def finish(text: PText) -> cython.void:
    """Free the memory of a text."""
    if text.data != text.few:
        PyMem_Free(text.data)


@cython.cfunc
@cython.exceptval(-1, check=False)
def make_room(text: PText, more: cython.Py_ssize_t) -> cython.int:
    """Make room for so many code points more."""
    larger: cython.p_uint
    if text.length + more <= text.room:
        return 0
    room: cython.Py_ssize_t = 2 * text.length + more
    if text.data == text.few:
        larger = cython.cast(cython.p_uint, PyMem_Malloc(room * cython.sizeof(cython.uint)))
    else:
        larger = cython.cast(
            cython.p_uint, PyMem_Realloc(text.data, room * cython.sizeof(cython.uint))
        )
    if larger == cython.NULL:
        raise MemoryError
    if text.data == text.few:
        memcpy(larger, text.few, text.length * cython.sizeof(cython.uint))
    text.data = larger
    text.room = room
    return 0


@cython.cfunc
def _nfc(text: str) -> object:
    from weburl.standard.infra.unicode_data import (
        normalize as to_normalization_form,  # slow to import
    )

    return to_normalization_form("NFC", text)


@cython.cfunc
@cython.exceptval(-1, check=False)
def normalize(text: PText) -> cython.int:
    """Normalize a text. Each of its code points must be normalized by itself."""
    i: cython.Py_ssize_t
    if _is_surely_in_nfc(text.data, text.length):
        return 0
    normalized: str = _nfc(PyUnicode_FromKindAndData(4, text.data, text.length))
    length: cython.Py_ssize_t = PyUnicode_GET_LENGTH(normalized)
    make_room(text, length - text.length)
    text.length = length
    for i in range(length):
        text.data[i] = PyUnicode_READ(PyUnicode_KIND(normalized), PyUnicode_DATA(normalized), i)
    return 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_in_nfc(text: cython.p_uint, n: cython.Py_ssize_t) -> cython.int:
    """Return whether code points that are each normalized by themselves are so together."""
    if _is_surely_in_nfc(text, n):
        return True
    given: str = PyUnicode_FromKindAndData(4, text, n)
    return _nfc(given) == given


@cython.cfunc
@cython.exceptval(-1, check=False)
def _is_surely_in_nfc(text: cython.p_uint, n: cython.Py_ssize_t) -> cython.int:
    """Return whether marks are in order, and no code point composes with the starter before it.

    Spec: https://www.unicode.org/reports/tr15/#Detecting_Normalization_Forms
    """
    i: cython.Py_ssize_t
    starter: cython.uint = 0  # the last code point of combining class 0
    last: cython.int = 0  # the combining class of the code point before
    for i in range(n):
        page: cython.pointer(Page) = page_of(text[i])
        combining_class: cython.int = page.combining[text[i] & 255]
        if not page.facts[text[i] & 255] & INERT:
            if combining_class and last > combining_class:
                return False
            # A mark between them may block the composition.
            if starter and (last == 0 or last < combining_class) and _change(starter, text[i]):
                return False
        if combining_class == 0:
            starter = text[i]
        last = combining_class
    return True


@cython.cfunc
@cython.exceptval(-1, check=False)
def _change(first: cython.ulonglong, second: cython.uint) -> cython.int:
    """Return whether NFC changes a starter and the code point that follows it.

    They may compose, or the second may move before a mark that is part of the first.
    """
    pair: cython.ulonglong = first << 32 | second
    place: cython.int = (first * 31 + second) & 1023
    known: cython.ulonglong = load_number(cython.address(_pairs[place]))
    if known >> 1 != pair:
        given: str = chr(first) + chr(second)
        changes: cython.bint = _nfc(given) != given
        known = pair << 1 | changes
        store_number(cython.address(_pairs[place]), known)
    return known & 1

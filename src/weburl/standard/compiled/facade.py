"""The attributes of the class `URL`, read and written in C.

The properties of Python run for subclasses, and for everything that the compiled code is unsure of.
"""

import cython
from cython.cimports.cpython.unicode import PyUnicode_GET_LENGTH
from cython.cimports.weburl.standard.compiled.editing import edited
from cython.cimports.weburl.standard.compiled.parts import HASH, ORIGIN, SEARCH, part_of
from cython.cimports.weburl.standard.compiled.records import piece_of
from cython.cimports.weburl.standard.compiled.serializer import href_of
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import is_record

from weburl.standard.compiled.parts import NAMES

Url = cython.declare(object)
_parse_quickly = cython.declare(object)
HREF = cython.declare(cython.Py_ssize_t)
RECORD = cython.declare(cython.Py_ssize_t)
PARAMS = cython.declare(cython.Py_ssize_t)
CHANGED = cython.declare(cython.Py_ssize_t)
_general_parts = cython.declare(list)
_general_href = cython.declare(object)


def read_and_write_quickly(of_url, parse_quickly):
    """Give the class `URL` its attributes. ``parse_quickly`` is `parse_to_change`."""
    global Url, HREF, RECORD, PARAMS, CHANGED, _general_parts, _general_href, _parse_quickly
    part: cython.Py_ssize_t
    Url = of_url
    _parse_quickly = parse_quickly
    HREF = slot_offset(of_url, "_href")
    RECORD = slot_offset(of_url, "_record")
    PARAMS = slot_offset(of_url, "_search_params")
    CHANGED = slot_offset(of_url, "_params_changed")
    _general_parts = [vars(of_url)[name] for name in NAMES]
    for part in range(len(_general_parts)):
        doc = _general_parts[part].__doc__
        setattr(of_url, NAMES[part], new_getset(of_url, NAMES[part], _read, _write, doc, part))
    _general_href = vars(of_url)["href"]
    of_url.href = new_getset(of_url, "href", _read_href, _write_href, _general_href.__doc__, 0)


@cython.cfunc
@cython.inline
def _record_of(url: PObject) -> object:
    """Return the record of a `URL`; None if unsure."""
    if not is_type(url, cython.cast(PObject, Url)) or not is_false(url, CHANGED):
        return None
    record: object = read_slot(url, RECORD)
    return _parsed(url) if record is None else record


@cython.cfunc
def _parsed(url: PObject) -> object:
    """Return the record of a `URL` that has only text, and keep it in place of the text."""
    href: object = read_slot(url, HREF)
    record: object = _parse_quickly(href)
    if record is not None:
        keep_in_slot(url, RECORD, record, HREF, href)
        if HAS_GIL:  # Otherwise another thread may have made a new text since.
            replace_slot(url, HREF, None)
    return record


@cython.cfunc
def _read(url: object, number: cython.p_void) -> object:
    part: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, number)
    record: object = _record_of(cython.cast(PObject, url))
    text: object = None
    if is_record(cython.cast(PObject, record)):
        text = part_of(piece_of(cython.cast(PObject, record)), part)
    return _general_parts[part].__get__(url) if text is None else text


@cython.cfunc
@cython.exceptval(-1, check=False)
def _write(url: object, content: PObject, number: cython.p_void) -> cython.int:
    """Set a part, or delete it if ``content`` is NULL."""
    part: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, number)
    value: PObject = cython.cast(PObject, url)
    given: object
    text: object
    if content == cython.NULL:
        _general_parts[part].__delete__(url)
        return 0
    given = text = cython.cast(object, content)
    record: object = _record_of(value) if type(given) is str and part != ORIGIN else None
    # Params that are in use are filled again by the general setter.
    if record is not None and (part != SEARCH or read_slot(value, PARAMS) is None):
        mark: cython.uchar = 0x3F if part == SEARCH else 0x23 if part == HASH else 0
        if mark and PyUnicode_GET_LENGTH(text) == 0:
            text = None
        record = edited(record, part, text, mark, True)
        if record is True:
            return 0
        if record is not None:
            if cython.cast(PObject, record) != get_slot(value, RECORD):
                replace_slot(value, RECORD, record)
            replace_slot(value, HREF, None)
            return 0
    _general_parts[part].__set__(url, given)
    return 0


@cython.cfunc
def _read_href(url: object, closure: cython.p_void) -> object:  # noqa: ARG001  # C's signature
    value: PObject = cython.cast(PObject, url)
    if is_type(value, cython.cast(PObject, Url)) and is_false(value, CHANGED):
        text: object = read_slot(value, HREF)
        if is_ascii_text(cython.cast(PObject, text)):
            return text
        record: object = read_slot(value, RECORD)
        if text is None and record is not None:
            text = href_of(record)
            keep_in_slot(value, HREF, text, RECORD, record)
            return text
    return _general_href.__get__(url)


@cython.cfunc
@cython.exceptval(-1, check=False)
def _write_href(
    url: object,
    content: PObject,
    closure: cython.p_void,  # noqa: ARG001
) -> cython.int:
    value: PObject = cython.cast(PObject, url)
    if content == cython.NULL:
        _general_href.__delete__(url)
        return 0
    given: object = cython.cast(object, content)
    if is_type(value, cython.cast(PObject, Url)) and read_slot(value, PARAMS) is None:
        record: object = _parse_quickly(given)
        if record is not None:
            replace_slot(value, RECORD, record)
            replace_slot(value, HREF, None)
            replace_slot(value, CHANGED, False)
            return 0
    _general_href.__set__(url, given)
    return 0

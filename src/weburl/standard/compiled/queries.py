"""Names and values in the text of a query, found and edited without an object for each pair.

Each function does what `infra.query_pairs` or `URLSearchParams` does. The methods of Python run for
names and values that are not ASCII, for text with surrogates, and for subclasses.
"""

from functools import update_wrapper
from types import MappingProxyType

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.dict import PyDict_Items
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.unicode import PyUnicode_GET_LENGTH, PyUnicode_READ_CHAR
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.weburl.standard.compiled.editing import spliced
from cython.cimports.weburl.standard.compiled.params import (
    decoded_part,
    parse_form,
    write_form,
    write_part,
)
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.scan import HEX_VALUES
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.utf_8 import is_ascii_bytes, utf_8_of
from cython.cimports.weburl.standard.compiled.values import *

SHORT = cython.declare(cython.Py_ssize_t, 1024)
# With more names, each pair would be compared too often.
MOST_NAMES = cython.declare(cython.Py_ssize_t, 8)

SET = cython.declare(cython.int, 0)
ADD = cython.declare(cython.int, 1)
REMOVE = cython.declare(cython.int, 2)

# A pair in a query. `end` is where its "&" is, and `equals` where its "=" is, or else `end`.
Pair = cython.struct(start=cython.p_uchar, equals=cython.p_uchar, end=cython.p_uchar)
PPair = cython.typedef(cython.pointer(Pair))

_empty = cython.declare(object, "")


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _find_end(start: cython.p_uchar, end: cython.p_uchar, char: cython.uchar) -> cython.p_uchar:
    found: cython.p_uchar = cython.cast(cython.p_uchar, memchr(start, char, end - start))
    return end if found == cython.NULL else found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _read_pair(pair: PPair, start: cython.p_uchar, end: cython.p_uchar) -> cython.void:
    pair.start = start
    pair.end = _find_end(start, end, 0x26)
    pair.equals = _find_end(start, pair.end, 0x3D)


@cython.cfunc
@cython.exceptval(check=False)
def _spells(data: cython.p_uchar, end: cython.p_uchar, text: PObject) -> cython.bint:
    """Return whether bytes of a form, once decoded, are an ASCII text."""
    wanted: cython.p_uchar = ascii_data(text)
    wanted_end: cython.p_uchar = wanted + ascii_size(text)
    if end - data == wanted_end - wanted and memcmp(data, wanted, end - data) == 0:
        # A "+" is a space, and a "%" may begin a byte.
        return _is_plain(data, end) or _spells_decoded(data, end, wanted, wanted_end)
    return end - data >= wanted_end - wanted and _spells_decoded(data, end, wanted, wanted_end)


@cython.cfunc
@cython.exceptval(check=False)
def _spells_decoded(
    data: cython.p_uchar,
    end: cython.p_uchar,
    wanted: cython.p_uchar,
    wanted_end: cython.p_uchar,
) -> cython.bint:
    while data < end:
        c: cython.uchar = data[0]
        data += 1
        if c == 0x2B:
            c = 0x20
        elif c == 0x25 and data + 1 < end and HEX_VALUES[data[0]] >= 0 and HEX_VALUES[data[1]] >= 0:
            c = HEX_VALUES[data[0]] << 4 | HEX_VALUES[data[1]]
            data += 2
        if wanted == wanted_end or c != wanted[0]:
            return False
        wanted += 1
    return wanted == wanted_end


@cython.cfunc
@cython.exceptval(check=False)
def _is_plain(data: cython.p_uchar, end: cython.p_uchar) -> cython.bint:
    return (
        memchr(data, 0x25, end - data) == cython.NULL
        and memchr(data, 0x2B, end - data) == cython.NULL
    )


@cython.cfunc
def _decoded(data: cython.p_uchar, end: cython.p_uchar) -> object:
    few: cython.uchar[1024]
    out: cython.p_uchar = few
    if data >= end:
        return _empty
    if _is_plain(data, end) and is_ascii_bytes(data, end - data):
        return new_ascii_text(data, end - data)
    if end - data > SHORT:
        out = cython.cast(cython.p_uchar, PyMem_Malloc(end - data))
        if out == cython.NULL:
            raise MemoryError
    try:
        return decoded_part(data, end - data, False, out)
    finally:
        if out != few:
            PyMem_Free(out)


@cython.cfunc
def _first_value(at: cython.p_uchar, end: cython.p_uchar, name: object) -> object:
    """Return the first value of a name, or None."""
    pair: Pair
    while at < end:
        _read_pair(cython.address(pair), at, end)
        if pair.end > at and _spells(at, pair.equals, cython.cast(PObject, name)):
            return _decoded(pair.equals + 1, pair.end)
        at = pair.end + 1
    return None


@cython.cfunc
def _values_by_name(query: object) -> dict:
    found: dict = {}
    pair: Pair
    at: cython.p_uchar = data_of_ascii(query)
    end: cython.p_uchar = at + size_of_ascii(query)
    while at < end:
        _read_pair(cython.address(pair), at, end)
        if pair.end > at:
            name: object = _decoded(at, pair.equals)
            values: object = found.get(name)
            if values is None:
                found[name] = [_decoded(pair.equals + 1, pair.end)]
            else:
                cython.cast(list, values).append(_decoded(pair.equals + 1, pair.end))
        at = pair.end + 1
    return found


# --- edits ----------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def _is_named(pair: PPair, names: tuple) -> cython.bint:
    if pair.start == pair.end:
        return False
    for name in names:  # noqa: SIM110  # any() would make objects
        if _spells(pair.start, pair.equals, cython.cast(PObject, name)):
            return True
    return False


@cython.cfunc
def _write_edited(  # noqa: PLR0915  # as the three functions of `infra.query_pairs`
    query: object, names: tuple, value: object, how: cython.int, out: cython.p_uchar
) -> object:
    """Write the edited query, and return its text; None for no query."""
    pair: Pair
    start: cython.p_uchar = out
    at: cython.p_uchar = cython.NULL
    end: cython.p_uchar = cython.NULL
    is_first: cython.bint = True  # of what is kept
    is_empty: cython.bint = True  # no pair is kept
    is_there: cython.bint = False  # a pair of that name
    if query is not None:
        at = data_of_ascii(query)
        end = at + size_of_ascii(query)
    while query is not None and at <= end:
        _read_pair(cython.address(pair), at, end)
        at = pair.end + 1
        is_new: cython.bint = False
        if how != ADD and _is_named(cython.address(pair), names):
            if how == REMOVE or is_there:
                is_there = True
                continue
            is_there = True
            is_new = not _spells(
                pair.end if pair.equals == pair.end else pair.equals + 1,
                pair.end,
                cython.cast(PObject, value),
            )
        if not is_first:
            out[0] = 0x26
            out += 1
        is_first = False
        is_empty = is_empty and pair.start == pair.end
        if is_new:  # its name stays as it is written
            pair.end = pair.equals
        memcpy(out, pair.start, pair.end - pair.start)
        out += pair.end - pair.start
        if is_new:
            out[0] = 0x3D
            out = write_part(data_of_ascii(value), size_of_ascii(value), out + 1)
    if how == REMOVE:
        if not is_there:
            return query
        return None if is_empty else new_ascii_text(start, out - start)
    if not is_there:
        if out > start and out[-1] != 0x26:
            out[0] = 0x26
            out += 1
        out = write_part(data_of_ascii(names[0]), size_of_ascii(names[0]), out)
        out[0] = 0x3D
        out = write_part(data_of_ascii(value), size_of_ascii(value), out + 1)
    return new_ascii_text(start, out - start)


@cython.cfunc
def _edited(record: object, names: tuple, value: object, how: cython.int) -> object:
    """Return a record with an edited query; None if Python must do it."""
    few: cython.uchar[1024]
    out: cython.p_uchar = few
    room: cython.Py_ssize_t = 8
    query: object = None
    name: object
    marks: Marks = NO_MARKS
    if (
        not is_record(cython.cast(PObject, record))
        or len(names) > MOST_NAMES
        or not is_ascii_text(cython.cast(PObject, value))
    ):
        return None
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    room += 3 * size_of_ascii(value)
    for name in names:
        if not is_ascii_text(cython.cast(PObject, name)):
            return None
        room += 3 * size_of_ascii(name)
    if ruler.query_end > ruler.path_end:
        query = read_part(record, cython.cast(cython.p_void, QUERY))
        room += size_of_ascii(query)
    if how == REMOVE and not query:
        return record
    if room > SHORT:
        out = cython.cast(cython.p_uchar, PyMem_Malloc(room))
        if out == cython.NULL:
            raise MemoryError
    try:
        edited: object = _write_edited(query, names, value, how, out)
    finally:
        if out != few:
            PyMem_Free(out)
    if edited is None:
        return spliced(record, ruler.path_end, ruler.query_end, few, 0, marks, QUERY_END, False)
    if query is not None and is_text_of(
        cython.cast(PObject, query), data_of_ascii(edited), size_of_ascii(edited)
    ):
        return record
    marks.before = 0x3F
    return spliced(
        record,
        ruler.path_end,
        ruler.query_end,
        data_of_ascii(edited),
        size_of_ascii(edited),
        marks,
        QUERY_END,
        False,
    )


@cython.cfunc
def _updated(record: object, given: object) -> object:
    """Return a record whose query has these new values; None if Python must do it.

    Takes a `dict` with one value for each name: then each name can be set by itself.
    """
    there: list = []
    added: list = []
    edited: object = record
    if type(given) is not dict or not 0 < len(given) <= MOST_NAMES:
        return None
    pairs: list = PyDict_Items(given)  # no iterator, which crashes Python 3.11 without memory
    if len(pairs) > 1:  # What is added comes after all that is there.
        for pair in pairs:
            (there if _has_name(record, pair[0]) else added).append(pair)
        pairs = there + added
    for name, value in pairs:
        edited = _edited(edited, (name,), str(value) if type(value) is int else value, SET)
        if edited is None:
            return None
    return edited


@cython.cfunc
@cython.exceptval(-1, check=False)
def _has_name(record: object, name: object) -> cython.bint:
    """Return whether the query has a pair of a name; False if unsure, as `_edited` is then."""
    if not is_record(cython.cast(PObject, record)) or not is_ascii_text(cython.cast(PObject, name)):
        return False
    query: Span = span_of(piece_of(cython.cast(PObject, record)), QUERY)
    start: cython.p_uchar = cython.cast(cython.p_uchar, query.start)
    return query.size > 0 and _first_value(start, start + query.size, name) is not None


def edit_queries_quickly(record_class: type) -> None:
    """Give records the methods of this module. The URL room calls this once."""
    general_with = record_class.with_query_param
    general_add = record_class.add_query_param
    general_update = record_class.update_query
    general_without = record_class.without_query_params
    general_params = record_class.query_params.fget

    @cython.binding(True)  # as for `weburl.parse`: it has a signature
    def with_query_param(self, name, value):
        edited: object = _edited(self, (name,), value, SET)
        return general_with(self, name, value) if edited is None else edited

    @cython.binding(True)
    def add_query_param(self, name, value):
        edited: object = _edited(self, (name,), value, ADD)
        return general_add(self, name, value) if edited is None else edited

    @cython.binding(True)
    def update_query(*args, **named):
        edited: object = None
        if len(args) == 2 and not named:
            edited = _updated(args[0], args[1])
        return general_update(*args, **named) if edited is None else edited

    @cython.binding(True)
    def without_query_params(self, *names, prefixes=()):
        edited: object = None
        if type(prefixes) is tuple and not prefixes:
            edited = _edited(self, names, _empty, REMOVE)
        return general_without(self, *names, prefixes=prefixes) if edited is None else edited

    @cython.binding(True)
    def query_params(self):
        if is_record(cython.cast(PObject, self)):
            query: object = read_part(self, cython.cast(cython.p_void, QUERY))
            if query is not None:
                return MappingProxyType(_values_by_name(query))
        return general_params(self)

    record_class.with_query_param = update_wrapper(with_query_param, general_with)
    record_class.add_query_param = update_wrapper(add_query_param, general_add)
    record_class.update_query = update_wrapper(update_query, general_update)
    record_class.without_query_params = update_wrapper(without_query_params, general_without)
    record_class.query_params = property(update_wrapper(query_params, general_params))


def with_fast_methods(of_params):
    """Return `URLSearchParams`, whose constructor, text and `get` are compiled."""
    general_init = of_params.__init__
    general_str = of_params.__str__
    general_get = of_params.get
    query_at: cython.Py_ssize_t = slot_offset(of_params, "_query")
    pairs_at: cython.Py_ssize_t = slot_offset(of_params, "_pairs")
    notify_at: cython.Py_ssize_t = slot_offset(of_params, "_notify")

    @cython.binding(True)
    def __init__(self, init=""):  # noqa: N807  # errors name it
        params: PObject = cython.cast(PObject, self)
        if (
            is_type(params, cython.cast(PObject, of_params))
            and type(init) is str
            and (is_ascii(init) or utf_8_of(init) is not False)
        ):
            if PyUnicode_GET_LENGTH(init) and PyUnicode_READ_CHAR(init, 0) == 0x3F:
                init = init[1:]
            replace_slot(params, notify_at, None)
            replace_slot(params, query_at, init)
        else:
            general_init(self, init)

    @cython.binding(True)
    def __str__(self):  # noqa: N807
        params: PObject = cython.cast(PObject, self)
        if is_type(params, cython.cast(PObject, of_params)):
            content: object = read_slot(params, query_at)
            if type(content) is str:
                return write_form(parse_form(content))
            content = read_slot(params, pairs_at)
            if type(content) is list:
                return write_form(content)
        return general_str(self)

    @cython.binding(True)
    def get(self, name, default=None):
        params: PObject = cython.cast(PObject, self)
        value: object
        data: cython.p_uchar
        if is_type(params, cython.cast(PObject, of_params)) and is_ascii_text(
            cython.cast(PObject, name)
        ):
            query: object = read_slot(params, query_at)
            if type(query) is str:
                if is_ascii(query):
                    data = data_of_ascii(query)
                    value = _first_value(data, data + size_of_ascii(query), name)
                else:
                    query = query.encode()
                    data = bytes_data(query)
                    value = _first_value(data, data + PyBytes_GET_SIZE(query), name)
                return default if value is None else value
        return general_get(self, name, default)

    of_params.__init__ = update_wrapper(__init__, general_init)
    of_params.__str__ = update_wrapper(__str__, general_str)
    of_params.get = update_wrapper(get, general_get)
    return of_params

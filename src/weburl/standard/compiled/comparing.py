"""Equality, order and hash of records, and their pickles.

`storage` makes the operators those of the class with the slots. The methods of Python run for other
values, for subclasses, and for a record that was tampered with.
"""

from copyreg import __newobj__ as new_object
from functools import update_wrapper

import cython
from cython.cimports.cpython.object import (
    Py_EQ,
    Py_NE,
    PyObject,
    PyObject_Hash,
    PyObject_RichCompare,
    PyObject_RichCompareBool,
)
from cython.cimports.weburl.standard.compiled.serializer import href_of
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

PObject = cython.typedef(cython.pointer(PyObject))

_general_operators = cython.declare(tuple)  # in the order of C's numbers
_general_hash = cython.declare(object)

_OPERATORS = ("__lt__", "__le__", "__eq__", "__eq__", "__gt__", "__ge__")


def compare_quickly(record_class: type) -> None:
    """Give records the operators and pickles of this module. The URL room calls this once."""
    global _general_operators, _general_hash
    general_getstate = record_class.__getstate__
    general_setstate = record_class.__setstate__
    _general_operators = tuple([getattr(record_class, name) for name in _OPERATORS])
    _general_hash = record_class.__hash__
    for name in {*_OPERATORS, "__hash__"}:
        delattr(record_class, name)  # the class inherits the operators of its slots

    @cython.binding(True)
    def __getstate__(self):  # noqa: N807
        state: object = _state(self)
        return general_getstate(self) if state is None else state

    @cython.binding(True)
    def __setstate__(self, state):  # noqa: N807
        if not _fill(cython.cast(PObject, self), state):
            general_setstate(self, state)

    @cython.binding(True)
    def __reduce_ex__(self, protocol):  # noqa: N807
        state: object = _state(self)
        if state is None:
            return object.__reduce_ex__(self, protocol)
        return new_object, (record_class,), state

    record_class.__getstate__ = update_wrapper(__getstate__, general_getstate)
    record_class.__setstate__ = update_wrapper(__setstate__, general_setstate)
    record_class.__reduce_ex__ = __reduce_ex__


@cython.cfunc
def compare_records(one: object, other: object, operation: cython.int) -> object:
    """Return what an operator does, of which the second value may be anything."""
    a: PObject = cython.cast(PObject, one)
    b: PObject = cython.cast(PObject, other)
    answer: object
    if is_sound(a) and is_sound(b):
        if operation == Py_EQ or operation == Py_NE:
            return (a == b or _is_equal(a, b)) == (operation == Py_EQ)
        return PyObject_RichCompare(href_of(one), href_of(other), operation)
    answer = _general_operators[operation](one, other)
    return not answer if operation == Py_NE and answer is not NotImplemented else answer


@cython.cfunc
@cython.exceptval(-1, check=False)
def _is_equal(a: PObject, b: PObject) -> cython.bint:
    """Return whether two sound records are equal, component by component."""
    i: cython.int
    for i in range(SLOT_COUNT):  # noqa: SIM110  # `i` is a C number
        if not is_same(a, b, SLOTS[i]):
            return False
    return True


@cython.cfunc
@cython.exceptval(-1, check=False)
def is_same(a: PObject, b: PObject, at: cython.Py_ssize_t) -> cython.bint:
    """Return whether two sound records have the same in the slot at an offset."""
    one: PObject = get_slot(a, at)
    other: PObject = get_slot(b, at)
    if one == other:
        return True
    if at == PORT:
        return number_or_none(one, 0xFFFF) == number_or_none(other, 0xFFFF)
    if at == HOST:
        if not is_domain(one) or not is_domain(other):
            return _is_same_host(one, other)
        one, other = get_slot(one, DOMAIN_VALUE), get_slot(other, DOMAIN_VALUE)
    return is_ascii_text(one) and is_text_of(other, ascii_data(one), ascii_size(one))


@cython.cfunc
@cython.exceptval(-1, check=False)
def _is_same_host(one: PObject, other: PObject) -> cython.bint:
    """Return whether two hosts are equal that are not both domains."""
    a: object = cython.cast(object, one)
    b: object = cython.cast(object, other)
    at: cython.Py_ssize_t = -1
    if is_host(one) and is_host(other):
        if type(a) is not type(b):
            return False
        if is_type(one, cython.cast(PObject, IPv4Address)):
            at = IPV4_VALUE
        elif is_type(one, cython.cast(PObject, IPv6Address)):
            at = IPV6_VALUE
    if at >= 0 and get_slot(one, at) != cython.NULL and get_slot(other, at) != cython.NULL:
        return PyObject_RichCompareBool(
            cython.cast(object, get_slot(one, at)), cython.cast(object, get_slot(other, at)), Py_EQ
        )
    return a == b


@cython.cfunc
@cython.exceptval(-1, check=False)
def hash_record(record: object) -> cython.Py_hash_t:
    """Return the hash of what the slots hold. A string keeps its own hash."""
    r: PObject = cython.cast(PObject, record)
    made: cython.ulonglong = 0
    i: cython.int
    part: PObject
    for i in range(SLOT_COUNT):
        part = get_slot(r, SLOTS[i])
        if part != cython.NULL and is_type(part, cython.cast(PObject, Domain)):
            part = get_slot(part, DOMAIN_VALUE)  # its own hash is made by Python
        if part == cython.NULL:
            return _general_hash(record)  # raises AttributeError
        made ^= cython.cast(cython.ulonglong, PyObject_Hash(cython.cast(object, part)))
        made *= 1000003
    return cython.cast(cython.Py_hash_t, made) if made != cython.cast(cython.ulonglong, -1) else -2


@cython.cfunc
def _state(record: object) -> object:
    """Return the state of a pickle, in which a domain is text; None if unsure."""
    r: PObject = cython.cast(PObject, record)
    state: list = []
    i: cython.int
    part: PObject
    if not is_sound(r):
        return None
    for i in range(SLOT_COUNT):
        part = get_slot(r, SLOTS[i])
        state.append(cython.cast(object, get_slot(part, DOMAIN_VALUE) if is_domain(part) else part))
    return tuple(state)


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill(r: PObject, state: object) -> cython.bint:
    """Fill an empty record with the state of a pickle; False if unsure, and then it is empty."""
    i: cython.int
    host: object
    if (
        not is_type(r, cython.cast(PObject, Record))
        or type(state) is not tuple
        or len(cython.cast(tuple, state)) != SLOT_COUNT
    ):
        return False
    for i in range(SLOT_COUNT):
        if get_slot(r, SLOTS[i]) != cython.NULL:
            return False
    host = state[3]
    if type(host) is str:
        if not is_ascii(host):
            return False
        fill_domain(r, data_of_ascii(host), size_of_ascii(host))
    for i in range(SLOT_COUNT):
        if get_slot(r, SLOTS[i]) == cython.NULL:
            fill_slot(r, SLOTS[i], cython.cast(PObject, cython.cast(tuple, state)[i]))
    return True

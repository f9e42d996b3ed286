"""Equality, order and hash of records, and their pickles.

`storage` makes the operators those of the class with the parts. The methods of Python run for other
values and for subclasses.
"""

from copyreg import __newobj__ as new_object
from functools import update_wrapper

import cython
from cython.cimports.cpython.object import Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE
from cython.cimports.libc.string import memcmp
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.scan import DOMAIN
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.values import *

_general_operators = cython.declare(tuple)  # in the order of C's numbers
_general_hash = cython.declare(object)

_PARTS = cython.declare(cython.int, 8)
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
    if is_record(a) and is_record(b):
        if operation == Py_EQ or operation == Py_NE:
            return are_same(piece_of(a), piece_of(b)) == (operation == Py_EQ)
        return _is_in_order(_order(piece_of(a), piece_of(b)), operation)
    answer: object = _general_operators[operation](one, other)
    return not answer if operation == Py_NE and answer is not NotImplemented else answer


@cython.cfunc
@cython.exceptval(check=False)
def _order(a: PRecord, b: PRecord) -> cython.Py_ssize_t:
    """Return a number below 0, 0, or above 0: how the href of a record compares with another's."""
    size: cython.Py_ssize_t = ruler_of(a).size
    size_of_b: cython.Py_ssize_t = ruler_of(b).size
    found: cython.int = memcmp(text_of(a), text_of(b), min(size, size_of_b))
    return found or size - size_of_b


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_in_order(order: cython.Py_ssize_t, operation: cython.int) -> cython.bint:
    if operation == Py_LT:
        return order < 0
    if operation == Py_LE:
        return order <= 0
    return order > 0 if operation == Py_GT else order >= 0


@cython.cfunc
@cython.exceptval(-1, check=False)
def hash_record(record: object) -> cython.Py_hash_t:
    """Return the hash of the href, also for a record of a subclass, which may be equal."""
    if record_form(cython.cast(PObject, record)) == EMPTY:
        return _general_hash(record)  # raises AttributeError
    r: PRecord = piece_of(cython.cast(PObject, record))
    return hash_of_bytes(text_of(r), ruler_of(r).size)


@cython.cfunc
def _state(record: object) -> object:
    """Return the state of a pickle, in which a domain is text; None for another class."""
    host: object
    if not is_record(cython.cast(PObject, record)):
        return None
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    if r.host_kind == DOMAIN:
        host = new_ascii_text(text_of(r) + ruler.host, ruler.host_end - ruler.host)
    else:
        host = host_of(r)
    return (
        _part(record, SCHEME),
        _part(record, USERNAME),
        _part(record, PASSWORD),
        host,
        port_of(r),
        _part(record, PATH),
        _part(record, QUERY),
        _part(record, FRAGMENT),
    )


@cython.cfunc
@cython.inline
def _part(record: object, part: cython.Py_ssize_t) -> object:
    return read_part(record, cython.cast(cython.p_void, part))


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill(r: PObject, state: object) -> cython.bint:
    """Fill an empty record with the state of a pickle; False if it is not an empty record.

    Raises ValueError for a state that is not that of a record.
    """
    held: object = None
    if not has_type(r, cython.cast(PObject, Record)) or record_form(r) != EMPTY:
        return False
    if type(state) is tuple and len(cython.cast(tuple, state)) == _PARTS:
        held = filled_record(Record, cython.cast(tuple, state))
    if held is None:
        raise ValueError("this is not the state of a URLRecord")
    refer(cython.cast(object, r), held)
    return True

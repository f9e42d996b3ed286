"""The functions that `url.fast_path` calls: they turn text into a record, an href or True.

Each returns None when unsure; the general parser then decides and reports errors. That is so for
text that has lone surrogates or is of a subclass of `str`, for a base that is not a plain record,
and for some of the text that does not parse. For the rest, the failure is certain.

Spec: #concept-url-parser
"""

from functools import update_wrapper

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.weburl.standard.compiled.bases import Base, base_of_scan
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all, scan_origin_of
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.utf_8 import utf_8_of
from cython.cimports.weburl.standard.compiled.values import SLACK, new_record, read_base

from weburl.standard.compiled.facade import read_and_write_quickly

PInt = cython.typedef(cython.pointer(cython.int))


def with_fast_path(error_of):
    """Return a decorator of `weburl.parse`, which runs only if the fast path is unsure.

    ``error_of`` makes the error of an input and a base that are certain to fail, from these and the
    number of the failure. The interpreter calls the decorated function 60 ns faster than a Python
    function that calls `parse_quickly`.
    """

    def decorator(general):
        @cython.binding(True)  # the only kind of function that can have a signature
        def parse(input, base=None, *, encoding="utf-8"):
            failure: cython.int = 0
            if encoding == "utf-8":
                record: object = _parse(input, base, cython.address(failure), 0)
                if record is not None:
                    return record
                if failure:
                    raise error_of(input, base, failure) from None
            return general(input, base, encoding=encoding)

        return update_wrapper(parse, general)

    return decorator


def with_fast_answer(general):
    """Return `weburl.can_parse`, of which ``general`` runs only if the fast path is unsure."""

    @cython.binding(True)
    def can_parse(input, base=None):
        failure: cython.int = 0
        if base is None:
            answer: object = is_parsable(input)
            return general(input) if answer is None else answer
        if _parse(input, base, cython.address(failure), 0) is not None:
            return True
        return False if failure else general(input, base)

    return update_wrapper(can_parse, general)


def with_fast_attributes(of_url):
    """Return the class `URL`, whose constructor and attributes are compiled.

    The general methods run for subclasses and for what the fast path is unsure of.
    """
    general_init = of_url.__init__
    href_at: cython.Py_ssize_t = slot_offset(of_url, "_href")
    record_at: cython.Py_ssize_t = slot_offset(of_url, "_record")
    params_at: cython.Py_ssize_t = slot_offset(of_url, "_search_params")
    changed_at: cython.Py_ssize_t = slot_offset(of_url, "_params_changed")

    @cython.binding(True)
    def __init__(self, url, base=None):  # noqa: N807  # errors name it
        value: PObject = cython.cast(PObject, self)
        href: object = None
        if base is None and is_type(value, cython.cast(PObject, of_url)):
            href = canonical_href(url)
        if href is None:
            general_init(self, url, base)
        else:
            replace_slot(value, params_at, None)
            replace_slot(value, changed_at, False)
            replace_slot(value, href_at, href)
            replace_slot(value, record_at, None)

    of_url.__init__ = update_wrapper(__init__, general_init)
    read_and_write_quickly(of_url, parse_to_change)
    return of_url


@cython.ccall
def parse_quickly(input) -> object:
    """Return the record of a text."""
    failure: cython.int = 0
    return _parse(input, None, cython.address(failure), 0)


@cython.ccall
def parse_to_change(input) -> object:
    """As `parse_quickly`, for a `URL`, which may change the record."""
    failure: cython.int = 0
    return _parse(input, None, cython.address(failure), SLACK)


@cython.ccall
def join_quickly(base, input) -> object:
    """Return the record of a text, relative to a base, which is a record or the text of a URL."""
    failure: cython.int = 0
    return None if base is None else _parse(input, base, cython.address(failure), 0)


@cython.cfunc
def _parse(input: object, base: object, failure: PInt, slack: cython.int) -> object:
    """Return the record of a text, relative to a base if that is not None.

    ``slack``: bytes in which the record of an absolute URL can become longer.
    If the text or the base is certain to fail, return None and set ``failure`` to the number of
    the failure.
    """
    s: Scan
    b: Base
    stack: cython.uchar[STACK]
    if type(input) is not str:
        return None
    if type(base) is str:
        return _join_texts(base, input, failure)
    if base is not None and not read_base(base, cython.address(b)):
        return None
    encoded: object = None if is_ascii(input) else utf_8_of(input)
    if not _begin(cython.address(s), input, encoded, stack):
        return None
    try:
        if scan_all(cython.address(s), cython.NULL if base is None else cython.address(b)):
            return new_record(cython.address(s), cython.NULL, base, slack)
        failure[0] = s.failure
    finally:
        free_buffers(cython.address(s))
    return None


@cython.cfunc
def _join_texts(base: object, input: object, failure: PInt) -> object:
    """As `_parse`, for a base that is text. Makes no record of the base."""
    s: Scan
    of_base: Scan
    b: Base
    stack: cython.uchar[STACK]
    stack_of_base: cython.uchar[STACK]
    encoded: object = None if is_ascii(input) else utf_8_of(input)
    encoded_base: object = None if is_ascii(base) else utf_8_of(base)
    if not _begin(cython.address(s), input, encoded, stack):
        return None
    if not _begin(cython.address(of_base), base, encoded_base, stack_of_base):
        return None
    try:
        if scan_all(cython.address(of_base), cython.NULL):
            base_of_scan(cython.address(of_base), cython.address(b))
            if scan_all(cython.address(s), cython.address(b)):
                return new_record(cython.address(s), cython.address(of_base), None, 0)
            failure[0] = s.failure
        else:
            failure[0] = of_base.failure
    finally:
        free_buffers(cython.address(s))
        free_buffers(cython.address(of_base))
    return None


@cython.ccall
def canonical_href(input) -> object:
    """Return the href of the URL in a text."""
    s: Scan
    stack: cython.uchar[STACK]
    if type(input) is not str:
        return None
    encoded: object = None if is_ascii(input) else utf_8_of(input)
    if not _begin(cython.address(s), input, encoded, stack):
        return None
    try:
        if scan_all(cython.address(s), cython.NULL):
            if needs_dot(cython.address(s)):
                return None
            data: cython.p_uchar = output(cython.address(s))
            if not s.writing and encoded is None and s.n == size_of_ascii(input):
                return input
            return new_ascii_text(data, s.out)
    finally:
        free_buffers(cython.address(s))
    return None


@cython.ccall
def is_parsable(input) -> object:
    """Return True for the text of a URL, and False for text that is certain to fail."""
    s: Scan
    stack: cython.uchar[STACK]
    if type(input) is not str:
        return None
    encoded: object = None if is_ascii(input) else utf_8_of(input)
    if not _begin(cython.address(s), input, encoded, stack):
        return None
    try:
        if scan_origin_of(cython.address(s)):
            return True
        return False if s.failure else None
    finally:
        free_buffers(cython.address(s))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _begin(s: PScan, input: object, encoded: object, stack: cython.p_uchar) -> cython.bint:
    """Trim a text and prepare to read it; False if it has surrogates.

    Spec: #concept-basic-url-parser
    """
    if encoded is False:
        return False
    if encoded is None:
        begin(s, data_of_ascii(input), size_of_ascii(input), stack)
    else:
        begin(s, bytes_data(encoded), PyBytes_GET_SIZE(encoded), stack)
    return True

"""Facts about code points and their mappings, in pages of 256 code points.

A page is made when a host first needs it, and kept. All of Unicode would take eight megabytes.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cython.cimports.weburl.standard.compiled.code_points import Page

# The mappings that are longer than one code point, one after another.
_pool = cython.declare(cython.p_uint, cython.NULL)
_pool_length = cython.declare(cython.Py_ssize_t, 0)
_pool_room = cython.declare(cython.Py_ssize_t, 0)


PPage = cython.typedef(cython.pointer(Page))
_pages = cython.declare(PPage[4352])  # NULL for a page that is not made yet


@cython.cfunc
def page_of(code_point: cython.uint) -> cython.pointer(Page):
    """Return the page of a code point. The caller holds the GIL."""
    if _pages[code_point >> 8] == cython.NULL:
        _pages[code_point >> 8] = _make_page(code_point >> 8)
    return _pages[code_point >> 8]


@cython.cfunc
def _make_page(number: cython.int) -> cython.pointer(Page):
    """Return a new page, whose first code point is 256 times ``number``."""
    page: cython.pointer(Page)
    page = cython.cast(cython.pointer(Page), PyMem_Malloc(cython.sizeof(Page)))
    if page == cython.NULL:
        raise MemoryError
    try:
        _fill(page, number)
    except BaseException:
        PyMem_Free(page)
        raise
    return page


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill(page: cython.pointer(Page), number: cython.int) -> cython.int:
    from weburl.standard.compiled.code_point_facts import (
        facts_of,  # importing Unicode's tables is slow
    )

    i: cython.int
    for i in range(256):
        facts, classes, combining_class, replacement = facts_of(number << 8 | i)
        page.facts[i] = facts
        page.classes[i] = classes
        page.combining[i] = combining_class
        page.mapped[i] = ord(replacement) if len(replacement) == 1 else _put_into_pool(replacement)
    return 0


@cython.cfunc
@cython.exceptval(0, check=True)
def _put_into_pool(replacement: str) -> cython.uint:
    global _pool, _pool_length, _pool_room
    length: cython.Py_ssize_t = len(replacement)
    at: cython.Py_ssize_t = _pool_length
    room: cython.Py_ssize_t
    larger: cython.p_uint
    char: cython.Py_UCS4
    if at + length > _pool_room:
        room = 2 * _pool_room + 1024
        larger = cython.cast(cython.p_uint, PyMem_Realloc(_pool, room * cython.sizeof(cython.uint)))
        if larger == cython.NULL:
            raise MemoryError
        _pool = larger
        _pool_room = room
    for char in replacement:
        _pool[_pool_length] = char
        _pool_length += 1
    return cython.cast(cython.uint, 0x80000000 | at << 5 | length)


@cython.cfunc
@cython.exceptval(check=False)
def pool_at(mapped: cython.uint) -> cython.p_uint:
    """Return the code points that a page's ``mapped`` refers to, valid until the next new page."""
    return _pool + ((mapped & 0x7FFFFFFF) >> 5)

"""Facts about code points and their mappings, in pages of 256 code points.

A page is made when a host first needs it, and kept. All of Unicode would take eight megabytes.
"""

import cython
from cython.cimports.cpython.mem import PyMem_RawCalloc, PyMem_RawFree
from cython.cimports.weburl.standard.compiled.code_points import MANY, Page
from cython.cimports.weburl.standard.compiled.shared import load_pointer, publish

PPage = cython.typedef(cython.pointer(Page))
_pages = cython.declare(PPage[4352])  # NULL for a page that is not made yet


@cython.cfunc
def page_of(code_point: cython.uint) -> cython.pointer(Page):
    """Return the page of a code point. The caller has a thread state, since it may call Python."""
    page: PPage = cython.cast(PPage, load_pointer(cython.address(_pages[code_point >> 8])))
    return _make_page(code_point >> 8) if page == cython.NULL else page


@cython.cfunc
def _make_page(number: cython.int) -> cython.pointer(Page):
    """Make a page, whose first code point is 256 times ``number``, and return the one to use.

    Threads may make the same page at once. They use the one that was finished first.
    """
    page: PPage = cython.cast(PPage, PyMem_RawCalloc(1, cython.sizeof(Page)))
    if page == cython.NULL:
        raise MemoryError
    try:
        _fill(page, number)
    except BaseException:
        _free(page)
        raise
    if not publish(cython.address(_pages[number]), page):
        _free(page)
    return cython.cast(PPage, load_pointer(cython.address(_pages[number])))


@cython.cfunc
@cython.exceptval(check=False)
def _free(page: PPage) -> cython.void:
    PyMem_RawFree(page.several)
    PyMem_RawFree(page)


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill(page: PPage, number: cython.int) -> cython.int:
    from weburl.standard.compiled.code_point_facts import (
        facts_of,  # importing Unicode's tables is slow
    )

    i: cython.int
    char: cython.Py_UCS4
    length: cython.Py_ssize_t = 0
    several: list = []
    for i in range(256):
        facts, classes, combining_class, replacement = facts_of(number << 8 | i)
        page.facts[i] = facts
        page.classes[i] = classes
        page.combining[i] = combining_class
        if len(replacement) == 1:
            page.mapped[i] = ord(replacement)
        else:
            page.mapped[i] = MANY | length << 5 | len(replacement)
            several.append(replacement)
            length += len(replacement)
    page.several = cython.cast(
        cython.p_uint, PyMem_RawCalloc(length + 1, cython.sizeof(cython.uint))
    )
    if page.several == cython.NULL:
        raise MemoryError
    length = 0
    for char in "".join(several):
        page.several[length] = char
        length += 1  # noqa: SIM113  # a number of C
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def several_at(page: PPage, mapped: cython.uint) -> cython.p_uint:
    """Return the code points that ``mapped`` of a page refers to."""
    return page.several + ((mapped & ~MANY) >> 5)

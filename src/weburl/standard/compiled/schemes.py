"""The scheme, up to its colon."""

import cython
from cython.cimports.cpython.mem import PyMem_Calloc
from cython.cimports.cpython.object import PyObject
from cython.cimports.libc.string import memcmp
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import Scheme
from cython.cimports.weburl.standard.compiled.slots import ascii_data, ascii_size

from weburl.standard.infra.schemes import SPECIAL_SCHEMES

_NAMED = ("file", "https", "http")
"""The schemes that have a number of their own in `scan.pxd`, in its order, from 1 on."""

_names = cython.declare(list, [*_NAMED, *(name for name in SPECIAL_SCHEMES if name not in _NAMED)])
"""By number minus one. The table points to these texts, so they live as long as the module."""

_protocols = cython.declare(list, [f"{name}:" for name in _names])
"""The same with colons."""

_count = cython.declare(cython.int, len(_names))


@cython.cfunc
@cython.exceptval(-1, check=False)
def _fill_table() -> cython.int:
    """Fill SCHEMES from the package's table of special schemes."""
    global SCHEMES
    number: cython.int
    SCHEMES = cython.cast(cython.pointer(Scheme), PyMem_Calloc(_count + 1, cython.sizeof(Scheme)))
    if SCHEMES == cython.NULL:
        raise MemoryError
    SCHEMES[NOT_SPECIAL].default_port = -1
    for number in range(1, _count + 1):
        text: object = _names[number - 1]
        scheme: object = SPECIAL_SCHEMES[text]
        row: cython.pointer(Scheme) = cython.address(SCHEMES[number])
        row.text = cython.cast(cython.pointer(PyObject), text)
        row.protocol = cython.cast(cython.pointer(PyObject), _protocols[number - 1])
        row.name = ascii_data(row.text)
        row.size = ascii_size(row.text)
        row.default_port = -1 if scheme.default_port is None else scheme.default_port
        row.has_tuple_origin = scheme.has_tuple_origin
    return 0


_fill_table()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def special_scheme(name: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Return the number of the special scheme with a lowercase name, or NOT_SPECIAL.

    Spec: #special-scheme
    """
    number: cython.int
    for number in range(1, _count + 1):
        if SCHEMES[number].size == size and memcmp(SCHEMES[number].name, name, size) == 0:
            return number
    return NOT_SPECIAL


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def scan_scheme(s: PScan) -> cython.int:
    """Read a scheme and its colon. DECLINED if there is none; then nothing is read.

    Spec: #scheme-start-state, #scheme-state
    """
    end: cython.Py_ssize_t = 0
    every: cython.int = 0
    while end < s.n and KINDS[s.src[end]] & (IN_SCHEME | CAPITAL):
        every |= KINDS[s.src[end]]
        end += 1
    if end == s.n or s.src[end] != 0x3A:
        return DIRTY if end < s.n and KINDS[s.src[end]] & TAB_OR_NEWLINE else DECLINED
    if end == 0 or KINDS[s.src[0]] & DIGIT or s.src[0] < 0x41:  # "+", "-" or "."
        return DECLINED
    if every & CAPITAL:
        write(s)
        while s.at < end:
            put(s, s.src[s.at] | 0x20 if KINDS[s.src[s.at]] & CAPITAL else s.src[s.at])
            s.at += 1
    else:
        take_run(s, IN_SCHEME)
    s.scheme_end = end
    s.scheme = special_scheme(output(s), end)
    if s.writing:
        put(s, 0x3A)
    else:
        s.out += 1
    s.at = end + 1
    return DONE

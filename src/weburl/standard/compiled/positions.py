"""Sets of positions in a label that quickly count the members before one, and find the nth.

Each position is a bit, and a Fenwick tree counts the bits in blocks of 512, which fit into the
cache. So a code point costs hardly more in a label of a million than in a label of a hundred.
"""

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.libc.string import memset
from cython.cimports.weburl.standard.compiled.bits import ones
from cython.cimports.weburl.standard.compiled.positions import Positions


@cython.cfunc
@cython.exceptval(-1, check=False)
def start(positions: cython.pointer(Positions), size: cython.Py_ssize_t) -> cython.int:
    """Make an empty set of positions below ``size``. The caller must call `finish`."""
    positions.blocks = (size >> 9) + 1
    words: cython.size_t = 8 * positions.blocks
    if positions.blocks == 1:
        positions.words = positions.few
        positions.tree = cython.NULL
        memset(positions.few, 0, 64)
        return 0
    bytes_of_words: cython.size_t = words * 8
    bytes_of_tree: cython.size_t = (positions.blocks + 1) * cython.sizeof(cython.uint)
    data: cython.p_uchar = cython.cast(cython.p_uchar, PyMem_Malloc(bytes_of_words + bytes_of_tree))
    if data == cython.NULL:
        positions.words = positions.few
        raise MemoryError
    memset(data, 0, bytes_of_words + bytes_of_tree)
    positions.words = cython.cast(cython.pointer(cython.ulonglong), data)
    positions.tree = cython.cast(cython.p_uint, data + bytes_of_words)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def finish(positions: cython.pointer(Positions)) -> cython.void:
    """Free the memory of a set."""
    if positions.words != positions.few:
        PyMem_Free(positions.words)


@cython.cfunc
@cython.exceptval(check=False)
def add(positions: cython.pointer(Positions), position: cython.Py_ssize_t) -> cython.void:
    """Add ``position``, which must not be in the set."""
    block: cython.Py_ssize_t = (position >> 9) + 1
    positions.words[position >> 6] |= cython.cast(cython.ulonglong, 1) << (position & 63)
    if positions.tree != cython.NULL:
        while block <= positions.blocks:
            positions.tree[block] += 1
            block += block & -block


@cython.cfunc
@cython.exceptval(check=False)
def count_before(
    positions: cython.pointer(Positions), position: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return how many members are less than ``position``."""
    count: cython.Py_ssize_t = 0
    block: cython.Py_ssize_t = position >> 9
    word: cython.Py_ssize_t = block << 3
    last: cython.Py_ssize_t = position >> 6
    one: cython.ulonglong = 1
    while block:
        count += positions.tree[block]
        block &= block - 1
    while word < last:
        count += ones(positions.words[word])
        word += 1
    return count + ones(positions.words[last] & ((one << (position & 63)) - 1))


@cython.cfunc
@cython.exceptval(check=False)
def take(positions: cython.pointer(Positions), nth: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Remove and return the ``nth`` member in ascending order, from 0. The set has more members."""
    block: cython.Py_ssize_t = 0
    step: cython.Py_ssize_t = 1
    if positions.tree != cython.NULL:
        while step * 2 <= positions.blocks:
            step *= 2
        while step:
            if block + step <= positions.blocks and positions.tree[block + step] <= nth:
                block += step
                nth -= positions.tree[block]
            step //= 2
    word: cython.Py_ssize_t = block << 3
    while True:
        count: cython.Py_ssize_t = ones(positions.words[word])
        if nth < count:
            break
        nth -= count
        word += 1
    if positions.tree != cython.NULL:
        block += 1
        while block <= positions.blocks:
            positions.tree[block] -= 1
            block += block & -block
    bits: cython.ulonglong = positions.words[word]
    while nth:  # clear the members before it
        bits &= bits - 1
        nth -= 1
    bits &= ~(bits - 1)  # the lowest
    positions.words[word] ^= bits
    return (word << 6) + ones(bits - 1)

"""Jobs over the rows of a column: a subclass of `Job` says what becomes of one row.

All rows are read without the GIL first. Rows for the general parser, and domains that are not
ASCII, are read again at the end with the GIL. If each of these rows took the GIL by itself, threads
would spend most of their time waiting for one another. No row takes the GIL halfway, because in an
interpreter other than the main one it might wait forever.
"""

import cython
from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
from cython.cimports.cpython.unicode import PyUnicode_DecodeUTF8
from cython.cimports.weburl.columns.compiled.loops import DONE, LEFT, NO_ROOM
from cython.cimports.weburl.columns.compiled.plain import (
    NO_BLOCKS,
    Block,
    PBlock,
    begin_blocks,
    read_plain,
    size_of_block,
)
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.scan import (
    STACK,
    PScan,
    Scan,
    begin,
    free_buffers,
)
from cython.cimports.weburl.standard.compiled.utf_8 import is_utf_8

from weburl.standard.infra.errors import ValidationErrorType

# By number, less one.
_names_of_failures = cython.declare(tuple, tuple(type.value for type in ValidationErrorType))


@cython.cclass
class Job:
    """What to make of each row of a column."""

    @cython.final
    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def open(self, column: object, general: object, failures: object) -> cython.int:
        """Prepare to read a column.

        ``general``: called with a row and its text, None for invalid UTF-8; returns what the
        general parser finds for each sink, or None. ``failures``: a dict from rows to the names of
        failures, or None. ``general`` is not called for a row whose failure is certain, which is
        recorded there.
        """
        self.column = column
        self.general = general
        self.failures = failures
        self.extent = NO_BLOCKS
        return open_rows(cython.address(self.texts), column)

    @cython.final
    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def open_all_sinks(self, wanted: list, most: cython.Py_ssize_t) -> cython.int:
        """Make a sink for each wanted part, with room for ``most`` bytes more than the column."""
        self.wanted = wanted
        self.count = len(wanted)
        self.done = bytearray((self.texts.length + 7) >> 3)
        self.bits = cython.cast(cython.p_uchar, PyByteArray_AS_STRING(self.done))
        most += size_of_rows(cython.address(self.texts), self.texts.length)
        self.buffers = open_sinks(
            self.sinks, wanted, self.texts.length, self.texts.wide, most, self.suffixes
        )
        return 0

    @cython.final
    @cython.cfunc
    def run(self, row: cython.Py_ssize_t = 0) -> tuple:
        """Put all rows from ``row`` on.

        Returns the buffers of each sink, with the number of nulls, and one bit for each row that
        has a result. Raises ValueError for rows outside of the data.
        """
        at: cython.Py_ssize_t
        i: cython.int
        length: cython.Py_ssize_t = self.texts.length
        while row < length:
            with cython.nogil:
                row = self.put_rows(row)
            if row < length:
                make_room(self.sinks, self.buffers, self.count, self.more)
        left: list = []
        row = 0
        while row < length:
            if row & 7 == 0 and self.bits[row >> 3] == 0xFF:
                row += 8
                continue
            if not self.bits[row >> 3] >> (row & 7) & 1 and not self.has_null(row):
                left.append(row)
            row += 1
        if left:
            buffers: list = open_sinks(
                self.others, self.wanted, len(left), self.texts.wide, 0, self.suffixes
            )
            for at in range(len(left)):
                self.put_left(left[at], at, buffers)
            insert(self.sinks, self.buffers, self.others, self.count, left, length)
        made = [closed(cython.address(self.sinks[i]), self.buffers[i]) for i in range(self.count)]
        return made, self.done

    # What subclasses override.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_null(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return whether a row is null."""
        return is_null(cython.address(self.texts), row)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_block(self, row: cython.Py_ssize_t, block: PBlock, count: cython.int) -> cython.void:
        """Put as many plain rows as ``count`` from ``row`` on, and unset the bits of those left."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def put(
        self,
        s: PScan,
        text: cython.p_uchar,
        size: cython.Py_ssize_t,
        row: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
        sinks: PSink,
    ) -> cython.int:
        """Put a row into ``sinks`` as their row ``at``, and return what became of it."""
        return LEFT

    # The rows.

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def put_rows(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Put rows from ``row`` on; return the first one without room, or the end."""
        text: cython.p_uchar = cython.NULL
        size: cython.Py_ssize_t
        block: Block
        count: cython.int = 0
        i: cython.int
        begin_blocks(cython.address(block))
        while row < self.texts.length:
            if self.extent != NO_BLOCKS:
                count = read_plain(
                    cython.address(self.texts), row, self.extent, cython.address(block)
                )
            if count:
                self.more = size_of_block(cython.address(block), count)
                if not has_room(self.sinks, self.count, self.more):
                    return row
                set_bits(self.bits, row, row + count)
                self.put_block(row, cython.address(block), count)
                row += count
                continue
            if self.has_null(row):
                for i in range(self.count):
                    put_null(self.sinks + i, row)
                row += 1
                continue
            size = find_row(cython.address(self.texts), row, cython.address(text))
            became: cython.int = LEFT
            if size >= 0:
                became = self.put_row(text, size, row, row, self.sinks, cython.NULL)
            if became == NO_ROOM:
                return row
            if became == DONE:
                self.bits[row >> 3] |= 1 << (row & 7)
            else:
                leave_out(self.sinks, self.count, row)
                # Reading the next row is quicker than leaving it out as well.
                begin_blocks(cython.address(block))
            row += 1
        return row

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def put_row(
        self,
        text: cython.p_uchar,
        size: cython.Py_ssize_t,
        row: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
        sinks: PSink,
        failure: cython.p_int,
    ) -> cython.int:
        """Put a row, and return what became of it.

        ``failure``: where to write the number of its failure, with the GIL; NULL without it.
        """
        s: Scan
        stack: cython.uchar[STACK]
        begin(cython.address(s), text, size, stack)
        s.has_gil = failure != cython.NULL
        try:
            became: cython.int = self.put(cython.address(s), text, size, row, at, sinks)
            if failure != cython.NULL:
                failure[0] = s.failure
            return became
        finally:
            free_buffers(cython.address(s))

    @cython.final
    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def put_left(self, row: cython.Py_ssize_t, at: cython.Py_ssize_t, buffers: list) -> cython.int:
        """Put a row that was left into the other sinks, or what ``general`` returns for it.

        If the number of its failure is known, that is recorded, and no text is made of the row.
        """
        text: cython.p_uchar = cython.NULL
        failure: cython.int = 0
        size: cython.Py_ssize_t = require_row(cython.address(self.texts), row, cython.address(text))
        parts: object = None
        became: cython.int = NO_ROOM
        while became == NO_ROOM:
            became = self.put_row(text, size, row, at, self.others, cython.address(failure))
            if became == NO_ROOM:
                make_room(self.others, buffers, self.count, self.more)
        if became == LEFT:
            if failure > 0 and self.failures is not None:
                self.failures[row] = _names_of_failures[failure - 1]
            else:
                parts = self.general(row, _text_of(text, size))
            if not put_told(parts, self.others, buffers, self.count, at):
                return 0
        self.bits[row >> 3] |= 1 << (row & 7)
        return 0


@cython.cfunc
def _text_of(text: cython.p_uchar, size: cython.Py_ssize_t) -> object:
    """Return a row as text for the general parser; None for invalid UTF-8."""
    if not is_utf_8(text, size):
        return None
    return PyUnicode_DecodeUTF8(cython.cast(cython.p_char, text), size, cython.NULL)

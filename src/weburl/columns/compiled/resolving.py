"""A column of text resolved on a column of bases, or on one base: hrefs, from buffers to buffers.

If consecutive rows have the same base, it is read only once.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.columns.compiled.loops import DONE, LEFT, NO_ROOM, Job
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.columns.compiled.sinks import HREF, PSink, has_room, put
from cython.cimports.weburl.standard.compiled.bases import Base, base_of_scan
from cython.cimports.weburl.standard.compiled.references import (
    begins_with_slashes,
    needs_dot,
    scan_all,
)
from cython.cimports.weburl.standard.compiled.scan import (
    KEEPS_AUTHORITY,
    KEEPS_NOTHING,
    KEEPS_PATH,
    NO_HOST,
    STACK,
    PScan,
    Scan,
    begin,
    free_buffers,
    output,
)
from cython.cimports.weburl.standard.compiled.utf_8 import is_text

# The base that was read last, and its text.
Known = cython.struct(
    scan=Scan,
    base=Base,
    text=cython.p_uchar,
    size=cython.Py_ssize_t,
    is_base=cython.bint,
    stack=cython.uchar[STACK],
)
PKnown = cython.typedef(cython.pointer(Known))


@cython.ccall
def resolve_column(column: tuple, bases: tuple, general, failures=None) -> object:
    """Resolve every URL of a column on its base and return the hrefs as buffers.

    Args: ``bases``: a column of the same length, or of one row for all URLs. ``general``: called
    for rows that only the general parser can decide. The others are as in `parts.cut_column`.

    Returns: what `parts.cut_column` returns for hrefs.
    """
    base: cython.p_uchar = cython.NULL
    size: cython.Py_ssize_t
    job: Resolve = Resolve()
    job.open(column, general, failures)
    open_rows(cython.address(job.bases), bases)
    job.has_one_base = job.bases.length == 1
    if not job.has_one_base and job.bases.length != job.texts.length:
        raise ValueError("there are not as many bases as URLs")
    job.open_all_sinks([HREF], 0)
    job.known.size = -1
    begin(cython.address(job.known.scan), cython.NULL, 0, job.known.stack)
    try:
        if job.has_one_base and job.texts.length and not is_null(cython.address(job.bases), 0):
            size = require_row(cython.address(job.bases), 0, cython.address(base))
            _reads_base(cython.address(job.known), base, size, True)
        return job.run()[0][0]
    finally:
        free_buffers(cython.address(job.known.scan))


@cython.final
@cython.cclass
class Resolve(Job):
    """Resolves URLs on their bases."""

    bases: Rows
    has_one_base: cython.bint
    known: Known

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_null(self, row: cython.Py_ssize_t) -> cython.bint:
        return is_null(cython.address(self.texts), row) or is_null(
            cython.address(self.bases), 0 if self.has_one_base else row
        )

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
        base: cython.p_uchar = cython.NULL
        base_size: cython.Py_ssize_t = find_row(
            cython.address(self.bases), 0 if self.has_one_base else row, cython.address(base)
        )
        known: PKnown = cython.address(self.known)
        if base_size < 0 and s.has_gil:
            with cython.gil:
                outside()
        if (
            base_size < 0
            or not _reads_base(known, base, base_size, s.has_gil)
            or not is_text(text, size)
            or not scan_all(s, cython.address(known.base))
            or _needs_dot_on_base(s, cython.address(known.scan))
        ):
            return LEFT
        self.more = known.scan.out + s.out
        if not has_room(sinks, 1, self.more):
            return NO_ROOM
        _put_resolved(sinks, at, s, cython.address(known.scan))
        return DONE


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads_base(
    known: PKnown, text: cython.p_uchar, size: cython.Py_ssize_t, has_gil: cython.bint
) -> cython.bint:
    """Read a base, unless it was read last, and return whether it is a URL."""
    s: PScan = cython.address(known.scan)
    if (
        size == known.size
        and (text == known.text or memcmp(text, known.text, size) == 0)
        # A base that fails without the GIL may succeed with it.
        and (known.is_base or s.has_gil or not has_gil)
    ):
        return known.is_base
    free_buffers(s)
    begin(s, text, size, known.stack)
    s.has_gil = has_gil
    known.text = text
    known.size = size
    known.is_base = is_text(text, size) and scan_all(s, cython.NULL) and not needs_dot(s)
    if known.is_base:
        base_of_scan(s, cython.address(known.base))
    return known.is_base


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _needs_dot_on_base(s: PScan, base: PScan) -> cython.bint:
    """Return whether "/." must go between the part kept of the base and the part that was read."""
    if s.kept == KEEPS_NOTHING:
        return needs_dot(s)
    return s.kept == KEEPS_AUTHORITY and base.host_kind == NO_HOST and begins_with_slashes(s)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _put_resolved(sink: PSink, row: cython.Py_ssize_t, s: PScan, base: PScan) -> cython.void:
    """Put the part kept of the base, and after it the part that was read."""
    data: cython.p_uchar = output(s)
    kept: cython.Py_ssize_t
    first: cython.Py_ssize_t
    if s.kept == KEEPS_NOTHING:
        kept, first = 0, 0
    elif s.kept == KEEPS_AUTHORITY:
        kept, first = base.path, s.path
    elif s.kept == KEEPS_PATH:
        kept, first = base.path_end, s.path_end
    else:
        kept, first = base.query_end, s.query_end
    memcpy(sink.data + sink.used, output(base), kept)
    sink.used += kept
    put(sink, row, data + first, s.out - first)

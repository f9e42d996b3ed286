"""Keys and SURTs of a column of URLs, from the bytes of their hrefs."""

import cython
from cython.cimports.weburl.columns.compiled.loops import DONE, LEFT, NO_ROOM, Job
from cython.cimports.weburl.columns.compiled.plain import ITSELF, SLACK_OF_ROWS, PBlock, PPlain
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.keys.compiled.plans import KeyPlan, PPlan, write_key
from cython.cimports.weburl.keys.compiled.surts import write_surt
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all
from cython.cimports.weburl.standard.compiled.scan import DOMAIN, PScan, Scan, begin_part
from cython.cimports.weburl.standard.compiled.suffixes import SuffixTable
from cython.cimports.weburl.standard.compiled.utf_8 import is_text


@cython.ccall
def key_column(plan: KeyPlan, column: tuple, general, failures=None) -> object:
    """Return the keys of the URLs of a column as buffers.

    The other arguments and the result are those of `parts.cut_column` for one part. ``general`` is
    also called for rows for which the steps must run.
    """
    job: Keys = Keys()
    job.open(column, general, failures)
    job.extent = ITSELF
    job.plan = cython.address(plan.plan)
    if job.plan.folds_www:
        suffixes: SuffixTable = plan.suffixes()
        job.suffixes = cython.address(suffixes.table)
    job.open_all_sinks([HREF], 4096)
    return job.run()[0][0]


@cython.ccall
def surt_column(column: tuple, general) -> object:
    """Return the SURTs of a column of hrefs as buffers.

    ``general`` is called for what is not made here: a row and its text.
    """
    job: SURTs = SURTs()
    job.open(column, general, None)
    job.extent = ITSELF
    # No SURT is longer than its href.
    job.open_all_sinks([HREF], SLACK_OF_ROWS)
    return job.run()[0][0]


@cython.cclass
class Written(Job):
    """Writes something of each URL, which may be left to Python."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_block(self, row: cython.Py_ssize_t, block: PBlock, count: cython.int) -> cython.void:
        i: cython.int
        sink: PSink = self.sinks
        for i in range(count):
            size: cython.Py_ssize_t = self.write_plain(block.rows + i, sink.data + sink.used)
            if size < 0:
                leave_out(sink, 1, row)
                self.bits[row >> 3] &= ~(1 << (row & 7))
            else:
                put_written(sink, row, size)
            row += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write_plain(self, plain: PPlain, out: cython.p_uchar) -> cython.Py_ssize_t:
        """Write what is made of a plain row, and return its size; -1 if Python must make it."""
        return -1


@cython.final
@cython.cclass
class Keys(Written):
    """Writes the keys of URLs."""

    plan: PPlan

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write_plain(self, plain: PPlain, out: cython.p_uchar) -> cython.Py_ssize_t:
        s: Scan
        begin_part(
            cython.address(s), cython.cast(cython.p_uchar, plain.text), plain.size, cython.NULL
        )
        s.scheme = plain.scheme
        s.scheme_end = plain.host - 3
        s.at = s.out = plain.size
        s.host_kind = DOMAIN
        s.host = plain.host
        s.host_end = plain.host_end
        s.port = plain.port
        s.path = plain.path
        s.path_end = plain.path_end
        s.query_end = plain.query_end
        return write_key(self.plan, self.suffixes, cython.address(s), out)

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
        if not (is_text(text, size) and scan_all(s, cython.NULL)) or needs_dot(s):
            return LEFT
        self.more = s.out + 1
        if not has_room(sinks, 1, self.more):
            return NO_ROOM
        size = write_key(self.plan, self.suffixes, s, sinks.data + sinks.used)
        if size < 0:
            return LEFT
        put_written(sinks, at, size)
        return DONE


@cython.final
@cython.cclass
class SURTs(Written):
    """Writes the SURTs of plain rows. All others are left."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write_plain(self, plain: PPlain, out: cython.p_uchar) -> cython.Py_ssize_t:
        return write_surt(
            plain.text,
            plain.host,
            plain.host_end,
            plain.path,
            plain.path_end,
            plain.query_end,
            out,
        )

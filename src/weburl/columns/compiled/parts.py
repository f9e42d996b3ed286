"""Parts of the URLs of a column, from buffers of UTF-8 to buffers.

Only rows for the general parser become Python objects.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy
from cython.cimports.weburl.columns.compiled.cutting import cut, cut_plain, most_cut
from cython.cimports.weburl.columns.compiled.loops import DONE, LEFT, NO_ROOM, Job
from cython.cimports.weburl.columns.compiled.plain import (
    ITSELF,
    UP_TO_PORT,
    WHOLE,
    Block,
    PBlock,
    begin_blocks,
    read_plain,
)
from cython.cimports.weburl.columns.compiled.rows import *
from cython.cimports.weburl.columns.compiled.sinks import *
from cython.cimports.weburl.standard.compiled.hosts import scan_host
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all, scan_origin_of
from cython.cimports.weburl.standard.compiled.scan import DONE as HOST_DONE
from cython.cimports.weburl.standard.compiled.scan import HTTPS, NOT_SPECIAL, PScan, output
from cython.cimports.weburl.standard.compiled.suffixes import SuffixTable
from cython.cimports.weburl.standard.compiled.utf_8 import is_text

WHAT = {
    "href": HREF,
    "scheme": SCHEME,
    "username": USERNAME,
    "password": PASSWORD,
    "host": HOST,
    "path": PATH,
    "query": QUERY,
    "fragment": FRAGMENT,
    "origin": ORIGIN,
    "domain": DOMAIN_ALONE,
    "port": PORT,
    "host_kind": HOST_KIND,
    "registrable_domain": REGISTRABLE,
    "site": SITE_OF,
}

# Bits of the wanted parts: those after the port, and those of which blob URLs have others.
AFTER_PORT = cython.declare(cython.int, 1 << HREF | 1 << PATH | 1 << QUERY | 1 << FRAGMENT)
OF_ORIGIN = cython.declare(cython.int, 1 << ORIGIN | 1 << SITE_OF)


@cython.ccall
def cut_column(
    wanted: list,
    column: tuple,
    general,
    failures=None,
    of_hosts: cython.bint = False,
    suffixes: SuffixTable = None,
    unchanged: cython.Py_ssize_t = 0,
) -> tuple:
    """Cut parts from every URL of a column and return them as buffers.

    Args: ``wanted``: the numbers of the parts (see `WHAT`), which may be none. ``column``: as in
    `open_rows`. ``general`` and ``failures``: as in `Job.open`. ``of_hosts``: whether the rows are
    bare hosts. Then only parts of the host can be wanted. ``suffixes``: for registrable domains and
    sites. ``unchanged``: how many of the first rows `unchanged_rows` has found. Then only hrefs can
    be wanted.

    Returns: for each part, its bytes, offsets, validity (None without nulls) and number of nulls;
    then one bit for each row that is a URL.

    Raises: ValueError for too many parts, or for buffers that do not contain all rows.
    """
    i: cython.int
    job: Cut = Cut()
    if len(wanted) > KINDS_OF_SINKS:
        raise ValueError("too many parts")
    for i in range(len(wanted)):
        job.wants |= 1 << cython.cast(cython.int, wanted[i])
    if of_hosts and job.wants & ~(1 << HOST | 1 << DOMAIN_ALONE | 1 << HOST_KIND):
        raise ValueError("a bare host has no other parts")
    job.of_hosts = of_hosts
    job.open(column, general, failures)
    if not of_hosts:
        job.extent = WHOLE if job.wants & AFTER_PORT else UP_TO_PORT
    if suffixes is not None:
        job.suffixes = cython.address(suffixes.table)
    # Few parts are longer than their row.
    job.open_all_sinks(wanted, 4096)
    if unchanged > 0:
        _copy_unchanged(cython.address(job.texts), unchanged, job.sinks)
        set_bits(job.bits, 0, unchanged)
    return job.run(unchanged)


@cython.ccall
def unchanged_rows(column: tuple) -> object:
    """Return how many rows at the start of a column are certain to be their own hrefs.

    Args: as `cut_column`. Raises ValueError for buffers that do not contain all rows.
    """
    texts: Rows
    block: Block
    row: cython.Py_ssize_t = 0
    count: cython.int = 1
    open_rows(cython.address(texts), column)
    with cython.nogil:
        begin_blocks(cython.address(block))
        while count:
            count = read_plain(cython.address(texts), row, ITSELF, cython.address(block))
            row += count
    return row


@cython.cfunc
@cython.exceptval(-1)
def _copy_unchanged(texts: PRows, count: cython.Py_ssize_t, sink: PSink) -> cython.int:
    """Put the first ``count`` rows. Raises ValueError for rows outside of the data."""
    row: cython.Py_ssize_t
    first: cython.Py_ssize_t = offset_at(texts, texts.start)
    sink.used = size_of_rows(texts, count)
    if first < 0 or first > texts.size - sink.used or sink.used > sink.size:
        outside()
    memcpy(sink.data, texts.data + first, sink.used)
    for row in range(count):
        end_row_at(sink, row, offset_at(texts, texts.start + row + 1) - first)
    set_bits(sink.validity, 0, count)
    return 0


@cython.final
@cython.cclass
class Cut(Job):
    """Cuts parts from URLs, or from bare hosts."""

    wants: cython.int  # a bit for each wanted part
    of_hosts: cython.bint

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_block(self, row: cython.Py_ssize_t, block: PBlock, count: cython.int) -> cython.void:
        i: cython.int
        for i in range(self.count):
            cut_plain(self.sinks + i, row, block.rows, count)

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
        i: cython.int
        if not self.reads(s, text, size):
            return LEFT
        self.more = most_cut(s)
        if not has_room(sinks, self.count, self.more):
            return NO_ROOM
        for i in range(self.count):
            cut(sinks + i, at, s)
        return DONE

    @cython.final
    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def reads(self, s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
        """Read a URL, and return whether every wanted part can be cut from what was read."""
        if self.of_hosts:
            return _reads_host(s, text, size)
        if not is_text(text, size):
            return False
        if not self.wants:
            return scan_origin_of(s)
        return (
            scan_all(s, cython.NULL)
            and not (self.wants & 1 << HREF and needs_dot(s))
            and not (self.wants & OF_ORIGIN and _is_blob(s))
        )


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def _reads_host(s: PScan, text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Read a bare host, as the host of a URL with a special scheme.

    `begin` trims spaces, which a host cannot have. The general parser decides about those.
    """
    if size == 0 or s.n != size or not is_text(text, size):
        return False
    s.scheme = HTTPS
    if scan_host(s) == HOST_DONE:
        return s.at == size
    s.failure = 0  # A colon or a slash ends no bare host, so another failure may come first.
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blob(s: PScan) -> cython.bint:
    """Return whether it is a blob URL, whose origin is that of the URL in its path."""
    return s.scheme == NOT_SPECIAL and s.scheme_end == 4 and memcmp(output(s), b"blob", 4) == 0

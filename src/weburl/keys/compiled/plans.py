"""Keys of most URLs, from the bytes of their hrefs: what the steps of `weburl.keys` would make.

A row or a text is declined if a step would have to do more than leave bytes out or sort a few
params: for session ids, params of some sites, and names that are percent-encoded.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.weburl.keys.compiled.plans import *
from cython.cimports.weburl.standard.compiled.references import needs_dot, scan_all
from cython.cimports.weburl.standard.compiled.scan import (
    HEX_VALUES,
    HTTP,
    HTTPS,
    STACK,
    PScan,
    Scan,
    begin,
    free_buffers,
    output,
)
from cython.cimports.weburl.standard.compiled.slots import (
    bytes_data,
    data_of_ascii,
    is_ascii,
    new_ascii_text,
    size_of_ascii,
)
from cython.cimports.weburl.standard.compiled.suffixes import (
    PTable,
    SuffixTable,
    has_empty_label,
    registrable_domain,
    suffix_start,
)

# "index.html" and the other names of default documents begin with one of these, and are no longer.
_LONGEST_DOCUMENT = cython.declare(cython.Py_ssize_t, 12)


@cython.cclass
class KeyPlan:
    """Rules, prepared. `weburl.keys.rules` makes it.

    ``options``: the names of the steps that are on, and some more. ``fragments``: the first bytes
    of fragments that stay, and ``unsure`` of those that may. ``names``: ASCII names of params that
    go, with the bits of their kind, sorted; 256 at the most. ``suffixes`` returns the table that
    `folds_www` needs.
    """

    def __cinit__(self, options, fragments: bytes, unsure: bytes, names: list, suffixes):
        at: cython.Py_ssize_t
        byte: cython.int
        name: bytes
        kind: cython.int
        p: cython.pointer(Plan) = cython.address(self.plan)
        if len(names) > MOST_NAMES:
            raise ValueError("too many names")
        p.drops_fragment = "drop_fragment" in options
        p.keeps_text_directives = "keep_text_directives" in options
        p.drops_credentials = "drop_credentials" in options
        p.folds_https = "fold_https" in options
        p.drops_trailing_dot = "drop_trailing_dot" in options
        p.folds_www = "fold_www" in options
        p.folds_percent_encoding = "fold_percent_encoding" in options
        p.drops_session_ids = "drop_session_ids" in options
        p.lowercases_path = "lowercase_path" in options
        p.folds_default_document = "fold_default_document" in options
        p.folds_trailing_slash = "fold_trailing_slash" in options
        p.changes_query = "changes_query" in options
        p.declines_queries = "declines_queries" in options
        p.sorts_params = "sort_params" in options
        p.drops_empty_query = "drop_empty_query" in options
        for byte in range(256):
            p.fragments[byte] = KEPT if byte in fragments else DROPPED
            if byte in unsure:
                p.fragments[byte] = UNSURE
            p.buckets[byte] = 0
        p.buckets[256] = 0
        p.ends[0] = 0
        before: bytes = b"\0"
        for at in range(len(names)):
            name, kind = names[at]
            if not name or name[0] < before[0]:
                raise ValueError("names are sorted, and not empty")
            before = name
            p.kinds[at] = kind
            p.ends[at + 1] = p.ends[at] + PyBytes_GET_SIZE(name)
            p.buckets[bytes_data(name)[0] + 1] = at + 1
        for byte in range(256):
            p.buckets[byte + 1] = max(p.buckets[byte + 1], p.buckets[byte])
        self.names = b"".join([name for name, _ in names])
        p.names = bytes_data(self.names)
        self.suffixes = suffixes

    @cython.ccall
    def key_of(self, text) -> object:
        """Return the key of the URL in a text, or None if the parser or the steps must decide."""
        s: Scan
        stack: cython.uchar[STACK]
        encoded: object = None
        if type(text) is not str:
            return None
        if is_ascii(text):
            begin(cython.address(s), data_of_ascii(text), size_of_ascii(text), stack)
        else:
            try:
                encoded = text.encode()
            except UnicodeEncodeError:
                return None
            begin(cython.address(s), bytes_data(encoded), PyBytes_GET_SIZE(encoded), stack)
        try:
            if scan_all(cython.address(s), cython.NULL) and not needs_dot(cython.address(s)):
                return _key(self, cython.address(s), text)
        finally:
            free_buffers(cython.address(s))
        return None


@cython.cfunc
def _key(plan: KeyPlan, s: PScan, text: object) -> object:
    """Return the key of a URL that was read, which is ``text`` itself if nothing changes."""
    table: PTable = cython.NULL
    if plan.plan.folds_www and _begins_with_www(output(s) + s.host, s.host_end - s.host):
        suffixes: SuffixTable = plan.suffixes()
        table = cython.address(suffixes.table)
    few: cython.uchar[STACK]
    out: cython.p_uchar = few
    if s.out + 1 > STACK:
        out = cython.cast(cython.p_uchar, PyMem_Malloc(s.out + 1))
        if out == cython.NULL:
            raise MemoryError
    try:
        size: cython.Py_ssize_t = write_key(cython.address(plan.plan), table, s, out)
        if size < 0:
            return None
        if (
            is_ascii(text)
            and size == size_of_ascii(text)
            and memcmp(out, data_of_ascii(text), size) == 0
        ):
            return text
        return new_ascii_text(out, size)
    finally:
        if out != few:
            PyMem_Free(out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_key(plan: PPlan, table: PTable, s: PScan, out: cython.p_uchar) -> cython.Py_ssize_t:
    """Write the key of a URL that was read and return its size; -1 if the steps must run.

    ``table``: the suffixes, which are only needed for a host that begins with "www.". ``out`` has
    room for one byte more than the href.
    """
    data: cython.p_uchar = output(s)
    path: cython.p_uchar = data + s.path
    size: cython.Py_ssize_t = s.path_end - s.path
    if s.scheme != HTTPS and s.scheme != HTTP:
        memcpy(out, data, s.out)
        return s.out
    at: cython.Py_ssize_t = _write_origin(plan, table, s, data, out)
    if plan.folds_percent_encoding and memchr(path, 0x25, size) != cython.NULL:
        memcpy(out + at, path, size)
        path = out + at
        size = _folded(out, at, at + size) - at
    at = _write_path(plan, path, size, out, at) if size >= 0 else -1
    if at >= 0 and s.query_end > s.path_end:
        query: cython.Py_ssize_t = at
        at = _write_query(plan, data + s.path_end + 1, s.query_end - s.path_end - 1, out, at)
        if at > 0 and plan.folds_percent_encoding:
            at = _folded(out, query, at)
    if at >= 0 and s.out > s.query_end:
        at = _write_fragment(plan, data + s.query_end, s.out - s.query_end, out, at)
    return at


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _begins_with_www(host: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    return size > 4 and memcmp(host, b"www.", 4) == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_origin(
    plan: PPlan, table: PTable, s: PScan, data: cython.p_uchar, out: cython.p_uchar
) -> cython.Py_ssize_t:
    """Write everything before the path."""
    at: cython.Py_ssize_t = s.scheme_end + 3
    first: cython.Py_ssize_t = s.host
    end: cython.Py_ssize_t = s.host_end
    if plan.folds_https and s.scheme == HTTP and s.port < 0:
        memcpy(out, b"https://", 8)
        at = 8
    else:
        memcpy(out, data, at)
    if s.has_credentials and not plan.drops_credentials:
        memcpy(out + at, data + s.scheme_end + 3, first - s.scheme_end - 3)
        at += first - s.scheme_end - 3
    # What is left is not the empty host.
    if plan.drops_trailing_dot and end - first > 1 and data[end - 1] == 0x2E:
        if data[end - 2] != 0x2E:
            end -= 1
    if plan.folds_www and _begins_with_www(data + first, end - first):
        # The registrable domain is kept whole.
        last: cython.Py_ssize_t = first
        if end - first > 1 and data[end - 1] == 0x2E:
            last += registrable_domain(table, data + first, end - first)
        elif not has_empty_label(data + first, end - first):
            # The scheme is before the host, so it can be read 8 bytes at a time.
            last += suffix_start(table, data + first, end - first, 0, first)
        else:
            last -= 1
        while first < last and memcmp(data + first, b"www.", 4) == 0:
            first += 4
    memcpy(out + at, data + first, end - first)
    at += end - first
    memcpy(out + at, data + s.host_end, s.path - s.host_end)
    return at + s.path - s.host_end


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_path(
    plan: PPlan,
    path: cython.p_uchar,
    size: cython.Py_ssize_t,
    out: cython.p_uchar,
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    i: cython.Py_ssize_t
    if plan.drops_session_ids or plan.lowercases_path:
        for i in range(size):
            c: cython.uchar = path[i]
            if plan.drops_session_ids and (c == 0x3B or c == 0x28):
                return -1
            if plan.lowercases_path and 0x41 <= c <= 0x5A:
                return -1
    if plan.folds_trailing_slash:
        while size > 1 and path[size - 1] == 0x2F:
            size -= 1
    if plan.folds_default_document:
        i = size
        while path[i - 1] != 0x2F and size - i <= _LONGEST_DOCUMENT:
            i -= 1
        # The first letter of "index…" and "default…".
        if i < size and path[i - 1] == 0x2F and (path[i] | 0x20 == 0x69 or path[i] | 0x20 == 0x64):
            return -1
    if path != out + at:  # It was written already if it was folded.
        memcpy(out + at, path, size)
    return at + size


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _folded(
    out: cython.p_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Fold what is percent-encoded in what was written from ``at`` on.

    Return the new end, or -1 if a percent sign would become longer.
    """
    i: cython.Py_ssize_t = at
    while i < end:
        if out[i] != 0x25:
            out[at] = out[i]
            i += 1
            at += 1
            continue
        if end - i < 3 or HEX_VALUES[out[i + 1]] < 0 or HEX_VALUES[out[i + 2]] < 0:
            return -1
        byte: cython.int = HEX_VALUES[out[i + 1]] << 4 | HEX_VALUES[out[i + 2]]
        if _is_unreserved(byte):
            out[at] = byte
            at += 1
        else:
            out[at] = 0x25
            out[at + 1] = _uppercase(out[i + 1])
            out[at + 2] = _uppercase(out[i + 2])
            at += 3
        i += 3
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _uppercase(digit: cython.uchar) -> cython.uchar:
    return digit - 0x20 if digit >= 0x61 else digit


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_unreserved(byte: cython.int) -> cython.bint:
    """Return whether a byte is an ASCII letter, a digit or one of "-._~"."""
    return (
        0x61 <= byte | 0x20 <= 0x7A
        or 0x30 <= byte <= 0x39
        or byte == 0x2D
        or byte == 0x2E
        or byte == 0x5F
        or byte == 0x7E
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_query(  # noqa: C901, PLR0915  # one pass over the query
    plan: PPlan,
    query: cython.p_uchar,
    size: cython.Py_ssize_t,
    out: cython.p_uchar,
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write a query of up to 64 pairs, sorted and without the params that go everywhere."""
    i: cython.Py_ssize_t = 0
    place: cython.int
    count: cython.int = 0
    starts: cython.Py_ssize_t[MOST_PAIRS]
    name_ends: cython.Py_ssize_t[MOST_PAIRS]
    ends: cython.Py_ssize_t[MOST_PAIRS]
    if not plan.changes_query or size == 0:
        if size or not plan.drops_empty_query:
            out[at] = 0x3F
            memcpy(out + at + 1, query, size)
            at += size + 1
        return at
    if plan.declines_queries:
        return -1
    while i <= size:
        start: cython.Py_ssize_t = i
        name_end: cython.Py_ssize_t = -1
        while i < size:
            c: cython.uchar = query[i]
            if c == 0x26:
                break
            if name_end < 0:
                if c == 0x3D:
                    name_end = i
                elif c == 0x25 or c == 0x2B:
                    return -1
            i += 1
        if name_end < 0:
            name_end = i
        if name_end == start:
            return -1
        kind: cython.int = _kind_of_name(plan, query + start, name_end - start)
        if kind > 0 and not kind & IS_EVERYWHERE:
            return -1
        if kind == 0:
            if count == MOST_PAIRS:
                return -1
            place = count
            if plan.sorts_params:
                # Pairs of the same name keep their order.
                while place and _is_after(
                    query + starts[place - 1],
                    name_ends[place - 1] - starts[place - 1],
                    query + start,
                    name_end - start,
                ):
                    starts[place] = starts[place - 1]
                    name_ends[place] = name_ends[place - 1]
                    ends[place] = ends[place - 1]
                    place -= 1
            starts[place] = start
            name_ends[place] = name_end
            ends[place] = i
            count += 1
        i += 1
    for place in range(count):
        out[at] = 0x26 if place else 0x3F
        memcpy(out + at + 1, query + starts[place], ends[place] - starts[place])
        at += 1 + ends[place] - starts[place]
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _kind_of_name(plan: PPlan, name: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Return 0 for a name that stays; else IS_PREFIX, with IS_EVERYWHERE if all its rules say so.

    For a name in full it is IS_PREFIX too: what matters is that it is not 0.
    """
    i: cython.int
    found: cython.int = 0
    for i in range(plan.buckets[name[0]], plan.buckets[name[0] + 1]):
        length: cython.Py_ssize_t = plan.ends[i + 1] - plan.ends[i]
        if (length == size or (length < size and plan.kinds[i] & IS_PREFIX)) and memcmp(
            plan.names + plan.ends[i], name, length
        ) == 0:
            if not plan.kinds[i] & IS_EVERYWHERE:
                return IS_PREFIX
            found = IS_PREFIX | IS_EVERYWHERE
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_after(
    a: cython.p_uchar, a_size: cython.Py_ssize_t, b: cython.p_uchar, b_size: cython.Py_ssize_t
) -> cython.bint:
    """Return whether the name ``a`` sorts after ``b``."""
    order: cython.int = memcmp(a, b, min(a_size, b_size))
    return order > 0 or (order == 0 and a_size > b_size)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_fragment(
    plan: PPlan,
    fragment: cython.p_uchar,
    size: cython.Py_ssize_t,
    out: cython.p_uchar,
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write a fragment and its number sign, if it stays."""
    is_kept: cython.bint = not plan.drops_fragment
    if plan.drops_fragment and size > 1:
        if plan.fragments[fragment[1]] == UNSURE:
            return -1
        is_kept = plan.fragments[fragment[1]] == KEPT
        # It may hold a text directive.
        if (is_kept or plan.keeps_text_directives) and memchr(fragment, 0x7E, size) != cython.NULL:
            return -1
    if is_kept:
        memcpy(out + at, fragment, size)
        at += size
    return at

"""Changes of one part of a record, for `URL` and for the methods of records, and `build`.

A change reads the new text with the phases of the parser, and copies the record with other bytes in
one place. If only a `URL` refers to the record, no one can see whether it is copied, and it changes
itself. `edited` takes the text that all setters take as a whole. It returns None for anything else,
and for tabs, newlines and surrogates. Then `url.setters` decides.

Spec: #url-class
"""

from functools import update_wrapper

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.dict import PyDict_Items
from cython.cimports.libc.string import memchr, memcmp, memcpy, memmove
from cython.cimports.weburl.standard.compiled.authority import scan_port, scan_userinfo
from cython.cimports.weburl.standard.compiled.bases import is_opaque
from cython.cimports.weburl.standard.compiled.hosts import scan_host, scan_opaque_host
from cython.cimports.weburl.standard.compiled.params import write_form
from cython.cimports.weburl.standard.compiled.parts import *
from cython.cimports.weburl.standard.compiled.paths import scan_path_start
from cython.cimports.weburl.standard.compiled.query_and_fragment import scan_part
from cython.cimports.weburl.standard.compiled.records import *
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES, special_scheme
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.utf_8 import utf_8_of
from cython.cimports.weburl.standard.compiled.values import *

_empty = cython.declare(object, "")
_slash = cython.declare(object, "/")
_no_segments = cython.declare(tuple, ())

_METHODS = {
    PROTOCOL: "with_scheme",
    USERNAME_PART: "with_username",
    PASSWORD_PART: "with_password",
    HOST_PART: "with_host",
    HOSTNAME: "with_hostname",
    PORT_PART: "with_port",
    PATHNAME: "with_path",
    SEARCH: "with_query",
    HASH: "with_fragment",
}


def edit_quickly(record_class: type) -> None:
    """Give records compiled methods that change a part. The URL room calls this once."""
    for part, name in _METHODS.items():
        setattr(record_class, name, _method(getattr(record_class, name), part))
    record_class.joinpath = _joining_method(record_class.joinpath)
    record_class.__truediv__ = _division(record_class.__truediv__)
    record_class.build = classmethod(_builder(record_class.build.__func__))


def _method(general, part: cython.int):
    @cython.binding(True)
    def method(*args, **named):
        if len(args) == 2 and not named:
            made: object = _with_given(args[0], part, args[1])
            if made is not None:
                return made
        return general(*args, **named)

    return update_wrapper(method, general)


@cython.cfunc
def _with_given(record: object, part: cython.int, given: object) -> object:
    """Return a record with another part, of the types that the methods of records take."""
    if type(given) is str or (given is None and (part == SEARCH or part == HASH)):
        return edited(record, part, given, 0, False)
    if part == PORT_PART and type(given) is int and 0 <= given <= 0xFFFF:
        return edited(record, part, str(given), 0, False)
    if part == SEARCH and type(given) is dict:
        pairs: list = PyDict_Items(given)  # no iterator, which crashes Python 3.11 without memory
        for name, value in pairs:
            if type(name) is not str or type(value) is not str:
                return None
        try:
            return edited(record, part, write_form(pairs) or None, 0, False)
        except UnicodeEncodeError:
            return None
    return None


@cython.cfunc
def edited(
    record: object, part: cython.int, text: object, mark: cython.uchar, is_own: cython.bint
) -> object:
    """Return a record with another part, as the standard's setters make it; None if unsure.

    For a `URL`, True means that its setter ignores the text.

    ``text``: an exact `str`, or None for no query or fragment. ``mark``: what is not part of the
    query or fragment at the start of the text, or 0. ``is_own``: whether the record is that of a
    `URL`, which will have the returned one instead.
    """
    s: Scan
    stack: cython.uchar[STACK]
    if not is_record(cython.cast(PObject, record)):
        return None
    if text is None:
        return _without(record, part, is_own)
    encoded: object = None if is_ascii(text) else utf_8_of(text)
    if encoded is False:
        return None
    if encoded is None:
        begin_part(cython.address(s), data_of_ascii(text), size_of_ascii(text), stack)
    else:
        begin_part(cython.address(s), bytes_data(encoded), PyBytes_GET_SIZE(encoded), stack)
    if mark and s.n and s.src[0] == mark:
        s.src += 1
        s.n -= 1
    s.scheme = piece_of(cython.cast(PObject, record)).scheme
    try:
        return _with_scanned(record, cython.address(s), part, is_own)
    finally:
        free_buffers(cython.address(s))


@cython.cfunc
def _without(record: object, part: cython.int, is_own: cython.bint) -> object:
    """Return a record without a query or fragment."""
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    if part == SEARCH:
        return spliced(record, ruler.path_end, ruler.query_end, b"", 0, NO_MARKS, QUERY_END, is_own)
    return spliced(record, ruler.query_end, ruler.size, b"", 0, NO_MARKS, SIZE, is_own)


@cython.cfunc
def _with_scanned(  # noqa: C901  # one case for each part
    record: object, s: PScan, part: cython.int, is_own: cython.bint
) -> object:
    """Read the part and return a record with it; None if something is left over."""
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    marks: Marks = NO_MARKS
    if _cannot_have(r, part):
        return _ignored(is_own)
    if part == PROTOCOL:
        return _with_scheme(record, s, is_own)
    if part == HOST_PART or part == HOSTNAME:
        return _with_host(record, s, part == HOST_PART, is_own)
    if part == PORT_PART:
        s.at = -1  # as if there were a colon
        if scan_port(s) != DONE or s.at != s.n:
            return None
        return _with_port(record, s.port, is_own)
    if part == PATHNAME:
        return _with_path(record, s, is_own)
    if part == SEARCH:
        scan_part(s, IN_QUERY if s.scheme == NOT_SPECIAL else IN_SPECIAL_QUERY, 0)
    elif part == HASH:
        scan_part(s, IN_FRAGMENT, 0)
    else:
        scan_userinfo(s, s.n, False)
    if s.at != s.n:
        return None
    if part == SEARCH:
        marks.before = 0x3F
        return spliced(
            record, ruler.path_end, ruler.query_end, output(s), s.out, marks, QUERY_END, is_own
        )
    if part == HASH:
        marks.before = 0x23
        return spliced(record, ruler.query_end, ruler.size, output(s), s.out, marks, SIZE, is_own)
    if part == USERNAME_PART:
        return _with_username(record, output(s), s.out, is_own)
    return _with_password(record, output(s), s.out, is_own)


@cython.cfunc
@cython.exceptval(check=False)
def _cannot_have(r: PRecord, part: cython.int) -> cython.bint:
    """Return whether a record cannot have such a part at all."""
    if part == HOST_PART or part == HOSTNAME or part == PATHNAME:
        path: Span = span_of(r, PATH)
        return is_opaque(r.host_kind, path.start, path.size)
    if part == PORT_PART or part == USERNAME_PART or part == PASSWORD_PART:
        return r.scheme == FILE or r.host_kind == NO_HOST or r.host_kind == EMPTY_HOST
    return False


@cython.cfunc
@cython.inline
def _ignored(is_own: cython.bint) -> object:
    """Return True for a `URL`, which ignores the text; None for a record, which refuses it."""
    return True if is_own else None


@cython.cfunc
def spliced(
    record: object,
    start: cython.uint,
    end: cython.uint,
    data: cython.p_uchar,
    size: cython.Py_ssize_t,
    marks: Marks,
    first: cython.int,
    is_own: cython.bint,
) -> object:
    """Return a record with other bytes from ``start`` to ``end`` of its text; None if too long.

    ``marks``: a byte before ``data`` and one after it, or 0 for none. ``first``: the offset of the
    ruler from which on all move with the end. If no one but a `URL` can see the record, it changes.
    """
    value: PObject = cython.cast(PObject, record)
    r: PRecord = piece_of(value)
    ruler: Ruler = ruler_of(r)
    was: cython.uint = ruler.size
    delta: cython.Py_ssize_t = (
        (marks.before != 0)
        + size
        + (marks.after != 0)
        - cython.cast(cython.Py_ssize_t, end - start)
    )
    made: object
    text: cython.p_uchar = text_of(r)
    out: cython.p_uchar = text
    if was + delta >= TOO_LONG:
        return None
    move_offsets(cython.address(ruler), first, end, delta)
    if is_own and has_one_owner(value) and fits(value, ruler.size):
        set_ruler(r, ruler)
        made = record
    else:
        made = owned(
            new_piece(Record, ruler, r.scheme_text, r.scheme, r.host_kind, SLACK if is_own else 0)
        )
        out = text_of(piece_of(cython.cast(PObject, made)))
        memcpy(out, text, start)
    if was > end and (delta or out != text):
        memmove(out + end + delta, text + end, was - end)
    out += start
    if marks.before:
        out[0] = marks.before
        out += 1
    memcpy(out, data, size)
    if marks.after:
        out[size] = marks.after
    return made


@cython.cfunc
def _with_username(
    record: object, data: cython.p_uchar, size: cython.Py_ssize_t, is_own: cython.bint
) -> object:
    """Return a record with a username, and the "@" after it if it is the first of the two parts."""
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    start: cython.uint = ruler.scheme_end + 3
    end: cython.uint = ruler.username_end
    marks: Marks = NO_MARKS
    if size == 0 and ruler.host == end + 1:  # no password: the "@" goes too
        end = ruler.host
    elif size and ruler.host == start:
        marks.after = 0x40
    made: object = spliced(record, start, end, data, size, marks, HOST_OFFSET, is_own)
    if made is not None:
        set_offset(piece_of(cython.cast(PObject, made)), USERNAME_END, start + size)
    return made


@cython.cfunc
def _with_password(
    record: object, data: cython.p_uchar, size: cython.Py_ssize_t, is_own: cython.bint
) -> object:
    """Return a record with a password, between a colon and the "@"."""
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    marks: Marks = NO_MARKS
    if size:
        marks.before = 0x3A
    if size or ruler.username_end > ruler.scheme_end + 3:
        marks.after = 0x40
    return spliced(record, ruler.username_end, ruler.host, data, size, marks, HOST_OFFSET, is_own)


@cython.cfunc
def _with_port(record: object, port: cython.int, is_own: cython.bint) -> object:
    """Return a record with a port; -1 is none."""
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    digits: cython.uchar[8]
    at: cython.int = write_port(port, digits)
    return spliced(
        record, ruler.host_end, ruler.path, digits + at, 8 - at, NO_MARKS, PATH_OFFSET, is_own
    )


@cython.cfunc
def _with_path(record: object, s: PScan, is_own: cython.bint) -> object:
    ruler: Ruler = ruler_of(piece_of(cython.cast(PObject, record)))
    if s.n == 0 and s.scheme == NOT_SPECIAL:
        return None
    # They would end the path of a whole URL, but here they are percent-encoded.
    if memchr(s.src, 0x3F, s.n) != cython.NULL or memchr(s.src, 0x23, s.n) != cython.NULL:
        return None
    scan_path_start(s)
    if s.at != s.n:
        return None
    # Without a host, the path may need a "/." before it, or no longer need it.
    if piece_of(cython.cast(PObject, record)).host_kind == NO_HOST and (
        ruler.path > ruler.host or (s.out > 1 and memcmp(output(s), b"//", 2) == 0)
    ):
        return None
    return spliced(record, ruler.path, ruler.path_end, output(s), s.out, NO_MARKS, PATH_END, is_own)


@cython.cfunc
def _with_scheme(record: object, s: PScan, is_own: cython.bint) -> object:
    """Take only special schemes in lowercase other than "file", with or without a colon."""
    size: cython.Py_ssize_t = s.n - 1 if s.n and s.src[s.n - 1] == 0x3A else s.n
    number: cython.int = special_scheme(s.src, size)
    r: PRecord = piece_of(cython.cast(PObject, record))
    made: object
    if number <= FILE:
        return None
    if s.scheme == NOT_SPECIAL or (s.scheme == FILE and r.host_kind == EMPTY_HOST):
        return _ignored(is_own)
    made = spliced(record, 0, ruler_of(r).scheme_end, s.src, size, NO_MARKS, SCHEME_END, is_own)
    if made is not None:
        r = piece_of(cython.cast(PObject, made))
        set_scheme(r, SCHEMES[number].text, number)
        if port_number(r) == SCHEMES[number].default_port:
            made = _with_port(made, -1, is_own)
    return made


@cython.cfunc
def _with_host(record: object, s: PScan, takes_port: cython.bint, is_own: cython.bint) -> object:
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    if s.n == 0 or r.host_kind == NO_HOST:
        return None
    if (scan_opaque_host(s) if s.scheme == NOT_SPECIAL else scan_host(s)) != DONE:
        return None
    if s.scheme == FILE:
        if s.at != s.n:
            # No port follows the host of a file URL, so the colon would be part of the host.
            return _ignored(is_own) if s.src[s.at] == 0x3A else None
        # The host of a file URL is "localhost" only before it is parsed.
        if s.host_end - s.host == 9 and memcmp(output(s) + s.host, b"localhost", 9) == 0:
            return None
    sets_port: cython.bint = takes_port and s.at + 1 < s.n and s.src[s.at] == 0x3A
    if s.host_end == s.host or (sets_port and scan_port(s) != DONE) or s.at != s.n:
        return None
    made: object = spliced(
        record,
        ruler.host,
        ruler.path if sets_port else ruler.host_end,
        output(s) + s.host,
        s.out - s.host,
        NO_MARKS,
        HOST_END,
        is_own,
    )
    if made is not None:
        r = piece_of(cython.cast(PObject, made))
        r.host_kind = s.host_kind
        set_offset(r, HOST_END, ruler.host + s.host_end - s.host)
    return made


# --- segments -------------------------------------------------------------------------------------


def _joining_method(general):
    @cython.binding(True)
    def joinpath(self, *segments):
        made: object = _with_segment(self, segments[0]) if len(segments) == 1 else None
        return general(self, *segments) if made is None else made

    return update_wrapper(joinpath, general)


def _division(general):
    @cython.binding(True)
    def __truediv__(self, segment):  # noqa: N807
        made: object = _with_segment(self, segment)
        return general(self, segment) if made is None else made

    return update_wrapper(__truediv__, general)


@cython.cfunc
def _with_segment(record: object, segment: object) -> object:
    """Return a record with another segment; None for one that may need more than encoding.

    Spec: #url-path-segment
    """
    s: Scan
    stack: cython.uchar[STACK]
    if type(segment) is not str or not is_ascii(segment) or size_of_ascii(segment) == 0:
        return None
    if data_of_ascii(segment)[0] == 0x2E or data_of_ascii(segment)[0] == 0x25:  # dot segments
        return None
    if not is_record(cython.cast(PObject, record)):
        return None
    r: PRecord = piece_of(cython.cast(PObject, record))
    ruler: Ruler = ruler_of(r)
    if r.host_kind == NO_HOST:  # an opaque path, or one that may need a "/." before it
        return None
    path: Span = span_of(r, PATH)
    begin_part(cython.address(s), data_of_ascii(segment), size_of_ascii(segment), stack)
    try:
        reserve(cython.address(s), 1)
        write(cython.address(s))
        if path.size == 0 or path.start[path.size - 1] != 0x2F:
            put(cython.address(s), 0x2F)
        while s.at < s.n:
            c: cython.uchar = s.src[s.at]
            if c == 0x2E or (KINDS[c] & IN_PATH and c != 0x2F and c != 0x7C):
                put(cython.address(s), c)
            else:
                put_encoded(cython.address(s), c)
            s.at += 1
        return spliced(record, ruler.path_end, ruler.size, s.dst, s.out, NO_MARKS, PATH_END, False)
    finally:
        free_buffers(cython.address(s))


# --- from parts -----------------------------------------------------------------------------------


def _builder(general):
    @cython.binding(True)
    def build(
        cls,
        *,
        scheme,
        username="",
        password="",
        host=None,
        port=None,
        path=None,
        segments=(),
        query=None,
        fragment=None,
    ):
        made: object = None
        # Segments and a fragment are encoded as data, so the general method takes them.
        if segments is _no_segments and fragment is None and type(host) is str:
            made = _root_of(scheme)
            if made is not None:
                made = edited(made, HOSTNAME, host, 0, False)
            if made is not None and username != "":
                made = _with_given(made, USERNAME_PART, username)
            if made is not None and password != "":
                made = _with_given(made, PASSWORD_PART, password)
            if made is not None and port is not None:
                made = _with_given(made, PORT_PART, port)
            if made is not None and path is not None:
                made = _with_given(made, PATHNAME, path)
            if made is not None and query is not None:
                made = _with_given(made, SEARCH, query)
        if made is not None:
            return made
        return general(
            cls,
            scheme=scheme,
            username=username,
            password=password,
            host=host,
            port=port,
            path=path,
            segments=segments,
            query=query,
            fragment=fragment,
        )

    return update_wrapper(build, general)


@cython.cfunc
def _root_of(scheme: object) -> object:
    """Return a record with a special scheme other than "file", no text for the host, and "/"."""
    if type(scheme) is not str or not is_ascii(scheme):
        return None
    number: cython.int = special_scheme(data_of_ascii(scheme), size_of_ascii(scheme))
    if number <= FILE:
        return None
    return filled_record(Record, (scheme, _empty, _empty, _empty_host, None, _slash, None, None))

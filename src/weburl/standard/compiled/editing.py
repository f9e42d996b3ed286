"""Changes of one part of a record, for `URL` and for the methods of records, and `build`.

A change reads the new text with the phases of the parser, and copies the record with other content
in one slot. If only a `URL` refers to the record, no one can see whether it is copied, and it gets
the content itself. `edited` takes the text that all setters take as a whole. It returns None for
anything else, and for tabs, newlines and surrogates. Then `url.setters` decides.

Spec: #url-class
"""

from functools import update_wrapper

import cython
from cython.cimports.cpython.bytes import PyBytes_GET_SIZE
from cython.cimports.cpython.dict import PyDict_Items
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF
from cython.cimports.libc.string import memchr, memcmp, memcpy
from cython.cimports.weburl.standard.compiled.authority import scan_port, scan_userinfo
from cython.cimports.weburl.standard.compiled.hosts import scan_host, scan_opaque_host
from cython.cimports.weburl.standard.compiled.params import write_form
from cython.cimports.weburl.standard.compiled.parts import *
from cython.cimports.weburl.standard.compiled.paths import scan_path_start
from cython.cimports.weburl.standard.compiled.query_and_fragment import scan_part
from cython.cimports.weburl.standard.compiled.scan import *
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES, special_scheme
from cython.cimports.weburl.standard.compiled.slots import *
from cython.cimports.weburl.standard.compiled.utf_8 import utf_8_of
from cython.cimports.weburl.standard.compiled.values import *

PObject = cython.typedef(cython.pointer(PyObject))

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
        made: object
        if len(args) == 2 and not named:
            made = _with_given(args[0], part, args[1])
            if made is not None:
                return made
        return general(*args, **named)

    return update_wrapper(method, general)


@cython.cfunc
def _with_given(record: object, part: cython.int, given: object) -> object:
    """Return a record with another part, of the types that the methods of records take."""
    pairs: list
    if type(given) is str or (given is None and (part == SEARCH or part == HASH)):
        return edited(record, part, given, 0, False)
    if part == PORT_PART and type(given) is int and 0 <= given <= 0xFFFF:
        return edited(record, part, str(given), 0, False)
    if part == SEARCH and type(given) is dict:
        pairs = PyDict_Items(given)  # no iterator, which crashes Python 3.11 without memory
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
    encoded: object
    scheme: PObject
    r: PObject = cython.cast(PObject, record)
    if not _is_editable(r, part):
        return None
    if text is None:
        return _with(r, QUERY if part == SEARCH else FRAGMENT, None, is_own)
    encoded = None if is_ascii(text) else utf_8_of(text)
    if encoded is False:
        return None
    if encoded is None:
        begin_part(cython.address(s), data_of_ascii(text), size_of_ascii(text), stack)
    else:
        begin_part(cython.address(s), bytes_data(encoded), PyBytes_GET_SIZE(encoded), stack)
    if mark and s.n and s.src[0] == mark:
        s.src += 1
        s.n -= 1
    if part != HASH:
        scheme = get_slot(r, SCHEME)
        s.scheme = special_scheme(ascii_data(scheme), ascii_size(scheme))
    try:
        return _with_scanned(r, cython.address(s), part, text, is_own)
    finally:
        free_buffers(cython.address(s))


@cython.cfunc
@cython.exceptval(check=False)
def _is_editable(r: PObject, part: cython.int) -> cython.bint:
    """Return whether it is a record, and sound in the slots that a change of a part reads.

    The other slots only have to hold something. The objects in them are not looked at, because
    most are far away in memory.
    """
    host: PObject
    i: cython.int
    if not is_type(r, cython.cast(PObject, Record)):
        return False
    for i in range(SLOT_COUNT):
        if get_slot(r, SLOTS[i]) == cython.NULL:
            return False
    if part == HASH:
        return True
    host = get_slot(r, HOST)
    return is_ascii_text(get_slot(r, SCHEME)) and (
        part == SEARCH
        or (
            is_host(host)
            and number_or_none(get_slot(r, PORT), 0xFFFF) > -2
            and (host != cython.cast(PObject, None) or is_ascii_text(get_slot(r, PATH)))
        )
    )


@cython.cfunc
def _with_scanned(
    r: PObject, s: PScan, part: cython.int, text: object, is_own: cython.bint
) -> object:
    """Read the part and return a record with it; None if something is left over."""
    if _cannot_have(r, s, part):
        return _ignored(is_own)
    if part == SEARCH:
        scan_part(s, IN_QUERY if s.scheme == NOT_SPECIAL else IN_SPECIAL_QUERY, 0)
        return _with_text(r, QUERY, s, text, is_own)
    if part == HASH:
        scan_part(s, IN_FRAGMENT, 0)
        return _with_text(r, FRAGMENT, s, text, is_own)
    if part == PATHNAME:
        return _with_path(r, s, text, is_own)
    if part == PROTOCOL:
        return _with_scheme(r, s, is_own)
    if part == HOST_PART or part == HOSTNAME:
        return _with_host(r, s, part == HOST_PART, is_own)
    if part == PORT_PART:
        s.at = -1  # as if there were a colon
        if scan_port(s) != DONE or s.at != s.n:
            return None
        return _with(r, PORT, None if s.port < 0 else s.port, is_own)
    scan_userinfo(s, s.n, False)
    slot: cython.Py_ssize_t = USERNAME if part == USERNAME_PART else PASSWORD
    return _with_text(r, slot, s, text, is_own)


@cython.cfunc
@cython.exceptval(check=False)
def _cannot_have(r: PObject, s: PScan, part: cython.int) -> cython.bint:
    """Return whether a record cannot have such a part at all."""
    if part == HOST_PART or part == HOSTNAME or part == PATHNAME:
        return _has_opaque_path(r)
    if part == PORT_PART or part == USERNAME_PART or part == PASSWORD_PART:
        return s.scheme == FILE or not _has_host(r)
    return False


@cython.cfunc
@cython.inline
def _ignored(is_own: cython.bint) -> object:
    """Return True for a `URL`, which ignores the text; None for a record, which refuses it."""
    return True if is_own else None


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _has_host(r: PObject) -> cython.bint:
    """Return whether there is a host that is not empty."""
    host: PObject = get_slot(r, HOST)
    return host != cython.cast(PObject, None) and not is_type(host, cython.cast(PObject, EmptyHost))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _has_opaque_path(r: PObject) -> cython.bint:
    path: PObject = get_slot(r, PATH)
    return get_slot(r, HOST) == cython.cast(PObject, None) and (
        ascii_size(path) == 0 or ascii_data(path)[0] != 0x2F
    )


@cython.cfunc
def _with(r: PObject, slot: cython.Py_ssize_t, content: object, is_own: cython.bint) -> object:
    """Return a record with other content in one slot: the same one if no one else can see it."""
    made: object
    if is_own and has_one_owner(r):
        replace_slot(r, slot, content)
        return cython.cast(object, r)
    made = copy_without(r, slot)
    fill_slot(cython.cast(PObject, made), slot, cython.cast(PObject, content))
    return made


@cython.cfunc
def _with_text(
    r: PObject, slot: cython.Py_ssize_t, s: PScan, text: object, is_own: cython.bint
) -> object:
    """Return a record with what was read in one slot; None if something is left over."""
    if s.at != s.n:
        return None
    if not s.writing and s.n == size_of_ascii(text):
        return _with(r, slot, text, is_own)
    return _with(r, slot, new_ascii_text(output(s), s.out), is_own)


@cython.cfunc
def _with_path(r: PObject, s: PScan, text: object, is_own: cython.bint) -> object:
    if s.n == 0 and s.scheme == NOT_SPECIAL:
        return None
    # They would end the path of a whole URL, but here they are percent-encoded.
    if memchr(s.src, 0x3F, s.n) != cython.NULL or memchr(s.src, 0x23, s.n) != cython.NULL:
        return None
    scan_path_start(s)
    return _with_text(r, PATH, s, text, is_own)


@cython.cfunc
def _with_scheme(r: PObject, s: PScan, is_own: cython.bint) -> object:
    """Take only special schemes in lowercase other than "file", with or without a colon."""
    size: cython.Py_ssize_t = s.n - 1 if s.n and s.src[s.n - 1] == 0x3A else s.n
    number: cython.int = special_scheme(s.src, size)
    made: object
    if number <= FILE:
        return None
    if s.scheme == NOT_SPECIAL or (
        s.scheme == FILE and is_type(get_slot(r, HOST), cython.cast(PObject, EmptyHost))
    ):
        return _ignored(is_own)
    made = _with(r, SCHEME, cython.cast(object, SCHEMES[number].text), is_own)
    if number_or_none(get_slot(r, PORT), 0xFFFF) == SCHEMES[number].default_port:
        replace_slot(cython.cast(PObject, made), PORT, None)
    return made


@cython.cfunc
def _with_host(r: PObject, s: PScan, takes_port: cython.bint, is_own: cython.bint) -> object:
    made: object
    sets_port: cython.bint
    if s.n == 0:
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
    sets_port = takes_port and s.at + 1 < s.n and s.src[s.at] == 0x3A
    if s.host_end == s.host or (sets_port and scan_port(s) != DONE) or s.at != s.n:
        return None
    made = copy_without(r, HOST)
    fill_host(s, cython.cast(PObject, made), output(s))
    if sets_port:
        replace_slot(cython.cast(PObject, made), PORT, None if s.port < 0 else s.port)
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
    c: cython.uchar
    size: cython.Py_ssize_t
    path: PObject
    made: object
    r: PObject = cython.cast(PObject, record)
    if type(segment) is not str or not is_ascii(segment) or size_of_ascii(segment) == 0:
        return None
    if data_of_ascii(segment)[0] == 0x2E or data_of_ascii(segment)[0] == 0x25:  # dot segments
        return None
    if not is_sound(r) or _has_opaque_path(r):
        return None
    path = get_slot(r, PATH)
    size = ascii_size(path)
    begin_part(cython.address(s), data_of_ascii(segment), size_of_ascii(segment), stack)
    try:
        reserve(cython.address(s), size + 1)
        write(cython.address(s))
        memcpy(s.dst, ascii_data(path), size)
        s.out = size
        if size == 0 or ascii_data(path)[size - 1] != 0x2F:
            put(cython.address(s), 0x2F)
        while s.at < s.n:
            c = s.src[s.at]
            if c == 0x2E or (KINDS[c] & IN_PATH and c != 0x2F and c != 0x7C):
                put(cython.address(s), c)
            else:
                put_encoded(cython.address(s), c)
            s.at += 1
        made = _with(r, PATH, new_ascii_text(s.dst, s.out), False)
    finally:
        free_buffers(cython.address(s))
    replace_slot(cython.cast(PObject, made), QUERY, None)
    replace_slot(cython.cast(PObject, made), FRAGMENT, None)
    return made


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
    """Return a record with a special scheme other than "file" and the path "/"; else None."""
    number: cython.int
    made: PObject
    root: object
    i: cython.int
    if type(scheme) is not str or not is_ascii(scheme):
        return None
    number = special_scheme(data_of_ascii(scheme), size_of_ascii(scheme))
    if number <= FILE:
        return None
    made = new_plain_value(Record)
    root = cython.cast(object, made)
    Py_DECREF(root)  # `root` has a reference of its own
    fill_slot(made, SCHEME, SCHEMES[number].text)
    fill_slot(made, USERNAME, cython.cast(PObject, _empty))
    fill_slot(made, PASSWORD, cython.cast(PObject, _empty))
    fill_slot(made, PATH, cython.cast(PObject, _slash))
    for i in range(SLOT_COUNT):
        if get_slot(made, SLOTS[i]) == cython.NULL:
            fill_slot(made, SLOTS[i], cython.cast(PObject, None))
    return root

"""Plain rows of a column, read 32 bytes at a time. Most rows of most columns are plain.

A plain row is its own canonical form, except that an empty path becomes a slash:

- its scheme is "https" or "http";
- its host has only lowercase letters, digits, "-" and ".", and ASCII hosts are only lowercased. The
  last label does not begin with a digit, so it is not a number, and the host is not an IPv4
  address;
- its port, if any, has no leading zeros, is a 16-bit number, and is not the scheme's default port;
- what follows has only bytes that no part percent-encodes, no backslash, and no dot segment.

All other rows are read by `references`.

Spec: #concept-url-parser
"""

import cython
from cython.cimports.weburl.columns.compiled.masks import (
    Range,
    beyond_ascii,
    either,
    either_after,
    in_class,
)
from cython.cimports.weburl.columns.compiled.plain import *
from cython.cimports.weburl.columns.compiled.rows import PRows, is_null, offset_at
from cython.cimports.weburl.standard.compiled.bits import highest, lowest, word_at
from cython.cimports.weburl.standard.compiled.scan import (
    DIGIT,
    HTTP,
    HTTPS,
    IN_DOMAIN,
    IN_FRAGMENT,
    IN_PATH,
    IN_SPECIAL_QUERY,
    KINDS,
)
from cython.cimports.weburl.standard.compiled.schemes import SCHEMES
from cython.cimports.weburl.standard.compiled.utf_8 import is_utf_8

from weburl.standard.infra.code_points import ASCII_ALPHANUMERIC

Start = cython.struct(
    scheme=cython.int,
    size=cython.int,
    # The scheme and "://" as a word, in which only the bits of the mask count.
    word=cython.ulonglong,
    mask=cython.ulonglong,
)
PStart = cython.typedef(cython.pointer(Start))
_starts = cython.declare(Start[2])

_ALL = cython.declare(cython.uint, 0xFFFFFFFF)


# --- the tables, from those of the other reader ---------------------------------------------------


def _fill_tables():
    """Fill the ways in which URLs start, and the classes of bytes, from the standard's tables."""
    number: cython.int
    byte: cython.int
    for number in range(2):
        start: PStart = cython.address(_starts[number])
        start.scheme = HTTP if number else HTTPS
        name: bytes = SCHEMES[start.scheme].name[: SCHEMES[start.scheme].size]
        text: bytes = (name + b"://").ljust(8, b"\0")
        start.size = len(name) + 3
        start.word = int.from_bytes(text, "little")
        start.mask = int.from_bytes((b"\xff" * start.size).ljust(8, b"\0"), "little")
    of_hosts = [
        byte
        for byte in range(0x80)
        if KINDS[byte] & IN_DOMAIN and (chr(byte) in ASCII_ALPHANUMERIC or byte in b"-.")
    ]
    _fill_ranges(HOST_RANGES, RANGES_OF_HOSTS, _ranges(of_hosts))
    kept = [
        byte
        for byte in range(0x80)
        if (KINDS[byte] & IN_PATH or byte in b".%?#")
        and (KINDS[byte] & IN_SPECIAL_QUERY or byte in b"#")
        and KINDS[byte] & IN_FRAGMENT
    ]
    # All bytes that are not between the first and the last that are kept, in one range.
    around = (max(kept) + 1, 0x100 + min(kept) - 1)
    _fill_ranges(CHANGED_RANGES, RANGES_OF_CHANGED, [around])
    between = [byte for byte in range(min(kept), max(kept)) if byte not in kept]
    _fill_pairs_and_bytes(between)


def _ranges(numbers):
    """Return the first and the last number of each run of numbers, which are sorted."""
    firsts = [number for number in numbers if number - 1 not in numbers]
    lasts = [number for number in numbers if number + 1 not in numbers]
    return list(zip(firsts, lasts, strict=True))


@cython.cfunc
def _fill_ranges(ranges: cython.pointer(Range), count: cython.int, found: list):
    """Fill a table of ranges. Raises ValueError if there are more than it can hold."""
    number: cython.int
    at: cython.int
    if len(found) > count:
        raise ValueError("a class of bytes has too many ranges")
    found += found[:1] * (count - len(found))
    for number in range(count):
        first, last = found[number]
        for at in range(16):
            ranges[number].first[at] = first
            ranges[number].span[at] = last - first


@cython.cfunc
def _fill_pairs_and_bytes(numbers: list):
    """Fill the tables of changed bytes. Raises ValueError if there are more than they can hold."""
    number: cython.int
    at: cython.int
    pairs: list = []
    bytes_left: list = []
    while numbers:
        byte = numbers.pop(0)
        bits = [1 << bit for bit in range(8) if byte ^ 1 << bit in numbers]
        if bits:
            numbers.remove(byte ^ bits[0])
            pairs.append((bits[0], byte | bits[0]))
        else:
            bytes_left.append(byte)
    if len(pairs) > PAIRS_OF_CHANGED or len(bytes_left) > BYTES_OF_CHANGED:
        raise ValueError("a class of bytes has too many pairs or bytes")
    pairs += pairs[:1] * (PAIRS_OF_CHANGED - len(pairs))
    bytes_left += bytes_left[:1] * (BYTES_OF_CHANGED - len(bytes_left))
    for at in range(16):
        for number in range(PAIRS_OF_CHANGED):
            CHANGED_PAIRS[number].bit[at], CHANGED_PAIRS[number].byte[at] = pairs[number]
        for number in range(BYTES_OF_CHANGED):
            CHANGED_BYTES[number].byte[at] = bytes_left[number]


_fill_tables()


# --- rows ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_block(
    rows: PRows,
    row: cython.Py_ssize_t,
    extent: cython.int,
    block: PBlock,
) -> cython.int:
    """Read a block for `read_plain`."""
    count: cython.int = 0
    first: cython.Py_ssize_t = offset_at(rows, rows.start + row)
    while first >= 0 and count < MOST_PLAIN and row < rows.length and not is_null(rows, row):
        row += 1
        last: cython.Py_ssize_t = offset_at(rows, rows.start + row)
        if last < first or last > rows.size - SLACK_OF_ROWS:
            break
        plain: PPlain = block.rows + count
        plain.text = rows.data + first
        plain.size = last - first
        if not _read_authority(plain):
            break
        if extent == UP_TO_PORT:
            if not _is_text_after(plain):
                break
        elif not _read_others(plain) or (extent == ITSELF and plain.path == plain.path_end):
            break
        first = last
        count += 1
    block.last_wait = 0 if count else min(2 * block.last_wait + 1, LONGEST_WAIT)
    block.wait = block.last_wait
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _read_authority(plain: PPlain) -> cython.bint:
    """Read the scheme, the host and the port, and return whether they are plain."""
    text: cython.p_const_uchar = plain.text
    size: cython.Py_ssize_t = plain.size
    start: PStart = cython.address(_starts[0])
    word: cython.ulonglong = word_at(text)
    if word != start.word:
        start += 1
        if word & start.mask != start.word:
            return False
    at: cython.Py_ssize_t = start.size
    last_label: cython.Py_ssize_t = at
    ends: cython.uint
    inside: cython.uint
    after_dot: cython.uint = 1
    if at >= size:
        return False
    plain.scheme = start.scheme
    plain.host = at
    plain.has_empty_label = False
    while True:
        ends = ~in_class(text + at, HOST_RANGES, RANGES_OF_HOSTS, cython.NULL, 0, cython.NULL, 0)
        if size - at < 32:
            ends |= _ALL << (size - at)
        inside = (ends & (0 - ends)) - 1  # all bits below the lowest; all 32 if there is none
        dots: cython.uint = either(text + at, 0x2E, 0x2E) & inside
        if dots:
            last_label = at + highest(dots) + 1
            if dots & (dots << 1 | after_dot):
                plain.has_empty_label = True
        if ends:
            break
        after_dot = dots >> 31
        at += 32
    at += lowest(ends)
    if last_label == at or KINDS[text[last_label]] & DIGIT:
        return False
    plain.host_end = at
    plain.port = -1
    if at < size and text[at] == 0x3A:
        at = _read_port(plain)
        if at < 0:
            return False
    plain.path = at
    return at == size or text[at] == 0x2F or text[at] == 0x3F or text[at] == 0x23


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_text_after(plain: PPlain) -> cython.bint:
    """Return whether what follows the port is UTF-8."""
    at: cython.Py_ssize_t = plain.path
    while at < plain.size:
        found: cython.uint = beyond_ascii(plain.text + at)
        if plain.size - at < 32:
            found &= ~(_ALL << (plain.size - at))
        if found:
            return is_utf_8(cython.cast(cython.p_uchar, plain.text) + at, plain.size - at)
        at += 32
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_port(plain: PPlain) -> cython.Py_ssize_t:
    """Read a port and return where it ends; -1 if it does not stay as it is."""
    text: cython.p_const_uchar = plain.text
    start: cython.Py_ssize_t = plain.host_end + 1
    at: cython.Py_ssize_t = start
    port: cython.int = 0
    while at < plain.size and at - start < 5 and KINDS[text[at]] & DIGIT:
        port = 10 * port + text[at] - 0x30
        at += 1
    if (
        at == start
        or (text[start] == 0x30 and at - start > 1)
        or port > 0xFFFF
        or port == SCHEMES[plain.scheme].default_port
    ):
        return -1
    plain.port = port
    return at


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _read_others(plain: PPlain) -> cython.bint:
    """Read the path, the query and the fragment, and return whether they are plain."""
    text: cython.p_const_uchar = plain.text
    size: cython.Py_ssize_t = plain.size
    at: cython.Py_ssize_t = plain.path
    marks: cython.uint
    plain.path_end = plain.query_end = -1
    while at < size:
        inside: cython.uint = _ALL if size - at >= 32 else ~(_ALL << (size - at))
        if inside & in_class(
            text + at,
            CHANGED_RANGES,
            RANGES_OF_CHANGED,
            CHANGED_PAIRS,
            PAIRS_OF_CHANGED,
            CHANGED_BYTES,
            BYTES_OF_CHANGED,
        ):
            return False
        if plain.path_end < 0:
            starts: cython.uint = either_after(text + at, 0x2F, 0x2E, 0x25) & inside
            marks = either(text + at, 0x3F, 0x23) & inside
            if marks:
                plain.path_end = at + lowest(marks)
                starts &= (marks & (0 - marks)) - 1
            if starts and _has_dot_segment(text + at, starts, size - at):
                return False
        if plain.path_end >= 0 and plain.query_end < 0:
            marks = either(text + at, 0x23, 0x23) & inside
            if marks:
                plain.query_end = at + lowest(marks)
        at += 32
    if plain.path_end < 0:
        plain.path_end = size
    if plain.query_end < 0:
        plain.query_end = size
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _has_dot_segment(
    text: cython.p_const_uchar, starts: cython.uint, size: cython.Py_ssize_t
) -> cython.bint:
    """Return whether one of the segments that start at these places is "." or "..".

    Spec: #single-dot-path-segment, #double-dot-path-segment
    """
    while starts:
        at: cython.Py_ssize_t = lowest(starts)
        starts &= starts - 1
        dots: cython.int = 0
        while at < size:
            if text[at] == 0x2E:
                at += 1
            elif (
                size - at >= 3
                and text[at] == 0x25
                and text[at + 1] == 0x32
                and text[at + 2] | 0x20 == 0x65
            ):
                at += 3
            else:
                break
            dots += 1
        if 0 < dots <= 2 and (
            at == size or text[at] == 0x2F or text[at] == 0x3F or text[at] == 0x23
        ):
            return True
    return False

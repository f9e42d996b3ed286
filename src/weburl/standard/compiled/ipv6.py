"""IPv6 addresses: the parser and the serializer. An address is 16 bytes, the highest first."""

import cython
from cython.cimports.weburl.standard.compiled.scan import DIGIT, HEX_VALUES, KINDS


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def parse_ipv6(  # noqa: C901, PLR0915  # the standard's steps, kept whole
    text: cython.p_uchar, size: cython.Py_ssize_t, address: cython.p_uchar
) -> cython.bint:
    """Parse an address without its brackets; False for failure.

    Spec: #concept-ipv6-parser
    """
    pieces: cython.uint[8]
    piece_index: cython.int = 0
    compress: cython.int = -1
    at: cython.Py_ssize_t = 0
    i: cython.int
    value: cython.uint
    if size and text[0] == 0x3A:
        if size < 2 or text[1] != 0x3A:
            return False
        at = 2
        piece_index = compress = 1
        pieces[0] = 0
    while at < size:
        if piece_index == 8:
            return False
        if text[at] == 0x3A:
            if compress >= 0:
                return False
            pieces[piece_index] = 0
            at += 1
            piece_index += 1
            compress = piece_index
            continue
        value = 0
        first: cython.Py_ssize_t = at
        while at < size and at - first < 4 and HEX_VALUES[text[at]] >= 0:
            value = value << 4 | cython.cast(cython.uint, HEX_VALUES[text[at]])
            at += 1
        if at < size and text[at] == 0x2E:
            if (
                at == first
                or piece_index > 6
                or not _parse_ipv4(text + first, size - first, pieces + piece_index)
            ):
                return False
            piece_index += 2
            break
        if at < size:
            if text[at] != 0x3A:
                return False
            at += 1
            if at == size:
                return False
        pieces[piece_index] = value
        piece_index += 1
    if compress < 0 and piece_index != 8:
        return False
    # The compression becomes zeros, and the pieces after it go to the end of the address.
    j: cython.int = 0
    for i in range(8):
        if compress >= 0 and compress <= i < compress + 8 - piece_index:
            value = 0
        else:
            value = pieces[j]
            j += 1
        address[2 * i] = value >> 8
        address[2 * i + 1] = value & 255
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _parse_ipv4(
    text: cython.p_uchar, size: cython.Py_ssize_t, pieces: cython.pointer(cython.uint)
) -> cython.bint:
    """Parse the last two pieces, written as an IPv4 address in decimal only."""
    at: cython.Py_ssize_t = 0
    address: cython.uint = 0
    count: cython.int = 0
    while at < size:
        if count:
            if text[at] != 0x2E or count == 4:
                return False
            at += 1
        first: cython.Py_ssize_t = at
        number: cython.uint = 0
        while at < size and KINDS[text[at]] & DIGIT:
            if at > first and number == 0:
                return False
            number = number * 10 + (text[at] - 0x30)
            if number > 255:
                return False
            at += 1
        if at == first:
            return False
        address = address << 8 | number
        count += 1
    pieces[0] = address >> 16
    pieces[1] = address & 0xFFFF
    return count == 4


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def serialize_ipv6(address: cython.p_uchar, out: cython.p_uchar) -> cython.int:
    """Write an address without brackets and return its length, at most 39 bytes.

    Spec: #concept-ipv6-serializer
    """
    digits: cython.p_char = b"0123456789abcdef"
    longest: cython.int = -1
    longest_size: cython.int = 1
    index: cython.int = 0
    piece: cython.uint
    size: cython.int = 0
    while index < 8:
        found: cython.int = index
        while index < 8 and address[2 * index] == 0 and address[2 * index + 1] == 0:
            index += 1
        if index - found > longest_size:
            longest, longest_size = found, index - found
        index += 1
    index = 0
    while index < 8:
        if index == longest:
            out[size] = 0x3A
            size += 1
            index += longest_size
            if index == 8:
                out[size] = 0x3A
                size += 1
            continue
        if index:
            out[size] = 0x3A
            size += 1
        piece = cython.cast(cython.uint, address[2 * index]) << 8 | address[2 * index + 1]
        shift: cython.int = 12
        while shift and piece >> shift == 0:
            shift -= 4
        while shift >= 0:
            out[size] = digits[piece >> shift & 15]
            size += 1
            shift -= 4
        index += 1
    return size

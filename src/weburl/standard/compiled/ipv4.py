"""IPv4 addresses: the checker that finds them, the parser, the serializer."""

import cython
from cython.cimports.weburl.standard.compiled.failures import (
    IPV4_NON_NUMERIC_PART,
    IPV4_OUT_OF_RANGE_PART,
    IPV4_TOO_MANY_PARTS,
)
from cython.cimports.weburl.standard.compiled.scan import DIGIT, HEX_VALUES, KINDS

_TOO_LARGE = cython.declare(cython.longlong, 1 << 32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ends_in_a_number(domain: cython.p_uchar, size: cython.Py_ssize_t) -> cython.bint:
    """Return whether a domain ends in a number, so that it must be an IPv4 address.

    Spec: #ends-in-a-number-checker
    """
    i: cython.Py_ssize_t
    if size and domain[size - 1] == 0x2E:
        size -= 1
    start: cython.Py_ssize_t = size
    while start and domain[start - 1] != 0x2E:
        start -= 1
    if start == size or not KINDS[domain[start]] & DIGIT:
        return False
    for i in range(start, size):
        if not KINDS[domain[i]] & DIGIT:
            return parse_ipv4_number(domain + start, size - start) >= 0
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def parse_ipv4_number(text: cython.p_uchar, size: cython.Py_ssize_t) -> cython.longlong:
    """Return a number; 2**32 for every larger one; -1 if it is not a number.

    Spec: #ipv4-number-parser
    """
    radix: cython.int = 10
    i: cython.Py_ssize_t = 0
    number: cython.longlong = 0
    if size == 0:
        return -1
    if size >= 2 and text[0] == 0x30:
        if text[1] | 0x20 == 0x78:
            radix = 16
            i = 2
        else:
            radix = 8
            i = 1
    while i < size:
        digit: cython.int = HEX_VALUES[text[i]]
        if digit < 0 or digit >= radix:
            return -1
        number = number * radix + digit
        number = min(number, _TOO_LARGE)
        i += 1
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def parse_ipv4(
    domain: cython.p_uchar, size: cython.Py_ssize_t, address: cython.pointer(cython.uint)
) -> cython.bint:
    """Parse an address; False for failure.

    Spec: #concept-ipv4-parser
    """
    start: cython.Py_ssize_t = 0
    count: cython.int = 0
    number: cython.longlong = 0
    before: cython.longlong = 0
    if size and domain[size - 1] == 0x2E:
        size -= 1
    while True:
        end: cython.Py_ssize_t = start
        while end < size and domain[end] != 0x2E:
            end += 1
        if count == 4 or (count and number > 255):
            return False
        before = before << 8 | number
        number = parse_ipv4_number(domain + start, end - start)
        if number < 0:
            return False
        count += 1
        if end == size:
            break
        start = end + 1
    if number >= cython.cast(cython.longlong, 1) << (8 * (5 - count)):
        return False
    address[0] = cython.cast(cython.uint, (before << (8 * (5 - count))) + number)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def failure_of_ipv4(domain: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Return the number of the failure of a text that `parse_ipv4` refuses.

    Spec: #concept-ipv4-parser
    """
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    parts: cython.int = 1
    if size and domain[size - 1] == 0x2E:
        size -= 1
    for end in range(size):
        parts += domain[end] == 0x2E
        if parts > 4:
            return IPV4_TOO_MANY_PARTS
    while start <= size:
        end = start
        while end < size and domain[end] != 0x2E:
            end += 1
        if parse_ipv4_number(domain + start, end - start) < 0:
            return IPV4_NON_NUMERIC_PART
        start = end + 1
    return IPV4_OUT_OF_RANGE_PART


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def serialize_ipv4(address: cython.uint, out: cython.p_uchar) -> cython.int:
    """Write an address and return its length, at most 15 bytes.

    Spec: #concept-ipv4-serializer
    """
    size: cython.int = 0
    shift: cython.int = 24
    while True:
        number: cython.uint = address >> shift & 255
        if number >= 100:
            out[size] = 0x30 + number // 100
            size += 1
        if number >= 10:
            out[size] = 0x30 + number // 10 % 10
            size += 1
        out[size] = 0x30 + number % 10
        size += 1
        if shift == 0:
            return size
        out[size] = 0x2E
        size += 1
        shift -= 8

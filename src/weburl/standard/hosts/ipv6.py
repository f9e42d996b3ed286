"""IPv6 addresses: the parser and the serializer.

An address is an `int` here. `hosts.values.IPv6Address` gives it a type. The brackets belong to the
host, not to the address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weburl.standard.infra.code_points import ASCII_DIGITS, ASCII_HEX_DIGITS
from weburl.standard.infra.errors import NO_ERRORS, Errors, Failure, ValidationErrorType


def parse_ipv6(text: str, errors: Errors = NO_ERRORS) -> int:  # noqa: C901, PLR0915  # the standard's steps, kept whole
    """Return the IPv6 address in ``text``, 0 to 2**128 - 1. Raises `Failure`.

    Spec: #concept-ipv6-parser
    """

    def fail(type: ValidationErrorType, at: int, length: int = 1) -> Failure:
        # After the last code point there is nothing to point at, so point at the last one.
        begin = min(at, max(len(text) - 1, 0))
        return errors.failure(type, begin, min(begin + length, len(text)))

    pieces = [0] * 8
    piece_index = 0
    compress: int | None = None
    pointer = 0
    if text.startswith(":"):
        if not text.startswith("::"):
            raise fail(ValidationErrorType.IPV6_INVALID_COMPRESSION, 0)
        pointer = 2
        piece_index = compress = 1
    while pointer < len(text):
        if piece_index == 8:
            raise fail(ValidationErrorType.IPV6_TOO_MANY_PIECES, pointer, len(text))
        if text[pointer] == ":":
            if compress is not None:
                raise fail(ValidationErrorType.IPV6_MULTIPLE_COMPRESSION, pointer)
            pointer += 1
            piece_index += 1
            compress = piece_index
            continue
        first = pointer
        while pointer < len(text) and pointer - first < 4 and text[pointer] in ASCII_HEX_DIGITS:
            pointer += 1
        length = pointer - first
        code_point = text[pointer : pointer + 1]
        if code_point == ".":
            if length == 0:
                raise fail(ValidationErrorType.IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
            if piece_index > 6:
                raise fail(ValidationErrorType.IPV4_IN_IPV6_TOO_MANY_PIECES, first, len(text))
            upper, lower = _parse_ipv4_in_ipv6(text, first, fail)
            pieces[piece_index] = upper
            pieces[piece_index + 1] = lower
            piece_index += 2
            break
        if code_point == ":":
            pointer += 1
            if pointer == len(text):
                raise fail(ValidationErrorType.IPV6_INVALID_CODE_POINT, pointer)
        elif code_point:
            raise fail(ValidationErrorType.IPV6_INVALID_CODE_POINT, pointer)
        if length > 1 and text[first] == "0":
            errors.add(ValidationErrorType.IPV6_PIECE_LEADING_ZERO, first, first + length)
        pieces[piece_index] = int(text[first : first + length], 16)
        piece_index += 1
    if compress is not None:
        after = pieces[compress:piece_index]
        pieces = pieces[:compress] + [0] * (8 - piece_index) + after
    elif piece_index != 8:
        raise fail(ValidationErrorType.IPV6_TOO_FEW_PIECES, 0, len(text))
    address = 0
    for piece in pieces:
        address = address << 16 | piece
    return address


def _parse_ipv4_in_ipv6(
    text: str, pointer: int, fail: Callable[[ValidationErrorType, int], Failure]
) -> tuple[int, int]:
    """Return the two pieces of the IPv4 address in ``text`` from ``pointer`` on."""
    numbers: list[int] = []
    while pointer < len(text):
        if numbers:
            if text[pointer] != "." or len(numbers) == 4:
                raise fail(ValidationErrorType.IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
            pointer += 1
        if text[pointer : pointer + 1] not in ASCII_DIGITS:
            raise fail(ValidationErrorType.IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
        number: int | None = None
        while pointer < len(text) and text[pointer] in ASCII_DIGITS:
            if number == 0:
                raise fail(ValidationErrorType.IPV4_IN_IPV6_INVALID_CODE_POINT, pointer)
            number = (number or 0) * 10 + int(text[pointer])
            if number > 255:
                raise fail(ValidationErrorType.IPV4_IN_IPV6_OUT_OF_RANGE_PART, pointer)
            pointer += 1
        assert number is not None
        numbers.append(number)
    if len(numbers) != 4:
        raise fail(ValidationErrorType.IPV4_IN_IPV6_TOO_FEW_PARTS, pointer)
    return numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]


def serialize_ipv6(address: int) -> str:
    """Return ``address``, 0 to 2**128 - 1, in its shortest form, without brackets.

    Spec: #concept-ipv6-serializer
    """
    pieces = [f"{address >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    longest_index, longest_size = 0, 1
    index = 0
    while index < 8:
        found = index
        while index < 8 and pieces[index] == "0":
            index += 1
        if index - found > longest_size:
            longest_index, longest_size = found, index - found
        index += 1
    if longest_size == 1:
        return ":".join(pieces)
    head = ":".join(pieces[:longest_index])
    return f"{head}::{':'.join(pieces[longest_index + longest_size :])}"


LONGEST_IPV6: Final = 45
"""The most code points of an IPv6 address."""


def is_ipv6_address(text: str) -> bool:
    """Return whether text is an IPv6 address without brackets and without a zone."""
    if text.count(":") < 2 or len(text) > LONGEST_IPV6 or "%" in text:
        return False
    from ipaddress import IPv6Address  # Most text has no two colons.

    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True

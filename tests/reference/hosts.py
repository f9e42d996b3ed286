"""Host parsing and serializing, step by step.

Each function is one algorithm of the standard's sections on IDNA, host parsing and host
serializing. Hosts that are strings in the standard (domains, opaque hosts, the empty host) are
plain strings. Unicode ToASCII is the only part taken from `weburl`; URLs are unknown here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from tests.reference.outcomes import FAILURE, ErrorLog, Failure
from tests.reference.terms import (
    ASCII_DIGITS,
    ASCII_HEX_DIGITS,
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    FORBIDDEN_DOMAIN_CODE_POINTS,
    FORBIDDEN_HOST_CODE_POINTS,
    ascii_lowercase,
    is_url_code_point,
    percent_decode,
    starts_with_two_ascii_hex_digits,
    utf8_percent_encode,
    value_up_to,
)
from weburl.standard.hosts.domains import domain_to_ascii

_DIGITS_OF_RADIX = {
    8: frozenset("01234567"),
    10: ASCII_DIGITS,
    16: ASCII_HEX_DIGITS,
}


@frozen
class IPv4Address:
    """A 32-bit number. Spec: #concept-ipv4"""

    value: int


@frozen
class IPv6Address:
    """Eight 16-bit pieces. Spec: #concept-ipv6"""

    pieces: tuple[int, ...]


Host: TypeAlias = str | IPv4Address | IPv6Address


def domain_parser(domain: str, be_strict: bool, log: ErrorLog) -> str | Failure:
    """Turn a scalar value string into a domain in its ASCII form, or fail.

    Spec: #concept-domain-to-ascii
    """
    # The error is recorded at step 2; whether it is a failure is known only after step 8, and no
    # other error comes between.
    strict_result = domain_to_ascii(domain, True)  # 1
    result = _domain_parser_after_step_2(domain, be_strict, strict_result)
    if strict_result is None:  # 2
        log.validation_error("domain-to-ASCII", is_failure=result is FAILURE)
    return result


def _domain_parser_after_step_2(
    domain: str, be_strict: bool, strict_result: str | None
) -> str | Failure:
    if be_strict:  # 3
        if strict_result is None:  # 3.1
            return FAILURE
        return strict_result  # 3.2
    result: str | None = None  # 4
    if domain.isascii():  # 5
        result = ascii_lowercase(domain)
    else:  # 6
        result = domain_to_ascii(domain, False)  # 6.1
        if result is None:  # 6.2
            return FAILURE
    if result == "":  # 7
        return FAILURE
    if any(c in FORBIDDEN_DOMAIN_CODE_POINTS for c in result):  # 8
        return FAILURE
    return result  # 9


def host_parser(input: str, is_opaque: bool, log: ErrorLog) -> Host | Failure:
    """Parse a host; `is_opaque` is true for URLs that are not special.

    Spec: #concept-host-parser
    """
    if input.startswith("["):  # 1
        if not input.endswith("]"):  # 1.1
            return log.failure("IPv6-unclosed")
        return ipv6_parser(input[1:-1], log)  # 1.2
    if is_opaque:  # 2
        return opaque_host_parser(input, log)
    assert input != ""  # 3
    if _contains_a_percent_encoded_byte(input):  # 4
        log.validation_error("domain-percent-encoded")
    domain = percent_decode(input).decode("utf-8", "replace")  # 5
    ascii_domain = domain_parser(domain, False, log)  # 6
    if ascii_domain is FAILURE:  # 7
        return FAILURE
    if ends_in_a_number_checker(ascii_domain):  # 8
        # Of a later change to the standard: not in the text of July 2026.
        if not domain.isascii():
            log.validation_error("IPv4-non-ASCII-input")
        return ipv4_parser(ascii_domain, log)
    return ascii_domain  # 9


def _contains_a_percent_encoded_byte(input: str) -> bool:
    return any(
        c == "%" and starts_with_two_ascii_hex_digits(input, position + 1)
        for position, c in enumerate(input)
    )


def ends_in_a_number_checker(input: str) -> bool:
    """Tell whether an ASCII domain must be an IPv4 address.

    Spec: #ends-in-a-number-checker
    """
    assert input != ""  # 1
    parts = input.split(".")  # 2
    if parts[-1] == "":  # 3
        parts.pop()
    last = parts[-1]  # 4
    if last != "" and all(c in ASCII_DIGITS for c in last):  # 5
        return True
    return ipv4_number_parser(last) is not FAILURE  # 6, 7


def ipv4_parser(input: str, log: ErrorLog) -> IPv4Address | Failure:
    """Parse an ASCII domain that ends in a number.

    Spec: #concept-ipv4-parser
    """
    parts = input.split(".")  # 1
    if parts[-1] == "":  # 2
        log.validation_error("IPv4-empty-part")  # 2.1
        if len(parts) > 1:  # 2.2
            parts.pop()
    if len(parts) < 4:  # 3
        log.validation_error("IPv4-too-few-parts")
    if len(parts) > 4:  # 4
        return log.failure("IPv4-too-many-parts")
    numbers: list[int] = []  # 5
    for part in parts:  # 6
        result = ipv4_number_parser(part)  # 6.1
        if result is FAILURE:  # 6.2
            return log.failure("IPv4-non-numeric-part")
        if result[1]:  # 6.3
            log.validation_error("IPv4-non-decimal-part")
        numbers.append(result[0])  # 6.4
    failed = any(number > 255 for number in numbers[:-1])  # condition of 8
    failed = failed or numbers[-1] >= 256 ** (5 - len(numbers))  # condition of 9
    if any(number > 255 for number in numbers):  # 7
        log.validation_error("IPv4-out-of-range-part", is_failure=failed)
    if failed:  # 8, 9
        return FAILURE
    ipv4 = numbers[-1]  # 10
    numbers.pop()  # 11
    for counter, n in enumerate(numbers):  # 12, 13, 13.2
        ipv4 += n * 256 ** (3 - counter)  # 13.1
    return IPv4Address(ipv4)  # 14


def ipv4_number_parser(input: str) -> tuple[int, bool] | Failure:
    """Return a number, and whether its spelling is a validation error.

    A number above 2 to the power of 32 may come back as any other such number.

    Spec: #ipv4-number-parser
    """
    if input == "":  # 1
        return FAILURE
    validation_error = False  # 2
    r: Literal[8, 10, 16] = 10  # 3
    if len(input) >= 2 and input[:2] in ("0X", "0x"):  # 4
        validation_error = True  # 4.1
        input = input[2:]  # 4.2
        r = 16  # 4.3
    elif len(input) >= 2 and input[0] == "0":  # 5
        validation_error = True  # 5.1
        input = input[1:]  # 5.2
        r = 8  # 5.3
    if input == "":  # 6
        return (0, True)
    if any(c not in _DIGITS_OF_RADIX[r] for c in input):  # 7
        return FAILURE
    output = value_up_to(input, r, 2**32)  # 8
    return (output, validation_error)  # 9


def ipv6_parser(input: str, log: ErrorLog) -> IPv6Address | Failure:  # noqa: C901, PLR0915  # the standard's steps, kept whole
    """Parse what stands between the brackets.

    Spec: #concept-ipv6-parser
    """

    def c() -> str:
        return input[pointer] if pointer < len(input) else EOF

    address = [0] * 8  # 1
    piece_index = 0  # 2
    compress: int | None = None  # 3
    pointer = 0  # 4
    if c() == ":":  # 5
        if not input.startswith(":", pointer + 1):  # 5.1
            return log.failure("IPv6-invalid-compression")
        pointer += 2  # 5.2
        piece_index += 1  # 5.3
        compress = piece_index
    while c() != EOF:  # 6
        if piece_index == 8:  # 6.1
            return log.failure("IPv6-too-many-pieces")
        if c() == ":":  # 6.2
            if compress is not None:  # 6.2.1
                return log.failure("IPv6-multiple-compression")
            pointer += 1  # 6.2.2
            piece_index += 1
            compress = piece_index
            continue
        value = length = 0  # 6.3
        while length < 4 and c() in ASCII_HEX_DIGITS:  # 6.4
            value = value * 0x10 + int(c(), 16)
            pointer += 1
            length += 1
        if c() == ".":  # 6.5
            if length == 0:  # 6.5.1
                return log.failure("IPv4-in-IPv6-invalid-code-point")
            pointer -= length  # 6.5.2
            if piece_index > 6:  # 6.5.3
                return log.failure("IPv4-in-IPv6-too-many-pieces")
            numbers_seen = 0  # 6.5.4
            while c() != EOF:  # 6.5.5
                ipv4_piece: int | None = None  # 6.5.5.1
                if numbers_seen > 0:  # 6.5.5.2
                    if c() == "." and numbers_seen < 4:  # 6.5.5.2.1
                        pointer += 1
                    else:  # 6.5.5.2.2
                        return log.failure("IPv4-in-IPv6-invalid-code-point")
                if c() not in ASCII_DIGITS:  # 6.5.5.3
                    return log.failure("IPv4-in-IPv6-invalid-code-point")
                while c() in ASCII_DIGITS:  # 6.5.5.4
                    number = int(c())  # 6.5.5.4.1
                    if ipv4_piece is None:  # 6.5.5.4.2
                        ipv4_piece = number
                    elif ipv4_piece == 0:  # 6.5.5.4.3
                        return log.failure("IPv4-in-IPv6-invalid-code-point")
                    else:  # 6.5.5.4.4
                        ipv4_piece = ipv4_piece * 10 + number
                    if ipv4_piece > 255:  # 6.5.5.4.5
                        return log.failure("IPv4-in-IPv6-out-of-range-part")
                    pointer += 1  # 6.5.5.4.6
                assert ipv4_piece is not None
                address[piece_index] = address[piece_index] * 0x100 + ipv4_piece  # 6.5.5.5
                numbers_seen += 1  # 6.5.5.6
                if numbers_seen in (2, 4):  # 6.5.5.7
                    piece_index += 1
            if numbers_seen != 4:  # 6.5.6
                return log.failure("IPv4-in-IPv6-too-few-parts")
            break  # 6.5.7
        if c() == ":":  # 6.6
            pointer += 1  # 6.6.1
            if c() == EOF:  # 6.6.2
                return log.failure("IPv6-invalid-code-point")
        elif c() != EOF:  # 6.7
            return log.failure("IPv6-invalid-code-point")
        if length > 1 and value < 0x10 ** (length - 1):  # 6.8
            log.validation_error("IPv6-piece-leading-zero")
        address[piece_index] = value  # 6.9
        piece_index += 1  # 6.10
    if compress is not None:  # 7
        swaps = piece_index - compress  # 7.1
        piece_index = 7  # 7.2
        while piece_index != 0 and swaps > 0:  # 7.3
            other = compress + swaps - 1
            address[piece_index], address[other] = address[other], address[piece_index]
            piece_index -= 1
            swaps -= 1
    elif piece_index != 8:  # 8
        return log.failure("IPv6-too-few-pieces")
    return IPv6Address(tuple(address))  # 9


def opaque_host_parser(input: str, log: ErrorLog) -> str | Failure:
    """Parse the host of a URL that is not special; the empty string gives the empty host.

    Spec: #concept-opaque-host-parser
    """
    if any(c in FORBIDDEN_HOST_CODE_POINTS for c in input):  # 1
        return log.failure("host-invalid-code-point")
    if any(not is_url_code_point(c) and c != "%" for c in input):  # 2
        log.validation_error("invalid-URL-unit")
    if any(  # 3
        c == "%" and not starts_with_two_ascii_hex_digits(input, position + 1)
        for position, c in enumerate(input)
    ):
        log.validation_error("invalid-URL-unit")
    return utf8_percent_encode(input, C0_CONTROL_PERCENT_ENCODE_SET)  # 4


def host_serializer(host: Host) -> str:
    """Return a host as it stands in a serialized URL, IPv6 addresses in brackets.

    Spec: #concept-host-serializer
    """
    if isinstance(host, IPv4Address):  # 1
        return ipv4_serializer(host)
    if isinstance(host, IPv6Address):  # 2
        return f"[{ipv6_serializer(host)}]"
    return host  # 3


def ipv4_serializer(address: IPv4Address) -> str:
    """Return four decimal numbers with dots between.

    Spec: #concept-ipv4-serializer
    """
    output = ""  # 1
    n = address.value  # 2
    for i in range(1, 5):  # 3
        output = f"{n % 256}{output}"  # 3.1
        if i != 4:  # 3.2
            output = f".{output}"
        n //= 256  # 3.3
    return output  # 4


def ipv6_serializer(address: IPv6Address) -> str:
    """Return the pieces in hexadecimal, the longest run of zeros compressed.

    Spec: #concept-ipv6-serializer
    """
    output = ""  # 1
    compress = ipv6_address_compressed_piece_index(address)  # 2
    ignore_0 = False  # 3
    for piece_index, piece in enumerate(address.pieces):  # 4
        if ignore_0 and piece == 0:  # 4.1
            continue
        if ignore_0:  # 4.2
            ignore_0 = False
        if compress == piece_index:  # 4.3
            separator = "::" if piece_index == 0 else ":"  # 4.3.1
            output += separator  # 4.3.2
            ignore_0 = True  # 4.3.3
            continue
        output += f"{piece:x}"  # 4.4
        if piece_index != 7:  # 4.5
            output += ":"
    return output  # 5


def ipv6_address_compressed_piece_index(address: IPv6Address) -> int | None:
    """Return the index of the first of the longest runs of two or more zero pieces.

    Spec: #find-the-ipv6-address-compressed-piece-index
    """
    longest_index: int | None = None  # 1
    longest_size = 1  # 2
    found_index: int | None = None  # 3
    found_size = 0  # 4
    for piece_index, piece in enumerate(address.pieces):  # 5
        if piece != 0:  # 5.1
            if found_size > longest_size:  # 5.1.1
                longest_index = found_index
                longest_size = found_size
            found_index = None  # 5.1.2
            found_size = 0  # 5.1.3
        else:  # 5.2
            if found_index is None:  # 5.2.1
                found_index = piece_index
            found_size += 1  # 5.2.2
    if found_size > longest_size:  # 6
        return found_index
    return longest_index  # 7

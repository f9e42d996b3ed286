"""IPv4 addresses: the ends-in-a-number checker, the parser and the serializer.

An address is an `int` here. `hosts.values.IPv4Address` gives it a type.
"""

from __future__ import annotations

from typing import Final

from weburl.standard.infra.code_points import ASCII_DIGITS, ASCII_HEX_DIGITS
from weburl.standard.infra.errors import Errors, ValidationErrorType

_OCTAL_DIGITS: Final = frozenset("01234567")
# A 32-bit number has no more octal digits than this. A longer one is out of range, and is not
# converted, because `int` takes quadratic time.
_MAX_SIGNIFICANT_DIGITS: Final = 11
_OUT_OF_RANGE: Final = 1 << 32


def ends_in_a_number(domain: str) -> bool:
    """Return whether a non-empty ASCII ``domain`` must be an IPv4 address or fail.

    Spec: #ends-in-a-number-checker
    """
    head, _, last = domain.rpartition(".")
    if not last:
        last = head.rpartition(".")[2]
    # The last label of most domains does not start with a digit, so it is not a number.
    if last[:1] not in ASCII_DIGITS:
        return False
    return ASCII_DIGITS.issuperset(last) or parse_ipv4_number(last) is not None


def parse_ipv4_number(text: str) -> tuple[int, bool] | None:
    """Return the number in ``text``, and whether it is a validation error; None for failure.

    A number that is too large for any address is returned as 2**32.

    Spec: #ipv4-number-parser
    """
    if not text:
        return None
    if len(text) >= 2 and text[0] == "0":
        if text[1] in "Xx":
            digits, radix, allowed = text[2:], 16, ASCII_HEX_DIGITS
        else:
            digits, radix, allowed = text[1:], 8, _OCTAL_DIGITS
    else:
        digits, radix, allowed = text, 10, ASCII_DIGITS
    if not digits:
        return 0, True
    if not allowed.issuperset(digits):
        return None
    significant = digits.lstrip("0")
    if len(significant) > _MAX_SIGNIFICANT_DIGITS:
        return _OUT_OF_RANGE, radix != 10
    return int(significant or "0", radix), radix != 10


def parse_ipv4(text: str, errors: Errors, length: int, exact: bool) -> int:  # noqa: C901  # the standard's steps, kept whole
    """Return the IPv4 address in ``text``, 0 to 2**32 - 1. Raises `Failure`.

    Args:
        text: not empty, ASCII.
        errors: where validation errors are recorded.
        length: the length of the host in the prepared input.
        exact: whether the host is ``text`` in the prepared input too, so that an error can point
            at one part of it.

    Spec: #concept-ipv4-parser
    """

    def span(index: int) -> tuple[int, int]:
        if not exact:
            return 0, length
        begin = sum(len(part) + 1 for part in parts[:index])
        if parts[index]:
            return begin, begin + len(parts[index])
        # The part is empty, so the error points at the dots around it.
        return max(begin - 1, 0), begin + 1

    parts = text.split(".")
    if not parts[-1]:
        errors.add(ValidationErrorType.IPV4_EMPTY_PART, length - 1 if exact else 0, length)
        if len(parts) > 1:
            parts.pop()
    if len(parts) < 4:
        errors.add(ValidationErrorType.IPV4_TOO_FEW_PARTS, 0, length)
    if len(parts) > 4:
        raise errors.failure(ValidationErrorType.IPV4_TOO_MANY_PARTS, 0, length)
    numbers: list[int] = []
    for index, part in enumerate(parts):
        result = parse_ipv4_number(part)
        if result is None:
            raise errors.failure(ValidationErrorType.IPV4_NON_NUMERIC_PART, *span(index))
        number, validation_error = result
        if validation_error:
            errors.add(ValidationErrorType.IPV4_NON_DECIMAL_PART, *span(index))
        numbers.append(number)
    last = numbers.pop()
    too_large = [index for index, number in enumerate([*numbers, last]) if number > 255]
    if too_large:
        out_of_range = ValidationErrorType.IPV4_OUT_OF_RANGE_PART
        if any(number > 255 for number in numbers) or last >= 256 ** (4 - len(numbers)):
            raise errors.failure(out_of_range, *span(too_large[0]))
        errors.add(out_of_range, *span(too_large[0]))
    return last + sum(number << 8 * (3 - index) for index, number in enumerate(numbers))


def serialize_ipv4(address: int) -> str:
    """Return ``address``, 0 to 2**32 - 1, as four decimal numbers.

    Spec: #concept-ipv4-serializer
    """
    return f"{address >> 24}.{address >> 16 & 255}.{address >> 8 & 255}.{address & 255}"

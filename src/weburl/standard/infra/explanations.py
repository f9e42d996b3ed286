"""Explains each validation error: one sentence, and a hint on how to fix it.

This is mostly data. "{culprit}" is replaced by the text that the error points at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from weburl.standard.infra.code_point_regexes import (
    FORBIDDEN_DOMAIN_CODE_POINT,
    PERCENT_ENCODED_BYTE,
)
from weburl.standard.infra.code_points import ASCII_HEX_DIGITS
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.errors import ValidationErrorType as Type
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import is_visible

_LONGEST_SHOWN: Final = 40
_DOTS: Final = re.compile("[.\u3002\uff0e\uff61]")
# The invisible ones that UTS #46 removes from a host or allows, so that no host fails by them.
_HARMLESS: Final = re.compile(
    "[\xad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_NUMBER: Final = re.compile(r"0x([0-9a-f]+)|(0[0-7]+)|[0-9]+", re.IGNORECASE | re.ASCII)
_LARGEST_IN_LAST_TWO: Final = 0xFFFF
_TWO_HYPHENS: Final = re.compile(r"(?:^|\.)(?!xn)[^.]{2}--", re.IGNORECASE | re.ASCII)
_SCHEME_AND_SLASHES: Final = re.compile(
    f"(?:{'|'.join(map(re.escape, SPECIAL_SCHEMES))})//", re.IGNORECASE | re.ASCII
)


class Explanation(NamedTuple):
    """A message, and a hint if there is a likely fix. Both may contain "{culprit}"."""

    message: str
    hint: str = ""


EXPLANATIONS: Final[Mapping[Type, Explanation]] = {
    Type.DOMAIN_TO_ASCII: Explanation(
        "{culprit} is not a valid domain name.",
        "A domain name is made of labels of 1 to 63 letters, digits and inner hyphens,"
        " with single dots between them.",
    ),
    Type.DOMAIN_PERCENT_ENCODED: Explanation(
        "The host contains the percent-encoded byte {culprit}.",
        "Write the host without percent signs.",
    ),
    Type.HOST_INVALID_CODE_POINT: Explanation(
        "The host contains {culprit}, which is not allowed in a host.",
    ),
    Type.IPV4_NON_ASCII_INPUT: Explanation(
        "The IPv4 address {culprit} has characters other than ASCII.",
        "Write it with the digits 0 to 9 and dots.",
    ),
    Type.IPV4_EMPTY_PART: Explanation(
        "The IPv4 address ends in a dot.",
        "Remove the last dot.",
    ),
    Type.IPV4_TOO_FEW_PARTS: Explanation(
        "The IPv4 address {culprit} has fewer than four parts.",
        "Write all four numbers, such as 127.0.0.1.",
    ),
    Type.IPV4_TOO_MANY_PARTS: Explanation(
        "The IPv4 address {culprit} has more than four parts.",
        "A host whose last part is a number is an IPv4 address: write four numbers.",
    ),
    Type.IPV4_NON_NUMERIC_PART: Explanation(
        "An IPv4 address has a part that is not a number: {culprit}.",
        "A host whose last part is a number is an IPv4 address: write four numbers. A leading"
        " zero means octal.",
    ),
    Type.IPV4_NON_DECIMAL_PART: Explanation(
        "An IPv4 address has a hexadecimal or octal part: {culprit}.",
        "Write it as a decimal number, without leading zeros.",
    ),
    Type.IPV4_OUT_OF_RANGE_PART: Explanation(
        "An IPv4 address has a part greater than 255: {culprit}.",
        "Write four numbers from 0 to 255.",
    ),
    Type.IPV6_UNCLOSED: Explanation(
        "The IPv6 address {culprit} is not closed.",
        "Add a ']' at the end.",
    ),
    Type.IPV6_INVALID_COMPRESSION: Explanation(
        "The IPv6 address begins with a single colon.",
        "Write '::' for a run of zeros, or write the piece before the colon.",
    ),
    Type.IPV6_TOO_MANY_PIECES: Explanation(
        "The IPv6 address has more than eight pieces. Remove {culprit}.",
    ),
    Type.IPV6_MULTIPLE_COMPRESSION: Explanation(
        "The IPv6 address has '::' in more than one place.",
        "Keep one '::', and write the other zeros.",
    ),
    Type.IPV6_INVALID_CODE_POINT: Explanation(
        "The IPv6 address has {culprit} where a hexadecimal digit or a colon should be.",
    ),
    Type.IPV6_TOO_FEW_PIECES: Explanation(
        "The IPv6 address has fewer than eight pieces.",
        "Write '::' in place of missing zeros.",
    ),
    Type.IPV6_PIECE_LEADING_ZERO: Explanation(
        "The piece {culprit} of an IPv6 address has a leading zero.",
        "Remove leading zeros.",
    ),
    Type.IPV4_IN_IPV6_TOO_MANY_PIECES: Explanation(
        "There are more than six IPv6 pieces before the IPv4 address {culprit}.",
    ),
    Type.IPV4_IN_IPV6_INVALID_CODE_POINT: Explanation(
        "The IPv4 address in the IPv6 address is wrong at {culprit}.",
        "Write four numbers from 0 to 255 with dots between them, without leading zeros.",
    ),
    Type.IPV4_IN_IPV6_OUT_OF_RANGE_PART: Explanation(
        "The IPv4 address in the IPv6 address has a number greater than 255.",
        "Write four numbers from 0 to 255.",
    ),
    Type.IPV4_IN_IPV6_TOO_FEW_PARTS: Explanation(
        "The IPv4 address in the IPv6 address has fewer than four numbers.",
        "Write all four numbers.",
    ),
    Type.INVALID_URL_UNIT: Explanation(
        "{culprit} is not allowed here in a URL.",
        "Percent-encode it, or remove it.",
    ),
    Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS: Explanation(
        "Exactly two slashes should follow the scheme.",
        "Write '//' between the scheme's colon and the host. A relative URL has no scheme.",
    ),
    Type.MISSING_SCHEME_NON_RELATIVE_URL: Explanation(
        "The URL has no scheme, and no base URL that it can be relative to.",
        "Add a scheme at the beginning, such as 'https://'.",
    ),
    Type.INVALID_REVERSE_SOLIDUS: Explanation(
        "There is a backslash in place of a slash.",
        "Write '/'.",
    ),
    Type.INVALID_CREDENTIALS: Explanation(
        "The URL has a username or a password, or an '@' for them.",
        "Remove the '@' and the text between '//' and the '@'.",
    ),
    Type.HOST_MISSING: Explanation(
        "The URL has no host.",
        "Write the name of the site after '//', as in 'https://example.com'.",
    ),
    Type.PORT_OUT_OF_RANGE: Explanation(
        "The port {culprit} is greater than 65535.",
    ),
    Type.PORT_INVALID: Explanation(
        "The port contains {culprit}, which is not a digit.",
        "A port is a number from 0 to 65535.",
    ),
    Type.FILE_INVALID_WINDOWS_DRIVE_LETTER: Explanation(
        "{culprit} is a Windows drive letter. It replaces the path of the base URL.",
        "Write the whole file URL, as in 'file:///C:/path'.",
    ),
    Type.FILE_INVALID_WINDOWS_DRIVE_LETTER_HOST: Explanation(
        "The Windows drive letter {culprit} is in the place of the host.",
        "Write three slashes before it, as in 'file:///C:/path'.",
    ),
}


def printable(text: str) -> str:
    """Return ``text`` with U+FFFD for each character that is invisible, or changes others.

    These are controls, bidi marks, lone surrogates, blank letters and the like.
    """
    return "".join([char if is_visible(char) else "\ufffd" for char in text])


def printable_lines(text: str) -> str:
    """Return ``text`` as `printable` does, but with its line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def quoted(text: str) -> str:
    """Return ``text`` in quotation marks, shortened, without usernames and passwords.

    One invisible character is named instead: "a space", "U+200B".
    """
    text = masked(text)
    if len(text) == 1 and (text == " " or not is_visible(text)):
        return "a space" if text == " " else f"U+{ord(text):04X}"
    if len(text) > _LONGEST_SHOWN:
        text = f"{text[: _LONGEST_SHOWN - 1]}\u2026"
    return f"'{printable(text)}'"


def _named(char: str) -> str:
    """Return an invisible character as its code point and its name, if it has one."""
    from weburl.standard.infra.unicode_data import name

    found = "byte order mark" if char == "\ufeff" else name(char, "")
    return f"U+{ord(char):04X} ({found})" if found else f"U+{ord(char):04X}"


def _domain_is_invalid(culprit: str, *, is_failure: bool) -> Explanation:
    """Return the explanation of why a name is not a domain, as far as one look at it shows."""
    message, hint = EXPLANATIONS[Type.DOMAIN_TO_ASCII]
    if not is_failure:
        if "" in _DOTS.split(culprit):
            message = "{culprit} is not a valid domain name: it has an empty label."
            hint = "There must be text before and after each dot."
        elif _TWO_HYPHENS.search(culprit):
            hint = "Only encoded labels may have hyphens as their third and fourth characters."
        return Explanation(message, hint)
    # The "%" of a percent-encoded byte is decoded first, so it is not the cause.
    forbidden = FORBIDDEN_DOMAIN_CODE_POINT.search(PERCENT_ENCODED_BYTE.sub("", culprit))
    if forbidden is not None:
        name = quoted(forbidden[0])
        message = f"The host {{culprit}} contains {name}, which is not allowed in a domain name."
        return Explanation(message)
    for char in _HARMLESS.sub("", culprit):
        if not is_visible(char):
            message = f"{{culprit}} is not a valid domain name: it contains {_named(char)}."
            return Explanation(message, "Remove this character.")
    return Explanation(message, hint)


def _part_is_too_large(culprit: str) -> Explanation:
    """Return the explanation of a part of an IPv4 address that makes a parse fail."""
    message, hint = EXPLANATIONS[Type.IPV4_OUT_OF_RANGE_PART]
    number = _NUMBER.fullmatch(culprit)
    if number is None:  # the whole address
        return Explanation(message, hint)
    base = 16 if number[1] else 8 if number[2] else 10
    digits = (number[1] or culprit).lstrip("0")
    # Python refuses to read very long numbers.
    value = int(digits, base) if len(digits) <= _LONGEST_SHOWN else _LARGEST_IN_LAST_TWO + 1
    if value > _LARGEST_IN_LAST_TWO:
        message = "The number {culprit} is too large for its place in an IPv4 address."
    elif number[1] or number[2]:
        message = f"An IPv4 address has a part greater than 255: {{culprit}} is {value}."
    if number[1] or number[2]:
        hint = f"{hint} '0x' means hexadecimal, and a leading zero octal."
    return Explanation(message, hint)


def explain(type: Type, culprit: str, *, is_failure: bool) -> Explanation:  # noqa: C901  # one case for each error that has words of its own
    """Return the message and the hint for an error about ``culprit``."""
    message, hint = EXPLANATIONS[type]
    if type is Type.DOMAIN_TO_ASCII:
        message, hint = _domain_is_invalid(culprit, is_failure=is_failure)
    elif type is Type.IPV4_OUT_OF_RANGE_PART and is_failure:
        message, hint = _part_is_too_large(culprit)
    elif type is Type.IPV6_UNCLOSED and "]" in culprit:
        message = "There is text after the ']' of the IPv6 address {culprit}."
        hint = "Only ':' and a port may follow, but not in a file URL."
    elif type is Type.IPV6_INVALID_CODE_POINT:
        if culprit == ":":
            message = "The IPv6 address ends in a single colon."
        elif culprit in ASCII_HEX_DIGITS:
            message = "A piece of the IPv6 address has more than four digits."
        elif culprit == "%":
            hint = "An IPv6 address in a URL has no zone: remove the '%' and what follows it."
    elif type is Type.IPV4_NON_NUMERIC_PART and not culprit.strip("."):
        message = "An IPv4 address has an empty part."
    elif type is Type.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS and culprit.lower() == "file:":
        message = "'//' should follow 'file:'."
        hint = "Write 'file:///' before the path."
    elif type is Type.MISSING_SCHEME_NON_RELATIVE_URL:
        if culprit and not is_visible(culprit[0]):
            message = f"The URL begins with {_named(culprit[0])}, so it has no scheme."
            hint = "Remove this character. Read a file with encoding='utf-8-sig'."
        elif _SCHEME_AND_SLASHES.match(culprit):
            hint = "Add a ':' after the scheme."
        elif culprit.startswith("//"):
            hint = "Add a scheme at the beginning, such as 'https:'."
        elif culprit.startswith(("/", "\\", "?", "#", ".")):
            hint = "Pass a base URL."
    message = message.replace("{culprit}", quoted(culprit))
    return Explanation(message[0].upper() + message[1:], hint)

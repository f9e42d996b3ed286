"""Terms the algorithms use: code point classes, percent-encoding, scalar values.

Every set is spelled as the standard spells it ("that set plus these"). No parsing lives here,
and nothing is imported from the project, so that a wrong table there cannot hide here.
"""

from __future__ import annotations

import re
from typing import Final

# The conceptual EOF code point. Compare with `==` or look it up in a set, never in a string.
EOF: Final = ""

ASCII_DIGITS: Final = frozenset("0123456789")
ASCII_HEX_DIGITS: Final = ASCII_DIGITS | frozenset("ABCDEF") | frozenset("abcdef")
ASCII_UPPER_ALPHA: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ASCII_LOWER_ALPHA: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
ASCII_ALPHA: Final = ASCII_UPPER_ALPHA | ASCII_LOWER_ALPHA
ASCII_ALPHANUMERIC: Final = ASCII_DIGITS | ASCII_ALPHA
ASCII_TAB_OR_NEWLINE: Final = frozenset("\t\n\r")
C0_CONTROLS: Final = frozenset(map(chr, range(0x20)))
C0_CONTROL_OR_SPACE: Final = C0_CONTROLS | {" "}

FORBIDDEN_HOST_CODE_POINTS: Final = frozenset("\0\t\n\r #/:<>?@[\\]^|")
FORBIDDEN_DOMAIN_CODE_POINTS: Final = FORBIDDEN_HOST_CODE_POINTS | C0_CONTROLS | {"%", "\x7f"}

# Percent-encode sets hold numbers below 0x100: only the isomorph of a byte is ever looked up.
PercentEncodeSet = frozenset[int]


def _code_points(characters: str) -> frozenset[int]:
    return frozenset(map(ord, characters))


C0_CONTROL_PERCENT_ENCODE_SET: Final[PercentEncodeSet] = frozenset(range(0x20)) | frozenset(
    range(0x7E + 1, 0x100)
)
FRAGMENT_PERCENT_ENCODE_SET: Final = C0_CONTROL_PERCENT_ENCODE_SET | _code_points(' "<>`')
QUERY_PERCENT_ENCODE_SET: Final = C0_CONTROL_PERCENT_ENCODE_SET | _code_points(' "#<>')
SPECIAL_QUERY_PERCENT_ENCODE_SET: Final = QUERY_PERCENT_ENCODE_SET | _code_points("'")
PATH_PERCENT_ENCODE_SET: Final = QUERY_PERCENT_ENCODE_SET | _code_points("?^`{}")
USERINFO_PERCENT_ENCODE_SET: Final = PATH_PERCENT_ENCODE_SET | _code_points("/:;=@[\\]|")

_ASCII_LOWERCASE: Final = {ord(upper): ord(upper) + 0x20 for upper in ASCII_UPPER_ALPHA}
_ASCII_URL_CODE_POINTS: Final = ASCII_ALPHANUMERIC | frozenset("!$&'()*+,-./:;=?@_~")
_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def ascii_lowercase(string: str) -> str:
    """Return the string with A to Z, and nothing else, in lower case.

    Spec: https://infra.spec.whatwg.org/#ascii-lowercase
    """
    return string.translate(_ASCII_LOWERCASE)


def to_scalar_value_string(string: str) -> str:
    """Join surrogate pairs into one code point and replace lone surrogates by U+FFFD.

    This is what Web IDL does to text before an algorithm of the standard sees it.

    Spec: https://webidl.spec.whatwg.org/#es-USVString
    """
    return _SURROGATES.sub(_scalar_value, string)


def join_surrogate_pairs(string: str) -> str:
    """Join surrogate pairs into one code point, and leave lone surrogates.

    A URL unit is none of the latter, which the parser says before it encodes them as U+FFFD.
    """
    return _SURROGATES.sub(
        lambda match: match[0] if len(match[0]) == 1 else _scalar_value(match), string
    )


def _scalar_value(match: re.Match[str]) -> str:
    if len(match[0]) == 1:
        return "\ufffd"
    lead, trail = map(ord, match[0])
    return chr(0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00))


def is_url_code_point(c: str) -> bool:
    """Tell whether one code point may be written in a URL; EOF may not.

    Spec: #url-code-points
    """
    if c in _ASCII_URL_CODE_POINTS:
        return True
    if c == EOF:
        return False
    value = ord(c)
    if not 0xA0 <= value <= 0x10FFFD:
        return False
    is_surrogate = 0xD800 <= value <= 0xDFFF
    is_noncharacter = 0xFDD0 <= value <= 0xFDEF or value & 0xFFFF in (0xFFFE, 0xFFFF)
    return not is_surrogate and not is_noncharacter


def starts_with_two_ascii_hex_digits(string: str, start: int) -> bool:
    """Tell whether two ASCII hex digits stand at the offset `start`."""
    two = string[start : start + 2]
    return len(two) == 2 and two[0] in ASCII_HEX_DIGITS and two[1] in ASCII_HEX_DIGITS


def percent_decode(string: str) -> bytes:
    """Return the UTF-8 bytes of a scalar value string with percent-encoded bytes decoded.

    Spec: #string-percent-decode
    """
    data = to_scalar_value_string(string).encode("utf-8")
    output = bytearray()
    position = 0
    while position < len(data):
        byte = data[position]
        two = data[position + 1 : position + 3].decode("latin-1")
        if byte != 0x25 or not starts_with_two_ascii_hex_digits(two, 0):
            output.append(byte)
            position += 1
        else:
            output.append(int(two, 16))
            position += 3
    return bytes(output)


def utf8_percent_encode(string: str, percent_encode_set: PercentEncodeSet) -> str:
    """Percent-encode the UTF-8 bytes of a scalar value string that are in the set.

    Spec: #string-utf-8-percent-encode
    """
    return "".join(
        f"%{byte:02X}" if byte in percent_encode_set else chr(byte)
        for byte in to_scalar_value_string(string).encode("utf-8")
    )


def value_up_to(digits: str, radix: int, limit: int) -> int:
    """Return the value of ASCII digits, or some number above `limit` if it exceeds `limit`.

    Stopping at the limit keeps a megabyte of digits linear; no caller tells larger values apart.
    """
    value = 0
    for digit in digits:
        value = value * radix + int(digit, 16)
        if value > limit:
            break
    return value

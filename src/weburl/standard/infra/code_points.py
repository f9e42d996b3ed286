"""Named sets of code points, and the tables derived from them.

Each set is written once, as the standard writes it ("that set plus these"), and everything else is
derived from it, here and in `code_point_regexes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

C0_CONTROLS: Final = frozenset(map(chr, range(0x20)))
ASCII_DIGITS: Final = frozenset("0123456789")
ASCII_HEX_DIGITS: Final = ASCII_DIGITS | frozenset("ABCDEFabcdef")
ASCII_ALPHA: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
ASCII_ALPHANUMERIC: Final = ASCII_DIGITS | ASCII_ALPHA


def character_class(code_points: Iterable[str]) -> str:
    """Return the inside of a regex character class that matches only ``code_points``."""
    # In ranges, which compile to the same regex as a list of code points, but in half the time.
    ranges: list[tuple[int, int]] = []
    for number in sorted(map(ord, code_points)):
        if ranges and number <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return "".join(rf"\x{first:02x}-\x{last:02x}" for first, last in ranges)


# U+007F and everything above it is in every percent-encode set.
_ASCII: Final = tuple(map(chr, range(0x7F)))
PERCENT_ENCODED: Final = tuple([f"%{byte:02X}" for byte in range(0x100)])


class PercentEncodeSet:
    """A percent-encode set: its ASCII members, and every code point above U+007E.

    ``members``: the ASCII members.

    Spec: #percent-encode-sets
    """

    def __init__(self, members: frozenset[str]) -> None:
        self.members: Final = members

    # All tables and regexes of the eight sets would take a sixth of the time to import weburl.

    @cached_property
    def kept(self) -> bytes:
        """A 1 for each ASCII code point that is not in the set."""
        return bytes([code_point not in self.members for code_point in _ASCII] + [False])

    @cached_property
    def encoded(self) -> tuple[str, ...]:
        """What each byte becomes: itself, or "%" and two digits."""
        return (
            tuple(
                [
                    chr(byte) if is_kept else PERCENT_ENCODED[byte]
                    for byte, is_kept in enumerate(self.kept)
                ]
            )
            + PERCENT_ENCODED[0x80:]
        )

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches a run of code points in the set."""
        # The code points outside the set are a short list, which compiles in a tenth of the time.
        others = [code_point for code_point in _ASCII if code_point not in self.members]
        return re.compile(f"[^{character_class(others)}]+")

    def __contains__(self, code_point: str) -> bool:
        return code_point > "\x7e" or code_point in self.members

    def plus(self, code_points: str) -> PercentEncodeSet:
        """Return this set and ``code_points``."""
        return PercentEncodeSet(self.members | frozenset(code_points))


# Spec: #percent-encode-sets
C0_CONTROL_PERCENT_ENCODE_SET: Final = PercentEncodeSet(C0_CONTROLS)
FRAGMENT_PERCENT_ENCODE_SET: Final = C0_CONTROL_PERCENT_ENCODE_SET.plus(' "<>`')
QUERY_PERCENT_ENCODE_SET: Final = C0_CONTROL_PERCENT_ENCODE_SET.plus(' "#<>')
SPECIAL_QUERY_PERCENT_ENCODE_SET: Final = QUERY_PERCENT_ENCODE_SET.plus("'")
PATH_PERCENT_ENCODE_SET: Final = QUERY_PERCENT_ENCODE_SET.plus("?^`{}")
USERINFO_PERCENT_ENCODE_SET: Final = PATH_PERCENT_ENCODE_SET.plus("/:;=@[\\]|")
COMPONENT_PERCENT_ENCODE_SET: Final = USERINFO_PERCENT_ENCODE_SET.plus("$%&+,")
FORM_URLENCODED_PERCENT_ENCODE_SET: Final = COMPONENT_PERCENT_ENCODE_SET.plus("!'()~")

# Spec: #forbidden-host-code-point, #forbidden-domain-code-point
FORBIDDEN_HOST_CODE_POINTS: Final = frozenset("\0\t\n\r #/:<>?@[\\]^|")
FORBIDDEN_DOMAIN_CODE_POINTS: Final = FORBIDDEN_HOST_CODE_POINTS | C0_CONTROLS | {"%", "\x7f"}

# A regex of a domain that the host parser would return unchanged, as most are. It has no two
# hyphens in a row, so no "xn--", and only letters at the end, so it is not an IPv4 address.
# Possessive, and without an alternation inside the loop, because that would take three times as
# long.
PLAIN_DOMAIN: Final = r"(?:[a-z0-9_]++[.-])*+[a-z]++"

# Spec: #single-dot-path-segment, #double-dot-path-segment
SINGLE_DOT_SEGMENTS: Final = frozenset({".", "%2e", "%2E"})
DOUBLE_DOT_SEGMENTS: Final = frozenset(
    first + second for first in SINGLE_DOT_SEGMENTS for second in SINGLE_DOT_SEGMENTS
)

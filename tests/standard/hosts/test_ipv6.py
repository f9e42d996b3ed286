"""`weburl.standard.hosts.ipv6` reads and writes IPv6 addresses."""

from __future__ import annotations

import ipaddress
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import ipv6_addresses, valid_ipv6_addresses
from weburl.standard.hosts.ipv6 import parse_ipv6, serialize_ipv6
from weburl.standard.infra.errors import ErrorList, Failure, RecordedError
from weburl.standard.infra.errors import ValidationErrorType as Type

# Every run of zeros that a random address would hardly have.
addresses = st.lists(st.sampled_from((0, 0, 1, 0xF, 0xFFFF, 0x10)), min_size=8, max_size=8).map(
    lambda pieces: int("".join(f"{piece:04x}" for piece in pieces), 16)
) | st.integers(0, 2**128 - 1)


def recorded(text: str, start: int = 0) -> list[RecordedError]:
    """Return the errors that are recorded for a text at an offset."""
    errors = ErrorList(100)
    with suppress(Failure):
        parse_ipv6(text, errors.after(start))
    return errors.recorded


def standard_library_address(text: str) -> int | None:
    """Return what `ipaddress` makes of a text. It accepts zones, which URLs cannot have."""
    if "%" in text or "/" in text:
        return None
    try:
        return int(ipaddress.IPv6Address(text))
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("text", "type", "culprit"),
    [
        (":", Type.IPV6_INVALID_COMPRESSION, ":"),
        (":1", Type.IPV6_INVALID_COMPRESSION, ":"),
        (":1::", Type.IPV6_INVALID_COMPRESSION, ":"),
        ("1:2:3:4:5:6:7:8:9", Type.IPV6_TOO_MANY_PIECES, "9"),
        ("1:2:3:4:5:6:7:8::", Type.IPV6_TOO_MANY_PIECES, ":"),
        ("1:2:3:4::5:6:7:8", Type.IPV6_TOO_MANY_PIECES, "8"),
        ("::1:2:3:4:5:6:7:8", Type.IPV6_TOO_MANY_PIECES, "8"),
        ("1::1::1", Type.IPV6_MULTIPLE_COMPRESSION, ":"),
        (":::", Type.IPV6_MULTIPLE_COMPRESSION, ":"),
        ("1:::2", Type.IPV6_MULTIPLE_COMPRESSION, ":"),
        ("1:2:3!:4", Type.IPV6_INVALID_CODE_POINT, "!"),
        ("1:2:3:", Type.IPV6_INVALID_CODE_POINT, ":"),
        ("12345::", Type.IPV6_INVALID_CODE_POINT, "5"),
        ("g::", Type.IPV6_INVALID_CODE_POINT, "g"),
        ("::1%25eth0", Type.IPV6_INVALID_CODE_POINT, "%"),
        ("::\uff11", Type.IPV6_INVALID_CODE_POINT, "\uff11"),
        ("::\u0661", Type.IPV6_INVALID_CODE_POINT, "\u0661"),
        ("1 ::", Type.IPV6_INVALID_CODE_POINT, " "),
        ("+1::", Type.IPV6_INVALID_CODE_POINT, "+"),
        ("1_1::", Type.IPV6_INVALID_CODE_POINT, "_"),
        ("", Type.IPV6_TOO_FEW_PIECES, ""),
        ("1:2:3", Type.IPV6_TOO_FEW_PIECES, "1:2:3"),
        ("1:2:3:4:5:6:7", Type.IPV6_TOO_FEW_PIECES, "1:2:3:4:5:6:7"),
        ("1.2.3.4", Type.IPV6_TOO_FEW_PIECES, "1.2.3.4"),
        ("1:1:1:1:1:1:1:127.0.0.1", Type.IPV4_IN_IPV6_TOO_MANY_PIECES, "127.0.0.1"),
        ("ffff::.0.0.1", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "."),
        ("ffff::127.0.xyz.1", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "x"),
        ("ffff::127.0xyz", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "x"),
        ("ffff::127.00.0.1", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "0"),
        ("ffff::127.0.0.1.2", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "."),
        ("ffff::127.0.0.", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "."),
        ("::1.2.3.4:5", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, ":"),
        ("::a.2.3.4", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "a"),
        ("::1.2.3.\u0664", Type.IPV4_IN_IPV6_INVALID_CODE_POINT, "\u0664"),
        ("ffff::127.0.0.4000", Type.IPV4_IN_IPV6_OUT_OF_RANGE_PART, "0"),
        ("::256.0.0.1", Type.IPV4_IN_IPV6_OUT_OF_RANGE_PART, "6"),
        ("ffff::127.0.0", Type.IPV4_IN_IPV6_TOO_FEW_PARTS, "0"),
    ],
)
def test_what_is_not_an_address_fails_for_this_reason_at_this_place(
    text: str, type: Type, culprit: str
) -> None:
    """At the end of the text, the error points to the last character."""
    found = recorded(text, start=7)[-1]
    assert found.type is type
    assert found.is_failure
    assert 7 <= found.start <= found.end <= 7 + len(text)
    assert text[found.start - 7 : found.end - 7] == culprit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::", []),
        ("0:0::1", []),
        ("::01", [(Type.IPV6_PIECE_LEADING_ZERO, 7, 9, False)]),
        ("00::", [(Type.IPV6_PIECE_LEADING_ZERO, 5, 7, False)]),
        (
            "0001:0:000::",
            [
                (Type.IPV6_PIECE_LEADING_ZERO, 5, 9, False),
                (Type.IPV6_PIECE_LEADING_ZERO, 12, 15, False),
            ],
        ),
        (
            "01:g",
            [
                (Type.IPV6_PIECE_LEADING_ZERO, 5, 7, False),
                (Type.IPV6_INVALID_CODE_POINT, 8, 9, True),
            ],
        ),
    ],
)
def test_a_leading_zero_is_an_error_at_its_piece(
    text: str, expected: list[tuple[Type, int, int, bool]]
) -> None:
    """Parsing goes on. A single zero is not a leading zero."""
    assert recorded(text, start=5) == expected


@given(addresses)
def test_an_address_is_read_back_from_all_that_writes_it(address: int) -> None:
    """Our serialization and both forms of the standard library are read."""
    text = serialize_ipv6(address)
    assert parse_ipv6(text) == address
    assert recorded(text) == []
    assert int(ipaddress.IPv6Address(text)) == address
    library = ipaddress.IPv6Address(address)
    assert parse_ipv6(library.compressed) == address
    assert parse_ipv6(library.exploded.upper()) == address


@given(valid_ipv6_addresses())
def test_a_valid_address_string_is_read_without_an_error(text: str) -> None:
    """The standard library reads the same address."""
    assert parse_ipv6(text) == standard_library_address(text)
    assert recorded(text) == []


@given(ipv6_addresses)
@example("1:2:3:4:5:6:7::")
@example("::1:2:3:4:5:6:7")
@example("1:2:3:4:5:6:1.2.3.4")
@example("1::2:3:4:5:6:1.2.3.4")
def test_a_text_is_an_address_where_the_standard_library_says_so(text: str) -> None:
    """The two parsers share no code."""
    try:
        address = parse_ipv6(text)
    except Failure:
        assert standard_library_address(text) is None
    else:
        assert standard_library_address(text) == address

"""`weburl.standard.hosts.ipv6` reads and writes IPv6 addresses."""

from __future__ import annotations

import ipaddress
from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import ipv6_addresses, valid_ipv6_addresses
from weburl.standard.hosts.ipv6 import parse_ipv6, serialize_ipv6
from weburl.standard.infra.errors import ErrorList, Failure, RecordedError

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

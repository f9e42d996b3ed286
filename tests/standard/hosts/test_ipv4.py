"""`weburl.standard.hosts.ipv4` finds, reads and writes IPv4 addresses."""

from __future__ import annotations

import ipaddress
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl.standard.hosts.ipv4 import (
    ends_in_a_number,
    parse_ipv4,
    parse_ipv4_number,
    serialize_ipv4,
)
from weburl.standard.infra.errors import NO_ERRORS, ErrorList, Failure, RecordedError

addresses = st.integers(0, 2**32 - 1)


def parse(text: str) -> int:
    """Return the address in ``text``, without reporting errors."""
    return parse_ipv4(text, NO_ERRORS, len(text), True)


def recorded(text: str, *, start: int = 0, exact: bool = True) -> list[RecordedError]:
    """Return the errors that are recorded for a text at an offset."""
    errors = ErrorList(100)
    with suppress(Failure):
        parse_ipv4(text, errors.after(start), len(text), exact)
    return errors.recorded


@pytest.mark.parametrize("prefix", ["", "0", "0x"])
def test_a_number_of_any_length_is_out_of_range_and_no_more(prefix: str) -> None:
    """It is never converted to an integer, and leading zeros do not count."""
    digits = "1" * 100_000
    assert parse_ipv4_number(prefix + digits) == (2**32, prefix != "")
    zeros = "0" * 100_000
    assert parse_ipv4_number(f"{prefix}{zeros}17") == (23 if prefix == "0x" else 15, True)


@given(addresses)
def test_an_address_is_written_as_the_standard_library_writes_it(address: int) -> None:
    """It is read again without an error."""
    text = serialize_ipv4(address)
    assert text == str(ipaddress.IPv4Address(address))
    assert parse(text) == address
    assert recorded(text) == []


@given(addresses, st.integers(1, 4), st.data())
def test_every_way_to_write_an_address_gives_it(
    address: int, size: int, data: st.DataObject
) -> None:
    """Parts are decimal, octal or hexadecimal, with zeros, and a dot may follow."""
    octets = [address >> shift & 0xFF for shift in (24, 16, 8, 0)]
    last = address & (1 << 8 * (5 - size)) - 1
    forms = st.sampled_from(("{}", "0{:o}", "00{:o}", "0x{:x}", "0X{:X}", "0x00{:x}"))
    parts = [data.draw(forms).format(number) for number in [*octets[: size - 1], last]]
    dot = data.draw(st.sampled_from(("", ".")))
    assert parse(".".join(parts) + dot) == address
    assert ends_in_a_number(".".join(parts) + dot)


@given(st.text("0189afxX.-+_ ", max_size=12))
def test_a_text_is_a_number_in_its_radix_or_none(text: str) -> None:
    """`int` gives the same number."""
    found = parse_ipv4_number(text)
    if found is None:
        return
    number, is_not_decimal = found
    radix = 16 if text[:2] in ("0x", "0X") else 8 if text[:1] == "0" and len(text) > 1 else 10
    assert set(text) <= set("0123456789abcdefxX")
    assert is_not_decimal == (radix != 10)
    value = int(text[2:] or "0", 16) if radix == 16 else int(text, radix)
    # Digits that are too many are not counted.
    assert number == value or (number == 2**32 < value)

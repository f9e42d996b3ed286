"""Compares the compiled lookup of hosts with Python's, and passes buffers that do not fit."""

from __future__ import annotations

import importlib
from array import array
from itertools import accumulate
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import COMPILED, HostList
from weburl.policies.host_list import has_serialized, table_in
from weburl.policies.host_table import NameTable
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH

if not COMPILED:
    pytest.skip("there is no compiled reader in this build", allow_module_level=True)

reader: Any = importlib.import_module("weburl.columns.compiled.host_lists")

HOSTS: Final = ["evil.example", "*.evil.example", "a.b.example", ".10.example", "10.0.0.1"]
LABELS: Final = st.lists(st.sampled_from(["a", "b", "ab", "10", "xn--hxa", "evil"]), max_size=4)
NAMES: Final = LABELS.map(lambda labels: ".".join([*labels, "example"]))
ONE: Final = (b"example", b"\0\0\0\0\x07\0\0\0", b"", 0, 1, False)


def asked(table: NameTable, buffers: tuple[Any, ...], **other: Any) -> Any:
    """Return the bits for buffers. ``other`` replaces parts of the table."""
    parts = {
        "names": table.texts,
        "ends": table.ends,
        "kinds": table.kinds,
        "starts": table.starts,
        "shift": table.shift,
        "longest": MAX_DOMAIN_LENGTH,
    }
    return reader.listed_rows(*(parts | other).values(), buffers)


def buffers_of(hosts: list[str]) -> tuple[bytes, bytes, bytes, int, int, bool]:
    """Return hosts as Arrow's buffers."""
    encoded = [host.encode() for host in hosts]
    ends = accumulate(map(len, encoded), initial=0)
    offsets = b"".join(end.to_bytes(4, "little") for end in ends)
    return b"".join(encoded), offsets, b"", 0, len(hosts), False


def is_set(bits: bytearray, row: int) -> bool:
    """Return the bit of a row."""
    return bool(bits[row >> 3] >> (row & 7) & 1)


@given(
    st.lists(st.tuples(st.sampled_from(["", ".", "*."]), NAMES).map("".join), max_size=20),
    st.lists(NAMES, min_size=1, max_size=20),
)
def test_each_host_is_found_as_in_python(rules: list[str], hosts: list[str]) -> None:
    """Lists and hosts share many labels."""
    made = HostList(rules)
    listed, other = asked(table_in(made), buffers_of(hosts))
    assert not any(other)
    for row, host in enumerate(hosts):
        assert is_set(listed, row) == has_serialized(made, host), (rules, host)


def test_the_bits() -> None:
    """Hosts are listed, spelled differently, too long, empty or null."""
    hosts = [
        "10.0.0.1",
        "evil.example.",
        "[::1]",
        "",
        "x." * 200 + "evil.example",
        "a.evil.example",
    ]
    listed, other = asked(table_in(HostList(HOSTS)), buffers_of(hosts))
    assert (listed, other) == (b"\x31", b"\x06")
    data, offsets, _, start, length, wide = buffers_of(hosts)
    nulls = (data, offsets, b"\x1e", start, length, wide)
    assert asked(table_in(HostList(HOSTS)), nulls) == (b"\x10", b"\x06")
    assert asked(table_in(HostList()), buffers_of(hosts))[0] == b"\0"
    sliced = (data, offsets, b"", 5, 1, wide)
    assert asked(table_in(HostList(HOSTS)), sliced) == (b"\x01", b"\0")


@pytest.mark.parametrize(
    "buffers",
    [
        (b"example", b"\0\0\0\0\x07\0\0", b"", 0, 1, False),
        (b"example", b"\0\0\0\0\x07\0\0\0", b"", 1, 1, False),
        (b"example", b"\0\0\0\0\x07\0\0\0", b"", 0, 1, True),
        (b"example", b"\0\0\0\0\x07\0\0\0", b"", -1, 1, False),
        (b"example", b"\0\0\0\0\x07\0\0\0", b"", 0, -1, False),
        (b"example", b"\0\0\0\0\x07\0\0\0", b"", 0, 1 << 60, False),
        (b"example", b"\0\0\0\0\x08\0\0\0", b"", 0, 1, False),
        (b"example", b"\x08\0\0\0\x07\0\0\0", b"", 0, 1, False),
        (b"example", b"\0" * 40, b"\xff", 0, 9, False),
    ],
)
def test_buffers_that_do_not_fit_are_refused(buffers: Any) -> None:
    """Nothing outside the buffers is read."""
    with pytest.raises(ValueError, match="an array's"):
        asked(table_in(HostList(HOSTS)), buffers)


@pytest.mark.parametrize(
    "other",
    [
        {"shift": -1},
        {"shift": 32},
        {"shift": 3},
        {"kinds": b"\1"},
        {"ends": array("I", [1])},
        {"names": b"x"},
        {"starts": array("I", [0] * 9)},
        {"starts": array("I")},
    ],
)
def test_a_table_that_does_not_fit_is_refused(other: dict[str, Any]) -> None:
    """The error comes before any row is read."""
    with pytest.raises(ValueError, match="the table has"):
        asked(table_in(HostList(HOSTS)), ONE, **other)

"""Tests of `weburl.policies.addresses`: what addresses are for, by the registries."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import IPv4Address, IPv6Address, address_classes
from weburl.policies.addresses import ADDRESS_CLASSES, embedded_ipv4, to_address

# The blocks of IANA's two registries, and for each whether it is globally reachable.
REGISTRY = {
    "0.0.0.0/8": "unspecified",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade",
    "127.0.0.0/8": "loopback",
    "169.254.0.0/16": "link-local",
    "172.16.0.0/12": "private",
    "192.0.0.0/29": "reserved",
    "192.0.0.8/32": "reserved",
    "192.0.0.9/32": "global",
    "192.0.0.10/32": "global",
    "192.0.0.170/31": "reserved",
    "192.0.2.0/24": "documentation",
    "192.31.196.0/24": "global",
    "192.52.193.0/24": "global",
    "192.88.99.0/24": "reserved",
    "192.168.0.0/16": "private",
    "192.175.48.0/24": "global",
    "198.18.0.0/15": "reserved",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
    "255.255.255.255/32": "reserved",
    "::1/128": "loopback",
    "::/128": "unspecified",
    "64:ff9b:1::/48": "private",
    "100::/64": "reserved",
    "100:0:0:1::/64": "reserved",
    "2001:1::1/128": "global",
    "2001:1::2/128": "global",
    "2001:1::3/128": "global",
    "2001:2::/48": "reserved",
    "2001:3::/32": "global",
    "2001:4:112::/48": "global",
    "2001:10::/28": "reserved",
    "2001:20::/28": "reserved",
    "2001:30::/28": "global",
    "2001:100::/24": "reserved",
    "2001:db8::/32": "documentation",
    "2002::/16": "reserved",
    "2620:4f:8000::/48": "global",
    "3fff::/20": "documentation",
    "5f00::/16": "reserved",
    "fc00::/7": "private",
    "fe80::/10": "link-local",
    "fec0::/10": "private",
    "ff00::/8": "multicast",
    "4000::/3": "reserved",
    "e000::/4": "reserved",
}

IN_IPV6 = {
    "mapped": "::ffff:{}",
    "compatible": "::{}",
    "translated": "::ffff:0:{}",
    "NAT64": "64:ff9b::{}",
    "NAT64 for local use": "64:ff9b:1::{}",
    "NAT64 for local use, behind another prefix": "64:ff9b:1:a:b:c:{}",
    "ISATAP": "2001:470:1:2:0:5efe:{}",
    "ISATAP, of a global address": "2001:470:1:2:200:5efe:{}",
}
ipv4 = st.integers(0x10000, (1 << 32) - 1)


@pytest.mark.parametrize(("block", "name"), REGISTRY.items())
def test_a_block_of_the_registries_has_its_class(block: str, name: str) -> None:
    """Its first address and its last; of others' more is known."""
    network = ipaddress.ip_network(block)
    for address in (network[0], network[-1]):
        assert name in address_classes(address)


def test_the_registries_are_all_there() -> None:
    """Those and the rest of IPv6's space."""
    assert len(REGISTRY) == 49


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_an_address_has_classes_and_the_spelling_does_not_matter(address: Any) -> None:
    """Text, an address of the standard library, a host."""
    found = address_classes(address)
    assert found
    assert found <= set(ADDRESS_CLASSES)
    assert address_classes(str(address)) == found == address_classes(to_address(address))


@given(st.ip_addresses(v=4))
def test_what_is_global_is_so_for_the_standard_library_too(address: Any) -> None:
    """It knows fewer kinds, but no more: what it calls private is not global here."""
    if address_classes(address) == {"global"}:
        assert address.is_global


@given(st.ip_addresses(v=6))
def test_what_is_global_in_ipv6_is_global_unicast(address: Any) -> None:
    """Within 2000::/3, or by way of an IPv4 address that is."""
    if address_classes(address) == {"global"}:
        assert address in ipaddress.ip_network("2000::/3") or embedded_ipv4(to_address(address))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", IN_IPV6.values(), ids=IN_IPV6.keys())
@given(value=ipv4)
def test_an_ipv4_address_within_an_ipv6_address_counts(form: str, value: int) -> None:
    """In every form that has one, whatever the outer address is."""
    inner = ipaddress.IPv4Address(value)
    outer = ipaddress.IPv6Address(form.format(inner))
    assert IPv4Address(value) in embedded_ipv4(IPv6Address(int(outer)))
    assert address_classes(inner) <= address_classes(outer)


@given(ipv4)
def test_6to4_and_teredo_hold_ipv4_addresses(value: int) -> None:
    """The first behind its prefix; the other a server, and a client with all bits turned."""
    inner = IPv4Address(value)
    turned = value ^ 0xFFFFFFFF
    for outer in (
        0x2002 << 112 | value << 80 | 1,
        0x20010000 << 96 | value << 64,
        0x20010000 << 96 | turned,
    ):
        assert inner in embedded_ipv4(IPv6Address(outer))
        assert address_classes(inner) <= address_classes(IPv6Address(outer))


@given(ipv4)
def test_nat64_prefixes_that_are_shorter_hold_the_address_in_two_parts(value: int) -> None:
    """RFC 6052, figure 1: around bits 64 to 71."""
    prefix = 0x0064FF9B0001 << 80
    for before in (16, 8, 0):
        behind = 32 - before
        first, second = value >> behind, value & ((1 << behind) - 1)
        outer = prefix | first << 64 | second << (56 - behind)
        assert IPv4Address(value) in embedded_ipv4(IPv6Address(outer))


@given(st.integers(1, 0xFFFFFFFF), st.integers(0, 2))
def test_an_address_is_followed_by_zeros_only(value: int, which: int) -> None:
    """Each bit of what pads it counts, from the lowest on."""
    before = (16, 8, 0)[which]
    behind = 32 - before
    outer = 0x0064FF9B0001 << 80 | value >> behind << 64 | (value % (1 << behind)) << 56 - behind
    for bit in range(56 - behind):
        found = embedded_ipv4(IPv6Address(outer | 1 << bit))
        # The last 32 bits are always read as an address, too.
        low = IPv4Address((outer | 1 << bit) & 0xFFFFFFFF)
        others = [(16, 8, 0)[at] for at in range(3) if at != which]
        allowed = {low, *(_read_after(outer | 1 << bit, each) for each in others)}
        assert set(found) <= allowed


def _read_after(address: int, before: int) -> IPv4Address:
    behind = 32 - before
    first = address >> 64 & ((1 << before) - 1)
    return IPv4Address(first << behind | address >> 56 - behind & ((1 << behind) - 1))


def test_the_examples_of_rfc_6052_are_read_so() -> None:
    """192.0.2.33 behind the prefix for local use, at its three lengths."""
    for text in (
        "64:ff9b:1:c000:2:2100::",
        "64:ff9b:1:c0:0:221::",
        "64:ff9b:1:0:c0:2:2100:0",
        "64:ff9b:1::192.0.2.33",
    ):
        assert "documentation" in address_classes(text), text


def test_ipv6_s_own_addresses_hold_none() -> None:
    """The loopback address is not 0.0.0.1, nor is any global address another."""
    for text in ("::", "::1", "::ffff", "2606:4700::1111", "fe80::1"):
        assert embedded_ipv4(IPv6Address(int(ipaddress.IPv6Address(text)))) == ()


@pytest.mark.parametrize(
    ("address", "classes"),
    [
        ("8.8.8.8", {"global"}),
        ("169.254.169.254", {"link-local", "metadata"}),
        ("168.63.129.16", {"metadata"}),
        ("100.100.100.200", {"carrier-grade", "metadata"}),
        ("fd00:ec2::254", {"private", "metadata"}),
        ("::ffff:8.8.8.8", {"global"}),
        ("::8.8.8.8", {"reserved", "global"}),
        ("2002:808:808::", {"reserved", "global"}),
        ("64:ff9b::a9fe:a9fe", {"link-local", "metadata"}),
        ("fe80::1%eth0", {"link-local"}),
        ("::1%" + "x" * 1_000_000, {"loopback"}),
    ],
)
def test_an_address_may_be_of_several_classes(address: str, classes: set[str]) -> None:
    """A cloud's metadata service is within some block; an address within another is both."""
    assert address_classes(address) == classes


@pytest.mark.parametrize(
    "text",
    ["", "example.com", "127.1", "0x7f.0.0.1", "127.0.0.01", "[::1]", "１.1.1.1", "1" * 10**6],
)
def test_text_that_no_resolver_returns_is_refused(text: str) -> None:
    """With a message that stays short."""
    with pytest.raises(ValueError, match="not an IP address") as caught:
        address_classes(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [5, None, b"127.0.0.1", 1.5])
def test_what_is_no_address_is_refused(value: Any) -> None:
    """A number could be meant as IPv4 or IPv6."""
    with pytest.raises(TypeError):
        address_classes(value)

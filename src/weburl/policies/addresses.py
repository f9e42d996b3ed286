"""Classes of IP addresses, according to IANA's registries of special-purpose addresses.

The functions take addresses and return names of classes. They do not depend on policies.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from weburl.standard.hosts.values import IPv4Address, IPv6Address
from weburl.standard.infra.credentials import masked_before_at_sign

AddressClass: TypeAlias = Literal[
    "global",
    "private",
    "loopback",
    "link-local",
    "carrier-grade",
    "multicast",
    "documentation",
    "metadata",
    "unspecified",
    "reserved",
]
"""``"global"``: addresses that the whole Internet can reach. ``"private"``: addresses of private
networks, including unique local and site-local addresses of IPv6. ``"carrier-grade"``:
100.64.0.0/10. ``"metadata"``: where a cloud gives its machines their secrets. ``"unspecified"``:
0.0.0.0/8 and ``::``, which many systems treat as the machine itself. ``"reserved"``: all others
that do not belong to a host, such as 240.0.0.0/4, benchmarks and unassigned parts of IPv6."""

ADDRESS_CLASSES: Final[tuple[AddressClass, ...]] = get_args(AddressClass)

AnyAddress: TypeAlias = (
    IPv4Address | IPv6Address | ipaddress.IPv4Address | ipaddress.IPv6Address | str
)
"""An address: a host of a URL, one of the standard library's, or text as resolvers return it."""

_Block: TypeAlias = tuple[int, int, AddressClass]


def _blocks(address_class: AddressClass, networks: str) -> Iterator[_Block]:
    for text in networks.split():
        network = ipaddress.ip_network(text)
        yield int(network.network_address), int(network.broadcast_address), address_class


# IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its followers), and other
# special blocks. The narrowest block that contains an address decides.
_IPV4_BLOCKS: Final = (
    *_blocks("unspecified", "0.0.0.0/8"),
    *_blocks("private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"),
    *_blocks("carrier-grade", "100.64.0.0/10"),
    *_blocks("loopback", "127.0.0.0/8"),
    *_blocks("link-local", "169.254.0.0/16"),
    *_blocks("documentation", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24"),
    # Protocol assignments, relays of 6to4, benchmarks; 240.0.0.0/4 with the broadcast address.
    *_blocks("reserved", "192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 240.0.0.0/4"),
    *_blocks("multicast", "224.0.0.0/4"),
    # Anycast of PCP and TURN, which everyone may reach.
    *_blocks("global", "192.0.0.9/32 192.0.0.10/32"),
)

# IANA IPv6 Special-Purpose Address Registry, RFC 4291.
_IPV6_BLOCKS: Final = (
    *_blocks("global", "2000::/3"),
    *_blocks("unspecified", "::/128"),
    *_blocks("loopback", "::1/128"),
    *_blocks("private", "fc00::/7 fec0::/10 64:ff9b:1::/48"),
    *_blocks("link-local", "fe80::/10"),
    *_blocks("multicast", "ff00::/8"),
    *_blocks("documentation", "2001:db8::/32 3fff::/20"),
    # Protocol assignments, with Teredo, benchmarks and both kinds of ORCHID; 6to4.
    *_blocks("reserved", "2001::/23 2002::/16"),
    # Anycast of PCP, TURN and DNS-SD; AMT; AS112; the identifiers of drones.
    *_blocks("global", "2001:1::1/128 2001:1::2/128 2001:1::3/128"),
    *_blocks("global", "2001:3::/32 2001:4:112::/48 2001:30::/28"),
)

# Where clouds answer their machines. Two of them look like ordinary addresses.
_METADATA_IPV4: Final = frozenset(
    int(ipaddress.IPv4Address(text))
    for text in (
        "169.254.169.254",  # Amazon, Google, Azure, Oracle, DigitalOcean, OpenStack and others
        "169.254.170.2",  # Amazon's containers
        "169.254.170.23",  # Amazon's Kubernetes
        "169.254.169.253",  # Amazon's resolver
        "169.254.169.123",  # Amazon's clock
        "169.254.42.42",  # Scaleway
        "169.254.0.23",  # Tencent
        "100.100.100.200",  # Alibaba
        "168.63.129.16",  # Azure, outside of every reserved block
        "192.0.0.192",  # Oracle, the older cloud
        "192.80.8.124",  # Equinix Metal, outside of every reserved block
    )
)
_METADATA_IPV6: Final = frozenset(
    int(ipaddress.IPv6Address(text))
    for text in (
        "fd00:ec2::254",  # Amazon
        "fd00:ec2::23",  # Amazon's Kubernetes
        "fd00:ec2::253",
        "fd00:ec2::123",
        "fd20:ce::254",  # Google
        "fd00:c1::a9fe:a9fe",  # Oracle
        "fd00:42::42",  # Scaleway
        "fe80::a9fe:a9fe",  # OpenStack
    )
)

_LOW_32: Final = (1 << 32) - 1
_NAT64: Final = int(ipaddress.IPv6Address("64:ff9b::"))
_LOCAL_NAT64: Final = int(ipaddress.IPv6Address("64:ff9b:1::"))
# RFC 6052: how many bits of the address precede bits 64 to 71, which are zero, if the prefix
# has 48, 56 or 64 bits. The bits after the address are zero too.
_NAT64_BITS_BEFORE: Final = (16, 8, 0)


def to_address(address: object) -> IPv4Address | IPv6Address:
    """Return ``address``, of any type in `AnyAddress`, as a value of ours, without a zone.

    Text must be four decimal numbers, or IPv6 without brackets; a zone is a suffix like ``%eth0``.
    Raises TypeError for a value of another type, and ValueError for text that is not an address.
    """
    if isinstance(address, IPv4Address | IPv6Address):
        return address
    if isinstance(address, str):
        # No address is longer, but a zone may have any length.
        text = address
        # Raised after the handler, so that Python's error with the whole text is not its context.
        with suppress(ValueError):
            address = ipaddress.ip_address(text[:100].partition("%")[0])
        if isinstance(address, str):
            shown = masked_before_at_sign(text)[:100]
            raise ValueError(  # noqa: TRY004  # it is text
                f"{shown!r} is not an IP address; write it as resolvers return it"
            )
    if isinstance(address, ipaddress.IPv4Address):
        return IPv4Address(int(address))
    if isinstance(address, ipaddress.IPv6Address):
        return IPv6Address(int(address))
    raise TypeError(f"an address must be text or an IP address, not {type(address).__name__}")


def embedded_ipv4(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return the IPv4 addresses that ``address`` may lead to, in order and without duplicates.

    It finds addresses of the mapped, compatible and translated forms, of NAT64 with the well-known
    prefix and the one for local use, of 6to4, of Teredo (server and client) and of ISATAP. A NAT64
    prefix that a network chose for itself cannot be recognized.

    Spec: RFC 4291, RFC 2765, RFC 6052, RFC 8215, RFC 3056, RFC 4380, RFC 5214
    """
    return tuple(IPv4Address(value) for value in dict.fromkeys(_embedded(address.value)))


def _embedded(value: int) -> Iterator[int]:
    low = value & _LOW_32
    above = value >> 32
    # In the compatible form, addresses below 0.1.0.0 belong to IPv6 itself, such as "::" and "::1".
    if (above == 0 and low > 0xFFFF) or above in (0xFFFF, 0xFFFF0000, _NAT64 >> 32):
        yield low
    elif value >> 80 == _LOCAL_NAT64 >> 80:
        yield low
        yield from _embedded_before_the_end(value)
    elif value >> 112 == 0x2002:
        yield value >> 80 & _LOW_32
    elif value >> 96 == 0x20010000:
        yield value >> 64 & _LOW_32
        yield low ^ _LOW_32
    if above & 0xFDFFFFFF == 0x5EFE:
        yield low


def _embedded_before_the_end(value: int) -> Iterator[int]:
    """Yield the IPv4 addresses that ``value`` may contain after a NAT64 prefix under 96 bits."""
    for before in _NAT64_BITS_BEFORE:
        behind = 32 - before
        octet = value >> 56 & 0xFF
        padding = value & ((1 << (56 - behind)) - 1)
        first = value >> 64 & ((1 << before) - 1)
        second = value >> (56 - behind) & ((1 << behind) - 1)
        found = first << behind | second
        if found and not octet and not padding:
            yield found


@lru_cache(maxsize=1024)
def address_classes(address: AnyAddress) -> frozenset[AddressClass]:
    """Return what ``address`` is for and, if it contains IPv4 addresses, what those are for.

    The result has one class, or more if the address is also a cloud's metadata service, or a way to
    another address. An IPv4-mapped address, and one of NAT64's well-known prefix, has only the
    classes of the IPv4 address in it.

    Text must be four decimal numbers, or IPv6 without brackets; a zone (``%eth0``) is dropped.
    Raises TypeError for a value of another type, and ValueError for text that is not an address.
    """
    address = to_address(address)
    if isinstance(address, IPv4Address):
        return frozenset(_classes(address.value, _IPV4_BLOCKS, "global", _METADATA_IPV4))
    found: set[AddressClass] = set()
    inner = embedded_ipv4(address)
    if not inner or address.value >> 32 not in (0xFFFF, _NAT64 >> 32):
        found.update(_classes(address.value, _IPV6_BLOCKS, "reserved", _METADATA_IPV6))
    for each in inner:
        found |= address_classes(each)
    return frozenset(found)


def _classes(
    value: int, blocks: Iterable[_Block], otherwise: AddressClass, metadata: frozenset[int]
) -> Iterator[AddressClass]:
    if value in metadata:
        yield "metadata"
    sizes = [(last - first, name) for first, last, name in blocks if first <= value <= last]
    narrowest = min(sizes, default=(0, otherwise))[1]
    if narrowest != "global" or value not in metadata:
        yield narrowest


@lru_cache(maxsize=256)
def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(text)


def is_in_networks(address: IPv4Address | IPv6Address, networks: Iterable[str]) -> bool:
    """Return whether ``address`` is in one of ``networks``, which are like "10.0.0.0/8".

    An IPv6 address is only in networks of IPv6, also if it contains an IPv4 address.
    """
    number = 4 if isinstance(address, IPv4Address) else 6
    for network in map(_network, networks):
        first, last = int(network.network_address), int(network.broadcast_address)
        if network.version == number and first <= address.value <= last:
            return True
    return False


def common_networks(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Return the networks that hold the addresses of both lists. Raises nothing for valid lists."""
    found = set()
    for one in map(_network, first):
        for other in map(_network, second):
            if one.version == other.version and one.overlaps(other):
                found.add(str(max(one, other, key=lambda each: each.prefixlen)))
    return tuple(sorted(found))

"""`hosts.values` has the five kinds of hosts as values."""

from __future__ import annotations

import copy
import ipaddress
import pickle
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import hosts
from weburl import URLParseError, parse
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)

ONE_OF_EACH: tuple[Host, ...] = (
    Domain("example.com"),
    IPv4Address(0x7F000001),
    IPv6Address(1),
    OpaqueHost("example.com"),
    EmptyHost(),
)
each_host = pytest.mark.parametrize("host", ONE_OF_EACH, ids=lambda host: type(host).__name__)


def test_str_gives_the_host_as_a_url_has_it() -> None:
    """An IPv6 address is in brackets."""
    texts = ["example.com", "127.0.0.1", "[::1]", "example.com", ""]
    assert [str(host) for host in ONE_OF_EACH] == texts
    assert [f"{host}" for host in ONE_OF_EACH] == texts


@each_host
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_host_pickles_and_copies(host: Host, protocol: int) -> None:
    """The result is equal and has the same hash, with every protocol."""
    for other in (
        pickle.loads(pickle.dumps(host, protocol)),
        copy.copy(host),
        copy.deepcopy(host),
    ):
        assert type(other) is type(host)
        assert other == host
        assert hash(other) == hash(host)


def test_every_host_has_text_for_people() -> None:
    """Only the text of a domain differs from its `str()`."""
    for text, shown in (
        ("https://xn--bcher-kva.example/", "bücher.example"),
        ("https://1.2/", "1.0.0.2"),
        ("https://[::1]/", "[::1]"),
        ("foo://%C3%BC/", "%C3%BC"),
        ("file:///a", ""),
    ):
        host = parse(text).host
        assert host is not None
        assert host.to_unicode() == shown


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_hosts_of_two_kinds_are_never_equal() -> None:
    """A domain and an opaque host may have the same letters, and addresses the same number."""
    assert len({*ONE_OF_EACH}) == len(ONE_OF_EACH)
    pairs: list[tuple[object, object]] = [
        (Domain("a"), OpaqueHost("a")),
        (IPv4Address(1), IPv6Address(1)),
        (IPv4Address(1), 1),
        (Domain("a"), "a"),
        (EmptyHost(), ""),
        (EmptyHost(), None),
    ]
    assert [one for one, other in pairs if one == other or other == one] == []
    assert EmptyHost() == EmptyHost()


def test_a_host_matches_a_pattern_of_its_kind() -> None:
    """Its value is the first item of the pattern."""

    def kind(host: Host) -> str:
        match host:
            case Domain(value):
                return f"domain {value}"
            case IPv4Address(value=number) | IPv6Address(number):
                return f"address {number}"
            case OpaqueHost(value):
                return f"opaque {value}"
            case EmptyHost():
                return "empty"

    assert [kind(host) for host in ONE_OF_EACH] == [
        "domain example.com",
        "address 2130706433",
        "address 1",
        "opaque example.com",
        "empty",
    ]


@each_host
def test_repr_is_what_makes_the_host(host: Host) -> None:
    """Evaluating it gives an equal host."""
    names = {kind.__name__: kind for kind in map(type, ONE_OF_EACH)}
    assert eval(repr(host), names) == host


@pytest.mark.parametrize("value", ["a", ".", "a..b", "xn--a", "1.a", "a.", "a_b!$&'()*+,;=~\"`{}"])
def test_a_domain_may_hold_whatever_the_parser_lets_into_one(value: str) -> None:
    """This includes domains that are not valid to write."""
    assert Domain(value).value == str(parse(f"https://{value}/").host) == value


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (Domain, None, "non-empty ASCII string"),
        (Domain, 1, "non-empty ASCII string"),
        (Domain, b"a", "non-empty ASCII string"),
        (Domain, "", "non-empty ASCII string"),
        (Domain, "\u00e9", "non-empty ASCII string"),
        (Domain, "\u212a", "non-empty ASCII string"),
        (Domain, "A", "lowercase"),
        (Domain, "a\n", "forbidden domain code point"),
        (Domain, "a b", "forbidden domain code point"),
        (Domain, "a%41", "forbidden domain code point"),
        (Domain, "a/b", "forbidden domain code point"),
        (Domain, "a:80", "forbidden domain code point"),
        (Domain, "u@a", "forbidden domain code point"),
        (Domain, "[::1]", "forbidden domain code point"),
        (Domain, "a\x7f", "forbidden domain code point"),
        (Domain, "1", "ends in a number"),
        (Domain, "1.2.3.4", "ends in a number"),
        (Domain, "a.0x", "ends in a number"),
        (Domain, "a.09.", "ends in a number"),
        (IPv4Address, -1, r"from 0 to 2\*\*32 - 1"),
        (IPv4Address, 2**32, r"from 0 to 2\*\*32 - 1"),
        (IPv4Address, "1", "integer"),
        (IPv4Address, 1.0, "integer"),
        (IPv4Address, None, "integer"),
        (IPv6Address, -1, r"from 0 to 2\*\*128 - 1"),
        (IPv6Address, 2**128, r"from 0 to 2\*\*128 - 1"),
        (IPv6Address, "::1", "integer"),
        (OpaqueHost, None, "non-empty"),
        (OpaqueHost, "", "non-empty"),
        (OpaqueHost, "\u00e9", "percent-encoded"),
        (OpaqueHost, "a\x01", "percent-encoded"),
        (OpaqueHost, "\x7f", "percent-encoded"),
        (OpaqueHost, "a b", "forbidden host code"),
        (OpaqueHost, "a/b", "forbidden host code"),
        (OpaqueHost, "[::1]", "forbidden host code"),
        (OpaqueHost, "a:1", "forbidden host code"),
        (OpaqueHost, b"a", "non-empty"),
        (IPv4Address, True, "integer"),
        (IPv6Address, True, "integer"),
    ],
)
def test_a_host_that_could_not_be_parsed_is_refused(
    kind: type[Any], value: Any, reason: str
) -> None:
    """The ValueError has the reason. ``True`` is an integer, but the parser never returns it."""
    with pytest.raises(ValueError, match=reason):
        kind(value)


@given(st.ip_addresses())
def test_addresses_convert_from_and_to_the_standard_library(library: Any) -> None:
    """It reads the text, between the brackets of an IPv6 address, and writes the same of IPv4."""
    kind = IPv4Address if library.version == 4 else IPv6Address
    host = kind.from_ipaddress(library)
    assert host == kind(int(library))
    assert host.to_ipaddress() == library
    assert type(library)(str(host).strip("[]")) == library
    assert str(host) == (f"[{str(host)[1:-1]}]" if library.version == 6 else str(library))


def test_an_ipv6_address_with_a_zone_is_refused() -> None:
    """URLs have no zones, and without its zone it would be another address."""
    with pytest.raises(ValueError, match="zone"):
        IPv6Address.from_ipaddress(ipaddress.IPv6Address("fe80::1%eth0"))


def test_an_interface_converts_as_the_address_it_is() -> None:
    """In the standard library, an interface is an address with a network."""
    assert IPv4Address.from_ipaddress(ipaddress.IPv4Interface("10.0.0.1/8")) == IPv4Address(
        0x0A000001
    )


@given(hosts, st.sampled_from(("https", "foo")))
def test_a_host_of_the_parser_could_be_made_by_hand(text: str, scheme: str) -> None:
    """The parser's own constructor skips the checks."""
    try:
        host = parse(f"{scheme}://{text}/").host
    except URLParseError:
        return
    if host is not None:
        assert type(host)(*(getattr(host, name) for name in host.__match_args__)) == host
        assert isinstance(host, Host)


@pytest.mark.parametrize("kind", [Domain, OpaqueHost])
def test_a_host_made_of_a_subclass_of_str_holds_a_plain_string(kind: Any) -> None:
    """For example, members of an enumeration are printed differently."""
    host = kind(HostName.LOCAL)
    assert host == kind("local")
    assert type(host.value) is str
    assert str(host) == f"{host}" == "local"


class HostName(str, Enum):  # noqa: UP042  # these print as "HostName.LOCAL"
    """Names of hosts."""

    LOCAL = "local"

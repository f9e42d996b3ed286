"""`weburl.standard.url.origin`: origins and sites as values."""

from __future__ import annotations

import copy
import pickle
import weakref
from enum import Enum
from typing import Any

import pytest

from weburl import OpaqueOrigin, SchemeAndHost, TupleOrigin
from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost

HOST = Domain("example.com")


@pytest.mark.parametrize(
    ("origin", "text"),
    [
        (TupleOrigin("https", HOST), "https://example.com"),
        (TupleOrigin("https", HOST, 8080), "https://example.com:8080"),
        (TupleOrigin("http", HOST, 0), "http://example.com:0"),
        (TupleOrigin("https", HOST, None, Domain("com.example")), "https://example.com"),
        (TupleOrigin("wss", IPv6Address(1), 1), "wss://[::1]:1"),
        (TupleOrigin("ftp", IPv4Address(1)), "ftp://0.0.0.1"),
        (TupleOrigin("web-extension", OpaqueHost("ab")), "web-extension://ab"),
        (TupleOrigin("app", EmptyHost()), "app://"),
        (OpaqueOrigin(), "null"),
        (SchemeAndHost("https", HOST), "https://example.com"),
        (SchemeAndHost("http", IPv6Address(1)), "http://[::1]"),
        # The standard's example: its host is in ASCII, as every host is.
        (TupleOrigin("https", Domain("xn--maraa-rta.example")), "https://xn--maraa-rta.example"),
    ],
)
def test_an_origin_and_a_site_are_serialized(origin: object, text: str) -> None:
    """Without the domain, which is no part of the text."""
    assert str(origin) == f"{origin}" == text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("HTTPS", HOST), "scheme"),
        (("https:", HOST), "scheme"),
        (("", HOST), "scheme"),
        ((None, HOST), "scheme"),
        (("https", None), "host values"),
        (("https", "example.com"), "host values"),
        (("https", OpaqueHost("a")), "domain or an IP address"),
        (("file", EmptyHost()), "domain or an IP address"),
        (("https", HOST, 65536), "port"),
        (("https", HOST, -1), "port"),
        (("https", HOST, True), "port"),
        (("https", HOST, "80"), "port"),
        (("https", HOST, 443), "default port"),
        (("https", HOST, None, "example.com"), "domain of an origin"),
    ],
)
def test_an_origin_that_no_url_has_is_refused(arguments: tuple[Any, ...], reason: str) -> None:
    """With the reason, in a ValueError; a site for the same reasons."""
    with pytest.raises(ValueError, match=reason):
        TupleOrigin(*arguments)
    if len(arguments) == 2:
        with pytest.raises(ValueError, match=reason):
            SchemeAndHost(*arguments)


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_tuple_origins_and_sites_are_values() -> None:
    """Equal by what they consist of, and of different types; the rest is that of all values."""
    origin = TupleOrigin("https", HOST, 8080, HOST)
    site = SchemeAndHost("https", HOST)
    for value in (origin, site):
        other = pickle.loads(pickle.dumps(value))
        assert eval(repr(value)) == other == value
        assert hash(other) == hash(value)
    unequal: list[tuple[object, object]] = [
        (origin, TupleOrigin("https", HOST, 8080)),
        (TupleOrigin("https", HOST), site),
        (TupleOrigin("https", HOST), "https://example.com"),
    ]
    assert [one for one, other in unequal if one == other] == []


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_an_opaque_origin_is_equal_to_itself_alone() -> None:
    """Each is another one; a copy is no other; its repr tells them apart, its text does not."""
    one, other = OpaqueOrigin(), OpaqueOrigin()
    assert one != other
    assert one == copy.copy(one) == copy.deepcopy([one])[0]
    assert copy.copy(one) is copy.deepcopy([one])[0] is one
    assert len({one, other, one}) == 2
    assert str(one) == str(other) == "null"
    assert repr(one) != repr(other)
    assert repr(one).startswith("<OpaqueOrigin at 0x")
    others: list[object] = ["null", None, other]
    assert one not in others
    assert weakref.ref(one)() is one
    with pytest.raises(AttributeError):
        one.domain = HOST  # type: ignore[attr-defined]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_opaque_origin_cannot_be_pickled(protocol: int) -> None:
    """What comes out would be another origin."""
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(OpaqueOrigin(), protocol)


def test_the_effective_domain_is_the_domain_that_is_set_or_the_host() -> None:
    """None for an opaque origin."""
    www = Domain("www.example.com")
    assert TupleOrigin("https", www).effective_domain == www
    assert TupleOrigin("https", www, None, HOST).effective_domain == HOST
    assert OpaqueOrigin().effective_domain is None


def test_origins_work_with_match() -> None:
    """By their kind and parts."""
    match TupleOrigin("https", HOST, 1):
        case TupleOrigin(scheme, Domain(value), port):
            assert (scheme, value, port) == ("https", "example.com", 1)
        case _:
            pytest.fail("no match")


class Scheme(str, Enum):  # noqa: UP042  # these print as "Scheme.HTTPS"
    """Names of schemes."""

    HTTPS = "https"


@pytest.mark.parametrize("kind", [TupleOrigin, SchemeAndHost])
def test_the_scheme_may_be_of_a_subclass_of_str_and_is_kept_as_a_plain_one(kind: Any) -> None:
    """Members of an enumeration print as something else."""
    value = kind(Scheme.HTTPS, HOST)
    assert value == kind("https", HOST)
    assert type(value.scheme) is str
    assert str(value) == "https://example.com"
    with pytest.raises(ValueError, match="must be a domain or an IP address"):
        kind(Scheme.HTTPS, OpaqueHost("h"))

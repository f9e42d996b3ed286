"""`weburl.origins.sites`: where origins are had from, and how origins and sites compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standard_tables import (
    REGISTRABLE_DOMAIN_SUFFIXES,
    SAME_ORIGIN,
    SAME_SITE,
    TupleParts,
)
from tests.strategies import hosts
from weburl import (
    Domain,
    Host,
    OpaqueHost,
    OpaqueOrigin,
    SchemeAndHost,
    TupleOrigin,
    URLParseError,
    obtain_a_site,
    origin_of,
    parse,
    same_origin,
    same_site,
)
from weburl.origins import (
    is_registrable_domain_suffix_of_or_is_equal_to,
    same_origin_domain,
    schemelessly_same_site,
)
from weburl.public_suffix import parse_list, using_list

COMPARISONS: list[Callable[[Any, Any], bool]] = [
    same_origin,
    same_origin_domain,
    schemelessly_same_site,
    same_site,
]


def origin(parts: TupleParts) -> TupleOrigin:
    """Return the tuple origin of what the standard's table shows."""
    scheme, host, port, domain = parts
    return TupleOrigin(scheme, Domain(host), port, None if domain is None else Domain(domain))


@pytest.mark.parametrize(("a", "b", "is_same_origin", "is_same_origin_domain"), SAME_ORIGIN)
def test_the_standards_examples_of_origins_compare_as_it_says(
    a: TupleParts, b: TupleParts, is_same_origin: bool, is_same_origin_domain: bool
) -> None:
    """Either way round."""
    for one, other in [(a, b), (b, a)]:
        assert same_origin(origin(one), origin(other)) is is_same_origin
        assert same_origin_domain(origin(one), origin(other)) is is_same_origin_domain


@pytest.mark.parametrize(("a", "b", "is_schemelessly_same", "is_same"), SAME_SITE)
def test_the_standards_examples_of_sites_compare_as_it_says(
    a: str, b: str, is_schemelessly_same: bool, is_same: bool
) -> None:
    """As records, as origins and as sites, either way round, whatever their ports."""
    with using_list(parse_list("com\nmuseum\nwildlife.museum")):
        for one, other in [(parse(a), parse(b)), (parse(b), parse(a).with_port(8080))]:
            assert schemelessly_same_site(one, other) is is_schemelessly_same
            assert same_site(one, other) is is_same
            assert same_site(origin_of(one), other) is is_same
            assert same_site(obtain_a_site(one), obtain_a_site(other)) is is_same


@pytest.mark.parametrize(("text", "host", "expected"), REGISTRABLE_DOMAIN_SUFFIXES)
def test_the_standards_examples_of_registrable_domain_suffixes_are_as_it_says(
    text: str, host: str, expected: bool
) -> None:
    """By the list of the package."""
    assert is_registrable_domain_suffix_of_or_is_equal_to(text, host_of(host)) is expected


def host_of(text: str) -> Host:
    """Return the host of a special URL."""
    host = parse(f"https://{text}/").host
    assert host is not None
    return host


@pytest.mark.parametrize(
    ("text", "host", "expected"),
    [
        ("", "example.com", False),
        ("exa mple.com", "example.com", False),
        ("[::1", "[::1]", False),
        ("EXAMPLE.com", "www.example.com", True),
        ("b\u00fccher.example", "a.b\u00fccher.example", True),
        ("mple.com", "www.example.com", False),
        ("www.example.com", "example.com", False),
        ("1.2.3", "0.1.2.3", False),
        ("2.3", "1.2.3.4", False),
        ("example.com", "1.2.3.4", False),
        ("1.2.3.4", "example.com", False),
        ("co.uk", "a.co.uk", False),
        ("uk", "a.co.uk", False),
        ("a.co.uk", "b.a.co.uk", True),
        ("\ud800", "example.com", False),
        (".com", "a..com", False),
        ("a..com", "b.a..com", False),
        ("a..com", "a..com", True),
        ("com.", "example.com.", False),
        ("example.com.", "www.example.com.", True),
    ],
)
def test_a_page_may_speak_for_domains_above_it_up_to_the_registrable_one(
    text: str, host: str, expected: bool
) -> None:
    """And for itself; not for addresses, and not where the text is no host."""
    assert is_registrable_domain_suffix_of_or_is_equal_to(text, host_of(host)) is expected


@pytest.mark.parametrize(
    ("text", "host"),
    [(None, Domain("h")), (b"h", Domain("h")), (Domain("h"), Domain("h")), ("h", "h"), ("h", None)],
)
def test_only_text_is_compared_with_a_host(text: Any, host: Any) -> None:
    """A mistake is no answer."""
    with pytest.raises(TypeError, match="expected text and a host"):
        is_registrable_domain_suffix_of_or_is_equal_to(text, host)


def test_an_opaque_host_equals_no_host_that_is_parsed_for_a_page() -> None:
    """Also where it looks like the domain."""
    opaque = OpaqueHost("example.com")
    assert not is_registrable_domain_suffix_of_or_is_equal_to("example.com", opaque)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_an_opaque_origin_is_the_same_as_itself_alone(compare: Callable[..., bool]) -> None:
    """Neither as another opaque one nor as a tuple origin."""
    one, other = OpaqueOrigin(), OpaqueOrigin()
    known = TupleOrigin("https", Domain("example.com"))
    assert compare(one, one)
    assert not compare(one, other)
    assert not compare(one, known)
    assert not compare(known, one)
    assert compare(known, known)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_a_record_whose_origin_is_opaque_is_not_of_the_same_origin_with_itself(
    compare: Callable[..., bool],
) -> None:
    """Each time it has another; a record with a tuple origin is."""
    for text in ("data:,a", "file:///a", "mailto:a@b", "blob:null/x"):
        assert not compare(parse(text), parse(text))
    assert compare(parse("https://h/a?b"), parse("https://u@h:443/c#d"))


@pytest.mark.parametrize("compare", [*COMPARISONS, lambda a, _: obtain_a_site(a)])
def test_what_is_no_origin_is_not_compared(compare: Callable[..., Any]) -> None:
    """The text "null" least of all: two opaque origins are written so."""
    with pytest.raises(URLParseError):
        compare("null", "null")


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("https://a.b.example.co.uk:8080/", "https://example.co.uk"),
        ("http://localhost:8000/", "http://localhost"),
        ("https://github.io/", "https://github.io"),
        ("https://me.github.io/", "https://me.github.io"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1"),
        ("http://[::1]/", "http://[::1]"),
        ("https://www.example.com./", "https://example.com."),
        ("https://a..com/", "https://a..com"),
        ("blob:https://www.example.com/id", "https://example.com"),
    ],
)
def test_a_site_is_the_scheme_and_what_is_registered(text: str, site: str) -> None:
    """Or the whole host, where nothing is."""
    obtained = obtain_a_site(parse(text))
    assert isinstance(obtained, SchemeAndHost)
    assert str(obtained) == site
    assert same_site(obtained, parse(text))


def test_an_opaque_origin_is_its_own_site() -> None:
    """The very same."""
    opaque = OpaqueOrigin()
    assert obtain_a_site(opaque) is opaque


def test_an_address_is_of_the_same_site_with_itself_alone() -> None:
    """There is nothing registered above it; the port does not count."""
    assert same_site(parse("http://127.0.0.1/"), parse("http://127.0.0.1:8000/"))
    assert not same_site(parse("http://127.0.0.1/"), parse("http://127.0.0.2/"))
    assert not schemelessly_same_site(parse("http://1.127.0.1/"), parse("http://2.127.0.1/"))


origins = st.builds(
    lambda scheme, host, port: f"{scheme}://{host}{port}/",
    st.sampled_from(("http", "https", "ws", "foo")),
    hosts,
    st.sampled_from(("", ":1", ":443")),
)


@given(origins, origins)
def test_who_is_of_the_same_origin_is_of_the_same_site(a: str, b: str) -> None:
    """And who is of the same site is so without a scheme; all of them look the same both ways."""
    try:
        one, other = origin_of(a), origin_of(b)
    except URLParseError:
        return
    for pair in ((one, other), (one, one)):
        results = [compare(*pair) for compare in COMPARISONS]
        assert results == [compare(*reversed(pair)) for compare in COMPARISONS]
        is_same_origin, is_same_origin_domain, is_schemelessly_same_site, is_same_site = results
        assert is_same_origin == is_same_origin_domain  # No domain is set.
        assert is_same_site >= is_same_origin
        assert is_schemelessly_same_site >= is_same_site
    assert same_origin(one, one)

"""The strategies give what they promise, all of it can be found, and it shrinks well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from weburl import (
    OpaqueOrigin,
    SchemeAndHost,
    TupleOrigin,
    URLParseError,
    URLRecord,
    ValidationErrorType,
    can_parse,
    check,
    parse,
)
from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.testing import (
    hostile_texts,
    hosts,
    invalid_url_texts,
    origins,
    sites,
    spelling_pairs,
    spellings,
    url_texts,
    urls,
)
from weburl.testing.texts import _FAILING, _RESTS, _with_rest

LOOKING = settings(
    max_examples=20_000,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

KINDS: dict[str, Callable[[URLRecord], bool]] = {
    "https": lambda url: url.scheme == "https",
    "a password": lambda url: bool(url.password),
    "a port": lambda url: url.port is not None,
    "IPv4": lambda url: isinstance(url.host, IPv4Address),
    "IPv6": lambda url: isinstance(url.host, IPv6Address),
    "IDN": lambda url: isinstance(url.host, Domain) and "xn--" in str(url.host),
    "opaque host": lambda url: isinstance(url.host, OpaqueHost),
    "empty host": lambda url: isinstance(url.host, EmptyHost),
    "opaque path": lambda url: isinstance(url.path, str),
    "two slashes without a host": lambda url: url.host is None and url.path_text.startswith("//"),
    "file with a drive letter": lambda url: url.scheme == "file" and "C:" in url.path,
    "file with a host": lambda url: url.scheme == "file" and str(url.host) != "",
    "empty query": lambda url: url.query == "",
}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_urls_of_every_kind_are_found_and_short(kind: str) -> None:
    """What a failing test shows in the end can be read at a glance."""
    found = find(urls(), KINDS[kind], settings=LOOKING)
    assert KINDS[kind](found)
    assert len(found.href) <= 40, found


def test_the_simplest_of_each() -> None:
    """Where nothing is asked for."""
    assert find(urls(), lambda _url: True).href == "https://a/"
    assert len(find(url_texts(), lambda _text: True)) <= len("https://a/\\t")
    assert all(len(text) <= 20 for text in find(spelling_pairs(), lambda _pair: True))
    assert find(hosts(), lambda _host: True) == Domain("a")
    assert find(origins(opaque=False), lambda _origin: True) == TupleOrigin("https", Domain("a"))
    assert find(hostile_texts(), lambda _text: True) in ("", "https://a/", "http://example.com")


@given(urls(), st.data())
def test_every_spelling_parses_to_the_url(url: URLRecord, data: st.DataObject) -> None:
    """And a pair is never twice the same text."""
    assert parse(url.href) == url
    assert parse(data.draw(spellings(url))) == url


@given(spelling_pairs())
def test_a_pair_is_two_texts_of_one_url(pair: tuple[str, str]) -> None:
    """Different as text, and equal as records."""
    one, other = pair
    assert one != other
    assert parse(one) == parse(other)


SPELT: dict[str, Callable[[str], bool]] = {
    "capitals": lambda text: text.startswith("HTTPS:"),
    "backslashes": lambda text: "\\" in text,
    "tab": lambda text: "\t" in text,
    "fullwidth": lambda text: "\uff41" in text,
    "default port": lambda text: ":443" in text,
    "no slashes": lambda text: text.startswith("https:") and text[6] not in "/\\",
    "dots": lambda text: "/x/.." in text,
    "userinfo of nothing": lambda text: "//@" in text,
}


@pytest.mark.parametrize("way", SPELT)
def test_every_way_to_spell_a_url_is_found(way: str) -> None:
    """Of one URL."""
    text = find(spellings("https://a.example/b"), SPELT[way], settings=LOOKING)
    assert parse(text) == parse("https://a.example/b")


@given(invalid_url_texts())
def test_what_is_said_to_be_no_url_is_none(text: str) -> None:
    """Without a base."""
    assert not can_parse(text)


def test_each_of_the_failing_texts_fails_and_they_fail_in_every_way() -> None:
    """With whatever stands behind; every validation error that ends a parse is among them."""
    reasons = set()
    for failing in _FAILING:
        for rest in _RESTS:
            failure = check(_with_rest(failing, rest)).failure
            assert failure is not None, (failing, rest)
            reasons.add(failure.type)
    assert reasons >= {
        ValidationErrorType.DOMAIN_TO_ASCII,
        ValidationErrorType.HOST_INVALID_CODE_POINT,
        ValidationErrorType.HOST_MISSING,
        ValidationErrorType.IPV4_OUT_OF_RANGE_PART,
        ValidationErrorType.IPV6_UNCLOSED,
        ValidationErrorType.IPV6_TOO_MANY_PIECES,
        ValidationErrorType.IPV6_TOO_FEW_PIECES,
        ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL,
        ValidationErrorType.PORT_INVALID,
        ValidationErrorType.PORT_OUT_OF_RANGE,
    }


HOSTILE: dict[str, Callable[[str], bool]] = {
    "bidi": lambda text: "\u202e" in text,
    "NUL": lambda text: "\0" in text,
    "lone surrogate": lambda text: any("\ud800" <= each <= "\udfff" for each in text),
    "long": lambda text: len(text) > 4000,
    "Cyrillic": lambda text: "ex\u0430ample" in text,
    "percent": lambda text: "%" in text,
    "a URL": can_parse,
    "no URL": lambda text: not can_parse(text),
}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_of_every_kind_is_found(kind: str) -> None:
    """One kind at a time."""
    assert HOSTILE[kind](find(hostile_texts(), HOSTILE[kind], settings=LOOKING))


@pytest.mark.parametrize("length", [9, 10, 12, 20, 60])
def test_a_length_is_kept(length: int) -> None:
    """Of the href and of the text, without a filter that lets little through."""

    @settings(max_examples=60, deadline=None, database=None)
    @given(url_texts(max_length=length), hostile_texts(max_length=length))
    def each_fits(text: str, hostile: str) -> None:
        assert len(text) <= length
        assert len(parse(text).href) <= length
        assert len(hostile) <= length

    each_fits()


@given(urls(schemes=["http", "redis"], hosts=["a.example", "[::1]"], credentials=False))
def test_options_are_respected(url: URLRecord) -> None:
    """Schemes, hosts and no credentials."""
    assert url.scheme in {"http", "redis"}
    assert str(url.host) in {"a.example", "[::1]"}
    assert (url.username, url.password) == ("", "")


@given(urls(hosts=hosts([IPv4Address, IPv6Address]), schemes=["https"]))
def test_hosts_may_be_a_strategy(url: URLRecord) -> None:
    """Of hosts, or of their texts."""
    assert isinstance(url.host, IPv4Address | IPv6Address)


@pytest.mark.parametrize("kind", [Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost])
def test_a_kind_of_host_gives_hosts_of_that_kind(kind: Any) -> None:
    """Alone."""

    @settings(max_examples=50, deadline=None, database=None)
    @given(hosts([kind]))
    def each_is_one(host: object) -> None:
        assert type(host) is kind

    each_is_one()


@given(origins(), origins(opaque=False), sites())
def test_origins_and_sites_are_values_of_ours(one: object, tuple_: object, site: object) -> None:
    """Opaque or not."""
    assert isinstance(one, TupleOrigin | OpaqueOrigin)
    assert isinstance(tuple_, TupleOrigin)
    assert isinstance(site, SchemeAndHost | OpaqueOrigin)


WRONG: list[Any] = [
    lambda: urls(schemes=[]),
    lambda: urls(schemes="https"),
    lambda: urls(schemes=["1"]),
    lambda: urls(max_length=4),
    lambda: urls(hosts=[]),
    lambda: urls(hosts="example.com"),
    lambda: hosts([]),
    lambda: hosts([str]),  # type: ignore[list-item]
    lambda: hostile_texts(max_length=-1),
]


@pytest.mark.parametrize("call", WRONG)
def test_wrong_options_are_refused_at_once(call: Any) -> None:
    """Not when the first value is drawn."""
    with pytest.raises(InvalidArgument):
        call()


def test_only_a_url_has_spellings() -> None:
    """Text that does not parse is the parser's error."""
    with pytest.raises(URLParseError):
        spellings("nothing")

"""The setters of `url.setters`, and the `with_…` methods of `URLRecord` that use them.

What the standard's setters do is asked of web-platform-tests and of `tests.reference`; what the
methods refuse is asked of the reference too: whatever a setter would ignore, all or in part.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.agreement import components, may_be_written_as_another_url
from tests.reference.api import ReferenceURL, api_url_parser
from tests.reference.machine import State, basic_url_parse
from tests.reference.outcomes import FAILURE
from tests.standard.compiled.equality import METHODS
from weburl import URLParseError, URLRecord, URLSearchParams, ValidationErrorType, parse
from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.infra.percent_encoding import percent_decode_to_text

# --- with_…: what it takes --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("href", "method", "value", "type"),
    [
        # Not a scheme, or not one that this URL can have.
        ("https://h/", "with_scheme", "", None),
        ("https://h/", "with_scheme", "foo", None),
        ("file:///x", "with_scheme", "https", None),
        ("https://localhost/", "with_scheme", "file", None),
        ("https://h/C|/x", "with_scheme", "file", None),
        # No place for a username, a password or a port.
        ("file://h/", "with_username", "u", None),
        ("file://h/", "with_port", 8, None),
        # Hosts that do not parse, and hosts that something follows.
        ("https://h/", "with_host", "", "host-missing"),
        ("https://h/", "with_host", "a b", "domain-to-ASCII"),
        ("https://h/", "with_host", "[::g]", "IPv6-invalid-code-point"),
        ("https://h/", "with_host", "x:65536", "port-out-of-range"),
        ("https://h/", "with_host", "x:", None),
        ("foo://h/", "with_host", "x\\y", "host-invalid-code-point"),
        ("foo://u@h/", "with_host", "", None),
        ("foo:x", "with_host", "h", None),
        ("file:///x", "with_host", "h:80", "domain-to-ASCII"),
        ("https://h/", "with_hostname", "x:80", None),
        ("https://h/", "with_hostname", ":", "host-missing"),
        ("foo:x", "with_hostname", "h", None),
        ("https://h/", "with_host", EmptyHost(), "host-missing"),
        ("foo://h:1/", "with_host", EmptyHost(), None),
        # Not a port, or not only one.
        ("https://h/", "with_port", "x", None),
        ("https://h/", "with_port", -1, None),
        ("https://h/", "with_port", 65536, "port-out-of-range"),
        ("https://h/", "with_port", "65536", "port-out-of-range"),
        ("https://h/", "with_port", "9" * 5000, "port-out-of-range"),
        # Paths that are kept, and segments that are not names.
        ("foo:x", "with_path", "y", None),
        ("https://h/", "with_path", [], None),
        ("https://h/", "with_path", ["a", ".."], None),
        ("https://h/", "with_path", [".%2E"], None),
    ],
    ids=repr,
)
def test_what_a_setter_would_ignore_is_refused(
    href: str, method: str, value: object, type: str | None
) -> None:
    """The error always has a reason, with the standard's name if there is one."""
    record = parse(href)
    with pytest.raises(URLParseError) as caught:
        getattr(record, method)(value)
    error = caught.value
    assert error.type == type
    assert error.reason.startswith(f"Cannot set the {method.removeprefix('with_')} to ")
    assert (error.report is None) is (type is None)
    if error.report is not None:
        assert error.report.failure is not None
        assert error.report.failure.type == type
        assert error.report.input == error.input
        assert error.report.record is None
    assert record == parse(href)


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("with_scheme", None), ("with_username", None), ("with_password", 1), ("with_host", None),
        ("with_host", 1), ("with_hostname", b"h"), ("with_port", True), ("with_port", 8.0),
        ("with_port", b"8"), ("with_path", None), ("with_path", 1), ("with_path", b"a"),
        ("with_path", bytearray(b"x")), ("with_path", memoryview(b"x")), ("with_path", [1]),
        ("with_path", [b"a"]), ("with_query", 1), ("with_query", b"a"), ("with_fragment", b"a"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)  # fmt: skip
def test_what_is_of_another_type_raises_type_error(method: str, value: Any) -> None:
    """Bytes, and a bool for a port, are programming errors."""
    kind = type(value[0] if isinstance(value, list) else value).__name__
    with pytest.raises(TypeError, match=rf"\b{kind}\b|None"):
        getattr(parse("https://h/"), method)(value)


def test_a_refusal_points_into_the_value_as_it_was_passed() -> None:
    """The value is not trimmed, and removed tabs and newlines count."""
    record = parse("https://h/")
    for method, value, start, end in (
        ("with_host", "\tx:\n6553\t6", 4, 10),
        ("with_host", " a", 0, 2),
        ("with_hostname", "[\t::g]", 4, 5),
        ("with_host", "[::1\t]\nx", 0, 8),
        ("with_port", "6\t5536", 0, 6),
    ):
        with pytest.raises(URLParseError) as caught:
            getattr(record, method)(value)
        assert caught.value.report is not None
        failure = caught.value.report.failure
        assert failure is not None
        assert (failure.start, failure.end) == (start, end)
        assert str(caught.value).count("\n") == 2


def test_a_refusal_without_a_name_is_one_sentence() -> None:
    """The message has no second line that marks a place in the text."""
    with pytest.raises(URLParseError, match="Cannot set the scheme to 'foo'") as caught:
        parse("https://h/").with_scheme("foo")
    assert "\n" not in str(caught.value)


# --- with_… against the reference -------------------------------------------------------------

_STATES: Final = {
    "protocol": State.SCHEME_START,
    "host": State.HOST,
    "hostname": State.HOSTNAME,
    "port": State.PORT,
}
# URLs in pairs: what leaves both as they are is not what both have, so it has been ignored.
_PAIRS: Final = {
    "protocol": [
        ("https://h/x", "ftp://h/x"), ("file://h/x", "wss://h/x"), ("foo://h/x", "bar://h/x"),
        ("foo:x", "bar:x"), ("https://u@h/x", "http://u@h/x"), ("ws://h:1/x", "wss://h:1/x"),
        ("https://localhost/", "http://localhost/"), ("https://h/C|", "http://h/C|"),
    ],
    "host": [
        ("https://sentinel:4242/", "https://other:2424/"), ("file://sentinel/", "file://other/"),
        ("foo://sentinel/", "foo://other/"), ("foo://u@sentinel/", "foo://u@other/"),
        ("foo://sentinel:4242/", "foo://other:2424/"), ("foo:/x", "foo://sentinel/x"),
        ("foo:x", "foo:x"),
    ],
    "port": [
        ("https://h:4242/", "https://h:2424/"), ("foo://h:4242", "foo://h:2424"),
        ("file://h/", "file://h/"), ("foo:x", "foo:x"), ("foo:///", "foo:///"),
    ],
}  # fmt: skip
_PAIRS["hostname"] = _PAIRS["host"]


def after(href: str, name: str, value: str) -> ReferenceURL:
    """Return the reference's URL after its setter was called."""
    url = ReferenceURL(href)
    setattr(url, name, value)
    return url


def would_be_ignored(pair: tuple[str, str], name: str, value: str) -> bool:
    """Return whether the standard's setter ignores all of a value, or its end.

    It ignores all if it changes neither URL of the pair. It ignores the end if adding a letter or a
    digit makes no difference. It may also fail after setting a part. No text removes a port, which
    any URL can be without.
    """
    if name == "port" and value == "":
        return False
    record = api_url_parser(pair[0])
    assert record is not FAILURE
    text = f"{value.removesuffix(':')}:" if name == "protocol" else value
    if basic_url_parse(text, url=record, state_override=_STATES[name]) is FAILURE:
        return True
    if all(after(href, name, value).href == ReferenceURL(href).href for href in pair):
        return True
    stem = value.removesuffix(":") if name == "protocol" else value
    return all(
        after(href, name, stem + more).href == after(href, name, value).href
        for more in "1a"
        for href in pair
    )


@pytest.mark.parametrize("href", ["file://h/", "foo:x", "https://h/", "https://h:81/"])
@pytest.mark.parametrize("none", ["", None])
def test_a_port_can_be_removed_from_any_url(href: str, none: str | None) -> None:
    """Also from one that cannot have a port, as with a username and a password."""
    assert parse(href).with_port(none).href == href.replace(":81", "")


@given(st.data(), st.sampled_from(sorted(_STATES)))
def test_scheme_host_and_port_are_refused_just_when_a_setter_would_ignore_them(
    data: st.DataObject, name: str
) -> None:
    """Otherwise, the record is the one that the setter makes."""
    pair = data.draw(st.sampled_from(_PAIRS[name]))
    value = data.draw(strategies.setter_values(name))
    record = parse(pair[0])
    expected = after(pair[0], name, value)
    try:
        made = getattr(record, METHODS[name])(value)
    except URLParseError:
        unstable = expected.href != weburl.canonicalize(expected.href)
        assert would_be_ignored(pair, name, value) or (name == "protocol" and unstable)
    else:
        assert components(made) == expected.record.components()
        assert not would_be_ignored(pair, name, value)


@given(
    strategies.base_texts,
    st.sampled_from(("username", "password", "pathname", "search", "hash")),
    st.data(),
)
def test_other_components_are_refused_just_when_the_url_cannot_have_them(
    href: str, name: str, data: st.DataObject
) -> None:
    """They accept any text."""
    assume(weburl.can_parse(href))
    record = parse(href)
    value = data.draw(strategies.setter_values(name))
    prefix = {"search": "?", "hash": "#"}.get(name, "")
    expected = after(record.href, name, prefix + value).record.components()
    if name in ("search", "hash"):
        can_have_it = True
    elif name == "pathname":
        can_have_it = not record.has_opaque_path
    else:
        can_have_it = value == "" or not record.cannot_have_a_username_password_or_port
    if can_have_it:
        assert components(getattr(record, METHODS[name])(value)) == expected
    else:
        with pytest.raises(URLParseError):
            getattr(record, METHODS[name])(value)


@given(strategies.base_texts, st.lists(strategies.setter_calls, min_size=1, max_size=5))
def test_what_the_methods_make_is_what_its_href_parses_to(
    href: str, calls: list[tuple[str, str]]
) -> None:
    """Two records for which this would be false are refused."""
    assume(weburl.can_parse(href))
    record = parse(href)
    for name, value in calls:
        if name == "href":
            continue
        try:
            record = getattr(record, METHODS[name])(value)
        except URLParseError:
            continue
        assert not may_be_written_as_another_url(record)
        assert components(parse(record.href)) == components(record)
        assert URLRecord(*(getattr(record, each) for each in record.__match_args__)) == record


_ANY_SEGMENT: Final = st.one_of(st.text(max_size=6), strategies.paths, st.sampled_from(("", "C|")))


@given(
    st.sampled_from(("https://h/x", "file:///x", "file://h/C:/x", "foo://h/x", "foo:/x")),
    st.lists(_ANY_SEGMENT, min_size=1, max_size=4),
)
@example("file:///x", ["C|", "D|"])
def test_segments_come_back_as_they_were_given(href: str, segments: list[str]) -> None:
    """Percent-decoded segments are the given ones, even with slashes and bars."""
    assume(not any("%" in segment for segment in segments))
    assume(not any("\ud800" <= char <= "\udfff" for segment in segments for char in segment))
    record = parse(href)
    if any(segment in (".", "..") for segment in segments):
        with pytest.raises(URLParseError):
            record.with_path(segments)
        return
    made = record.with_path(segments)
    again = parse(made.href)
    assert components(again) == components(made)
    assert isinstance(again.path, tuple)
    assert [percent_decode_to_text(part) for part in again.path] == segments


def test_hosts_are_given_as_values_too() -> None:
    """The text of the value becomes the kind of host that the scheme has."""
    special, other = parse("https://h/"), parse("foo://h/")
    assert special.with_host(Domain("example.com")).host == Domain("example.com")
    assert other.with_host(Domain("example.com")).host == OpaqueHost("example.com")
    assert special.with_host(IPv4Address(0x7F000001)).host == IPv4Address(0x7F000001)
    assert other.with_host(IPv4Address(0x7F000001)).host == OpaqueHost("127.0.0.1")
    for address in (0, 1, 0xFFFF, 1 << 127, (1 << 128) - 1):
        for record in (special, other):
            assert record.with_host(IPv6Address(address)).host == IPv6Address(address)
            assert record.with_hostname(IPv6Address(address)).host == IPv6Address(address)


def test_a_megabyte_is_taken_or_refused() -> None:
    """Each method takes linear time."""
    record = parse("https://h/")
    size = 1_000_000
    assert len(record.with_path("/../a" * (size // 5)).href) < 20
    assert len(record.with_path(["a/"] * (size // 2)).path) == size // 2
    assert len(record.with_query("%" * size).href) == size + len("https://h/?")
    assert len(record.with_fragment(" " * size).href) == 3 * size + len("https://h/#")
    assert len(record.with_username("@" * size).username) == 3 * size
    for method, value in (
        ("with_host", "[" * size),
        ("with_host", "a:" * (size // 2)),
        ("with_host", "x:" + "9" * size),
        ("with_port", "9" * size),
        ("with_port", "0" * size + "x"),
        ("with_scheme", "a" * size),
        ("with_scheme", ":" * size),
        ("with_path", ["a"] * (size // 2) + [".."]),
    ):
        with pytest.raises(URLParseError) as caught:
            getattr(record, method)(value)
        assert len(str(caught.value)) < 1000


def test_the_scheme_that_a_url_has_can_be_set() -> None:
    """This includes a file URL without a host, which can have no other scheme."""
    for href in ("file:///a", "https://h:1/", "foo:a"):
        record = parse(href)
        assert record.with_scheme(record.scheme) == record


@pytest.mark.parametrize("pairs", [{}, [], URLSearchParams(), ()], ids=repr)
def test_no_names_and_values_make_no_query(pairs: Mapping[str, str]) -> None:
    """The query is null and not empty, as for a `URL` without params."""
    assert parse("https://h/?a=1").with_query(pairs).href == "https://h/"
    assert parse("https://h/?a=1").with_query("").href == "https://h/?"


def test_names_and_values_make_a_query() -> None:
    """They are a mapping, pairs or params, and are written as by a form."""
    record = parse("https://h/?z")
    same: list[Any] = [{"a b": "ü"}, [("a b", "ü")], URLSearchParams("a b=ü")]
    for pairs in same:
        assert record.with_query(pairs).query == "a+b=%C3%BC"
    assert record.with_query([("a", "1"), ("a", "2")]).query_pairs == (("a", "1"), ("a", "2"))


@pytest.mark.parametrize("address", ["::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"])
def test_an_ipv6_address_needs_brackets(address: str) -> None:
    """The error says so, and with brackets it is accepted."""
    record = parse("https://h:8/")
    for method in (record.with_host, record.with_hostname, weburl.parse_host):
        with pytest.raises(URLParseError, match=rf"brackets: '\[{address}\]'\."):
            method(address)
    assert record.with_host(f"[{address}]").host == weburl.parse_host(f"[{address}]")
    with pytest.raises(URLParseError, match="a hostname cannot have a port"):
        record.with_hostname("a:80")


def test_an_address_of_python_is_not_a_host() -> None:
    """The error says how to convert it."""
    for text in ("127.0.0.1", "::1"):
        address = ipaddress.ip_address(text)
        hint = rf"write weburl.IPv{address.version}Address.from_ipaddress\(address\)"
        record = parse("https://h/")
        for method in (record.with_host, record.with_hostname, weburl.parse_host):
            refused: Any = method
            with pytest.raises(TypeError, match=hint):
                refused(address)
        host = getattr(weburl, f"IPv{address.version}Address").from_ipaddress(address)
        assert record.with_host(host).host == host


@pytest.mark.parametrize("text", ["mailto:a@b", "file:///a", "data:,a", "foo:/a"])
def test_removing_what_a_url_cannot_have_changes_nothing(text: str) -> None:
    """It is not refused, because nothing is lost."""
    record = parse(text)
    for made in (record.with_username(""), record.with_password(""), record.with_port(None)):
        assert made == record
    for method, value in ((record.with_username, "a"), (record.with_port, "80")):
        with pytest.raises(URLParseError, match="cannot have a"):
            method(value)


def test_an_empty_host_is_refused_in_one_line() -> None:
    """The message has no second line that marks a place in the text."""
    for method in (parse("https://h/").with_host, parse("https://h/").with_hostname):
        with pytest.raises(URLParseError) as caught:
            method("")
        assert str(caught.value).endswith("to '': this URL needs a host.")
        assert caught.value.type is ValidationErrorType.HOST_MISSING

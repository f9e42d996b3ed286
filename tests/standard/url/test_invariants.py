"""A record made by hand is one that the parser could make, or is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import weburl
from weburl import URLRecord, parse
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)

H = Domain("h")


def record(scheme: str = "https", **components: Any) -> URLRecord:
    """Return a record made by hand. It has a host and a path by default."""
    defaults: dict[str, Any] = {"host": H, "path": ("",)}
    return URLRecord(scheme, **(defaults | components))


def refusal(scheme: Any = "https", **components: Any) -> str:
    """Return the reason for refusing a record."""
    with pytest.raises(ValueError, match=r".+") as caught:
        record(scheme, **components)
    return str(caught.value)


@pytest.mark.parametrize(
    "scheme",
    ["", "HTTPS", "1a", "+a", "h ttp", "h\u00e9", "\u212a", "http\n", "a_b", None, 1],
)
def test_a_scheme_is_a_lowercase_letter_and_then_letters_digits_and_three_signs(
    scheme: Any,
) -> None:
    """It must be text."""
    assert refusal("https:").endswith("To read a whole URL, use weburl.parse(text)")
    assert refusal(scheme).startswith("a scheme must be")
    assert record("a+b-c.1", host=None).scheme == "a+b-c.1"


def test_a_scheme_that_cannot_be_looked_up_is_refused_like_any_other() -> None:
    """This holds even if the default path depends on it."""
    scheme: Any = ["https"]
    assert refusal(scheme).startswith("a scheme must be")
    with pytest.raises(ValueError, match="a scheme must be"):
        URLRecord(scheme, host=H)


@pytest.mark.parametrize(
    ("scheme", "host", "href"),
    [
        ("https", H, "https://h/"),
        ("file", EmptyHost(), "file:///"),
        ("foo", OpaqueHost("h"), "foo://h"),
        ("foo", EmptyHost(), "foo://"),
        ("foo", None, "foo:"),
    ],
)
def test_the_default_path_is_that_of_a_url_written_without_one(
    scheme: str, host: Host | None, href: str
) -> None:
    """It is a slash, no segments, or the empty opaque path."""
    made = URLRecord(scheme, host=host)
    assert made.href == href
    assert made == parse(href) == URLRecord(scheme, host=host, path=made.path)


@pytest.mark.parametrize("host", ["h", 1, b"h", ("h",), Domain])
def test_a_host_is_one_of_the_host_values(host: Any) -> None:
    """Text does not say which kind of host it is."""
    assert refusal(host=host).startswith("a host must be one of the host values")
    assert refusal("foo", host=host).startswith("a host must be one of the host values")


# The standard's table of schemes and hosts.
HOSTS: dict[str, Host | None] = {
    "domain": H,
    "IPv4 address": IPv4Address(1),
    "IPv6 address": IPv6Address(1),
    "opaque host": OpaqueHost("h"),
    "empty host": EmptyHost(),
    "null": None,
}
ALLOWED = {
    "http": ["domain", "IPv4 address", "IPv6 address"],
    "https": ["domain", "IPv4 address", "IPv6 address"],
    "ws": ["domain", "IPv4 address", "IPv6 address"],
    "wss": ["domain", "IPv4 address", "IPv6 address"],
    "ftp": ["domain", "IPv4 address", "IPv6 address"],
    "file": ["domain", "IPv4 address", "IPv6 address", "empty host"],
    "foo": ["IPv6 address", "opaque host", "empty host", "null"],
}


@pytest.mark.parametrize("scheme", ALLOWED)
@pytest.mark.parametrize("kind", HOSTS)
def test_a_scheme_takes_the_hosts_of_the_standards_table(scheme: str, kind: str) -> None:
    """The error for another host names the scheme."""
    host = HOSTS[kind]
    if kind in ALLOWED[scheme]:
        assert parse(record(scheme, host=host).href).host == host
    else:
        assert scheme in refusal(scheme, host=host)


def test_localhost_is_not_the_host_of_a_file_url() -> None:
    """The parser makes it an empty host, but "localhost." is another domain."""
    assert "localhost" in refusal("file", host=Domain("localhost"))
    assert record("file", host=Domain("localhost.")).href == "file://localhost./"
    assert record("http", host=Domain("localhost")).href == "http://localhost/"


@pytest.mark.parametrize("component", [{"username": "u"}, {"password": "p"}, {"port": 1}])
@pytest.mark.parametrize(
    ("scheme", "host"), [("file", H), ("file", EmptyHost()), ("foo", EmptyHost()), ("foo", None)]
)
def test_credentials_and_a_port_need_a_host_and_another_scheme_than_file(
    scheme: str, host: Host | None, component: dict[str, Any]
) -> None:
    """This holds for the username, the password and the port."""
    assert "cannot have a username, password or port" in refusal(scheme, host=host, **component)
    accepted = record("foo", host=OpaqueHost("h"), **component)
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize("component", ["username", "password"])
@pytest.mark.parametrize(
    "text", [*'\0\x1f "#/:;<=>?@[\\]^`{|}\x7f\x80\u00e9', "a\ud800", None, 1, b"u"]
)
def test_credentials_are_percent_encoded_text(component: str, text: Any) -> None:
    """They use the userinfo set. A percent sign is not changed."""
    assert component in refusal(**{component: text})
    accepted = record(**{component: "a%zz!$&'()*+,-._~"})
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize("port", [-1, 65536, "80", 80.0, True, False, b"80"])
def test_a_port_is_a_16_bit_unsigned_integer(port: Any) -> None:
    """It may also be None, but not a bool."""
    assert refusal(port=port).startswith("a port must be an integer")
    assert [record(port=port).port for port in (0, 65535, None)] == [0, 65535, None]


@pytest.mark.parametrize(
    ("scheme", "port"), [("http", 80), ("https", 443), ("ws", 80), ("wss", 443), ("ftp", 21)]
)
def test_a_default_port_is_none(scheme: str, port: int) -> None:
    """The same port is allowed with another scheme."""
    assert "default port" in refusal(scheme, port=port)
    assert record("foo", host=OpaqueHost("h"), port=port).href == f"foo://h:{port}/"
    assert record("http", port=443).href == "http://h:443/"


@pytest.mark.parametrize("path", [None, 1, ["a"], b"a", {"a"}])
def test_a_path_is_a_tuple_or_text(path: Any) -> None:
    """A list could be changed later."""
    assert refusal(path=path).startswith("a path must be a tuple of segments or a string")


@pytest.mark.parametrize(
    ("scheme", "host"),
    [("https", H), ("file", EmptyHost()), ("foo", OpaqueHost("h")), ("foo", EmptyHost())],
)
def test_an_opaque_path_is_for_a_url_without_a_host_of_a_scheme_that_is_not_special(
    scheme: str, host: Host
) -> None:
    """This holds even if the path is empty."""
    assert "opaque path" in refusal(scheme, host=host, path="a")
    assert "opaque path" in refusal(scheme, host=host, path="")
    assert record("foo", host=None, path="").href == "foo:"


@pytest.mark.parametrize("path", ["/", "/a", "a ", " ", "a?", "a#b", "?", "#"])
def test_an_opaque_path_neither_starts_as_a_list_nor_ends_early(path: str) -> None:
    """A slash, a space at the end or a delimiter would be read differently."""
    assert refusal("foo", host=None, path=path).startswith("an opaque path")


@pytest.mark.parametrize("path", ["a\n", "\0", "\x7f", "\u00e9", "\ud800"])
def test_an_opaque_path_is_percent_encoded(path: str) -> None:
    """It uses the C0 control set, which is smaller than others."""
    assert "percent-encoded" in refusal("foo", host=None, path=path)
    accepted = record("foo", host=None, path=' a b/../\\[]<>"`{}|^%')
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize(
    ("scheme", "host"), [("https", H), ("file", EmptyHost()), ("file", H), ("foo", None)]
)
def test_a_path_of_no_segments_needs_a_host_and_a_scheme_that_is_not_special(
    scheme: str, host: Host | None
) -> None:
    """The URL "foo://h" has no segments, and "foo://h/" has an empty one."""
    assert "path without segments" in refusal(scheme, host=host, path=())
    assert record("foo", host=OpaqueHost("h"), path=()).href == "foo://h"
    assert record("foo", host=EmptyHost(), path=()).href == "foo://"


@pytest.mark.parametrize("segment", [*'\0\t\n "#<>?^`{}\x7f\u00e9', "a\udfff", None, 1, b"a"])
def test_a_path_segment_is_percent_encoded_text(segment: Any) -> None:
    """It uses the path set, at any place."""
    assert "path" in refusal(path=("a", segment))
    assert "path" in refusal("foo", host=None, path=(segment,))


@pytest.mark.parametrize("dots", [".", "%2e", "%2E", "..", ".%2e", "%2E.", "%2e%2E"])
@pytest.mark.parametrize("scheme", ["https", "foo"])
def test_a_dot_segment_is_in_no_record(scheme: str, dots: str) -> None:
    """This holds at any place. Three dots are an ordinary name."""
    host = H if scheme == "https" else OpaqueHost("h")
    for path in ((dots,), ("a", dots), (dots, "a")):
        assert "dot segment" in refusal(scheme, host=host, path=path)
    assert record(scheme, host=host, path=("...", ".%2e.", "%2f")).path


def test_a_path_segment_holds_no_separator() -> None:
    """A backslash is a separator for special schemes only."""
    assert "separator" in refusal(path=("a/b",))
    assert "separator" in refusal("foo", host=None, path=("a/b",))
    assert "separator" in refusal(path=("a\\b",))
    accepted = record("foo", host=None, path=("a\\b",))
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize("segment", ["C|", "c|"])
def test_a_drive_letter_is_normalized_where_a_file_urls_path_begins(segment: str) -> None:
    """At other places, it is an ordinary segment."""
    assert "drive letter" in refusal("file", host=EmptyHost(), path=(segment,))
    assert "drive letter" in refusal("file", host=H, path=(segment, "a"))
    for accepted in (
        record("file", host=EmptyHost(), path=("a", segment)),
        record("file", host=EmptyHost(), path=("", segment)),
        record("file", host=EmptyHost(), path=("C:", segment)),
        record("file", host=EmptyHost(), path=(f"{segment}|",)),
        record("https", path=(segment,)),
    ):
        assert parse(accepted.href) == accepted


@pytest.mark.parametrize("char", '\0\n "#<>\x7f\u00e9\ud800')
def test_a_query_is_percent_encoded(char: str) -> None:
    """It uses the query set, or the special-query set for special schemes."""
    assert "query" in refusal(query=f"a{char}")
    assert "query" in refusal("foo", host=None, query=f"a{char}")


def test_an_apostrophe_is_percent_encoded_in_a_special_query_only() -> None:
    """It is the only difference between the two query sets."""
    assert "query" in refusal(query="'")
    accepted = record("foo", host=None, query="'?/%`{}|^")
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize("char", '\0\n "<>`\x7f\u00e9\ud800')
def test_a_fragment_is_percent_encoded(char: str) -> None:
    """It uses the fragment set, which does not have "#"."""
    assert "fragment" in refusal(fragment=f"a{char}")
    accepted = record(fragment="#?/'%{}|^")
    assert parse(accepted.href) == accepted


@pytest.mark.parametrize("component", ["query", "fragment"])
@pytest.mark.parametrize("value", [1, b"a", ("a",), True])
def test_a_query_and_a_fragment_are_text_or_none(component: str, value: Any) -> None:
    """None differs from empty text."""
    assert refusal(**{component: value}).startswith(f"the {component} must be text")
    null: dict[str, Any] = {component: None}
    assert record(**{component: ""}) != record(**null)


_PAIRS = [
    (scheme, HOSTS[kind])
    for scheme in ("https", "file", "file", "foo", "foo", "blob")
    for kind in ALLOWED.get(scheme, ALLOWED["foo"])
] + [("file", Domain("localhost")), ("foo", OpaqueHost("localhost")), ("foo", OpaqueHost("1"))]
_texts = st.lists(
    st.sampled_from([*"aC0!$%", "%2e", "%20", "a", "b", "C"]) | st.sampled_from("/\\:@?#^[]' .|{"),
    max_size=3,
).map("".join)
_segments = st.sampled_from(["", "", "a", "b", "...", "C:", "C:", "C|", "%2e", "a\\b"]) | _texts
_paths = st.lists(_segments, max_size=3).map(tuple)


@st.composite
def _components(draw: st.DrawFn) -> dict[str, Any]:
    scheme, host = draw(st.sampled_from(_PAIRS))
    components: dict[str, Any] = {
        "scheme": scheme,
        "host": host,
        "path": draw(_paths if host else _paths | _texts),
    }
    for name in draw(st.sets(st.sampled_from(("username", "password", "query", "fragment")))):
        components[name] = draw(_texts)
    if draw(st.booleans()):
        components["port"] = draw(st.sampled_from([None, 0, 80, 443]))
    return components


@given(_components())
def test_what_is_not_refused_is_what_its_href_parses_to(components: dict[str, Any]) -> None:
    """So each record made by hand could come from the parser."""
    try:
        made = URLRecord(**components)
    except ValueError:
        event("refused")
        return
    event("made")
    assert parse(made.href) == made


class LyingDomain(Domain):
    """A host whose text is another host."""

    def __str__(self) -> str:
        return "evil.example"


def test_a_host_of_another_class_is_refused() -> None:
    """The href of its record would have another host."""
    lying = LyingDomain("good.example")
    with pytest.raises(ValueError, match="one of the host values"):
        URLRecord("https", host=lying)
    with pytest.raises(TypeError):
        weburl.parse("https://h/").with_host(lying)
    with pytest.raises(TypeError):
        weburl.parse("https://h/").with_hostname(lying)
    for make in (weburl.TupleOrigin, weburl.SchemeAndHost):
        with pytest.raises(ValueError, match="one of the host values"):
            make("https", lying)
    with pytest.raises(ValueError, match="a host value"):
        weburl.TupleOrigin("https", Domain("h"), None, lying)

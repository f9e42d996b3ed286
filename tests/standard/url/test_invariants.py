"""A record made by hand is one that the parser could make, or is refused."""

from __future__ import annotations

from typing import Any, Final

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


# The standard's table of schemes and hosts.
HOSTS: dict[str, Host | None] = {
    "domain": H,
    "IPv4 address": IPv4Address(1),
    "IPv6 address": IPv6Address(1),
    "opaque host": OpaqueHost("h"),
    "empty host": EmptyHost(),
    "null": None,
}
SPECIAL = ["domain", "IPv4 address", "IPv6 address"]
ALLOWED = {
    **dict.fromkeys(("http", "https", "ws", "wss", "ftp"), SPECIAL),
    "file": [*SPECIAL, "empty host"],
    "foo": ["IPv6 address", "opaque host", "empty host", "null"],
}
FOO: Final = {"scheme": "foo", "host": None}
WITHOUT_CREDENTIALS = [("file", H), ("file", EmptyHost()), ("foo", EmptyHost()), ("foo", None)]
WITHOUT_OPAQUE_PATH = [("file", EmptyHost()), ("foo", OpaqueHost("h")), ("foo", EmptyHost())]
DOTS = [".", "%2e", "%2E", "..", ".%2e", "%2E.", "%2e%2E"]

# Why a record is refused, as a regular expression, and the components of such records.
REFUSED: dict[str, list[dict[str, Any]]] = {
    "^a scheme must be": [
        {"scheme": scheme}
        for scheme in (
            *("", "HTTPS", "1a", "+a", "h ttp", "h\u00e9", "\u212a", "http\n", "a_b", None, 1),
            ["https"],  # It cannot be looked up.
        )
    ],
    r"To read a whole URL, use weburl\.parse\(text\)$": [{"scheme": "https:"}],
    "^a host must be one of the host values": [
        {"scheme": scheme, "host": host}
        for scheme in ("https", "foo")
        for host in ("h", 1, b"h", ("h",), Domain)
    ],
    # The parser makes it an empty host.
    "localhost": [{"scheme": "file", "host": Domain("localhost")}],
    "cannot have a username, password or port": [
        {"scheme": scheme, "host": host, **component}
        for scheme, host in WITHOUT_CREDENTIALS
        for component in ({"username": "u"}, {"password": "p"}, {"port": 1})
    ],
    **{
        component: [
            {component: text}
            for text in [*'\0\x1f "#/:;<=>?@[\\]^`{|}\x7f\x80\u00e9', "a\ud800", None, 1, b"u"]
        ]
        for component in ("username", "password")
    },
    "^a port must be an integer": [
        {"port": port} for port in (-1, 65536, "80", 80.0, True, False, b"80")
    ],
    "default port": [
        {"scheme": scheme, "port": port}
        for scheme, port in {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}.items()
    ],
    "^a path must be a tuple of segments or a string": [
        {"path": path} for path in (None, 1, ["a"], b"a", {"a"})
    ],
    "opaque path": [
        {"scheme": scheme, "host": host, "path": path}
        for scheme, host in (("https", H), *WITHOUT_OPAQUE_PATH)
        for path in ("a", "")
    ],
    # A slash, a space at the end or a delimiter would be read differently.
    "^an opaque path": [
        FOO | {"path": path} for path in ("/", "/a", "a ", " ", "a?", "a#b", "?", "#")
    ],
    "percent-encoded": [FOO | {"path": path} for path in ("a\n", "\0", "\x7f", "\u00e9", "\ud800")],
    "path without segments": [
        {"scheme": scheme, "host": host, "path": ()}
        for scheme, host in (("https", H), ("file", EmptyHost()), ("file", H), ("foo", None))
    ],
    "path": [
        components | {"path": path}
        for segment in [*'\0\t\n "#<>?^`{}\x7f\u00e9', "a\udfff", None, 1, b"a"]
        for components, path in (({}, ("a", segment)), (FOO, (segment,)))
    ],
    "dot segment": [
        components | {"path": path}
        for dots in DOTS
        for components in ({}, {"scheme": "foo", "host": OpaqueHost("h")})
        for path in ((dots,), ("a", dots), (dots, "a"))
    ],
    "separator": [{"path": ("a/b",)}, FOO | {"path": ("a/b",)}, {"path": ("a\\b",)}],
    "drive letter": [
        {"scheme": "file", "host": host, "path": path}
        for segment in ("C|", "c|")
        for host, path in ((EmptyHost(), (segment,)), (H, (segment, "a")))
    ],
    "query": [
        *({"query": f"a{char}"} for char in '\0\n "#<>\x7f\u00e9\ud800'),
        *(FOO | {"query": f"a{char}"} for char in '\0\n "#<>\x7f\u00e9\ud800'),
        {"query": "'"},
    ],
    "fragment": [{"fragment": f"a{char}"} for char in '\0\n "<>`\x7f\u00e9\ud800'],
    **{
        f"^the {component} must be text": [{component: value} for value in (1, b"a", ("a",), True)]
        for component in ("query", "fragment")
    },
}

# Components of records that are what their hrefs parse to, though they look like some above.
ACCEPTED: list[dict[str, Any]] = [
    {"scheme": "a+b-c.1", "host": None},
    {"scheme": "file", "host": Domain("localhost.")},
    {"host": Domain("localhost")},
    *(
        {"scheme": "foo", "host": OpaqueHost("h"), **component}
        for component in ({"username": "u"}, {"password": "p"}, {"port": 1}, {"path": ()})
    ),
    {"username": "a%zz!$&'()*+,-._~"},
    {"password": "a%zz!$&'()*+,-._~"},
    *({"port": port} for port in (0, 80, 65535, None)),
    *({"scheme": "foo", "host": OpaqueHost("h"), "port": port} for port in (21, 80, 443)),
    FOO | {"path": ""},
    FOO | {"path": ' a b/../\\[]<>"`{}|^%'},
    {"scheme": "foo", "host": EmptyHost(), "path": ()},
    {"path": ("...", ".%2e.", "%2f")},
    FOO | {"path": ("a\\b",)},
    *(
        {"scheme": "file", "host": EmptyHost(), "path": path}
        for path in (("a", "C|"), ("", "C|"), ("C:", "C|"), ("C||",))
    ),
    {"path": ("C|",)},
    FOO | {"query": "'?/%`{}|^"},
    {"fragment": "#?/'%{}|^"},
    {"query": "", "fragment": ""},
]


@pytest.mark.parametrize(
    ("reason", "components"),
    [(reason, components) for reason, cases in REFUSED.items() for components in cases],
)
def test_what_the_parser_could_not_make_is_refused(reason: str, components: Any) -> None:
    """The error has the reason."""
    with pytest.raises(ValueError, match=reason):
        record(**components)


@pytest.mark.parametrize("components", ACCEPTED)
def test_a_record_made_by_hand_is_what_its_href_parses_to(components: Any) -> None:
    """Every component is the given one."""
    made = record(**components)
    assert parse(made.href) == made
    assert {name: getattr(made, name) for name in components} == components


@pytest.mark.parametrize("scheme", ALLOWED)
@pytest.mark.parametrize("kind", HOSTS)
def test_a_scheme_takes_the_hosts_of_the_standards_table(scheme: str, kind: str) -> None:
    """The error for another host names the scheme."""
    host = HOSTS[kind]
    if kind in ALLOWED[scheme]:
        assert parse(record(scheme, host=host).href).host == host
    else:
        with pytest.raises(ValueError, match=scheme):
            record(scheme, host=host)


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


def test_the_default_path_of_a_scheme_that_cannot_be_looked_up_is_no_other_error() -> None:
    """The default path depends on the scheme."""
    scheme: Any = ["https"]
    with pytest.raises(ValueError, match="a scheme must be"):
        URLRecord(scheme, host=H)


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

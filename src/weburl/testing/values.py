"""Strategies for values: hosts, URLs, origins and sites.

A URL is built as text from suitable pieces and then parsed, so that each value is one that the
parser makes. `spelling` has the other ways to write such a URL.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from weburl.origins.sites import obtain_a_site
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.schemes import DEFAULT_PORTS, SPECIAL_SCHEMES, TUPLE_ORIGIN_SCHEMES
from weburl.standard.url.api import parse
from weburl.standard.url.invariants import check_scheme
from weburl.standard.url.origin import OpaqueOrigin, Origin, SchemeAndHost, Site, TupleOrigin
from weburl.standard.url.record import URLRecord

Hosts: TypeAlias = SearchStrategy[Host] | SearchStrategy[str] | Iterable[str | Host] | None
"""What the option ``hosts`` accepts."""

# An example shrinks to the first item of each table.
_SCHEMES: Final = (
    "https", *(scheme for scheme in SPECIAL_SCHEMES if scheme != "https"), "mailto", "data",
    "javascript", "blob", "web+demo", "redis", "git+ssh",
)  # fmt: skip
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_DIGITS: Final = "0123456789"
# Labels of one script each, some of which IDNA maps to other characters.
_UNICODE_LABELS: Final = (
    "bücher", "faß", "éa", "пример", "παράδειγμα", "例え", "日本", "한국", "भारत", "ไทย", "☕",
    "💩", "βόλος", "straße", "क्‍ष", "ﬁ", "ａｂ", "ÅÄÖ",
)  # fmt: skip
# For right-to-left scripts, IDNA has rules about all labels of a domain together.
_FROM_RIGHT_TO_LEFT: Final = (
    "דוגמה.example", "مثال.إختبار", "אבג1.com", "www.الأردن"
)  # fmt: skip
_KNOWN_DOMAINS: Final = (
    "a", "example.com", "localhost", "www.example.co.uk", "xn--fa-hia.de", "a_b.example", "a-.b",
    "example.com.", "exa--mple.com", "github.io", "192.168.0.1.example", "x" * 63 + ".example",
)  # fmt: skip
_IPV4: Final = (
    "127.0.0.1", "0.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "255.255.255.255",
    "8.8.8.8", "224.0.0.1",
)  # fmt: skip
_IPV6: Final = (
    "::1", "::", "2001:db8::1", "::ffff:127.0.0.1", "fe80::1", "fd00::1", "ff02::1", "64:ff9b::1",
    "1:2:3:4:5:6:7:8", "1:0:0:2:0:0:0:3", "2002:7f00:1::",
)  # fmt: skip
_OPAQUE: Final = _LETTERS + "ABCXYZ" + _DIGITS + ".-_~!$&'()*+,;=\"`{}"
_USERINFO: Final = ("user", "a", "%40", "%3A", "%C3%A9", "%00", "p.w", "1", "~", "!$&'()*+,")
_SEGMENTS: Final = (
    "a", "b", "index.html", "%C3%A9", "%20", "%2F", "%", "%zz", "a:b", "a@b", "C:", "~user", "",
    "...", ";x=1", "[", "|", "'", "%F0%9F%92%A9", "%FF",
)  # fmt: skip
_COMPONENTS: Final = (
    "a", "=", "&", "q=1", "b=%20", "+", "%C3%A9", "/", "?", "%26", "http://user:pass@h/", "%", "'",
    "[]", "^", "`", "|", ":", "@", "%FF",
)  # fmt: skip
_OPAQUE_PATHS: Final = (
    "a", "you@example.com", "text/plain,hello%20world", "alert(1)", "https://example.com/id",
    "", "a b", "%C3%A9", "%", ";x", ",", "//".join("ab"), ":",
)  # fmt: skip
_FILE_PATHS: Final = ("/", "/a", "/C:/", "/C:/a/b.txt", "/c:/..a", "/etc/passwd", "//server/share")


def _text_of(pieces: Collection[str], max_size: int = 4) -> SearchStrategy[str]:
    return st.lists(st.sampled_from(tuple(pieces)), max_size=max_size).map("".join)


def _domain_texts() -> SearchStrategy[str]:
    # A label that begins with a letter is not a number, which would make the host an address.
    plain = st.builds(
        str.__add__,
        st.sampled_from(_LETTERS),
        st.text(_LETTERS + _DIGITS + "-_", max_size=8),
    ).filter(lambda label: not label.startswith("xn--"))
    unicode = st.sampled_from(_UNICODE_LABELS)
    return st.one_of(
        st.sampled_from(_KNOWN_DOMAINS),
        st.lists(plain, min_size=1, max_size=4).map(".".join),
        st.lists(st.one_of(plain, unicode), min_size=1, max_size=3).map(".".join),
        st.sampled_from(_FROM_RIGHT_TO_LEFT),
    )


def _parsed_host(text: str, scheme: str = "https") -> Host:
    host = parse(f"{scheme}://{text}/").host
    assert host is not None
    return host


_DOMAINS: Final = _domain_texts()
_IPV4_TEXTS: Final = st.one_of(
    st.sampled_from(_IPV4),
    st.integers(0, (1 << 32) - 1).map(lambda value: str(IPv4Address(value))),
)
_IPV6_TEXTS: Final = st.one_of(
    st.sampled_from(_IPV6).map("[{}]".format),
    st.integers(0, (1 << 128) - 1).map(lambda value: str(IPv6Address(value))),
)
_OPAQUE_TEXTS: Final = st.one_of(
    st.text(_OPAQUE, min_size=1, max_size=8),
    st.sampled_from(("%C3%A9", "EXAMPLE", "%", "127.0.0.1", "0x7f.1", "a%2Fb", "...")),
)

_OF_KIND: Final[dict[type[Host], SearchStrategy[Host]]] = {
    Domain: _DOMAINS.map(_parsed_host),
    IPv4Address: _IPV4_TEXTS.map(_parsed_host),
    IPv6Address: _IPV6_TEXTS.map(_parsed_host),
    OpaqueHost: _OPAQUE_TEXTS.map(lambda text: _parsed_host(text, "redis")),
    # Sampled from two, so that it takes as many choices as the simplest domain and shrinks later.
    EmptyHost: st.sampled_from((EmptyHost(), EmptyHost())),
}
KINDS_OF_HOST: Final = tuple(_OF_KIND)


def hosts(kinds: Iterable[type[Host]] = KINDS_OF_HOST) -> SearchStrategy[Host]:
    """Return a strategy for hosts.

    ``kinds``: classes of hosts, such as ``[Domain, IPv4Address]``; all five by default. Domains
    have one to four labels. Some labels are not Latin, and some domains end in a dot. The simplest
    host is the domain ``a``. Raises InvalidArgument if ``kinds`` is empty or has other classes.
    """
    kinds = list(dict.fromkeys(kinds))
    if not kinds or not set(kinds) <= set(_OF_KIND):
        raise InvalidArgument("kinds must be classes of hosts: Domain, IPv4Address, IPv6Address…")
    return st.one_of([_OF_KIND[kind] for kind in kinds])


def urls(
    *,
    schemes: Iterable[str] | None = None,
    hosts: Hosts = None,
    credentials: bool = True,
    max_length: int | None = None,
) -> SearchStrategy[URLRecord]:
    """Return a strategy for URLs, as records.

    The simplest URL is ``https://a/``.

    Args:
        schemes: An iterable of schemes; by default common ones of every kind, such as https, file,
            mailto and redis.
        hosts: A strategy for hosts or for hosts as text, or an iterable of them. Each URL then has
            one of these hosts, except that ``file:`` drops ``localhost``.
        credentials: Whether URLs may have a username and a password.
        max_length: The maximum length of the href, or None.

    Raises:
        InvalidArgument: No URL of these schemes is that short, a scheme is invalid, or ``schemes``
            or ``hosts`` is empty.
    """
    allowed = _checked_schemes(schemes)
    texts = None if hosts is None else _host_texts(hosts)
    if max_length is not None:
        # One letter is the shortest host that every scheme allows.
        short = "" if texts is None else "//a"
        allowed = [
            scheme for scheme in allowed if len(parse(_shortest(scheme, short)).href) <= max_length
        ]
        if not allowed:
            raise InvalidArgument(f"no URL of these schemes has at most {max_length} characters")
    return _urls(allowed, texts, credentials, max_length)


def origins(*, opaque: bool = True) -> SearchStrategy[Origin]:
    """Return a strategy for origins, some of which are opaque unless ``opaque`` is False."""
    tuples: SearchStrategy[Origin] = tuple_origins()
    return st.one_of(tuples, st.builds(OpaqueOrigin)) if opaque else tuples


def tuple_origins() -> SearchStrategy[TupleOrigin]:
    """Return a strategy for tuple origins of URLs, which have no changed domain."""
    return st.builds(
        lambda scheme, host, port: TupleOrigin(
            scheme, host, None if port == DEFAULT_PORTS.get(scheme) else port
        ),
        st.sampled_from([scheme for scheme in _SCHEMES if scheme in TUPLE_ORIGIN_SCHEMES]),
        hosts([Domain, IPv4Address, IPv6Address]),
        st.none() | _PORTS,
    )


def sites() -> SearchStrategy[Site]:
    """Return a strategy for sites, some of which are opaque."""
    return st.one_of(schemes_and_hosts(), st.builds(OpaqueOrigin))


def schemes_and_hosts() -> SearchStrategy[SchemeAndHost]:
    """Return a strategy for the sites of origins that are not opaque."""
    return tuple_origins().map(_site)


def _site(origin: TupleOrigin) -> SchemeAndHost:
    site = obtain_a_site(origin)
    assert isinstance(site, SchemeAndHost)
    return site


_PORTS: Final = st.one_of(
    st.sampled_from((8080, 0, *sorted(set(DEFAULT_PORTS.values())), 65535)), st.integers(0, 65535)
)


def _checked_schemes(schemes: Iterable[str] | None) -> list[str]:
    if schemes is None:
        return list(_SCHEMES)
    if isinstance(schemes, str):
        raise InvalidArgument(
            f"schemes must be an iterable of schemes, such as [{masked_value(schemes)}]"
        )
    allowed = list(dict.fromkeys(schemes))
    try:
        for scheme in allowed:
            check_scheme(scheme)
    except ValueError as error:
        raise InvalidArgument(str(error)) from None
    if not allowed:
        raise InvalidArgument("schemes must name at least one scheme")
    return allowed


def _host_texts(hosts: Hosts) -> SearchStrategy[str]:
    if isinstance(hosts, SearchStrategy):
        return hosts.map(str)
    if isinstance(hosts, str):
        raise InvalidArgument(
            f"hosts must be a strategy or an iterable, such as [{masked_value(hosts)}]"
        )
    texts = [str(host) for host in hosts or ()]
    if not texts:
        raise InvalidArgument("hosts must name at least one host")
    return st.sampled_from(texts)


def _shortest(scheme: str, authority: str = "") -> str:
    if scheme == "file" and not authority:
        return "file:///"
    if scheme in SPECIAL_SCHEMES and not authority:
        return f"{scheme}://a/"
    return f"{scheme}:{authority}"


@st.composite
def _urls(
    draw: DrawFn,
    schemes: list[str],
    hosts: SearchStrategy[str] | None,
    credentials: bool,
    max_length: int | None,
) -> URLRecord:
    scheme = draw(st.sampled_from(schemes))
    if scheme == "file" or scheme not in SPECIAL_SCHEMES:
        # An example shrinks to the fewest choices, which must produce "https://a/".
        draw(_FURTHER_CHOICES)
    before = draw(_before_the_path(scheme, hosts, credentials))
    path = draw(_paths(scheme, before))
    # Most URLs lack most components, as in practice, and so that an example is easy to read.
    query = draw(_COMPONENT)
    fragment = draw(_COMPONENT)
    pieces = [
        f"{scheme}:{before}",
        path,
        query and f"?{query[1:]}",
        fragment and f"#{fragment[1:]}",
    ]
    record = parse("".join(pieces))
    if max_length is None or len(record.href) <= max_length:
        return record
    return _shortened(draw, record, pieces, hosts is not None, max_length)


_FURTHER_CHOICES: Final = st.tuples(*[st.booleans()] * 8)
_COMPONENT: Final = st.one_of(st.just(""), st.just(""), _text_of(_COMPONENTS).map("?{}".format))
_CREDENTIALS: Final = st.one_of(
    st.just(""),
    st.just(""),
    st.just(""),
    st.builds(
        lambda username, password: f"{username}{password}@",
        _text_of(_USERINFO, 2),
        st.one_of(st.just(""), _text_of(_USERINFO, 2).map(":{}".format)),
    ),
)
_PORT_TEXTS: Final = st.one_of(st.just(""), st.just(""), _PORTS.map(":{}".format))
_SPECIAL_HOSTS: Final = st.one_of(_DOMAINS, _IPV4_TEXTS, _IPV6_TEXTS)
_OTHER_HOSTS: Final = st.one_of(_OPAQUE_TEXTS, _IPV6_TEXTS)
_SLASH_PATHS: Final = st.lists(st.sampled_from(_SEGMENTS), max_size=4).map(
    lambda segments: "/" + "/".join(segments)
)

_PATHS_OF_FILES: Final = st.one_of(st.sampled_from(_FILE_PATHS), _SLASH_PATHS)
_PATHS_AFTER_A_HOST: Final = st.one_of(st.just(""), _SLASH_PATHS)
_PATHS_WITHOUT_A_HOST: Final = st.one_of(
    st.sampled_from(_OPAQUE_PATHS),
    # Two slashes would begin an authority.
    _SLASH_PATHS.map(lambda path: f"/.{path}" if path.startswith("//") else path),
)


@lru_cache(maxsize=64)  # Making a strategy takes longer than drawing from it.
def _before_the_path(
    scheme: str, hosts: SearchStrategy[str] | None, credentials: bool
) -> SearchStrategy[str]:
    """Return a strategy for "//" and the authority, or for nothing, which allows an opaque path."""
    special = scheme in SPECIAL_SCHEMES
    texts = (_SPECIAL_HOSTS if special else _OTHER_HOSTS) if hosts is None else hosts
    if scheme == "file":
        return (st.one_of(st.just(""), texts) if hosts is None else texts).map("//{}".format)
    if special:
        texts = texts.filter(bool)  # Special schemes other than file do not allow the empty host.
    authorities = st.builds(
        lambda userinfo, host, port: f"//{userinfo}{host}{port}" if host else "//",
        _CREDENTIALS if credentials else st.just(""),
        texts,
        _PORT_TEXTS,
    )
    if special or hosts is not None:
        return authorities
    return st.one_of(st.just(""), authorities, st.just("//"))


def _paths(scheme: str, before: str) -> SearchStrategy[str]:
    if scheme in SPECIAL_SCHEMES:
        return _PATHS_OF_FILES if scheme == "file" else _SLASH_PATHS
    return _PATHS_AFTER_A_HOST if before else _PATHS_WITHOUT_A_HOST


def _shortened(
    draw: DrawFn, record: URLRecord, pieces: list[str], is_callers_host: bool, max_length: int
) -> URLRecord:
    """Return the URL without as many of its last components as necessary."""
    scheme = record.scheme
    host = f"{scheme}:" if record.host is None else f"{scheme}://{record.host}"
    found = ["".join(pieces[:3]), "".join(pieces[:2]), pieces[0], host]
    if not is_callers_host:
        letter = draw(st.sampled_from(_LETTERS))
        needs_host = scheme in SPECIAL_SCHEMES and scheme != "file"
        found.append(f"{scheme}://{letter}/" if needs_host else f"{scheme}:{letter}")
        found.append(_shortest(scheme))
    for text in found:
        shorter = parse(text)
        if len(shorter.href) <= max_length:
            return shorter
    return reject()  # The caller's next host may be short enough.

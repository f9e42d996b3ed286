"""One table of attacks, and every client. The servers and the bytes are real; names are ours."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, NamedTuple

import aiohttp
import brotli
import pytest
import zstandard

from tests.fetching.clients import Client, session_of
from tests.fetching.conftest import Names
from tests.fetching.servers import PLAIN, Server, endlessly, slowly, with_body
from weburl import URLPolicy
from weburl.fetching import FetchBounds, URLFetchError
from weburl.policies.violations import CODES

# As a webhook's, but names may lead to loopback: that is where the servers are.
POLICY: Final = URLPolicy(
    schemes=["http", "https"],
    credentials=False,
    ip_hosts=False,
    single_labels=False,
    special_use_names=False,
    address_classes=["loopback"],
)
BOUNDS: Final = FetchBounds(
    seconds=20,
    redirects=3,
    headers=50,
    header_bytes=20_000,
    body_bytes=50_000,
    unpacked_bytes=200_000,
)
HASTY: Final = FetchBounds(seconds=0.25)


class Attack(NamedTuple):
    """What a server or a resolver does, and how it ends.

    ``do``: prepares the server and the names. ``code``: of the exception. ``hop``: the request that
    is refused. ``classes``: of the refused address. ``url``: what is asked for.
    """

    do: Callable[[Server, Names], object]
    code: str
    hop: int = 1
    classes: frozenset[str] = frozenset()
    url: str = "http://hook.example:{port}/"
    bounds: FetchBounds = BOUNDS


def resolves(*addresses: str) -> Callable[[Server, Names], object]:
    """Let the name lead to these addresses."""
    return lambda _server, names: names.answers.update({"hook.example": [[*addresses]]})


def redirects(location: str) -> Callable[[Server, Names], object]:
    """Let the first answer lead elsewhere."""
    return lambda server, _names: server.redirect("/", location)


def redirects_to_name(*addresses: str) -> Callable[[Server, Names], object]:
    """Let the first answer lead to a name with these addresses."""

    def do(server: Server, names: Names) -> None:
        names.answers["inside.example"] = [[*addresses]]
        server.redirect("/", "http://inside.example:{port}/secret")

    return do


def answers(answer: Any) -> Callable[[Server, Names], object]:
    """Let the server answer this."""
    return lambda server, _names: server.answers.update({"/": answer})


def nothing(server: Server, names: Names) -> None:
    """Prepare nothing."""


ZEROS: Final = b"\0" * 30_000_000
SECRET: Final = "hunter2"

ADDRESSES: Final = {
    "private": "10.0.0.1",
    "private of class B": "172.16.5.5",
    "private of class C": "192.168.1.1",
    "metadata": "169.254.169.254",
    "link-local": "169.254.1.1",
    "carrier-grade": "100.64.0.1",
    "unspecified": "0.0.0.0",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "multicast": "224.0.0.1",
    "documentation": "192.0.2.1",
    "benchmarks": "198.18.0.1",
    "cloud outside of reserved blocks": "168.63.129.16",
    "public": "93.184.215.14",
    "unique local": "fd00::1",
    "link-local of IPv6": "fe80::1",
    "link-local with a zone": "fe80::1%lo",
    "metadata of IPv6": "fd00:ec2::254",
    "unspecified of IPv6": "::",
    "mapped": "::ffff:10.0.0.1",
    "compatible": "::10.0.0.1",
    "NAT64": "64:ff9b::a00:1",
    "NAT64 for local use": "64:ff9b:1::a00:1",
    "6to4": "2002:a00:1::",
    "Teredo": "2001:0:a00:1::1",
    "ISATAP": "2001:4860::5efe:a00:1",
    "multicast of IPv6": "ff02::1",
}
REDIRECTS: Final = {
    "to an address": ("http://10.0.0.1/secret", "ip-host"),
    "to the metadata service": ("http://169.254.169.254/latest/meta-data/", "ip-host"),
    "to loopback by address": ("http://127.0.0.1:{port}/secret", "ip-host"),
    "to loopback by IPv6": ("http://[::1]:{port}/secret", "ip-host"),
    "to a mapped address": ("http://[::ffff:10.0.0.1]/secret", "ip-host"),
    "to localhost": ("http://localhost:{port}/secret", "single-label"),
    "to a name for special use": ("http://printer.internal/secret", "special-use-name"),
    "to a name of the metadata service": (
        "http://metadata.google.internal/computeMetadata/v1/",
        "address-not-allowed",
    ),
    "relative to the protocol": ("//10.0.0.1/secret", "ip-host"),
    "with credentials": (
        "http://user:hunter2@hook.example:{port}/secret",
        "credentials-not-allowed",
    ),
    "with credentials that look like the host": (
        "http://hook.example:80@10.0.0.1/secret",
        "credentials-not-allowed",
    ),
}
# What a client refuses before it asks anyone, or reads differently from a browser.
ODD_REDIRECTS: Final = {
    "with backslashes": "http:\\\\10.0.0.1\\secret",
    "with an at after a backslash": "http://10.0.0.1\\@hook.example:{port}/secret",
    "with backslashes and no scheme": "\\\\10.0.0.1\\secret",
    "with a slash and a backslash": "/\\10.0.0.1/secret",
    "with one number": "http://167772161/secret",
    "with hexadecimal digits": "http://0x0a.0.0.1/secret",
    "with octal digits": "http://012.0.0.1/secret",
    "with two parts": "http://10.1/secret",
    "with full-width digits": "http://１０.0.0.1/secret",
    "with circled digits": "http://①⓪.0.0.1/secret",
    "with an ideographic dot": "http://10。0。0。1/secret",
    "with percent-encoding": "http://%31%30.0.0.1/secret",
    "with a tab": "http://10.0.\t0.1/secret",
    "with a dot at the end": "http://10.0.0.1./secret",
    "to a file": "file:///etc/passwd",
    "to gopher": "gopher://hook.example:{port}/secret",
    "to data": "data:text/plain,secret",
    "to a script": "javascript:alert(1)",
    "to a bad port": "http://hook.example:99999/secret",
    "to an IPv6 address with a zone": "http://[fe80::1%25lo]/secret",
    "without a host": "http:///",
    "with a space in the host": "http://hook .example/secret",
}


@lru_cache
def packed(name: str) -> bytes:
    """Return zeros, compressed."""
    if name == "gzip":
        return gzip.compress(ZEROS, 9)
    if name == "gzip, gzip":
        return gzip.compress(gzip.compress(ZEROS * 2, 9), 9)
    if name == "gzip of many members":
        return gzip.compress(ZEROS[:100_000]) * 100
    if name == "deflate":
        return zlib.compress(ZEROS, 9)
    if name == "raw deflate":
        compressor = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
        return compressor.compress(ZEROS) + compressor.flush()
    if name == "br":
        return bytes(brotli.compress(ZEROS, quality=5))
    return zstandard.compress(ZEROS, 19)


ENCODINGS: Final = {"gzip of many members": "gzip", "raw deflate": "deflate"}


def bomb(name: str) -> bytes:
    """Return an answer that is short until it is unpacked."""
    body = packed(name)
    assert len(body) < 50_000
    return with_body(body, f"Content-Encoding: {ENCODINGS.get(name, name)}")


HEADER: Final = b"X-Long: " + b"x" * 990 + b"\r\n"

ATTACKS: Final = {
    **{
        f"a name that leads to {kind}": Attack(resolves(address), "address-not-allowed")
        for kind, address in ADDRESSES.items()
    },
    **{
        f"a name that leads to loopback and {kind}": Attack(
            resolves("127.0.0.1", address), "address-not-allowed"
        )
        for kind, address in ADDRESSES.items()
    },
    **{
        f"a name that leads to {kind} and loopback": Attack(
            resolves(address, "127.0.0.1"), "address-not-allowed"
        )
        for kind, address in ADDRESSES.items()
    },
    "a name without addresses": Attack(resolves(), "no-address"),
    "a private address": Attack(
        nothing, "ip-host", classes=frozenset({"private"}), url="http://10.0.0.1:{port}/"
    ),
    "credentials in the first URL": Attack(
        nothing, "credentials-not-allowed", url=f"http://user:{SECRET}@hook.example:{{port}}/"
    ),
    **{
        f"a redirect to a name that leads to {kind}": Attack(
            redirects_to_name(address), "address-not-allowed", 2
        )
        for kind, address in ADDRESSES.items()
    },
    **{
        f"a redirect {how}": Attack(redirects(location), code, 2)
        for how, (location, code) in REDIRECTS.items()
    },
    "redirects without an end": Attack(redirects("/"), "too-many-redirects", 5),
    "headers without an end": Attack(
        answers(endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 100)), "headers"
    ),
    "one header without an end": Attack(
        answers(endlessly(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 1000)), "headers"
    ),
    "answers before the answer without an end": Attack(
        answers(endlessly(b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" * 20)), "headers"
    ),
    "too many headers": Attack(
        answers(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 51 + b"Content-Length: 0\r\n\r\n"),
        "too-many-headers",
    ),
    "headers that are too long": Attack(
        answers(lambda _server: [b"HTTP/1.1 200 OK\r\n", *[HEADER] * 120, b"\r\n"]), "headers"
    ),
    "a long body": Attack(answers(with_body(b"x" * 50_001)), "body-too-long"),
    "a long body in chunks": Attack(
        answers(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"3E8\r\n%b\r\n" % (b"x" * 1000) * 51
            + b"0\r\n\r\n"
        ),
        "body-too-long",
    ),
    "a body without an end": Attack(
        answers(endlessly(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1000)), "body-too-long"
    ),
    "chunks without an end": Attack(
        answers(
            endlessly(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"3E8\r\n%b\r\n" % (b"x" * 1000),
            )
        ),
        "body-too-long",
    ),
    **{
        f"a bomb of {name}": Attack(answers(bomb(name)), "unpacked-too-long")
        for name in (
            "gzip",
            "gzip of many members",
            "deflate",
            "raw deflate",
            "br",
            "zstd",
        )
    },
    "headers of a byte at a time": Attack(
        answers(slowly(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000)), "too-slow", bounds=HASTY
    ),
    "a body of a byte at a time": Attack(
        answers(slowly(with_body(b"x" * 1000)[-1100:])), "too-slow", bounds=HASTY
    ),
    "silence": Attack(answers(endlessly(b"", b"")), "too-slow", bounds=HASTY),
    "slow redirects": Attack(
        answers(slowly(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 0.005)),
        "too-slow",
        0,
        bounds=HASTY,
    ),
}
# Clients have lower bounds of their own, in places, or know no bound for one of these alone.
CODES_OF: Final = {"headers": {"too-many-headers", "headers-too-long"}}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused(
    client: Client, server: Server, names: Names, contacted: list[str], name: str
) -> None:
    """With one kind of exception, which is also the client's own, and says why."""
    attack = ATTACKS[name]
    attack.do(server, names)
    with (
        session_of(client, POLICY, bounds=attack.bounds, resolve=names) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(attack.url.format(port=server.port))
    error = caught.value
    assert isinstance(error, client.error)
    assert error.code in CODES_OF.get(attack.code, {attack.code}), str(error)
    assert attack.hop in {0, error.hop}
    assert bool(error.violations) == (error.code in CODES)
    assert attack.classes <= error.address_classes
    ours = [getattr(error, name) for name in ("code", "violations", "origin", "__cause__", "args")]
    assert SECRET not in f"{error!s} {error!r} {ours}"
    assert "/secret" not in server.paths()
    assert set(contacted) <= {"127.0.0.1"}


@pytest.mark.parametrize("how", ODD_REDIRECTS)
def test_a_redirect_that_readers_read_differently_is_not_followed(
    client: Client, server: Server, names: Names, contacted: list[str], how: str
) -> None:
    """Some clients refuse it by themselves, each in its own words, and some ask us."""
    server.redirect("/", ODD_REDIRECTS[how])
    with (
        session_of(client, POLICY, bounds=BOUNDS, resolve=names) as get,
        pytest.raises((URLFetchError, client.error, ValueError, *client.refusals)),
    ):
        get(f"http://hook.example:{server.port}/")
    assert server.paths() == ["/"]
    assert set(contacted) == {"127.0.0.1"}


@pytest.mark.parametrize(
    "location",
    [
        "javascript:x",
        "mailto:you@example.com",
        "data:,x",
        "https:foo",
        "http:",
        "http://",
        "//",
        "http://[/",
        "http://a b/",
        "http://hook.example:99999/",
        "?" * 60_000,
        "/" + "a" * 65_000,
        "/\x7f",
        "/%",
        "http://xn--a/",
        "http://\xff/",
        "//*:80",
    ],
)
def test_what_a_server_redirects_to_raises_no_other_exception(
    client: Client, server: Server, names: Names, location: str
) -> None:
    """The client's own exception is enough to catch, whatever the Location is."""
    server.redirect("/", location)
    with (
        session_of(client, POLICY, bounds=BOUNDS, resolve=names) as get,
        suppress(client.error),
    ):
        get(f"http://hook.example:{server.port}/")


_HEADERS = (
    ("Location: /x%b", "302 Found"),
    ("Location: http://h%b.example/", "302 Found"),
    ("Set-Cookie: a=%b", "200 OK"),
    ("Set-Cookie: %b=a; Path=/%b; Domain=%b", "200 OK"),
    ("Content-Encoding: %b", "200 OK"),
    ("Content-Type: text/html; charset=%b", "200 OK"),
    ("Transfer-Encoding: %b", "200 OK"),
    ("Content-Length: 1%b", "200 OK"),
    ("Connection: %b", "200 OK"),
    ("WWW-Authenticate: Basic realm=%b", "401 No"),
    ("Retry-After: %b", "503 Busy"),
)


@pytest.mark.parametrize(("header", "status"), _HEADERS)
def test_no_byte_of_a_header_raises_another_exception(
    client: Client, server: Server, names: Names, header: str, status: str
) -> None:
    """Not with this answer, and not with the requests that follow it."""
    with session_of(client, POLICY, bounds=BOUNDS, resolve=names) as get:
        for byte in range(0, 256, 1 if header == "Location: /x%b" else 15):
            value = header.encode().replace(b"%b", bytes([byte]))
            server.answers["/"] = b"HTTP/1.1 %b\r\n%b\r\nConnection: close\r\n\r\n" % (
                status.encode(), value,
            )  # fmt: skip
            for path in ("/", "/plain"):
                with suppress(client.error):
                    get(f"http://hook.example:{server.port}{path}")


def test_a_redirect_with_a_backslash_before_an_at_stays_with_the_first_host(
    client: Client, server: Server, names: Names, contacted: list[str]
) -> None:
    """As in a browser, or it is refused: the client never goes to what follows the at."""
    server.redirect("/", "http://hook.example:{port}\\@10.0.0.1/secret")
    with (
        session_of(client, POLICY, resolve=names) as get,
        suppress(URLFetchError, client.error, ValueError, *client.refusals),
    ):
        get(f"http://hook.example:{server.port}/")
    assert {path.rpartition("@")[0] for path in server.paths()} <= {"", "/", "/%5C"}
    assert set(contacted) == {"127.0.0.1"}


def test_a_body_that_was_packed_twice_is_not_unpacked_without_a_bound(
    client: Client, server: Server, names: Names
) -> None:
    """Aiohttp does not unpack it at all."""
    server.answers["/"] = bomb("gzip, gzip")
    body, code = b"", ""
    with session_of(client, POLICY, bounds=BOUNDS, resolve=names) as get:
        try:
            body = get(f"http://hook.example:{server.port}/").body
        except URLFetchError as error:
            code = error.code
    assert (body, code) in {(b"", "unpacked-too-long"), (packed("gzip, gzip"), "")}


def test_half_a_million_empty_members_are_refused(
    client: Client, server: Server, names: Names
) -> None:
    """Clients copy what follows each one. Aiohttp takes only one that is not empty."""
    server.answers["/"] = with_body(gzip.compress(b"") * 500_000, "Content-Encoding: gzip")
    bounds = FetchBounds(body_bytes=20_000_000)
    with (
        session_of(client, POLICY, bounds=bounds, resolve=names) as get,
        pytest.raises((URLFetchError, aiohttp.ClientPayloadError)) as caught,
    ):
        get(f"http://hook.example:{server.port}/")
    assert getattr(caught.value, "code", 400) in {"encoding-not-bounded", 400}


def test_the_table_is_as_long_as_it_was() -> None:
    """Attacks are not lost unseen."""
    assert len(ADDRESSES) == 27
    assert len(ATTACKS) >= 139
    assert len(ODD_REDIRECTS) == 22


def test_the_classes_of_a_refused_address_are_said(
    client: Client, server: Server, names: Names
) -> None:
    """Only those that the policy does not allow."""
    names.answers["hook.example"] = [["127.0.0.1", "10.0.0.1", "169.254.169.254"]]
    with (
        session_of(client, POLICY, resolve=names) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://hook.example:{server.port}/path")
    error = caught.value
    assert error.address_classes == {"private", "link-local", "metadata"}
    assert error.origin == f"http://hook.example:{server.port}"
    assert str(error).startswith(f"request 1 to http://hook.example:{server.port}: The host '10.0.")
    assert "path" not in str(error)


def test_a_slow_resolver_does_not_take_longer_than_the_fetch(
    client: Client, server: Server, names: Names
) -> None:
    """It goes on in its own thread, and the caller does not wait."""

    def resolve(name: str, port: int) -> list[str]:
        server.ended.wait(30)
        return names(name, port)

    with (
        session_of(client, POLICY, bounds=HASTY, resolve=resolve) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://hook.example:{server.port}/")
    assert caught.value.code == "too-slow"
    assert not server.ended.is_set()
    assert (server.asked, names.asked) == ([], [])
    server.ended.set()


def test_what_is_allowed_is_fetched(client: Client, server: Server, names: Names) -> None:
    """With the name in the Host header, the canonical path, and one question to the resolver."""
    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/a%20b?q=1") == (200, b"hello")
    assert [(each.host, each.path) for each in server.asked] == [
        (f"hook.example:{server.port}", "/a%20b?q=1")
    ]
    assert names.asked == ["hook.example"]
    assert server.answers.get("/a", PLAIN) == PLAIN

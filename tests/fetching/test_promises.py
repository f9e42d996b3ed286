"""What every client keeps besides refusing attacks: names, pools, credentials, TLS, addresses."""

from __future__ import annotations

import asyncio
import pickle
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import httpx
import pytest
import requests
import trustme
import urllib3

import weburl.fetching.aiohttp
import weburl.fetching.httpx
import weburl.fetching.requests
import weburl.fetching.urllib3
from tests.fetching.clients import CLIENTS, Client, session_of
from tests.fetching.conftest import Names
from tests.fetching.servers import Server, with_body
from tests.fetching.test_attacks import HASTY, POLICY
from weburl import parse
from weburl.fetching import FetchBounds, URLFetchError

HTTPS: Final = POLICY.replaced(schemes=["https"])
ANY_LOOPBACK: Final = POLICY.replaced(ip_hosts=True)
CREDENTIALS: Final = {
    "Authorization": "Bearer hunter2",
    "Cookie": "session=hunter2",
    "X-Api-Key": "hunter2",
    "X-Other": "plain",
}


# Paths and queries that libraries spell in their own way.
ODD_TARGETS: Final = (
    "/a%27b%2Fc%7Ed;e?x=%27&y=%2F&z=a+b%20c&w=%7E&sig=a%2Bb%3D", "/%2f", "/%2F", "/%7e", "/%41%2d",
    "/a|b", "/a[b]", "/a^b", "/a`b", "/a{b}", '/a"b', "/a<b>", "/a b", "/a'b", "/a!b$c&d(e)*f,g",
    "/a;b=c", "/a:b@c", "/a//b", "//a", "///", "/a/../b", "/a/./b", "/a/%2e%2E/b", "/%", "/%zz",
    "/%a", "/100%", "/%25", "/%00", "/%E9", "/\u00e9", "/\u4e2d", "/a\\b", "/a?", "/?", "/a??b?",
    "/?a|b", "/?a[b]=[c]", "/?{a}", "/?a^b`c", "/?a'b", "/?%2f%7E", "/?%", "/?%zz=1", "/?a=b+c%20d",
    "/?a=\u00e9", "/?%E9", "/?a&&b&=c", "/?a;b;c", "/?a#b", "/a#", "/~a",
)  # fmt: skip


CHANGED: Final = {
    "/%2f": "/%2F", "/%7e": "/~", "/%41%2d": "/A-", "/a|b": "/a%7Cb", "/a[b]": "/a%5Bb%5D",
    "/%": "/%25", "/%zz": "/%25zz", "/%a": "/%25a", "/100%": "/100%25", "/a?": "/a", "/?": "/",
    "/?a|b": "/?a%7Cb", "/?a[b]=[c]": "/?a%5Bb%5D=%5Bc%5D", "/?{a}": "/?%7Ba%7D",
    "/?a^b`c": "/?a%5Eb%60c", "/?%2f%7E": "/?%2F~", "/?%": "/?%25", "/?%zz=1": "/?%25zz=1",
}  # fmt: skip
"""What arrives through a session of your own. `docs/fetching-reference.md` says it in words."""


def spelled_otherwise(get: Callable[[str], object], server: Server, how: str) -> dict[str, str]:
    """Return which targets do not arrive byte for byte, and how they arrive."""
    host = f"http://hook.example:{server.port}"
    found: dict[str, str] = {}
    for target in ODD_TARGETS:
        record = parse(f"{host}{target}")
        wanted = record.with_fragment(None).href.removeprefix(host)
        before = len(server.asked)
        if how == "redirects":
            server.redirect("/start", f"{host}{target}")
            get(f"{host}/start")
            arrived = server.paths()[before + 1 :]
        else:
            get(record.href)
            arrived = server.paths()[before:]
        if arrived != [wanted]:
            found[wanted] = ", ".join(arrived)
    return found


@pytest.mark.parametrize("how", ["requests", "redirects"])
def test_each_client_sends_urls_byte_for_byte(
    client: Client, server: Server, names: Names, how: str
) -> None:
    """A signature is computed from the bytes, so that another spelling is another URL."""
    assert len(ODD_TARGETS) == 52
    with session_of(client, POLICY, resolve=names) as get:
        found = spelled_otherwise(get, server, how)
    # yarl has no way to keep it.
    assert found == ({"/a?": "/a", "/?": "/"} if client is CLIENTS["aiohttp"] else {})


def test_a_session_of_your_own_changes_bytes(server: Server, names: Names) -> None:
    """As the page says. Only redirects of requests arrive byte for byte."""
    with requests.Session() as session:
        session.mount("http://", weburl.fetching.requests.PolicyAdapter(POLICY, resolve=names))
        by_requests = spelled_otherwise(session.get, server, "requests")
        assert spelled_otherwise(session.get, server, "redirects") == {}

    async def make() -> aiohttp.ClientSession:
        connector = weburl.fetching.aiohttp.PolicyConnector(POLICY, resolve=names)
        return aiohttp.ClientSession(connector=connector)

    async def get(url: str) -> None:
        async with own.get(url) as response:
            await response.read()

    with asyncio.Runner() as runner:
        own = runner.run(make())
        try:
            by_aiohttp, redirected = (
                spelled_otherwise(lambda url: runner.run(get(url)), server, how)
                for how in ("requests", "redirects")
            )
        finally:
            runner.run(own.close())
    assert by_aiohttp == redirected
    assert by_requests.pop(ODD_TARGETS[0], None) != by_aiohttp.pop(ODD_TARGETS[0], None)
    assert by_aiohttp == CHANGED | {"/?%2f%7E": "/?/~", "/?a%27b": "/?a'b"}
    assert by_requests == CHANGED


def test_every_client_reads_a_location_as_browsers_do(
    client: Client, server: Server, names: Names
) -> None:
    """Clients decode its bytes in different ways, encode them twice, or drop some."""
    host = f"http://hook.example:{server.port}"
    for location, path in (
        (b"/\xe9", "/%E9"),
        (b"/\xc3\xa9", "/%C3%A9"),
        (b"/?\xe4\xb8\xad", "/?%E4%B8%AD"),
        (b"\\x", "/x"),
        (b"http:\\\\hook.example:%d\\y" % server.port, "/y"),
        (b"http:z", "/z"),
        (b"  /a b\t", "/a%20b"),
    ):
        server.answers["/start"] = (
            b"HTTP/1.1 302 Found\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % location
        )
        with session_of(client, POLICY, resolve=names) as get:
            get(f"{host}/start")
        assert server.paths()[-1] == path


@pytest.mark.parametrize("location", ["http://[/", "http://hook.example:99999/", "//a b/"])
def test_a_location_that_is_not_a_url_is_named(
    client: Client, server: Server, names: Names, location: str
) -> None:
    """The URL of the request is fine, so the message does not say that it was not."""
    server.redirect("/", location)
    with (
        session_of(client, POLICY, resolve=names) as get,
        pytest.raises(URLFetchError, match="header Location of the answer is not") as caught,
    ):
        get(f"http://hook.example:{server.port}/")
    assert (caught.value.code, caught.value.hop) == ("bad-location", 1)


def test_a_redirect_to_an_address_blames_the_redirect(
    client: Client, server: Server, names: Names
) -> None:
    """With backslashes, some clients read a path, and blamed the first request."""
    server.redirect("/", "http:\\\\127.1\\x")
    with (
        session_of(client, POLICY, resolve=names) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://hook.example:{server.port}/")
    assert (caught.value.code, caught.value.hop) == ("ip-host", 2)


# --- names and addresses ----------------------------------------------------------------------


def test_a_name_that_changes_is_not_asked_twice(
    client: Client, server: Server, names: Names, contacted: list[str]
) -> None:
    """DNS rebinding: what was checked is what is connected to."""
    names.answers["hook.example"] = [["127.0.0.1"], ["10.0.0.1"]]
    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
    assert (names.asked, contacted) == (["hook.example"], ["127.0.0.1"])


def test_a_name_that_changes_is_refused_when_it_is_asked_again(
    client: Client, server: Server, names: Names, contacted: list[str]
) -> None:
    """For a new connection, because the server closed the first one."""
    names.answers["hook.example"] = [["127.0.0.1"], ["10.0.0.1"]]
    server.answers["/"] = with_body(b"hello", "Connection: close")
    url = f"http://hook.example:{server.port}/"
    with session_of(client, POLICY, resolve=names) as get:
        assert get(url) == (200, b"hello")
        with pytest.raises(URLFetchError) as caught:
            get(url)
    assert caught.value.code == "address-not-allowed"
    assert contacted == ["127.0.0.1"]


def test_the_addresses_of_a_name_are_tried_in_turn(
    client: Client, server: Server, names: Names, contacted: list[str]
) -> None:
    """Nothing listens at the first two."""
    names.answers["hook.example"] = [["127.0.0.3", "127.0.0.2", "127.0.0.1"]]
    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
    assert contacted[-1] == "127.0.0.1"
    assert set(contacted) == {"127.0.0.1", "127.0.0.2", "127.0.0.3"}
    assert names.asked == ["hook.example"]


def test_a_server_that_is_not_there_is_the_client_s_own_error(
    client: Client, server: Server, names: Names
) -> None:
    """Nothing was refused. So is a name that does not exist."""
    names.answers["hook.example"] = [["127.0.0.3", "127.0.0.2"]]
    with session_of(client, POLICY, resolve=names) as get:
        for name in ("hook.example", "nowhere.example"):
            with pytest.raises(client.error) as caught:
                get(f"http://{name}:{server.port}/")
            assert not isinstance(caught.value, URLFetchError)


@pytest.mark.parametrize("name", ["a..example", f"{'a' * 64}.example"], ids=["empty", "long"])
def test_a_name_that_cannot_exist_is_the_client_s_own_error(client: Client, name: str) -> None:
    """Python's resolver raises UnicodeError, which no one expects of a client."""
    with session_of(client, POLICY) as get:
        with pytest.raises(client.error) as caught:
            get(f"http://{name}/")
        assert not isinstance(caught.value, URLFetchError)


def test_a_name_may_have_only_ipv6(client: Client, names: Names, contacted: list[str]) -> None:
    """And a literal address, in any spelling, is one without a name."""
    if not socket.has_ipv6:
        pytest.skip("This machine has no IPv6.")
    try:
        server = Server(address="::1")
    except OSError:
        pytest.skip("This machine has no IPv6 on its loopback interface.")
    names.answers["hook.example"] = [["::1"]]
    try:
        with session_of(client, ANY_LOOPBACK, resolve=names) as get:
            assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
            assert get(f"http://[::1]:{server.port}/") == (200, b"hello")
    finally:
        server.close()
    assert [each.host for each in server.asked] == [
        f"hook.example:{server.port}",
        f"[::1]:{server.port}",
    ]
    assert set(contacted) == {"::1"}


# --- redirects --------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_where_the_policy_allows_it(
    client: Client, server: Server, names: Names, status: int
) -> None:
    """Relative, and to another name; each is judged anew."""
    names.answers["other.example"] = [["127.0.0.1"]]
    server.redirect("/", "/next", status)
    server.redirect("/next", "//other.example:{port}/end", status)
    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
    assert [(each.host, each.path) for each in server.asked] == [
        (f"hook.example:{server.port}", "/"),
        (f"hook.example:{server.port}", "/next"),
        (f"other.example:{server.port}", "/end"),
    ]


def test_a_redirect_to_a_name_beyond_ascii_goes_where_the_standard_says(
    client: Client, server: Server, names: Names
) -> None:
    """By its Punycode; a client that reads it differently is refused."""
    names.answers["xn--bcher-kva.example"] = [["127.0.0.1"]]
    server.redirect("/", "http://bücher.example:{port}/end")
    with session_of(client, POLICY, resolve=names) as get:
        try:
            get(f"http://hook.example:{server.port}/")
        except (URLFetchError, client.error):
            assert server.paths() == ["/"]
        else:
            assert server.asked[1].host == f"xn--bcher-kva.example:{server.port}"
    assert set(names.asked) <= {"hook.example", "xn--bcher-kva.example"}


@pytest.mark.parametrize(
    ("redirect_policy", "allowed", "refused"),
    [
        ("same-site", "http://a.b.hook.example:{port}/end", "http://other.example:{port}/end"),
        ("same-origin", "http://www.hook.example:{port}/end", "http://a.b.hook.example:{port}/end"),
        (
            POLICY.replaced(hosts=["other.example"]),
            "http://other.example:{port}/end",
            "http://www.hook.example:{port}/end",
        ),
    ],
    ids=["same-site", "same-origin", "another"],
)
def test_redirects_may_have_a_policy_of_their_own(
    client: Client,
    server: Server,
    names: Names,
    redirect_policy: object,
    allowed: str,
    refused: str,
) -> None:
    """The first URL obeys the first policy alone, and the next fetch starts again."""
    for name in ("www.hook.example", "a.b.hook.example", "other.example"):
        names.answers[name] = [["127.0.0.1"]]
    with session_of(client, POLICY, redirect_policy=redirect_policy, resolve=names) as get:
        for location, code in ((allowed, None), (refused, "host-not-allowed"), (allowed, None)):
            server.asked.clear()
            server.redirect("/", location)
            if code is None:
                get(f"http://www.hook.example:{server.port}/")
                assert server.paths() == ["/", "/end"]
                continue
            with pytest.raises(URLFetchError) as caught:
                get(f"http://www.hook.example:{server.port}/")
            assert (caught.value.code, caught.value.hop) == (code, 2)
            assert server.paths() == ["/"]


def test_credentials_are_not_sent_to_another_origin(
    client: Client, server: Server, names: Names
) -> None:
    """Also not those that the caller names. The same origin gets them; other headers go along."""
    names.answers["other.example"] = [["127.0.0.1"]]
    server.redirect("/", "/next")
    server.redirect("/next", "http://other.example:{port}/end")
    with session_of(client, POLICY, resolve=names, credential_headers=["X-API-Key"]) as get:
        get(f"http://hook.example:{server.port}/", headers=CREDENTIALS)
    first, _second, third = [each.headers for each in server.asked]
    assert all(first[name.lower()] == value for name, value in CREDENTIALS.items())
    assert "hunter2" not in str(third)
    assert third["x-other"] == "plain"


def test_a_password_of_the_session_is_not_sent_to_another_origin(
    client: Client, server: Server, names: Names
) -> None:
    """Nor back over another port of the same host."""
    other = Server()
    server.redirect("/", f"http://hook.example:{other.port}/end")
    try:
        with session_of(client, POLICY, resolve=names, auth=("user", "hunter2")) as get:
            get(f"http://hook.example:{server.port}/")
    finally:
        other.close()
    assert "authorization" in server.asked[0].headers
    assert "authorization" not in other.asked[0].headers


# --- pools and retries ------------------------------------------------------------------------


def test_connections_are_pooled(client: Client, server: Server, names: Names) -> None:
    """One connection, one question to the resolver; each request is judged."""
    with session_of(client, POLICY, resolve=names) as get:
        for _ in range(3):
            assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        with pytest.raises(URLFetchError):
            get(f"http://user@hook.example:{server.port}/")
    assert server.connections == 1
    assert names.asked == ["hook.example"]


def test_a_pooled_connection_is_no_way_around_a_stricter_policy(
    client: Client, server: Server, names: Names
) -> None:
    """It was made for a first request, and the policy of redirects refuses its address."""
    names.answers["other.example"] = [["127.0.0.1"]]
    inner = f"http://hook.example:{server.port}/inner"
    stricter = POLICY.replaced(address_classes=["global"])
    server.redirect("/", inner)
    with session_of(client, POLICY, redirect_policy=stricter, resolve=names) as get:
        assert get(inner) == (200, b"hello")
        with pytest.raises(URLFetchError) as caught:
            get(f"http://hook.example:{server.port}/")
    assert caught.value.code == "address-not-allowed"
    assert server.paths() == ["/inner", "/"]


def test_a_refused_answer_does_not_spoil_the_pool(
    client: Client, server: Server, names: Names
) -> None:
    """The rest of its body is not read as the next answer."""
    server.answers["/long"] = with_body(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad" * 2000)
    with session_of(client, POLICY, resolve=names, bounds=FetchBounds(body_bytes=10_000)) as get:
        for _ in range(2):
            with pytest.raises(URLFetchError):
                get(f"http://hook.example:{server.port}/long")
            assert get(f"http://hook.example:{server.port}/") == (200, b"hello")


def test_a_lost_connection_is_replaced_by_a_checked_one(
    client: Client, server: Server, names: Names, contacted: list[str]
) -> None:
    """The server ends the pooled connection without a word; clients that repeat ask again."""
    names.answers["hook.example"] = [["127.0.0.1"], ["10.0.0.1"]]

    def hang_up(_server: Server) -> list[bytes]:
        raise OSError

    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        server.answers["/"] = hang_up
        with pytest.raises((URLFetchError, client.error)):
            get(f"http://hook.example:{server.port}/")
    assert set(contacted) == {"127.0.0.1"}


def test_urllib3_s_retries_stay_in_the_fetch(server: Server, names: Names) -> None:
    """They share its deadline, and resolve the name only once."""
    names.answers["hook.example"] = [["127.0.0.2"]]
    with (
        session_of(CLIENTS["urllib3"], POLICY, resolve=names, bounds=HASTY) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(
            f"http://hook.example:{server.port}/",
            retries=urllib3.Retry(100, backoff_factor=0.1),
        )
    assert caught.value.code == "too-slow"
    assert names.asked == ["hook.example"]


def test_a_server_does_not_say_how_long_to_sleep(server: Server, names: Names) -> None:
    """urllib3 obeys Retry-After, up to six hours."""
    server.answers["/"] = b"HTTP/1.1 503 Busy\r\nRetry-After: 20000\r\nContent-Length: 0\r\n\r\n"
    url = f"http://hook.example:{server.port}/"
    with (
        session_of(CLIENTS["urllib3"], POLICY, resolve=names, bounds=HASTY) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(url, retries=urllib3.Retry(3))
    assert caught.value.code == "too-slow"
    retries = urllib3.Retry(3)
    options: dict[str, Any] = {"resolve": names, "bounds": HASTY, "max_retries": retries}
    with (
        weburl.fetching.requests.PolicySession(POLICY, **options) as session,
        pytest.raises(weburl.fetching.requests.URLFetchError) as again,
    ):
        session.get(url)
    assert again.value.code == "too-slow"


def test_httpx_s_retries_stay_in_the_fetch(server: Server, names: Names) -> None:
    """They share its deadline, and resolve the name only once."""
    names.answers["hook.example"] = [["127.0.0.2"]]
    with (
        session_of(CLIENTS["httpx"], POLICY, resolve=names, bounds=HASTY, retries=100) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://hook.example:{server.port}/")
    assert caught.value.code == "too-slow"
    assert names.asked == ["hook.example"]


# --- methods and bodies -----------------------------------------------------------------------


def test_other_methods_and_answers_without_a_body_pass(server: Server, names: Names) -> None:
    """HEAD, POST and a status of 204, twice over one connection."""
    url = f"http://hook.example:{server.port}"
    server.answers["/head"] = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
    server.answers["/none"] = b"HTTP/1.1 204 No Content\r\n\r\n"
    transport = weburl.fetching.httpx.PolicyTransport(POLICY, resolve=names)
    with httpx.Client(transport=transport) as client:
        found = [client.request(method, url + path).status_code for method, path in _METHODS]
    with weburl.fetching.requests.PolicySession(POLICY, resolve=names) as session:
        found += [session.request(method, url + path).status_code for method, path in _METHODS]
    with weburl.fetching.urllib3.PolicyPoolManager(POLICY, resolve=names) as manager:
        found += [manager.request(method, url + path).status for method, path in _METHODS]

    async def main() -> None:
        async with weburl.fetching.aiohttp.policy_session(POLICY, resolve=names) as session:
            for method, path in _METHODS:
                async with session.request(method, url + path) as response:
                    assert await response.read() in {b"", b"hello"}
                    found.append(response.status)

    asyncio.run(main())
    assert found == [200, 204, 200, 200, 204, 200] * 4
    assert server.connections == 4


@pytest.mark.parametrize("builds", [True, False])
def test_a_session_of_aiohttp_sees_the_credentials_of_a_url(
    server: Server, names: Names, monkeypatch: pytest.MonkeyPatch, builds: bool
) -> None:
    """Also by a trace, with a version of aiohttp that has no other way."""
    monkeypatch.setattr(weburl.fetching.aiohttp, "_BUILDS_URLS", builds)

    async def main() -> str:
        async with weburl.fetching.aiohttp.policy_session(POLICY, resolve=names) as session:
            async with session.get(f"http://hook.example:{server.port}/") as response:
                assert await response.read() == b"hello"
            url = f"http://user:pw@hook.example:{server.port}/"
            with pytest.raises(weburl.fetching.aiohttp.URLFetchError) as caught:
                await session.get(url)
            return caught.value.code

    assert asyncio.run(main()) == "credentials-not-allowed"


_METHODS: Final = (
    *(("HEAD", "/head"), ("GET", "/none"), ("DELETE", "/")),
    *(("HEAD", "/head"), ("GET", "/none"), ("GET", "/")),
)


# --- the environment --------------------------------------------------------------------------


def test_nothing_is_read_from_the_environment(
    client: Client,
    server: Server,
    names: Names,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """No proxy, which would resolve the name itself, and no password of .netrc."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine hook.example login user password hunter2\n", encoding="utf-8")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with session_of(client, POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
    assert "authorization" not in server.asked[0].headers


def test_a_proxy_that_a_program_names_is_refused(server: Server, names: Names) -> None:
    """By requests and aiohttp, which take one for each request."""
    url = f"http://hook.example:{server.port}/"
    with weburl.fetching.requests.PolicySession(POLICY, resolve=names) as session:
        session.proxies = {"http": "http://127.0.0.1:9"}
        with pytest.raises(URLFetchError) as caught:
            session.get(url)
        assert caught.value.code == "proxy-not-allowed"
    with (
        session_of(CLIENTS["aiohttp"], POLICY, resolve=names) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(url, proxy="http://127.0.0.1:9")
    assert caught.value.code == "proxy-not-allowed"
    assert server.asked == []


def test_an_adapter_ignores_proxies_of_the_environment(
    server: Server, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a session that reads it."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with requests.Session() as session:
        session.mount("http://", weburl.fetching.requests.PolicyAdapter(POLICY, resolve=names))
        assert session.get(f"http://hook.example:{server.port}/").content == b"hello"


# --- TLS --------------------------------------------------------------------------------------


@contextmanager
def tls_server(name: str, tmp_path: Path) -> Iterator[tuple[Server, ssl.SSLContext, list[str]]]:
    """Run a server with a certificate for a name. Yields who trusts it, and the names of SNI."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    asked: list[str] = []
    context.sni_callback = lambda _sock, server_name, _context: asked.append(server_name)
    bundle = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    trusting = ssl.create_default_context(cafile=str(bundle))
    trusting.bundle = str(bundle)  # type: ignore[attr-defined]
    server = Server(context)
    try:
        yield server, trusting, asked
    finally:
        server.close()


def test_the_certificate_is_the_name_s_and_not_the_address_s(
    client: Client, names: Names, tmp_path: Path
) -> None:
    """The name is in SNI too. Another name at the same address needs another certificate."""
    names.answers["other.example"] = [["127.0.0.1"]]
    with tls_server("hook.example", tmp_path) as (server, trusting, asked):
        with session_of(client, HTTPS, authority=trusting, resolve=names) as get:
            assert get(f"https://hook.example:{server.port}/") == (200, b"hello")
            assert get(f"https://hook.example:{server.port}/") == (200, b"hello")
            with pytest.raises(client.error, match=r"(?i)certificate"):
                get(f"https://other.example:{server.port}/")
        with (
            session_of(client, HTTPS, resolve=names) as get,
            pytest.raises(client.error, match=r"(?i)certificate"),
        ):
            get(f"https://hook.example:{server.port}/")
        assert len(server.asked) == 2
        assert asked[:2] == ["hook.example", "other.example"]


def test_the_scheme_of_a_policy_holds_for_redirects(
    client: Client, server: Server, names: Names, tmp_path: Path
) -> None:
    """From https to http is a step down."""
    with tls_server("hook.example", tmp_path) as (secure, trusting, _asked):
        secure.redirect("/", f"http://hook.example:{server.port}/secret")
        with (
            session_of(client, HTTPS, authority=trusting, resolve=names) as get,
            pytest.raises(URLFetchError) as caught,
        ):
            get(f"https://hook.example:{secure.port}/")
    assert (caught.value.code, caught.value.hop) == ("scheme-not-allowed", 2)
    assert server.asked == []


# --- each client's own ------------------------------------------------------------------------


def test_a_body_that_is_streamed_is_bounded(server: Server, names: Names) -> None:
    """In each client's way to read a part at a time."""
    url = f"http://hook.example:{server.port}/"
    server.answers["/"] = with_body(b"x" * 300_000)
    bounds = FetchBounds(unpacked_bytes=200_000)
    with (
        httpx.Client(
            transport=weburl.fetching.httpx.PolicyTransport(POLICY, resolve=names, bounds=bounds)
        ) as client,
        client.stream("GET", url) as response,
        pytest.raises(weburl.fetching.httpx.URLFetchError),
    ):
        for _ in response.iter_bytes():
            pass
    session = weburl.fetching.requests.PolicySession(POLICY, resolve=names, bounds=bounds)
    with (
        session,
        session.get(url, stream=True) as answer,
        pytest.raises(weburl.fetching.requests.URLFetchError),
    ):
        for _ in answer.iter_content(1000):
            pass
    with weburl.fetching.urllib3.PolicyPoolManager(POLICY, resolve=names, bounds=bounds) as manager:
        got = manager.request("GET", url, preload_content=False)
        with pytest.raises(weburl.fetching.urllib3.URLFetchError):
            for _ in got.stream(1000):
                pass

    async def read() -> None:
        async with (
            weburl.fetching.aiohttp.policy_session(POLICY, resolve=names, bounds=bounds) as session,
            session.get(url) as response,
        ):
            async for _ in response.content.iter_chunked(1000):
                pass

    with pytest.raises(weburl.fetching.aiohttp.URLFetchError):
        asyncio.run(read())


def test_the_same_request_sent_again_is_a_new_fetch(server: Server, names: Names) -> None:
    """Httpx and requests give redirects what the request had, so it must be told apart."""
    url = f"http://hook.example:{server.port}/"
    bounds = FetchBounds(redirects=1)
    transport = weburl.fetching.httpx.PolicyTransport(POLICY, resolve=names, bounds=bounds)
    with httpx.Client(transport=transport) as client:
        request = client.build_request("GET", url)
        assert [client.send(request).status_code for _ in range(5)] == [200] * 5
    with weburl.fetching.requests.PolicySession(POLICY, resolve=names, bounds=bounds) as session:
        prepared = session.prepare_request(requests.Request("GET", url))
        assert [session.send(prepared).status_code for _ in range(5)] == [200] * 5


def test_many_requests_at_once_do_not_mix(server: Server, names: Names) -> None:
    """Each has its own redirects and its own policy of them."""
    server.redirect("/", "/end")

    async def main() -> None:
        url = f"http://hook.example:{server.port}/"
        options = {"resolve": names, "redirect_policy": "same-origin"}
        async with weburl.fetching.aiohttp.policy_session(POLICY, **options) as session:

            async def one() -> bytes:
                async with session.get(url) as response:
                    return await response.read()

            assert await asyncio.gather(*[one() for _ in range(20)]) == [b"hello"] * 20
        transport = weburl.fetching.httpx.AsyncPolicyTransport(POLICY, **options)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            found = await asyncio.gather(*[client.get(url) for _ in range(20)])
            assert [each.content for each in found] == [b"hello"] * 20

    asyncio.run(main())


def test_an_error_is_pickled(client: Client, server: Server, names: Names) -> None:
    """Celery sends it to another process."""
    with (
        session_of(client, POLICY, resolve=names) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://10.0.0.1:{server.port}/")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (str(again), again.code, again.violations) == (
        str(caught.value),
        caught.value.code,
        caught.value.violations,
    )


def test_an_adapter_is_pickled(server: Server) -> None:
    """As other adapters, with its policy."""
    adapter = pickle.loads(pickle.dumps(weburl.fetching.requests.PolicyAdapter(POLICY)))
    with requests.Session() as session:
        session.mount("http://", adapter)
        with pytest.raises(URLFetchError):
            session.get(f"http://127.0.0.1:{server.port}/")


def test_a_pickled_adapter_withholds_the_same_headers() -> None:
    """Those that an iterator gave were sent to other origins."""
    adapter = weburl.fetching.requests.PolicyAdapter(POLICY, credential_headers=iter(["X-Api-Key"]))
    other = pickle.loads(pickle.dumps(adapter))
    assert "x-api-key" in other._guard.withheld_headers
    assert other._guard.withheld_headers == adapter._guard.withheld_headers


def test_wrong_arguments_are_named(client: Client) -> None:
    """When the client is made."""
    wrong: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"redirect_policy": "same"}, ValueError),
        ({"credential_headers": "X-Api-Key"}, TypeError),
        ({"credential_headers": ["X-Api-Key: "]}, ValueError),  # no header has this name
        ({"bounds": 5}, TypeError),
    ]
    for options, error in wrong:
        with pytest.raises(error), session_of(client, POLICY, **options):
            pass
    with pytest.raises(TypeError), session_of(client, "https"):  # type: ignore[arg-type]
        pass


def test_aiohttp_s_own_resolver_is_asked(server: Server) -> None:
    """And what it answers is checked."""

    class Resolver(aiohttp.abc.AbstractResolver):
        addresses: tuple[str, ...] = ("127.0.0.1",)

        async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[Any]:
            return [
                {
                    "hostname": host,
                    "host": each,
                    "port": port,
                    "family": family,
                    "proto": 0,
                    "flags": 0,
                }
                for each in self.addresses
            ]

        async def close(self) -> None:
            """Close nothing."""

    resolver = Resolver()
    with session_of(CLIENTS["aiohttp"], POLICY, resolver=resolver, force_close=True) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        resolver.addresses = ("127.0.0.1", "10.0.0.1")
        with pytest.raises(URLFetchError):
            get(f"http://hook.example:{server.port}/")


@pytest.mark.parametrize("client", ["httpx", "httpx2", "requests", "urllib3", "aiohttp"])
def test_a_client_that_is_not_installed_is_named(client: str) -> None:
    """And not one of the packages that it needs itself."""
    core = {"httpx": "httpcore", "httpx2": "httpcore2", "requests": "urllib3"}.get(client, client)
    program = (
        "import sys\n"
        f"sys.modules[{client!r}] = sys.modules[{core!r}] = None\n"
        f"import weburl.fetching.{client}"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert f"ImportError: weburl needs {client} " in result.stderr

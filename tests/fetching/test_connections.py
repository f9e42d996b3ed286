"""What happens to connections: after refusals, at the deadline, in threads, and when cancelled."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from threading import Event, Thread
from typing import Any, Final

import aiohttp
import httpx
import httpx2
import pytest
import requests

import weburl.fetching.aiohttp
import weburl.fetching.httpx
import weburl.fetching.httpx2
import weburl.fetching.requests
import weburl.fetching.urllib3
from tests.fetching.clients import CLIENTS, Client, Get, session_of
from tests.fetching.conftest import Names
from tests.fetching.servers import Pieces, Server, endlessly, slowly, with_body
from tests.fetching.test_attacks import BOUNDS, HASTY, POLICY, bomb
from weburl.fetching import FetchBounds, URLFetchError

ONE_CONNECTION: Final[dict[str, dict[str, Any]]] = {
    "httpx": {"limits": httpx.Limits(max_connections=1)},
    "httpx, async": {"limits": httpx.Limits(max_connections=1)},
    "httpx2": {"limits": httpx2.Limits(max_connections=1)},
    "httpx2, async": {"limits": httpx2.Limits(max_connections=1)},
    "requests": {"pool_maxsize": 1, "pool_block": True},
    "urllib3": {"maxsize": 1, "block": True},
    "aiohttp": {"limit": 1},
}
CHUNKED: Final = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
REFUSED: Final[dict[str, Any]] = {
    "endless headers": endlessly(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 100),
    "too many headers": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 51 + b"\r\n",
    "a long body": with_body(b"x" * 200_000),
    "an endless body": endlessly(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1000),
    "a bomb": bomb("gzip"),
    "a slow head": slowly(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000),
    "a slow body": slowly(with_body(b"x" * 1000)),
}


def outcome(get: Get, url: str) -> str:
    """Return the body of an answer, or the code of the refusal."""
    try:
        return get(url).body.decode()
    except URLFetchError as error:
        return error.code


def until(condition: Callable[[], object]) -> bool:
    """Wait for up to a minute until a condition is true, and return whether it is."""
    for _ in range(6000):
        if condition():
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("how", REFUSED)
def test_a_refused_answer_ends_its_connection(
    server: Server, names: Names, name: str, how: str
) -> None:
    """And gives back its place in the pool, which is the only one here."""
    server.answers["/refused"] = REFUSED[how]
    bounds = BOUNDS if "slow" not in how else HASTY
    options = {"resolve": names, "bounds": bounds, **ONE_CONNECTION[name]}
    with session_of(CLIENTS[name], POLICY, **options) as get:
        for _ in range(2):
            with pytest.raises(URLFetchError):
                get(f"http://hook.example:{server.port}/refused")
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        assert until(lambda: set(server.hung_up) >= {1, 2})
        assert server.connections == 3


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
def test_a_lost_connection_is_the_client_s_own_error(
    client: Client, server: Server, names: Names, first: bytes
) -> None:
    """The server resets it, before it answers or in the middle."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def reset() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                if first:
                    connection.recv(65_536)
                    connection.sendall(first)
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                connection.close()

        thread = Thread(target=reset, daemon=True)
        thread.start()
        with session_of(client, POLICY, resolve=names) as get:
            for _ in range(10):
                with pytest.raises(client.error) as caught:
                    get(f"http://hook.example:{listening.getsockname()[1]}/")
                assert not isinstance(caught.value, URLFetchError)
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


@pytest.mark.parametrize("how", ["endless", "a bomb"])
def test_the_body_of_a_redirect_is_bounded(
    client: Client, server: Server, names: Names, how: str
) -> None:
    """Some clients read it to keep the connection, and some do not."""
    sent = 0

    def endless(server: Server) -> Pieces:
        nonlocal sent
        yield b"HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 999999999\r\n\r\n"
        while not server.ended.is_set():
            yield b"x" * 100_000
            sent += 100_000

    packed = bomb("gzip").replace(b"200 OK", b"302 Found\r\nLocation: /end")
    server.answers["/"] = endless if how == "endless" else packed
    with session_of(client, POLICY, resolve=names, bounds=BOUNDS) as get:
        found = outcome(get, f"http://hook.example:{server.port}/")
        assert found in {"hello", "body-too-long", "unpacked-too-long"}
    # What the kernel takes before anyone reads it.
    assert sent < 20_000_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_not_in_memory(
    client: Client, server: Server, names: Names, encoding: str
) -> None:
    """Also if the caller asks for the whole body at once."""
    server.answers["/"] = bomb(encoding)
    with session_of(client, POLICY, resolve=names, bounds=BOUNDS) as get:
        get(f"http://hook.example:{server.port}/plain")
        tracemalloc.start()
        try:
            with pytest.raises(URLFetchError):
                get(f"http://hook.example:{server.port}/")
            _now, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 10_000_000


def more_than_was_asked_for(server: Server) -> Pieces:
    """Answer, and then answer on, as long as someone listens."""
    yield with_body(b"hello")
    while not server.ended.is_set():
        yield with_body(b"wrong") * 1000


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in CLIENTS if name != "aiohttp"])
def test_an_answer_that_no_one_asked_for_is_not_the_next_one(
    server: Server, names: Names, name: str
) -> None:
    """It waits in a pooled connection, which is then closed."""
    server.answers["/"] = more_than_was_asked_for
    with session_of(CLIENTS[name], POLICY, resolve=names) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        time.sleep(0.02)
        for _ in range(2):
            assert get(f"http://hook.example:{server.port}/next") == (200, b"hello")


def test_aiohttp_ends_a_connection_that_answers_by_itself(server: Server, names: Names) -> None:
    """It would read all of it, and keep it."""
    server.answers["/"] = more_than_was_asked_for

    async def main() -> None:
        async with weburl.fetching.aiohttp.policy_session(POLICY, resolve=names) as session:
            async with session.get(f"http://hook.example:{server.port}/") as response:
                assert await response.read() == b"hello"
            for _ in range(10_000):
                if server.hung_up:
                    return
                await asyncio.sleep(0.01)

    asyncio.run(main())
    assert server.hung_up == [1]


@pytest.mark.parametrize(
    ("what", "again"),
    [("trailers", b"X-Y: z\r\n" * 100), ("extension", b"x" * 1000)],
)
def test_what_comes_with_chunks_has_an_end(
    client: Client, server: Server, names: Names, what: str, again: bytes
) -> None:
    """It is not kept, or it is counted; the deadline ends the rest."""
    start = b"0\r\n" if what == "trailers" else b"5;"
    server.answers["/"] = endlessly(CHUNKED + start, again)
    bounds = FetchBounds(seconds=0.3)
    with (
        session_of(client, POLICY, resolve=names, bounds=bounds) as get,
        pytest.raises(client.error),
    ):
        get(f"http://hook.example:{server.port}/")


# --- the deadline -----------------------------------------------------------------------------


@pytest.fixture
def unanswering() -> Iterator[tuple[int, list[str]]]:
    """Return a port and addresses at which no connection is ever accepted."""
    addresses = [f"127.0.0.{number}" for number in range(11, 17)]
    first = socket.create_server((addresses[0], 0), backlog=0)
    port = first.getsockname()[1]
    listening = [first, *(socket.create_server((each, port), backlog=0) for each in addresses[1:])]
    waiting = []
    for address in addresses:
        for _ in range(2):
            each = socket.socket()
            each.setblocking(False)
            each.connect_ex((address, port))
            waiting.append(each)
    yield port, addresses
    for each in [*listening, *waiting]:
        each.close()


def test_addresses_that_do_not_answer_share_the_deadline(
    client: Client, unanswering: tuple[int, list[str]], names: Names
) -> None:
    """However many a name has, and however late the last one is tried."""
    port, names.answers["hook.example"] = unanswering[0], [unanswering[1]]
    with (
        session_of(client, POLICY, resolve=names, bounds=FetchBounds(seconds=0.4)) as get,
        pytest.raises(URLFetchError) as caught,
    ):
        get(f"http://hook.example:{port}/")
    assert caught.value.code == "too-slow"
    assert isinstance(caught.value, client.error)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_reads_slowly_does_not_hold_a_request(
    client: Client, names: Names, scheme: str, tls: Any
) -> None:
    """A body is sent in many steps, and each waits only for what is left of the time."""
    ended = Event()
    length, taken = 30_000_000, 0
    with closing(socket.socket()) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def read() -> None:
            nonlocal taken
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                if scheme == "https":
                    connection = tls.server.wrap_socket(connection, server_side=True)
                connection.settimeout(10)
                with connection:
                    # So that the client can always send a little.
                    while (data := connection.recv(65_536)) and not ended.wait(0.01):
                        taken += len(data)

        thread = Thread(target=read, daemon=True)
        thread.start()
        url = f"{scheme}://hook.example:{listening.getsockname()[1]}/"
        with (
            session_of(
                client,
                POLICY,
                resolve=names,
                bounds=HASTY,
                authority=tls.trusting if scheme == "https" else None,
            ) as get,
            pytest.raises(URLFetchError) as caught,
        ):
            get(url, method="POST", body=b"x" * length)
        ended.set()
        thread.join(60)  # It may still have to accept the connection.
    assert caught.value.code == "too-slow"
    assert taken < length


def test_a_tls_handshake_without_an_end_is_too_slow(client: Client, names: Names) -> None:
    """The server takes the connection and says nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        with (
            session_of(client, POLICY, resolve=names, bounds=HASTY) as get,
            pytest.raises(URLFetchError) as caught,
        ):
            get(f"https://hook.example:{listening.getsockname()[1]}/")
        assert caught.value.code == "too-slow"


# --- methods, headers, repeated requests ------------------------------------------------------


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_that_keeps_the_method_keeps_the_body(
    client: Client, server: Server, names: Names, status: int
) -> None:
    """As HTTP asks, also at another origin; its policy is asked first."""
    names.answers["other.example"] = [["127.0.0.1"]]
    server.redirect("/", "http://other.example:{port}/end", status)
    server.redirect("/in", "http://10.0.0.1:{port}/secret", status)
    with session_of(client, POLICY, resolve=names) as get:
        url = f"http://hook.example:{server.port}"
        assert get(url, method="POST", body=b"some") == (200, b"hello")
        assert get(url, method="HEAD").status == 200
        with pytest.raises(URLFetchError) as caught:
            get(f"{url}/in", method="POST", body=b"some")
    assert caught.value.code == "ip-host"
    assert [(each.method, each.body) for each in server.asked] == [
        *[("POST", b"some")] * 2,
        *[("HEAD", b"")] * 2,
        ("POST", b"some"),
    ]


def test_a_host_header_of_the_caller_is_not_sent_to_another_origin(
    client: Client, server: Server, names: Names
) -> None:
    """Where it would choose another site than the one that was judged."""
    names.answers["other.example"] = [["127.0.0.1"]]
    server.redirect("/", "http://other.example:{port}/end")
    with session_of(client, POLICY, resolve=names) as get:
        get(f"http://hook.example:{server.port}/", headers={"Host": "inner.example"})
    assert [each.host for each in server.asked] == [
        "inner.example",
        f"other.example:{server.port}",
    ]


def test_a_request_that_the_client_repeats_is_not_a_redirect(
    client: Client, server: Server, names: Names
) -> None:
    """The server closes a pooled connection when it is used, so some clients connect again."""
    bounds = FetchBounds(redirects=0)
    elsewhere = POLICY.replaced(hosts=["other.example"])
    options: dict[str, Any] = {
        "resolve": names,
        "bounds": bounds,
        "redirect_policy": elsewhere,
    }

    def hang_up(_server: Server) -> list[bytes]:
        server.answers["/again"] = with_body(b"again")
        raise ConnectionError

    server.answers["/again"] = hang_up
    with session_of(client, POLICY, **options) as get:
        assert get(f"http://hook.example:{server.port}/") == (200, b"hello")
        # Others raise their own error. It is not refused, which would be another outcome.
        with suppress(client.error):
            assert outcome(get, f"http://hook.example:{server.port}/again") == "again"


# --- threads and tasks ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["httpx", "httpx2", "requests", "urllib3"])
def test_threads_share_a_client(server: Server, names: Names, name: str) -> None:
    """Each fetch has its own redirects, deadline and refusals."""
    names.answers["other.example"] = [["127.0.0.1"]]
    server.redirect("/", "/end")
    server.redirect("/in", "http://user@hook.example:{port}/secret")
    server.redirect("/away", "http://other.example:{port}/end")
    options: dict[str, Any] = {"resolve": names, "redirect_policy": "same-site"}

    def fetch(number: int) -> str:
        path = ("/", "/in", "/away", "/plain")[number % 4]
        return outcome(get, f"http://hook.example:{server.port}{path}")

    with session_of(CLIENTS[name], POLICY, **options) as get, ThreadPoolExecutor(8) as threads:
        found = list(threads.map(fetch, range(80)))
    assert found == ["hello", "credentials-not-allowed", "host-not-allowed", "hello"] * 20


async def cancelled(fetch: Callable[[], Awaitable[object]], asked: Callable[[], object]) -> None:
    """Start a fetch, and cancel it once ``asked()`` is true."""
    task = asyncio.ensure_future(fetch())
    for _ in range(10_000):
        if asked():
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("package", [httpx, httpx2, aiohttp], ids=lambda each: each.__name__)
@pytest.mark.parametrize("where", ["resolving", "connecting", "head", "body"])
def test_a_cancelled_fetch_leaves_nothing(
    server: Server, names: Names, unanswering: tuple[int, list[str]], package: Any, where: str
) -> None:
    """No open connection, no place in the pool, and no alarm that rings for the next fetch."""
    names.answers["slow.example"] = [["127.0.0.1"]]
    names.answers["far.example"] = [unanswering[1]]
    server.answers["/head"] = slowly(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000)
    server.answers["/body"] = slowly(with_body(b"x" * 1000), 0.001)
    started: list[str] = []

    def resolve(name: str, port: int) -> list[str]:
        started.append(name)
        if name == "slow.example":
            server.ended.wait(30)
        return names(name, port)

    host = {"resolving": "slow.example", "connecting": "far.example"}.get(where, "hook.example")
    port = unanswering[0] if where == "connecting" else server.port

    async def main() -> None:
        options: dict[str, Any] = {"resolve": resolve, "bounds": FetchBounds(seconds=120)}
        if package is aiohttp:
            session: Any = weburl.fetching.aiohttp.policy_session(POLICY, limit=1, **options)
        else:
            module = {httpx: weburl.fetching.httpx, httpx2: weburl.fetching.httpx2}[package]
            limits = package.Limits(max_connections=1)
            session = package.AsyncClient(
                transport=module.AsyncPolicyTransport(POLICY, limits=limits, **options)
            )

        async def get(url: str) -> Any:
            if package is aiohttp:
                async with session.get(url) as response:
                    return await response.read()
            return (await session.get(url)).content

        async with session:
            for _ in range(2):
                await cancelled(
                    lambda: get(f"http://{host}:{port}/{where}"),
                    lambda: started if where in {"resolving", "connecting"} else server.asked,
                )
                assert await get(f"http://hook.example:{server.port}/") == b"hello"
                started.clear()
                server.asked.clear()
            if where in {"head", "body"}:
                assert await asyncio.to_thread(until, lambda: len(server.hung_up) == 2)

    try:
        asyncio.run(main())
    finally:
        server.ended.set()


@pytest.mark.parametrize("package", [httpx, httpx2], ids=lambda each: each.__name__)
def test_a_fetch_cancelled_as_the_next_address_is_tried_is_cancelled(
    names: Names, unanswering: tuple[int, list[str]], package: Any
) -> None:
    """Blocking the loop makes the cancellation and the alarm for the next address due at once."""
    names.answers["far.example"] = [unanswering[1]]
    module = {httpx: weburl.fetching.httpx, httpx2: weburl.fetching.httpx2}[package]
    transport = module.AsyncPolicyTransport(POLICY, resolve=names)

    async def main() -> None:
        async with package.AsyncClient(transport=transport) as client:
            task = asyncio.ensure_future(client.get(f"http://far.example:{unanswering[0]}/"))
            while not names.asked:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            asyncio.get_running_loop().call_later(0.25, task.cancel)
            time.sleep(0.5)
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())


def test_a_connection_outside_of_a_guarded_request_is_not_made(
    server: Server, names: Names, contacted: list[str]
) -> None:
    """What a manager has inside does not connect by itself."""
    with weburl.fetching.urllib3.PolicyPoolManager(POLICY, resolve=names) as manager:
        with pytest.raises(RuntimeError):
            manager.connection_from_url(f"http://127.0.0.1:{server.port}").request("GET", "/")
        adapter = weburl.fetching.requests.PolicyAdapter(POLICY, resolve=names)
        with pytest.raises(RuntimeError):
            adapter.poolmanager.request("GET", f"http://127.0.0.1:{server.port}/")
    assert contacted == []


def test_a_digest_login_is_one_fetch(server: Server, names: Names) -> None:
    """Requests sends a copy of the request, which is neither a redirect nor a new fetch."""
    server.answers["/"] = (
        b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n"
        b'WWW-Authenticate: Digest realm="a", nonce="b", qop="auth"\r\n\r\n'
    )
    options: dict[str, Any] = {"resolve": names, "bounds": FetchBounds(redirects=0)}
    url = f"http://hook.example:{server.port}/"
    with weburl.fetching.requests.PolicySession(POLICY, **options) as session:
        session.auth = requests.auth.HTTPDigestAuth("user", "hunter2")
        assert session.get(url).status_code == 401
    transport = weburl.fetching.httpx.PolicyTransport(POLICY, **options)
    with httpx.Client(transport=transport, auth=httpx.DigestAuth("user", "hunter2")) as client:
        assert client.get(url).status_code == 401
    assert ["authorization" in each.headers for each in server.asked] == [False, True] * 2

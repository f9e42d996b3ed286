"""A GET with a policy, beside the client alone. The server is on 127.0.0.1, and connections are pooled."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from multiprocessing import Process
from threading import Thread
from typing import Any, Final, NamedTuple

import aiohttp
import httpx
import httpx2
import pytest
import requests
import urllib3

import weburl.fetching.aiohttp
import weburl.fetching.httpx
import weburl.fetching.httpx2
import weburl.fetching.requests
import weburl.fetching.urllib3
from weburl import URLPolicy

# A webhook's policy, but names lead to loopback, where the server is.
POLICY: Final = URLPolicy.webhook().replaced(
    schemes=["http", "https"], ports=None, address_classes=["loopback"]
)
# httpx and aiohttp have a time-out by default. With one, the others wait in the same way.
SECONDS: Final = 30
NAME: Final = "hook.example.com"


def answer(connection: socket.socket) -> None:
    """Answer every request of a connection."""
    body = b'{"status": "ok"}' * 64
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    both = head.encode() + body
    with connection:
        while (data := connection.recv(65_536)) and data.endswith(b"\r\n\r\n"):
            connection.sendall(both)


def accept(server: socket.socket) -> None:
    """Answer every connection in a thread of its own."""
    while True:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Thread(target=answer, args=(connection,), daemon=True).start()


def serve() -> int:
    """Start a server in a process of its own, and return its port."""
    server = socket.create_server(("127.0.0.1", 0))
    Process(target=accept, args=(server,), daemon=True).start()
    return int(server.getsockname()[1])


class Pair(NamedTuple):
    """A client alone and with a policy: what makes ``count`` requests."""

    name: str
    bare: Callable[[int], None]
    guarded: Callable[[int], None]


def loop(get: Callable[[], object]) -> Callable[[int], None]:
    """Return what calls ``get`` again and again."""

    def run(count: int) -> None:
        for _ in range(count):
            get()

    return run


def async_loop(runner: asyncio.Runner, get: Callable[[], Any]) -> Callable[[int], None]:
    """Return what awaits ``get`` again and again."""

    async def main(count: int) -> None:
        for _ in range(count):
            await get()

    return lambda count: runner.run(main(count))


def pairs(port: int, runner: asyncio.Runner) -> list[Pair]:
    """Return all clients. Both of a pair ask for the same URL, because some are read faster."""
    url = f"http://{NAME}:{port}/hooks/1?event=push"
    options: dict[str, Any] = {}
    session = requests.Session()
    session.trust_env = False
    guarded = weburl.fetching.requests.PolicySession(POLICY, **options)
    manager = urllib3.PoolManager(timeout=SECONDS)
    guarded_manager = weburl.fetching.urllib3.PolicyPoolManager(POLICY, timeout=SECONDS, **options)
    found = [
        Pair(
            "urllib3",
            loop(lambda: manager.request("GET", url).data),
            loop(lambda: guarded_manager.request("GET", url).data),
        ),
        Pair(
            "requests",
            loop(lambda: session.get(url, timeout=SECONDS).content),
            loop(lambda: guarded.get(url, timeout=SECONDS).content),
        ),
    ]
    modules: list[tuple[Any, Any]] = [
        (httpx, weburl.fetching.httpx),
        (httpx2, weburl.fetching.httpx2),
    ]
    for package, module in modules:
        found += httpx_pairs(package, module, runner, url, options)
    return [*found, aiohttp_pair(runner, url, options)]


def httpx_pairs(
    package: Any,
    module: Any,
    runner: asyncio.Runner,
    url: str,
    options: dict[str, Any],
) -> list[Pair]:
    """Return httpx or httpx2, plain and asynchronous."""
    client = package.Client(transport=package.HTTPTransport())
    guarded = package.Client(transport=module.PolicyTransport(POLICY, **options))

    async def make() -> tuple[Any, Any]:
        transport = module.AsyncPolicyTransport(POLICY, **options)
        return (
            package.AsyncClient(transport=package.AsyncHTTPTransport()),
            package.AsyncClient(transport=transport),
        )

    async_client, async_guarded = runner.run(make())
    return [
        Pair(
            package.__name__,
            loop(lambda: client.get(url).content),
            loop(lambda: guarded.get(url).content),
        ),
        Pair(
            f"{package.__name__}, async",
            async_loop(runner, lambda: async_client.get(url)),
            async_loop(runner, lambda: async_guarded.get(url)),
        ),
    ]


def aiohttp_pair(runner: asyncio.Runner, url: str, options: dict[str, Any]) -> Pair:
    """Return aiohttp."""

    async def make() -> tuple[aiohttp.ClientSession, aiohttp.ClientSession]:
        return (
            aiohttp.ClientSession(),
            weburl.fetching.aiohttp.policy_session(POLICY, **options),
        )

    session, guarded = runner.run(make())

    async def get(session: aiohttp.ClientSession) -> bytes:
        async with session.get(url) as response:
            return await response.read()

    return Pair(
        "aiohttp",
        async_loop(runner, lambda: get(session)),
        async_loop(runner, lambda: get(guarded)),
    )


REQUESTS: Final = 25
NAMES: Final = (
    "urllib3", "requests", "httpx", "httpx, async", "httpx2", "httpx2, async", "aiohttp",
)  # fmt: skip


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, Pair]]:
    """Start the server, and return all clients by name."""
    system = socket.getaddrinfo
    with pytest.MonkeyPatch.context() as patched, asyncio.Runner() as runner:
        # For all clients, guarded or not.
        patched.setattr(
            socket,
            "getaddrinfo",
            lambda host, *others, **options: system(
                "127.0.0.1" if host in {NAME, NAME.encode()} else host, *others, **options
            ),
        )
        yield {pair.name: pair for pair in pairs(serve(), runner)}


@pytest.mark.parametrize("how", ["bare", "guarded"])
@pytest.mark.parametrize("name", NAMES)
def bench_fetching(
    name: str, how: str, clients: dict[str, Pair], request: pytest.FixtureRequest, benchmark: Any
) -> None:
    """Make some requests."""
    benchmark.group = name
    rounds = request.config.getoption("--passes") * 10
    benchmark.pedantic(getattr(clients[name], how), args=(REQUESTS,), rounds=rounds)

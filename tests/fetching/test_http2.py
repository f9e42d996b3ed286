"""The same promises over HTTP/2, where the requests to one origin share a connection."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import h2.config
import h2.connection
import h2.events
import httpx
import httpx2
import pytest

import weburl.fetching.httpx
import weburl.fetching.httpx2
from tests.fetching.conftest import TLS, Names
from tests.fetching.servers import Asked
from tests.fetching.servers import Server as OfBytes
from tests.fetching.test_attacks import BOUNDS, POLICY, packed
from weburl.fetching import FetchBounds, URLFetchError

MODULES: Final[dict[ModuleType, Any]] = {
    httpx: weburl.fetching.httpx,
    httpx2: weburl.fetching.httpx2,
}


class Server(OfBytes):
    """Answers by path. "/silence" gets no answer."""

    def _serve(self, plain: socket.socket, number: int) -> None:
        assert self.context is not None
        plain.settimeout(5)
        try:
            with self.context.wrap_socket(plain, server_side=True) as connection:
                connection.settimeout(0.05)
                state = h2.connection.H2Connection(
                    h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
                )
                state.initiate_connection()
                connection.sendall(state.data_to_send())
                while not self.ended.is_set():
                    try:
                        data = connection.recv(65_536)
                    except TimeoutError:
                        continue
                    if not data:
                        return
                    for event in state.receive_data(data):
                        if isinstance(event, h2.events.RequestReceived):
                            self._answer(state, event, number)
                    connection.sendall(state.data_to_send())
        except OSError:
            pass

    def _answer(self, state: h2.connection.H2Connection, event: Any, number: int) -> None:
        path = dict(event.headers)[":path"]
        self.asked.append(Asked("", path, {}, number, "GET", b""))
        body, status, headers = b"hello", "200", []
        if path == "/silence":
            return
        if path == "/inside":
            status, headers = "302", [("location", "https://10.0.0.1/secret")]
        elif path == "/next":
            status, headers = "302", [("location", "/end")]
        elif path == "/long":
            body = b"x" * 60_000
        elif path == "/bomb":
            body, headers = packed("gzip"), [("content-encoding", "gzip")]
        elif path == "/headers":
            headers = [("x-y", "z")] * 60
        state.send_headers(event.stream_id, [(":status", status), *headers])
        for start in range(0, len(body), 16_000):
            state.send_data(event.stream_id, body[start : start + 16_000])
        state.end_stream(event.stream_id)


@pytest.fixture
def server(tls: TLS) -> Iterator[Server]:
    """Run a server that speaks HTTP/2 with everyone who does."""
    tls.server.set_alpn_protocols(["h2", "http/1.1"])
    server = Server(tls.server)
    yield server
    server.close()
    tls.server.set_alpn_protocols(["http/1.1"])


@pytest.mark.parametrize("package", MODULES, ids=lambda each: each.__name__)
def test_requests_over_http2_are_judged_and_bounded(
    package: Any, server: Server, names: Names, tls: TLS
) -> None:
    """One connection serves all of them, also after a refusal."""
    options: dict[str, Any] = {"resolve": names, "bounds": BOUNDS, "http2": True}
    transport = MODULES[package].PolicyTransport(POLICY, verify=tls.trusting, **options)
    url = f"https://hook.example:{server.port}"
    with package.Client(transport=transport, follow_redirects=True) as client:
        first = client.get(f"{url}/a%20b?c")
        assert (first.http_version, first.content) == ("HTTP/2", b"hello")
        assert client.get(f"{url}/next").content == b"hello"
        for path, code in (
            ("/inside", "ip-host"),
            ("/long", "body-too-long"),
            ("/bomb", "unpacked-too-long"),
            ("/headers", "too-many-headers"),
        ):
            with pytest.raises(URLFetchError) as caught:
                client.get(url + path)
            assert caught.value.code == code
        assert client.get(f"{url}/").content == b"hello"
    assert server.paths()[:3] == ["/a%20b?c", "/next", "/end"]
    assert (server.connections, names.asked) == (1, ["hook.example"])


@pytest.mark.parametrize("package", MODULES, ids=lambda each: each.__name__)
def test_many_requests_share_a_connection(
    package: Any, server: Server, names: Names, tls: TLS
) -> None:
    """Each with its own redirects and refusals."""
    options: dict[str, Any] = {"resolve": names, "redirect_policy": "same-origin", "http2": True}
    url = f"https://hook.example:{server.port}"

    async def main() -> list[Any]:
        transport = MODULES[package].AsyncPolicyTransport(POLICY, verify=tls.trusting, **options)
        async with package.AsyncClient(transport=transport, follow_redirects=True) as client:
            await client.get(f"{url}/")
            paths = ["/", "/next", "/inside"] * 10
            return await asyncio.gather(
                *(client.get(url + path) for path in paths), return_exceptions=True
            )

    found = asyncio.run(main())
    codes = [each.code if isinstance(each, URLFetchError) else each.content for each in found]
    assert codes == [b"hello", b"hello", "host-not-allowed"] * 10
    assert server.connections == 1


@pytest.mark.parametrize("package", MODULES, ids=lambda each: each.__name__)
def test_a_shared_connection_obeys_the_policy_of_redirects(
    package: Any, server: Server, names: Names, tls: TLS
) -> None:
    """It was made for another policy, which allowed its address."""
    stricter = POLICY.replaced(address_classes=["global"])
    options: dict[str, Any] = {"resolve": names, "redirect_policy": stricter, "http2": True}
    transport = MODULES[package].PolicyTransport(POLICY, verify=tls.trusting, **options)
    with package.Client(transport=transport, follow_redirects=True) as client:
        assert client.get(f"https://hook.example:{server.port}/end").content == b"hello"
        with pytest.raises(URLFetchError) as caught:
            client.get(f"https://hook.example:{server.port}/next")
    assert (caught.value.code, caught.value.hop) == ("address-not-allowed", 2)
    assert server.paths() == ["/end", "/next"]


@pytest.mark.parametrize("package", MODULES, ids=lambda each: each.__name__)
def test_silence_over_http2_is_too_slow(
    package: Any, server: Server, names: Names, tls: TLS
) -> None:
    """And the next request gets another connection."""
    options: dict[str, Any] = {
        "resolve": names,
        "bounds": FetchBounds(seconds=5),
        "http2": True,
    }
    transport = MODULES[package].PolicyTransport(POLICY, verify=tls.trusting, **options)
    with package.Client(transport=transport) as client:
        with pytest.raises(URLFetchError) as caught:
            client.get(f"https://hook.example:{server.port}/silence")
        assert caught.value.code == "too-slow"
        assert client.get(f"https://hook.example:{server.port}/").content == b"hello"
    assert server.connections == 2

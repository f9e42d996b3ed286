"""The recipes of docs/fetching.md, run with the real packages against servers on loopback.

Only the resolver is ours: it says where names lead, and counts who asks.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import httpx
import pytest
import trustme

from weburl import URLParseError, URLPolicy, URLPolicyError

PAGE: Final = Path(__file__).parents[2] / "docs" / "fetching.md"
CODE: Final = re.findall(r"```python\n((?!>>>).*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

# As a webhook's, but that names may lead to loopback: that is where the servers are.
POLICY: Final = URLPolicy(
    schemes=["http", "https"],
    credentials=False,
    ip_hosts=False,
    single_labels=False,
    address_classes=["loopback"],
)

Get = Callable[..., tuple[int, bytes]]


NAMESPACE: Final[dict[str, Any]] = {}


def recipes() -> dict[str, Get]:
    """Return the functions of the page, by the name of the package."""
    namespace = NAMESPACE
    for block in CODE:
        exec(compile(block, str(PAGE), "exec"), namespace)

    def get_with_aiohttp(*arguments: Any, **options: Any) -> tuple[int, bytes]:
        found: tuple[int, bytes] = asyncio.run(namespace["get_with_aiohttp"](*arguments, **options))
        return found

    return {
        "httpx": namespace["get_with_httpx"],
        "requests": namespace["get_with_requests"],
        "aiohttp": get_with_aiohttp,
    }


RECIPES: Final = recipes()


class Handler(BaseHTTPRequestHandler):
    """Answers by the path, and writes down who was asked for."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append((self.headers["Host"], self.path))
        status, location = server.redirects.get(self.path, (200, None))
        body = b"x" * 2_000_000 if self.path == "/long" else b"hello"
        server.accepted.append(self.headers["Accept-Encoding"])
        self.send_response(status)
        if self.path == "/packed":
            body = gzip.compress(gzip.compress(b"x" * 100_000_000, 1))
            self.send_header("Content-Encoding", "gzip, gzip")
        if location is not None:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            if self.path == "/slow":
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    server.ended.wait(0.3)
            else:
                self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


class Server:
    """A server on a loopback address, what it was asked, and where it redirects to."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_address[1]
        self.asked: list[tuple[str, str]] = []
        self.redirects: dict[str, tuple[int, str]] = {}
        self.accepted: list[str] = []
        self.ended = Event()
        vars(self.http).update(
            asked=self.asked,
            accepted=self.accepted,
            ended=self.ended,
            redirects=self.redirects,
            handle_error=_quietly,
        )
        if context is not None:
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        self.thread = Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        """Stop it and wait for its end."""
        self.ended.set()
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


def _quietly(*_arguments: object) -> None:
    """Do nothing: a client that refuses a certificate hangs up."""


@pytest.fixture
def server() -> Iterator[Server]:
    """Run a server for the time of a test."""
    server = Server()
    yield server
    server.close()


class Resolver:
    """Names and their addresses: one list for each time that a name is asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, list[list[str]]] = {}
        self.asked: list[str] = []

    def getaddrinfo(self, host: Any, port: Any, *_arguments: Any, **_options: Any) -> list[Any]:
        """Stand for `socket.getaddrinfo`; addresses are themselves."""
        name = host.decode() if isinstance(host, bytes) else str(host)
        if re.fullmatch(r"[0-9.]+|.*:.*", name):
            addresses = [name]
        else:
            self.asked.append(name)
            answers = self.answers[name]
            addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (address, port, 0, 0) if ":" in address else (address, port),
            )
            for address in addresses
        ]


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Resolver:
    """Put a resolver in the place of the system's."""
    resolver = Resolver()
    resolver.answers["hook.example"] = [["127.0.0.1"]]
    monkeypatch.setattr(socket, "getaddrinfo", resolver.getaddrinfo)
    return resolver


@pytest.fixture(params=sorted(RECIPES))
def get(request: pytest.FixtureRequest) -> Get:
    """Return one recipe after the other."""
    return RECIPES[request.param]


def test_the_page_has_a_recipe_for_each_package() -> None:
    """What they share, and three."""
    assert len(CODE) == 4
    assert sorted(RECIPES) == ["aiohttp", "httpx", "requests"]


def test_what_is_allowed_is_fetched(get: Get, server: Server, resolver: Resolver) -> None:
    """With the name in the Host header, and one question to the resolver."""
    url = f"http://hook.example:{server.port}/a b?q=é#f"
    assert get(POLICY, url) == (200, b"hello")
    assert server.asked == [(f"hook.example:{server.port}", "/a%20b?q=%C3%A9")]
    assert resolver.asked == ["hook.example"]


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["127.0.0.1", "10.0.0.1"], []])
def test_a_name_that_leads_elsewhere_is_not_contacted(
    get: Get, server: Server, resolver: Resolver, addresses: list[str]
) -> None:
    """Nor one of which one address does, or that has none."""
    resolver.answers["hook.example"] = [addresses]
    with pytest.raises(URLPolicyError if addresses else (URLPolicyError, OSError)):
        get(POLICY, f"http://hook.example:{server.port}/")
    assert server.asked == []


def test_a_second_answer_of_the_resolver_is_never_asked_for(
    get: Get, server: Server, resolver: Resolver
) -> None:
    """DNS rebinding: what was checked is what is connected to."""
    resolver.answers["hook.example"] = [["127.0.0.1"], ["10.0.0.1"]]
    assert get(POLICY, f"http://hook.example:{server.port}/") == (200, b"hello")
    assert resolver.asked == ["hook.example"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_where_the_policy_allows_it(
    get: Get, server: Server, resolver: Resolver, status: int
) -> None:
    """Relative, and to another name; each is judged anew."""
    resolver.answers["other.example"] = [["127.0.0.1"]]
    server.redirects["/"] = (status, "/next")
    server.redirects["/next"] = (status, f"//other.example:{server.port}/end")
    assert get(POLICY, f"http://hook.example:{server.port}/") == (200, b"hello")
    assert server.asked == [
        (f"hook.example:{server.port}", "/"),
        (f"hook.example:{server.port}", "/next"),
        (f"other.example:{server.port}", "/end"),
    ]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/secret",
        "http://2130706433:{port}/secret",
        "http://[::ffff:127.0.0.1]:{port}/secret",
        "http://localhost:{port}/secret",
        "http:\\\\127.0.0.1:{port}/secret",
        "http://user@hook.example:{port}/secret",
        "http://inside.example:{port}/secret",
        "file:///etc/passwd",
        "gopher://hook.example:{port}/secret",
    ],
)
def test_a_redirect_to_what_the_policy_refuses_is_not_followed(
    get: Get, server: Server, resolver: Resolver, location: str
) -> None:
    """The first answer is the last one that is asked for."""
    resolver.answers["inside.example"] = [["10.0.0.1"]]
    server.redirects["/"] = (302, location.format(port=server.port))
    # httpx looks at what it does not follow, and refuses some of it by itself.
    with pytest.raises((URLPolicyError, httpx.InvalidURL, httpx.RemoteProtocolError)):
        get(POLICY, f"http://hook.example:{server.port}/")
    assert [path for _host, path in server.asked] == ["/"]


def test_redirects_come_to_an_end(get: Get, server: Server, resolver: Resolver) -> None:
    """After five; and one without a URL is an error."""
    server.redirects["/"] = (302, "/")
    with pytest.raises(ValueError, match="too many redirects"):
        get(POLICY, f"http://hook.example:{server.port}/")
    assert len(server.asked) == 6
    server.redirects["/bad"] = (302, "http://")
    with pytest.raises((URLParseError, httpx.RemoteProtocolError)):
        get(POLICY, f"http://hook.example:{server.port}/bad")


def test_a_long_answer_is_not_read_to_its_end(get: Get, server: Server, resolver: Resolver) -> None:
    """A million bytes are enough."""
    with pytest.raises(ValueError, match="too long"):
        get(POLICY, f"http://hook.example:{server.port}/long")


def test_a_compressed_answer_is_not_unpacked(get: Get, server: Server, resolver: Resolver) -> None:
    """A thousand bytes became a gigabyte in memory, before its length was known."""
    with pytest.raises(ValueError, match="compressed"):
        get(POLICY, f"http://hook.example:{server.port}/packed")
    assert server.accepted == ["identity"]


def test_an_answer_of_a_byte_at_a_time_ends_at_the_deadline(
    get: Get, server: Server, resolver: Resolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timeout of a client is the time between two bytes, so it was never reached."""
    monkeypatch.setitem(NAMESPACE, "MAX_SECONDS", 0.5)
    with pytest.raises(TimeoutError):
        get(POLICY, f"http://hook.example:{server.port}/slow")


def test_a_proxy_of_the_environment_is_left_out(
    get: Get, server: Server, resolver: Resolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would resolve the name itself."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(POLICY, f"http://hook.example:{server.port}/") == (200, b"hello")


def test_the_certificate_is_the_name_s_and_not_the_address_s(
    get: Get, resolver: Resolver, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """By TLS; another name at the same address has another certificate."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("hook.example").configure_cert(context)
    bundle = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    trusting = ssl.create_default_context(cafile=str(bundle))
    verify = str(bundle) if get is RECIPES["requests"] else trusting
    resolver.answers["other.example"] = [["127.0.0.1"]]
    server = Server(context)
    try:
        url = f"https://hook.example:{server.port}/"
        assert get(POLICY, url, verify=verify) == (200, b"hello")
        assert server.asked == [(f"hook.example:{server.port}", "/")]
        for host, trust in (("other.example", verify), ("hook.example", True)):
            with pytest.raises(Exception, match=r"(?i)certificate"):
                get(POLICY, f"https://{host}:{server.port}/", verify=trust)
        assert len(server.asked) == 1
    finally:
        server.close()

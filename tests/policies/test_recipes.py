"""The code of docs/fetching.md, run with the real packages against servers on loopback.

Only the resolver is ours: it says where names lead, and counts who asks. `tests/fetching` tests
the clients at length.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import ssl
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest

from weburl import URLParseError, URLPolicy, URLPolicyError
from weburl.fetching import FetchBounds, URLFetchError

PAGE: Final = Path(__file__).parents[2] / "docs" / "fetching.md"
CODE: Final = re.findall(
    r"(?<!next -->\n)```python\n((?!>>>).*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
)

# As a webhook's, but that names may lead to loopback: that is where the servers are.
POLICY: Final = URLPolicy(
    schemes=["http", "https"],
    credentials=False,
    ip_hosts=False,
    single_labels=False,
    address_classes=["loopback"],
)
BOUNDS: Final = FetchBounds(body_bytes=1_000_000, unpacked_bytes=1_000_000)

Get = Callable[..., tuple[int, bytes]]


NAMESPACE: Final[dict[str, Any]] = {"FetchBounds": FetchBounds}


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
        "urllib3": namespace["get_with_urllib3"],
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
            body = gzip.compress(b"x" * 100_000_000, 1)
            self.send_header("Content-Encoding", "gzip")
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

    def __call__(self, name: str, _port: int) -> list[str]:
        self.asked.append(name)
        answers = self.answers[name]
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.fixture
def resolver() -> Resolver:
    """Return the names of a test; "hook.example" leads to 127.0.0.1."""
    resolver = Resolver()
    resolver.answers["hook.example"] = [["127.0.0.1"]]
    return resolver


@pytest.fixture(params=sorted(RECIPES))
def get(request: pytest.FixtureRequest, resolver: Resolver) -> Get:
    """Return one recipe after the other, with our resolver."""
    recipe = RECIPES[request.param]

    def run(policy: URLPolicy, text: str, bounds: FetchBounds = BOUNDS) -> tuple[int, bytes]:
        return recipe(policy, text, resolve=resolver, bounds=bounds)

    return run


def test_the_page_has_a_recipe_for_each_package() -> None:
    """Four, and three recipes. One more block turns off the log of httpx."""
    assert len(CODE) == 8
    assert sorted(RECIPES) == ["aiohttp", "httpx", "requests", "urllib3"]
    for name in ("deliver", "image", "preview"):
        assert callable(NAMESPACE[name])


def test_the_recipes_refuse_what_leads_inside() -> None:
    """Each in the way of its client, before anything is sent."""
    with pytest.raises(URLFetchError):
        NAMESPACE["deliver"]("https://127.0.0.1/hook", {})
    with pytest.raises(URLFetchError):
        NAMESPACE["image"]("https://localhost/avatar.png")
    with pytest.raises(URLFetchError):
        asyncio.run(NAMESPACE["preview"]("https://[::1]/"))


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
    with pytest.raises(URLFetchError):
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
    # Clients look at it first, and refuse some of it by themselves, each in its own words.
    with pytest.raises(Exception, match=r"."):
        get(POLICY, f"http://hook.example:{server.port}/")
    assert [path for _host, path in server.asked] == ["/"]


def test_redirects_come_to_an_end(get: Get, server: Server) -> None:
    """After five; and one without a URL is an error."""
    server.redirects["/"] = (302, "/")
    with pytest.raises(URLFetchError, match="too many redirects") as caught:
        get(POLICY, f"http://hook.example:{server.port}/")
    assert caught.value.code == "too-many-redirects"
    assert len(server.asked) == 6
    with pytest.raises(URLParseError):
        get(POLICY, "http://")
    with pytest.raises(URLPolicyError):
        get(POLICY, "http://127.0.0.1/")


def test_a_long_answer_is_not_read_to_its_end(get: Get, server: Server) -> None:
    """A million bytes are enough."""
    with pytest.raises(URLFetchError, match="too long"):
        get(POLICY, f"http://hook.example:{server.port}/long")


def test_a_compressed_answer_is_not_unpacked(get: Get, server: Server) -> None:
    """A hundred thousand bytes became a hundred million before their length was known."""
    with pytest.raises(URLFetchError) as caught:
        get(POLICY, f"http://hook.example:{server.port}/packed")
    assert caught.value.code == "unpacked-too-long"


def test_an_answer_of_a_byte_at_a_time_ends_at_the_deadline(get: Get, server: Server) -> None:
    """The timeout of a client is the time between two bytes, so it was never reached."""
    with pytest.raises(URLFetchError) as caught:
        get(POLICY, f"http://hook.example:{server.port}/slow", FetchBounds(seconds=0.5))
    assert caught.value.code == "too-slow"


def test_a_proxy_of_the_environment_is_left_out(
    get: Get, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would resolve the name itself."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get(POLICY, f"http://hook.example:{server.port}/") == (200, b"hello")

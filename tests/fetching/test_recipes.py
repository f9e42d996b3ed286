"""The code of docs/fetching.md, run with the real packages against servers on loopback.

Only the resolver is ours: it says where names lead, and counts who asks. The other files test
the clients at length. So here, each recipe shows that it passes on what it gets.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from tests.fetching.conftest import Names
from tests.fetching.servers import Server, with_body
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


@pytest.fixture(params=sorted(RECIPES))
def get(request: pytest.FixtureRequest, names: Names) -> Get:
    """Return one recipe after the other, with our names."""
    recipe = RECIPES[request.param]

    def run(policy: URLPolicy, text: str, bounds: FetchBounds = BOUNDS) -> tuple[int, bytes]:
        return recipe(policy, text, resolve=names, bounds=bounds)

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


def test_what_is_allowed_is_fetched(get: Get, server: Server, names: Names) -> None:
    """Over a redirect, with the name in the Host header, and one question to the resolver."""
    server.redirect("/", "/a b?q=é")
    assert get(POLICY, f"http://hook.example:{server.port}/#f") == (200, b"hello")
    assert [(each.host, each.path) for each in server.asked] == [
        (f"hook.example:{server.port}", "/"),
        (f"hook.example:{server.port}", "/a%20b?q=%C3%A9"),
    ]
    assert names.asked == ["hook.example"]


def test_what_the_policy_refuses_is_not_contacted(get: Get, server: Server, names: Names) -> None:
    """The name may lead elsewhere, at first or after a redirect."""
    names.answers["inside.example"] = [["10.0.0.1"]]
    server.redirect("/", "http://inside.example:{port}/secret")
    for name, paths in (("inside.example", []), ("hook.example", ["/"])):
        with pytest.raises(URLFetchError):
            get(POLICY, f"http://{name}:{server.port}/")
        assert server.paths() == paths
    with pytest.raises(URLParseError):
        get(POLICY, "http://")
    with pytest.raises(URLPolicyError):
        get(POLICY, "http://127.0.0.1/")


def test_the_bounds_of_a_recipe_are_those_of_the_fetch(get: Get, server: Server) -> None:
    """A million bytes are enough, and so are five redirects."""
    server.answers["/long"] = with_body(b"x" * 2_000_000)
    server.redirect("/", "/")
    for path, code in (("/long", "body-too-long"), ("/", "too-many-redirects")):
        server.asked.clear()
        with pytest.raises(URLFetchError) as caught:
            get(POLICY, f"http://hook.example:{server.port}{path}")
        assert caught.value.code == code
    assert len(server.asked) == 6

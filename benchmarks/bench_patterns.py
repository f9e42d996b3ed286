"""`URLPattern.test`, `exec` and `URLPatternList.first`, beside other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from weburl import URLPattern, URLPatternList


class Router(NamedTuple):
    """The patterns of a list by number, and the URL that only one of them matches."""

    name: str
    pattern: Callable[[int], dict[str, str]]
    url: Callable[[int], str]


CASES: Final = (
    ({"pathname": "/about"}, "https://example.com/about"),
    ({"pathname": "/users/:id"}, "https://example.com/users/123"),
    ({"pathname": "/users/:id/posts/:post"}, "https://example.com/users/123/posts/my-post"),
    ({"pathname": "/files/*"}, "https://example.com/files/2026/11/report.pdf"),
    ({"pathname": "/:name.:kind?"}, "https://example.com/report.pdf"),
    ({"hostname": "{*.}?example.com"}, "https://www.example.com/about"),
    ({"pathname": "/:year(\\d+)/:month(\\d+)"}, "https://example.com/2026/11"),
)
"""Patterns, each with a URL that it matches. One line is one row."""

ROUTERS: Final = (
    Router("first segment", lambda n: {"pathname": f"/route{n}/:id"},
           lambda n: f"https://example.com/route{n}/7"),
    Router("last segment", lambda n: {"pathname": f"/:org/:project/view{n}"},
           lambda n: f"https://example.com/a/b/view{n}"),
    Router("end of the path", lambda n: {"pathname": f"/*.kind{n}"},
           lambda n: f"https://example.com/a/b.kind{n}"),
    Router("host", lambda n: {"hostname": f"*.host{n}.example"},
           lambda n: f"https://www.host{n}.example/a"),
    Router("query", lambda n: {"pathname": "/search", "search": f"q={n}"},
           lambda n: f"https://example.com/search?q={n}"),
)  # fmt: skip
PEERS: Final = {"weburl": "weburl", "upa-url (C++)": "upa_url", "urlpattern (Rust)": "urlpattern"}


@pytest.mark.parametrize("who", PEERS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: next(iter(case[0].values())))
@pytest.mark.parametrize("method", ["test", "exec"])
def bench_pattern(who: str, case: tuple[dict[str, str], str], method: str, benchmark: Any) -> None:
    """Match one URL."""
    made = pytest.importorskip(PEERS[who]).URLPattern(case[0])
    benchmark.group = f"{method} {next(iter(case[0].values()))}"
    assert benchmark(getattr(made, method), case[1])


@pytest.mark.parametrize("size", [1, 100, 10_000])
@pytest.mark.parametrize("router", ROUTERS, ids=lambda router: router.name)
def bench_list(router: Router, size: int, limit: int | None, benchmark: Any) -> None:
    """Find the one pattern of a list that matches."""
    size = min(size, limit or size)
    patterns = URLPatternList([URLPattern(router.pattern(number)) for number in range(size)])
    url = router.url(size // 2)
    benchmark.group = f"first, {router.name}"
    assert benchmark(patterns.first, url) is patterns[size // 2]

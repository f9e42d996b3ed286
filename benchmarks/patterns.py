"""Nanoseconds for `URLPattern.test`, `exec` and `URLPatternList.first`, beside other libraries.

``python -m benchmarks.patterns`` prints the tables of `docs/benchmarks.md`. All contenders
take turns in one run, and the quickest turn counts. Those that are not installed are left out; Node
is the program that WEBURL_NODE names, or ``node``, if it has ``URLPattern``.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from weburl import URLPattern, URLPatternList
from weburl.standard.url.fast_path import IS_COMPILED

_TURNS: Final = 60
_CALLS: Final = 200
_SIZES: Final = (1, 100, 10_000)


class Case(NamedTuple):
    """A pattern as a mapping, and a URL that it matches."""

    pattern: dict[str, str]
    url: str


class Router(NamedTuple):
    """The patterns of a list by number, and the URL that only one of them matches."""

    name: str
    pattern: Callable[[int], dict[str, str]]
    url: Callable[[int], str]


CASES: Final = (
    Case({"pathname": "/about"}, "https://example.com/about"),
    Case({"pathname": "/users/:id"}, "https://example.com/users/123"),
    Case({"pathname": "/users/:id/posts/:post"}, "https://example.com/users/123/posts/my-post"),
    Case({"pathname": "/files/*"}, "https://example.com/files/2026/11/report.pdf"),
    Case({"pathname": "/:name.:kind?"}, "https://example.com/report.pdf"),
    Case({"hostname": "{*.}?example.com"}, "https://www.example.com/about"),
    Case({"pathname": "/:year(\\d+)/:month(\\d+)"}, "https://example.com/2026/11"),
)
ROUTERS: Final = (
    Router(
        "first segment",
        lambda number: {"pathname": f"/route{number}/:id"},
        lambda number: f"https://example.com/route{number}/7",
    ),
    Router(
        "last segment",
        lambda number: {"pathname": f"/:org/:project/view{number}"},
        lambda number: f"https://example.com/a/b/view{number}",
    ),
    Router(
        "end of the path",
        lambda number: {"pathname": f"/*.kind{number}"},
        lambda number: f"https://example.com/a/b.kind{number}",
    ),
    Router(
        "host",
        lambda number: {"hostname": f"*.host{number}.example"},
        lambda number: f"https://www.host{number}.example/a",
    ),
    Router(
        "query",
        lambda number: {"pathname": "/search", "search": f"q={number}"},
        lambda number: f"https://example.com/search?q={number}",
    ),
)


def quickest(calls: Iterable[Callable[[], object]]) -> list[float]:
    """Return the nanoseconds of each call at best, with all of them taking turns."""
    timed = list(calls)
    best = [float("inf")] * len(timed)
    for _ in range(_TURNS):
        for at, call in enumerate(timed):
            start = time.perf_counter_ns()
            for _ in range(_CALLS):
                call()
            best[at] = min(best[at], (time.perf_counter_ns() - start) / _CALLS)
    return best


def contenders() -> dict[str, Callable[[dict[str, str]], Any]]:
    """Return how each library that is here makes a pattern."""
    makers: dict[str, Callable[[dict[str, str]], Any]] = {"weburl": URLPattern}
    for name, module in (
        ("upa-url (C++)", "upa_url"),
        ("urlpattern (Rust)", "urlpattern"),
    ):
        try:
            makers[name] = importlib.import_module(module).URLPattern
        except ImportError:
            continue
    return makers


def node_nanoseconds() -> list[float]:
    """Return the time of `test` in Node for each case, or nothing if there is none."""
    program = os.environ.get("WEBURL_NODE") or shutil.which("node")
    script = """
    const cases = JSON.parse(process.argv[1]);
    if (typeof URLPattern === "undefined") process.exit(1);
    console.log(JSON.stringify(cases.map(([init, url]) => {
      const pattern = new URLPattern(init);
      let best = Infinity;
      for (let turn = 0; turn < 60; turn++) {
        const start = process.hrtime.bigint();
        for (let call = 0; call < 200; call++) pattern.test(url);
        best = Math.min(best, Number(process.hrtime.bigint() - start) / 200);
      }
      return best;
    })));
    """
    if program is None:
        return []
    ran = subprocess.run(  # the program that the caller named
        [program, "-e", script, json.dumps(CASES)], capture_output=True, text=True, check=False
    )
    found: list[float] = json.loads(ran.stdout) if ran.returncode == 0 else []
    return found


def print_matching() -> None:
    """Print what one pattern costs."""
    makers = contenders()
    node = node_nanoseconds()
    names = [*makers, *(["Node"] if node else [])]
    print(
        f"weburl {'compiled' if IS_COMPILED else 'interpreted'}; nanoseconds for `test`,", end=" "
    )
    print("and for `exec` of weburl\n")
    print(f"| pattern | {' | '.join(names)} | exec |")
    print(f"|---|{'---:|' * (len(names) + 1)}")
    for at, case in enumerate(CASES):
        made = [make(case.pattern) for make in makers.values()]
        times = quickest([
            *(lambda pattern=pattern: pattern.test(case.url) for pattern in made),  # noqa: B023
            lambda: made[0].exec(case.url),  # noqa: B023
        ])  # fmt: skip
        *tests, exec_time = times
        tests += node[at : at + 1]
        text = next(iter(case.pattern.values())).replace("|", "\\|")
        row = " | ".join(f"{nanoseconds:,.0f}" for nanoseconds in tests)
        print(f"| `{text}` | {row} | {exec_time:,.0f} |")


def print_lists() -> None:
    """Print what a list costs by its number of patterns, beside one pattern."""
    print(f"\n| what differs | one pattern | {' | '.join(f'{size:,}' for size in _SIZES)} |")
    print(f"|---|---:|{'---:|' * len(_SIZES)}")
    for router in ROUTERS:
        lists = [URLPatternList([URLPattern(router.pattern(n)) for n in range(s)]) for s in _SIZES]
        wanted = [size // 2 for size in _SIZES]
        urls = [router.url(number) for number in wanted]
        for patterns, number, url in zip(lists, wanted, urls, strict=True):
            assert patterns.first(url) is patterns[number]
        one, url = lists[-1][wanted[-1]], urls[-1]
        times = quickest([
            lambda: one.test(url),  # noqa: B023
            *(
                lambda patterns=patterns, url=url: patterns.first(url)
                for patterns, url in zip(lists, urls, strict=True)
            ),
        ])  # fmt: skip
        print(f"| {router.name} | {' | '.join(f'{nanoseconds:,.0f}' for nanoseconds in times)} |")


if __name__ == "__main__":
    print_matching()
    print_lists()

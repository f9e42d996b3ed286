"""What all benchmarks share: the links, how many texts and passes, and how a pass is timed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

import pytest

from benchmarks import inputs

PASSES = 9
"""How often each list is passed through, at least, for numbers in the documents."""

PARTS = 20
"""If a list is cut into parts, a pass goes through this many of them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what makes a run shorter, and where the links are."""
    parser.addoption("--links", help="a file of links, one a line")
    parser.addoption("--limit", type=int, help="how many texts of each list, for a quick run")
    parser.addoption("--passes", type=int, default=PASSES, help="through each list (%(default)s)")
    parser.addoption("--rows", type=int, default=100_000, help="of a table or a column")


def pytest_benchmark_update_json(config: pytest.Config, output_json: dict[str, Any]) -> None:
    """Write down whether the run is long enough for the documents, and which links it took."""
    path = inputs.corpus_path(config.getoption("--links"))
    whole = config.getoption("--limit") is None and config.getoption("--passes") >= PASSES
    output_json["run"] = {"whole": whole, "links": path.name}


@pytest.fixture(scope="session")
def limit(request: pytest.FixtureRequest) -> int | None:
    """Return how many texts a list has at most."""
    found: int | None = request.config.getoption("--limit")
    return found


@pytest.fixture(scope="session")
def links(request: pytest.FixtureRequest, limit: int | None) -> list[str]:
    """Return the links that lists are made of."""
    found = inputs.unique_links(inputs.corpus_path(request.config.getoption("--links")))
    return inputs.thin_out(found, limit)


@pytest.fixture(scope="session")
def rows(request: pytest.FixtureRequest, limit: int | None) -> int:
    """Return how many rows a table has."""
    return limit or int(request.config.getoption("--rows"))


@pytest.fixture
def timed(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Return what times passes through a list.

    It is called with an action and the list. ``make`` returns what the action takes, and is called
    before each pass: by default, it copies the texts, so that nothing that a text remembers, such
    as its hash, is left. ``at_once`` is the size of the parts that the list is cut into, or None.
    Other keywords go to the JSON file.
    """

    def run(
        action: Callable[[Any], object],
        given: Sequence[Any],
        make: Callable[[Sequence[Any]], Any] = inputs.copied,
        after: Callable[[], object] | None = None,
        at_once: int | None = None,
        **facts: object,
    ) -> Any:
        size = max(min(at_once or len(given), len(given)), 1)
        parts = [given[at : at + size] for at in range(0, max(len(given) - size + 1, 1), size)]
        rounds = request.config.getoption("--passes") * (1 if at_once is None else PARTS)
        following = cycle(parts)
        benchmark.extra_info.update(each=size, **facts)
        if benchmark.enabled:
            gc.collect()

        def set_up() -> tuple[tuple[Any], dict[str, Any]]:
            made = make(next(following))
            if benchmark.enabled and at_once is None:
                gc.collect()
            return (made,), {}

        return benchmark.pedantic(
            action,
            setup=set_up,
            teardown=None if after is None else lambda _: after(),
            rounds=rounds,
        )

    return run

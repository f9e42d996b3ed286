"""Memory stays flat however often a function is called, and a leak would be found."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from typing import Any

import pytest

import weburl
from benchmarks import complexity, leaks, values
from benchmarks.complexity import Task
from benchmarks.leaks import MOST_BLOCKS, Reading, Result, all_tasks, measure, set_aside

OPERATIONS = 2000


@pytest.fixture(autouse=True)
def _measured_quickly() -> Iterator[None]:
    """Let garbage collection pass over what earlier tests left, for the time of a test."""
    set_aside()
    yield
    gc.unfreeze()


@pytest.mark.nightly
def test_memory_is_flat_however_often_a_function_is_called() -> None:
    """Two hundred functions, each with up to 2,000 texts; slow ones with fewer."""
    results = [measure(task, OPERATIONS, seconds=0.01) for task in all_tasks()]
    assert len({result.task for result in results}) == len(results) >= 195
    assert min(result.operations for result in results) >= 100
    assert [result.line() for result in results if result.grows] == []


kept: list[object] = []


def _keep(text: str) -> None:
    kept.append(f"{text}!")


def _keep_a_large_one(text: str) -> None:
    kept.append(f"{text}{'!' * 2000}")


def _keep_errors(text: str) -> None:
    try:
        weburl.parse(text)
    except weburl.URLParseError as error:
        kept.append(error)
        raise


def _keep_some(text: str) -> None:
    if len(text) % 10 == 0:
        kept.append(text)


@cache
def _cached(text: str) -> weburl.URLRecord:
    return weburl.parse(text)


@pytest.mark.nightly
@pytest.mark.parametrize("leak", [_keep, _keep_errors, _keep_some, _cached])
def test_a_leak_is_found(leak: Callable[[str], object]) -> None:
    """Text in a list, errors with frames, one object in ten calls, a cache without a bound."""
    try:
        result = measure(Task("a leak", leak), OPERATIONS)
    finally:
        kept.clear()
        _cached.cache_clear()
    assert result.grows
    assert result.line().endswith("GROWS")


@pytest.mark.nightly
@pytest.mark.skipif(leaks._mallinfo() is None, reason="the C library does not tell")
def test_a_leak_of_large_texts_is_found() -> None:
    """They are not in the blocks that Python counts."""
    try:
        result = measure(Task("a leak", _keep_a_large_one), OPERATIONS)
    finally:
        kept.clear()
    assert result.large > 1_000_000
    assert result.grows


@pytest.mark.nightly
def test_what_is_not_a_leak_is_not_found() -> None:
    """Garbage in cycles, what has a bound, and what is kept only until the next call."""

    @lru_cache(maxsize=256)
    def cached(text: str) -> str:
        return f"{text}!"

    last: dict[str, object] = {}

    def run(text: str) -> None:
        cycle: list[object] = [text, cached(text)]
        cycle.append(cycle)
        last["text"] = cycle

        if len(kept) < 500:  # a table that is filled once
            kept.append([text])

    try:
        result = measure(Task("none", run), OPERATIONS)
    finally:
        kept.clear()
    assert not result.grows
    assert result.blocks < MOST_BLOCKS
    assert result.cached[1] >= 256, "what the cache holds is told apart"


@pytest.mark.nightly
@pytest.mark.parametrize(("before", "after", "grows"), [
    (Reading(1000, 0, 0), Reading(1040, 0, 0), False),
    (Reading(1000, 0, 0), Reading(1200, 0, 0), True),
    (Reading(1000, 0, 0), Reading(1000, 1 << 18, 0), True),
    (Reading(1000, 0, 0), Reading(1000, 0, 32 << 20), True),
])  # fmt: skip
def test_small_objects_large_ones_and_the_whole_process_are_looked_at(
    before: Reading, after: Reading, grows: bool
) -> None:
    """More than chance in one of them is growth."""
    assert Result("task", 1000, 1.0, before, after, (0, 0)).grows is grows


def test_the_command_names_what_grows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the lines that made the objects, and exit status 1."""
    fine = Task("fine", weburl.parse)
    monkeypatch.setattr(leaks, "all_tasks", lambda: [fine, Task("a leak", _keep)])
    assert leaks.main(["--operations", "1000", "fine"]) == 0
    assert "memory is flat" in capsys.readouterr().out
    try:
        assert leaks.main(["--operations", "1000"]) == 1
    finally:
        kept.clear()
    out = capsys.readouterr().out
    assert "memory grows in a leak" in out
    assert "test_leaks.py" in out
    with pytest.raises(SystemExit):
        leaks.main(["nothing has this name"])


def test_tasks_are_chosen_by_their_names() -> None:
    """By a whole name only that one, and by a part of a name all that have it."""
    assert [task.name for task in leaks._chosen(["parse", "canonicalize"])] == [
        "parse",
        "canonicalize",
    ]
    older = [task.name for task in leaks._chosen(["legacy."])]
    assert len(older) > 5
    assert all(name.startswith("legacy.") for name in older)
    assert len(list(leaks._chosen([]))) == len(list(all_tasks()))


def test_texts_are_new_each_time() -> None:
    """Otherwise a cache without a bound would soon be full of all of them."""
    for task in (Task("urls", print), Task("parts", print, takes_url=False)):
        seen: list[str] = []
        runner = leaks._Runner(Task(task.name, seen.append, task.takes_url))
        runner.run(5000)
        assert len(seen) == 5000
        assert len(set(seen)) > 4500
        assert len({len(text) > 3000 for text in seen}) == 2, "some are long"


NOT_RUN = {"application"}  # It calls `respond`.

# What functions return or raise, annotations, and rules that are not made from text.
MADE_BY_OTHERS: dict[str, set[str]] = {
    "weburl": {
        "ComparedWithTextWarning", "HostListProblem", "OriginError", "OriginProblem",
        "PolicyViolation", "Reading", "Readings", "Report", "URLPatternComponentResult",
        "URLPatternCondition", "URLPatternError", "URLPatternResult", "URLPolicyError",
        "ValidationErrorType",
    },
    "weburl.columns": {
        "ArrowArrayExportable", "ArrowStreamExportable", "BareHostsWarning", "OtherPortsWarning",
    },
    "weburl.html": {"LinkKind", "Page", "PageLimitError", "PageLink", "Request", "ResponseType"},
    "weburl.keys": {"KeyExplanation", "ParamList", "Step", "StepTaken", "TrackingParams"},
    "weburl.public_suffix": {"PublicSuffixList"},
    "weburl.redirect_uris": {"Match", "Mismatch", "RedirectURIError", "RedirectURIProblem"},
    "weburl.text": {"Link"},
    "weburl.viewer": {"Stored", "ViewerResponse"},
    "django_whatwg_url.linkify": {"CheckedLink"},
    # They call what `safe_redirect_url` calls.
    "django_whatwg_url.redirects": {"SafeRedirectMixin", "SafeRedirectURLMixin"},
}  # fmt: skip


@pytest.mark.parametrize("room", [
    "weburl", "weburl.columns", "weburl.html", "weburl.integrations.building_blocks",
    "weburl.keys", "weburl.public_suffix", "weburl.redirect_uris", "weburl.text", "weburl.viewer",
    "django_whatwg_url.linkify", "django_whatwg_url.redirects",
])  # fmt: skip
def test_every_public_function_and_class_is_run(room: str) -> None:
    """A task has its name, or a function makes it that a task calls."""
    named: set[str] = set()
    for source in (complexity, values):
        tree = ast.parse(Path(str(source.__file__)).read_text("utf-8"))
        named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        named |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        named |= {value for value in constants if isinstance(value, str)}
    pytest.importorskip("pyarrow" if room == "weburl.columns" else "weburl")
    module: Any = import_module(room)
    public = {name for name in module.__all__ if _is_run(getattr(module, name))}
    assert public - named - NOT_RUN == MADE_BY_OTHERS.get(room, set())


def _is_run(value: object) -> bool:
    return isfunction(value) or isclass(value)

"""What a run of pytest in Pyodide adds: what it skips, with the reason, and how much it must run.

A test is skipped when it starts a process or a thread, opens a socket, or imports a package that
is not in the dependency group `pyodide`. With `--enough`, the run fails if a file of
web-platform-tests is read by no test that passes, or if too few tests of a room pass.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from count_wpt_cases import KNOWN_CASES
from tests import wpt

ABSENT: Final = frozenset(
    {
        *("Cython", "aiohttp", "brotli", "confusable_homoglyphs", "cryptography", "h2", "httpx"),
        *("httpx2", "polib", "regex", "requests", "setuptools", "trustme", "turbohtml"),
        *("unicodedata2", "urllib3", "yarl", "zstandard"),
    }
)
"""Compiled packages, and those that need sockets or a compiler: tests of `make test` have them."""

NOT_HERE: Final = (
    ("subprocess.Popen", "processes"),
    ("multiprocessing.process.BaseProcess.start", "processes"),
    ("os.fork", "processes"),
    ("threading.Thread.start", "threads"),
    ("socket.socket", "sockets"),
    ("asgiref.sync.AsyncToSync.__call__", "loops of asyncio beside its own"),
)
"""What WebAssembly lacks, and the names that tests meet first."""

AT_LEAST: Final = {
    "tests/django": 270,
    "tests/standard/hosts": 250,
    "tests/standard/infra": 500,
    "tests/standard/interface": 260,
    "tests/standard/rendering": 255,
    "tests/patterns": 140,
    "tests/pyodide": 2,
    "tests/standard/url": 1000,
    "tests/viewer": 185,
}
"""How many tests of a room pass in what `make test-pyodide` runs without ARGS."""

TOO_SLOW: Final = (
    "test_a_megabyte_",
    "test_much_of_a_domain_",
    "test_a_path_of_a_million_segments_",
)
"""How the names of tests begin that would take most of an hour here."""

COUNTS: Final = pytest.StashKey["Counts"]()


def absent(error: BaseException) -> str | None:
    """Return the package whose absence is the first cause of an error."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ImportError) and (cause.name or "").partition(".")[0] in ABSENT:
            return (cause.name or "").partition(".")[0]
        cause = cause.__cause__
    return None


class Module(pytest.Module):
    """A file of tests, skipped where it imports a package that is not here."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            if name := absent(error):
                pytest.skip(f"Pyodide has no {name}.", allow_module_level=True)
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> pytest.Module:
    """Collect each file with our class."""
    module: pytest.Module = Module.from_parent(parent, path=module_path)
    return module


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is too slow."""
    for item in items:
        if item.name.startswith(TOO_SLOW):
            item.add_marker(pytest.mark.skip(reason="Pyodide takes minutes for it."))


@pytest.hookimpl(wrapper=True)
def skipping() -> Generator[None, object, object]:
    """Skip a test that imports a package that is not here, while it or a fixture of it runs."""
    try:
        return (yield)
    except ImportError as error:
        if name := absent(error):
            pytest.skip(f"Pyodide has no {name}.")
        raise


pytest_pyfunc_call = pytest_fixture_setup = skipping


@pytest.fixture(autouse=True)
def without_what_pyodide_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip a test as soon as it starts a process or thread, opens a socket or reads deep JSON."""
    for name, what in NOT_HERE:

        def skip(*args: object, what: str = what, **kwargs: object) -> None:
            pytest.skip(f"Pyodide has no {what}.")

        monkeypatch.setattr(name, skip)

    decode = json.JSONDecoder.decode

    def shallow(decoder: json.JSONDecoder, text: str, *args: Any) -> Any:
        if max(map(text.count, "[{")) > 10_000:  # WebAssembly's stack ends before Python's limit
            pytest.skip("Pyodide has no stack for JSON that is nested so deep.")
        return decode(decoder, text, *args)

    monkeypatch.setattr(json.JSONDecoder, "decode", shallow)


class Counts:
    """What ran and what was skipped, and whether that is enough."""

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()  # by the room, such as "tests/standard/hosts"
        self.skipped: Counter[str] = Counter()  # by the reason
        self.reading: set[str] = set()  # the files that the running test has read
        self.read: set[str] = set()  # those that a test has read, and passed

    def pytest_runtest_logstart(self) -> None:
        """Forget what the test before has read."""
        self.reading.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test."""
        if report.skipped:
            self.skip(report.longrepr)
        elif report.when == "call" and report.passed:
            self.passed[report.nodeid.split("::")[0].rpartition("/")[0]] += 1
            self.read |= self.reading

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a file that is skipped as a whole."""
        if report.skipped:
            self.skip(report.longrepr)

    def skip(self, longrepr: Any) -> None:
        """Count what was skipped, by its reason, which pytest puts last."""
        self.skipped[longrepr[2].removeprefix("Skipped: ")] += 1

    def faults(self) -> list[str]:
        """Return what a whole run should have tried, although each test may have passed."""
        unread = sorted(KNOWN_CASES.keys() - self.read)
        too_few = [room for room, least in AT_LEAST.items() if self.passed[room] < least]
        return [f"no test has passed with {name} of web-platform-tests" for name in unread] + [
            f"{self.passed[room]} tests have passed in {room}, of {AT_LEAST[room]}"
            for room in too_few
        ]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `make test-pyodide` asks for where it runs all that it has."""
    parser.addoption("--enough", action="store_true", help="fail where too little ran in Pyodide")


def pytest_configure(config: pytest.Config) -> None:
    """Count, and note each file of web-platform-tests that a test asks for."""
    counts = Counts()
    config.stash[COUNTS] = counts
    config.pluginmanager.register(counts)
    path_of = wpt.wpt_path

    def noted(name: str) -> Path:
        counts.reading.add(name)
        return path_of(name)

    wpt.wpt_path = noted


def faults(config: pytest.Config) -> list[str]:
    """Return what is missing in a run that should be whole."""
    return config.stash[COUNTS].faults() if config.getoption("--enough") else []


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where too little ran."""
    if session.exitstatus == pytest.ExitCode.OK and faults(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how much ran and was skipped, and what is wrong with that."""
    counts = config.stash[COUNTS]
    terminalreporter.section("in Pyodide")
    for what, found in (("passed", counts.passed), ("skipped", counts.skipped)):
        for name, number in sorted(found.items()):
            terminalreporter.line(f"{number:5} {what}: {name}")
    for fault in faults(config):
        terminalreporter.line(fault, red=True)

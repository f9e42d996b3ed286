"""Whether the tests of what SECURITY.md promises exist, and what docs/trust.md says of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.fuzzing.targets import TARGETS as FUZZED
from tests.trust import BUGS, PROMISES

TESTS: Final = Path(__file__).parent
PAGE: Final = TESTS.parent / "docs" / "trust.md"
POLICY: Final = TESTS.parent / "SECURITY.md"


def rows_of(header: str) -> list[list[str]]:
    """Return the cells of the table with this first row."""
    table = PAGE.read_text("utf-8").partition(f"{header}\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[1:]]


def test_every_test_of_a_promise_or_of_a_bug_exists() -> None:
    """A test that is renamed or removed would leave a promise without one."""
    named = {name for tests in (*PROMISES.values(), *BUGS.values()) for name in tests}
    assert len(named) >= 60
    defined: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8")
        defined.update(re.findall(r"^ *(?:async )?def (test_[a-z0-9_]+)\(", text, re.MULTILINE))
    assert sorted(named - defined) == []


def test_every_bug_that_was_found_has_a_test() -> None:
    """Otherwise it could come back."""
    assert len(BUGS) >= 27
    assert [bug for bug, tests in BUGS.items() if not tests] == []


def test_every_promise_of_the_policy_has_tests() -> None:
    """In the same order, and the page says in a row for each how it is tested."""
    text = POLICY.read_text("utf-8").partition("## What is promised")[2].partition("\n## ")[0]
    promises = re.findall(r"^- ", text, re.MULTILINE)
    rows = rows_of("| promise | how it is tested |")
    assert len(PROMISES) == len(promises) == 6
    assert [promise for promise, tests in PROMISES.items() if not tests] == []
    assert [promise for promise, _ in rows] == list(PROMISES)
    assert all(how for _, how in rows)


def test_the_page_has_a_row_for_each_target_of_the_fuzzers() -> None:
    """What each one checks, and a figure for it."""
    rows = rows_of("| target | what must hold | inputs |")
    assert [row[0].strip("`") for row in rows] == list(FUZZED)
    assert all(len(row) == 3 and row[1] for row in rows)
    assert all(int(row[2].replace(",", "")) > 0 for row in rows)

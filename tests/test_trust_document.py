"""Whether the tests that docs/trust.md names exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.fuzzing.targets import TARGETS as FUZZED

TESTS: Final = Path(__file__).parent
PAGE: Final = TESTS.parent / "docs" / "trust.md"
PROMISES: Final = TESTS.parent / "SECURITY.md"
NAME: Final = re.compile(r"`(test_[a-z0-9_]+)`")


def rows_of(header: str) -> list[str]:
    """Return the rows of the table with this first row."""
    table = PAGE.read_text("utf-8").partition(header)[2]
    return table.partition("\n\n")[0].splitlines()[2:]


def test_every_test_that_the_page_on_trust_names_exists() -> None:
    """A test that is renamed or removed would leave a promise without one."""
    named = set(NAME.findall(PAGE.read_text("utf-8")))
    assert len(named) >= 40
    defined: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8")
        defined.update(re.findall(r"^ *(?:async )?def (test_[a-z0-9_]+)\(", text, re.MULTILINE))
    assert sorted(named - defined) == []


def test_every_bug_that_was_found_has_a_test() -> None:
    """Otherwise it could come back."""
    rows = rows_of("| found | test |")
    assert len(rows) >= 19
    assert [row for row in rows if NAME.search(row) is None] == []


def test_every_promise_of_the_policy_has_tests() -> None:
    """In the same order, a row for each."""
    text = PROMISES.read_text("utf-8").partition("## What is promised")[2].partition("\n## ")[0]
    promises = re.findall(r"^- ", text, re.MULTILINE)
    rows = rows_of("| promise | tests |")
    assert len(rows) == len(promises) == 6
    assert [row for row in rows if NAME.search(row) is None] == []


def test_the_page_has_a_row_for_each_target_of_the_fuzzers() -> None:
    """What each one checks, and a figure for it."""
    rows = [row.split("|")[1:-1] for row in rows_of("| target | what must hold | inputs |")]
    assert [row[0].strip(" `") for row in rows] == list(FUZZED)
    assert all(len(row) == 3 and row[1].strip() for row in rows)
    assert all(int(row[2].replace(",", "")) > 0 for row in rows)

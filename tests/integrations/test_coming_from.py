"""Runs both calls of each row in `docs/coming-from/`, with the real packages."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.integrations.coming_from import (
    EXAMPLE,
    PAGES,
    TABLES,
    Raised,
    Row,
    Unread,
    differ,
    names,
    samples,
    shown,
)
from tests.integrations.coming_from_conditions import CONDITIONS

FEWEST: Final = 20
"""A claim about fewer URLs than these is none."""


def each(rows: list[Row]) -> pytest.MarkDecorator:
    """Run a test for each row, named after the page and the other library's call."""
    ids = [f"{row.page}: {row.theirs}" for row in rows]
    return pytest.mark.parametrize("row", rows, ids=ids)


def holds(row: Row, text: str, base: str) -> bool:
    """Return whether the condition of a row's claim is true of a URL."""
    assert row.condition
    condition = names(row.page).outcome(row.condition, text, base)
    return not isinstance(condition, Raised | Unread) and bool(condition)


@each([row for row in TABLES if row.condition])
def test_nothing_differs_where_the_condition_is_true(row: Row) -> None:
    """The URLs are from web-platform-tests and real links, as written and in canonical form."""
    page = names(row.page)
    tried = 0
    for text, base in samples():
        if not holds(row, text, base):
            continue
        theirs = page.outcome(row.theirs, text, base)
        ours = page.outcome(row.ours, text, base)
        if isinstance(theirs, Unread) or isinstance(ours, Unread):
            continue
        assert not differ(theirs, ours), (text, base, shown(theirs), shown(ours))
        tried += 1
    assert tried >= FEWEST


@each(TABLES)
def test_the_examples_of_a_row_are_what_both_calls_give(row: Row) -> None:
    """Examples show results that differ. A row has examples or a condition."""
    page = names(row.page)
    for example in row.examples:
        theirs = page.outcome(row.theirs, example.text)
        ours = page.outcome(row.ours, example.text)
        assert (shown(theirs), shown(ours)) == (example.theirs, example.ours)
        assert differ(theirs, ours)
    assert row.examples or row.condition
    assert len(row.examples) == row.differs.count(" here `")


@each([row for row in TABLES if row.condition and row.examples])
def test_an_example_contradicts_no_condition(row: Row) -> None:
    """The condition of a row is false for its examples, because their results differ."""
    for example in row.examples:
        assert example.text is None or not holds(row, example.text, example.text)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("theirs.scheme", "url.scheme"),
        *(
            (f"theirs{call}", f"url{call}")
            for call in (
                ' / "c d"',
                ".with_query(None)",
                ".with_port(81)",
                '.with_scheme("http")',
                '.with_fragment("x y")',
                '.with_name("n m")',
            )
        ),
    ],
)
def test_what_yarl_has_by_the_same_name_gives_the_same(theirs: str, ours: str) -> None:
    """This holds for canonical URLs that yarl does not change, as the page says."""
    page = names("yarl")
    tried = 0
    for text, base in samples():
        if page.outcome("plain and str(theirs) == text", text, base) is True:
            assert page.outcome(theirs, text, base) == page.outcome(ours, text, base), text
            tried += 1
    assert tried >= FEWEST


def test_all_tables_were_found() -> None:
    """A row that is not read would not be tested."""
    for path in set(PAGES.glob("*.md")) - {PAGES / "index.md"}:
        text = path.read_text(encoding="utf-8")
        cells = [line for line in text.splitlines() if line.startswith("| `")]
        written = [line for line in cells if not line.endswith("| what differs |")]
        read = [row for row in TABLES if row.page == path.stem]
        assert len(read) == len(written) > 0
    assert len(TABLES) == 118
    assert {(row.page, row.theirs, row.ours) for row in TABLES} >= {*CONDITIONS}
    assert len(CONDITIONS) == 97


def test_the_index_lists_every_page() -> None:
    """It lists no page that does not exist."""
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", (PAGES / "index.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted({path.name for path in PAGES.glob("*.md")} - {"index.md"})


def test_the_index_shows_the_form_of_an_example() -> None:
    """People who write a page look there."""
    assert EXAMPLE.search((PAGES / "index.md").read_text(encoding="utf-8"))

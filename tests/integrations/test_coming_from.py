"""Runs both calls of each row in `docs/coming-from/`, with the real packages."""

from __future__ import annotations

import re

import pytest

from tests.integrations.coming_from import (
    EXAMPLE,
    PAGES,
    TABLES,
    Row,
    differ,
    names,
    shown,
)


def each(rows: list[Row]) -> pytest.MarkDecorator:
    """Run a test for each row, named after the page and the other library's call."""
    ids = [f"{row.page}: {row.theirs}" for row in rows]
    return pytest.mark.parametrize("row", rows, ids=ids)


@each(TABLES)
def test_the_examples_of_a_row_are_what_both_calls_give(row: Row) -> None:
    """Without an example, both give the same for the page's own text."""
    page = names(row.page)
    for example in row.examples:
        theirs = page.outcome(row.theirs, example.text)
        ours = page.outcome(row.ours, example.text)
        assert (shown(theirs), shown(ours)) == (example.theirs, example.ours)
        assert differ(theirs, ours)
    if not row.examples:
        assert not differ(page.outcome(row.theirs), page.outcome(row.ours))
    assert len(row.examples) == row.differs.count(" here `")


def test_all_tables_were_found() -> None:
    """A row that is not read would not be tested."""
    of_the_grid = [row for row in TABLES if row.page == "index" and not row.differs]
    for path in PAGES.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        cells = [line for line in text.splitlines() if line.startswith("| `")]
        written = [line for line in cells if not line.endswith("| what differs |")]
        read = [row for row in TABLES if row.page == path.stem and row not in of_the_grid]
        assert len(read) == len(written) > 0
    assert len(TABLES) == 99


def test_the_index_lists_every_page() -> None:
    """It lists no page that does not exist."""
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", (PAGES / "index.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted({path.name for path in PAGES.glob("*.md")} - {"index.md"})


def test_the_index_shows_the_form_of_an_example() -> None:
    """People who write a page look there."""
    assert EXAMPLE.search((PAGES / "index.md").read_text(encoding="utf-8"))

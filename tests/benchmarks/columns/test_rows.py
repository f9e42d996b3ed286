"""Tests of the rows that columns are measured with."""

from __future__ import annotations

from urllib.parse import urlsplit

from benchmarks.columns.rows import made_rows
from benchmarks.inputs import FALLBACK, unique_links
from weburl import can_parse

LINKS = unique_links(FALLBACK)


def test_rows_are_the_same_however_they_are_cut() -> None:
    """So that batches can be made one after another."""
    whole = made_rows(LINKS, 0, 1_000)
    assert whole == made_rows(LINKS, 0, 333) + made_rows(LINKS, 333, 1_000)
    assert len(whole) == 1_000


def test_few_rows_come_twice() -> None:
    """So that nothing is gained by remembering whole texts."""
    rows = [row for row in made_rows(LINKS, 0, 4 * len(LINKS)) if can_parse(row)]
    assert len(set(rows)) > 0.99 * len(rows)


def test_few_rows_are_no_urls() -> None:
    """One in a hundred is made so, and hardly any other becomes so."""
    links = [link for link in LINKS if can_parse(link)]
    rows = made_rows(links, 0, 10_000)
    assert not any(map(can_parse, rows[85::100]))
    assert 100 <= sum(1 for row in rows if not can_parse(row)) < 110


def test_each_turn_of_the_links_has_hosts_of_its_own() -> None:
    """Half of them, as in the links of the corpus."""
    count = len(LINKS)
    first, second = (
        {urlsplit(row).netloc for row in made_rows(LINKS, turn * count, (turn + 1) * count)
         if can_parse(row)}
        for turn in (0, 1)
    )  # fmt: skip
    assert 0.3 < len(second - first) / len(second) < 0.7

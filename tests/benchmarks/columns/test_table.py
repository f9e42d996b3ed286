"""Tests of the tables of `make bench-columns`, made of numbers that nobody measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.columns import table
from benchmarks.columns.contenders import Takes


def contender(who: str, operation: str, takes: Takes, **numbers: Any) -> dict[str, Any]:
    """Return what was measured of one, a million rows in two seconds where nothing else is said."""
    measured = {"rows": 1_000_000, "seconds": 2.0, "core_seconds": 2.0, "memory": 100, "cores": 1}
    return {"who": who, "operation": operation, "takes": takes, **measured, **numbers}


def run(**contenders: dict[str, Any]) -> dict[str, Any]:
    """Return a run of the interpreted build."""
    return {
        "python": "3.11.7", "machine": "Linux", "compiled": False, "rows": 1_000_000,
        "whole": False, "links": "some", "versions": {"duckdb": "1", "pyspark": None},
        "contenders": contenders,
    }  # fmt: skip


RUN = run(
    ours=contender("weburl.columns", "host", Takes.ARRAY, differ=0, checked=5_000),
    loop=contender("a loop", "host", Takes.TEXTS, core_seconds=3.0, differ=7, checked=5_000),
    two=contender("weburl.columns, workers=2", "parse", Takes.COLUMN, cores=2),
    spark=contender("Spark, url_host, local[2]", "host", Takes.FILE, core_seconds=7.2, cores=2),
    gone={**contender("gone", "host", Takes.TEXTS), "failed": "No such thing."},
)


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of all tables in a text."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]


def test_ratios_are_to_the_column_of_the_same_build() -> None:
    """By the time of the processor."""
    rows = rows_of(table.render({"interpreted": RUN}, 0.05))
    assert ["weburl.columns", "500,000", "1.00", "100", "0 of 5,000"] in rows
    assert ["a loop", "500,000", "1.50", "100", "7 of 5,000"] in rows
    assert ["parse, workers=2", "500,000", "100"] in rows


def test_the_page_has_a_line_for_each_operation() -> None:
    """Only our rate."""
    text = table.in_brief({"interpreted": RUN})
    rows = rows_of(text)
    assert ["", "interpreted: rows a second"] in rows
    assert ["host", "500,000"] in rows
    others = {"a loop", "parse, workers=2", "Spark, url_host, local[2]"}
    assert not any(row[0] in others for row in rows)
    assert "a core-hour" not in text


def test_a_billion_rows_are_computed_of_core_seconds_and_a_price() -> None:
    """7.2 core-seconds a million are two core-hours a billion."""
    rows = rows_of(table.render({"interpreted": RUN}, 0.25))
    assert ["Spark, url_host, local[2]", "500,000", "7.2", "100", "–"] in rows
    assert ["Spark, url_host, local[2]", "2.00", "0.50"] in rows


def test_who_failed_is_named_and_has_no_numbers() -> None:
    """With the reason."""
    text = table.render({"interpreted": RUN}, 0.05)
    assert "- interpreted, gone: `No such thing.`" in text
    assert not any(row[0] == "gone" for row in rows_of(text))


def test_a_small_run_leaves_the_documents_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its numbers are put aside."""
    page = (table.DOCS / "performance.md").read_text(encoding="utf-8")
    table.publish([RUN], tmp_path, 0.05)
    assert (tmp_path / "performance.json").is_file()
    assert (table.DOCS / "performance.md").read_text(encoding="utf-8") == page
    assert "the documents want more rows" in capsys.readouterr().out


def test_a_whole_run_is_written_into_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its markers, and nowhere else."""
    page = (table.DOCS / "performance.md").read_text(encoding="utf-8")
    (tmp_path / "performance.md").write_text(page, encoding="utf-8")
    monkeypatch.setattr(table, "DOCS", tmp_path)
    table.publish([{**RUN, "whole": True}], tmp_path, 0.05)
    written = (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert table.in_brief({"interpreted": RUN}) in written
    assert written.startswith(page.partition(table.BEGIN)[0])

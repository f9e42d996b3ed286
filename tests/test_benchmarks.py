"""The benchmarks run, with few texts and without measuring."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import chart

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("path", sorted(ROOT.glob("benchmarks/bench_*.py")), ids=lambda p: p.stem)
def test_a_benchmark_runs(path: Path) -> None:
    """In a process of its own, as Django has other settings there."""
    output = run(
        "pytest", "-c", "benchmarks/pytest.ini", "--benchmark-disable", "--limit=10", "--passes=1",
        "-q", str(path),
    )  # fmt: skip
    assert " passed" in output or "skipped" in output


def test_the_jobs_over_all_rows_give_the_rows_of_their_twins() -> None:
    """Each line of the table is there, so each job has run."""
    output = run("benchmarks.rows", "--rows=400", "--only-counts")
    assert output.count("times as long |") >= 15
    assert "wrong" not in output


def run(*arguments: str) -> str:
    """Run a module of Python, and return what it prints."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_")}
    environment.pop("WEBURL_TEST_DATABASE", None)
    result = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode == 0, f"{result.stdout[-4000:]}{result.stderr[-4000:]}"
    return result.stdout


def test_the_chart_shows_the_numbers_of_the_table() -> None:
    """`python -m benchmarks.chart` writes it."""
    found = chart.pictures()
    assert len(found) == 2
    for path, picture in found.items():
        assert path.read_text(encoding="utf-8") == picture
        assert picture.count("<rect ") >= 10


def test_a_bar_is_as_long_as_its_number_and_the_longest_is_cut() -> None:
    """The fastest comes first."""
    picture = chart.drawn({"b & c": 10_000, "weburl": 500, "a": 5_000}, chart.THEMES["light"])
    widths = [int(width) for width in re.findall(r'<rect .*?width="(\d+)"', picture)]
    assert widths == [44, 440, 440]
    assert "10,000 →" in picture
    assert "b &amp; c" in picture

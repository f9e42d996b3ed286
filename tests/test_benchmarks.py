"""The benchmarks run, with few texts and without measuring."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("path", sorted(ROOT.glob("benchmarks/bench_*.py")), ids=lambda p: p.stem)
def test_a_benchmark_runs(path: Path) -> None:
    """In a process of its own, as Django has other settings there."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO_")}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "benchmarks/pytest.ini", "--benchmark-disable",
         "--limit=10", "--passes=1", "-q", str(path)],
        cwd=ROOT, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-4000:]
    assert " passed" in result.stdout or "skipped" in result.stdout

"""Runs write nothing to the current directory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Change to an empty directory, and check that it is still empty afterwards."""
    directory = tmp_path / "runs"
    directory.mkdir()
    monkeypatch.chdir(directory)
    yield
    assert list(directory.iterdir()) == []

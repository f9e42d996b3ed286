"""Runs write their files to a directory of the test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to an empty directory, because a run writes its files to the current one."""
    directory = tmp_path / "runs"
    directory.mkdir()
    monkeypatch.chdir(directory)

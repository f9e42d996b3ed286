"""The command for files, in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.columns.commands import Command


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs ``weburl columns``."""
    return Command(tmp_path, capsys)

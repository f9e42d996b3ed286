"""The history of migrations that a test writes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.django.migrating.histories import LABEL, History


@pytest.fixture
def history(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[History]:
    """Give a history without migrations, and undo those that a test has run."""
    # Python remembers a package by its name.
    directory = tmp_path / f"history_{uuid.uuid4().hex}"
    directory.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    settings.MIGRATION_MODULES = {LABEL: directory.name}
    history = History(directory)
    yield history
    history.migrate(0)

"""The tutorial for Django, followed from its first command to its last."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.test_quickstart import QUICKSTART

PAGE: Final = Path(__file__).parent.parent / "docs" / "tutorial.md"


def test_the_tutorial_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty directory, with the Python and the packages of the tests."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    page = PAGE.read_text(encoding="utf-8")
    install = next(step for step in QUICKSTART.steps(page) if "pip install" in step.text)
    assert [command for command, _shown in QUICKSTART.commands(install)][:1] == [
        "python3 -m venv .venv"
    ]
    assert QUICKSTART.follow(page.replace(install.text, ""), [], sys.executable) == 32

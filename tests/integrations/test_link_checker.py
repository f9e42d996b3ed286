"""The tutorial with FastAPI, httpx and pydantic, from its first command to its last."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import quickstart

PAGE: Final = Path(__file__).parents[2] / "docs" / "tutorial-link-checker.md"


def steps() -> list[tuple[str, str]]:
    """Return the name and the text of each file that the tutorial writes, in order."""
    found = quickstart.steps(PAGE.read_text(encoding="utf-8"))
    return [
        (quickstart.file_of(step), step.text)
        for step in found
        if step.language == "python" and not step.is_session
    ]


def test_the_tutorial_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in an empty directory, with the Python and the packages of the tests."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    page = PAGE.read_text(encoding="utf-8")
    install = next(step for step in quickstart.steps(page) if "pip install" in step.text)
    assert quickstart.follow(page.replace(install.text, ""), [], sys.executable) == 9


def test_the_program_passes_mypy(tmp_path: Path) -> None:
    """The finished files pass in strict mode."""
    pytest.importorskip("mypy", reason="needs mypy: the dependency group “check”")
    files = dict(steps())
    assert sorted(files) == ["checker.py", "fetching.py", "links.py", "pages.py"]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *files],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

"""A program that PyInstaller or Nuitka has frozen has all that it needs."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.test_environments import CHECKS

PAGE = (Path(__file__).parents[2] / "docs" / "support.md").read_text(encoding="utf-8")
PYINSTALLER = "PyInstaller --log-level ERROR"
# The options are those of the page.
NUITKA = "nuitka --standalone --quiet " + PAGE.partition("| Nuitka | `")[2].partition("`")[0]

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(find_spec("PyInstaller") is None, reason="needs the group freeze"),
]


@pytest.mark.parametrize(
    ("command", "frozen"),
    [
        (f"{PYINSTALLER} --onedir", "dist/program/program"),
        (f"{PYINSTALLER} --onefile", "dist/program"),
        (NUITKA, "program.dist/program.bin"),
    ],
    ids=["PyInstaller, a folder", "PyInstaller, one file", "Nuitka"],
)
def test_a_frozen_program_has_all_it_needs(command: str, frozen: str, tmp_path: Path) -> None:
    """The program checks what each room returns, and runs away from the checkout."""
    program = tmp_path / "program.py"
    program.write_text(CHECKS.replace("assert False", "assert True"), encoding="utf-8")
    freeze = [sys.executable, "-m", *command.split(), program.name]
    subprocess.run(freeze, check=True, cwd=tmp_path)
    subprocess.run([tmp_path / frozen], check=True, cwd=tmp_path, env={})

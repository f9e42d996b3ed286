"""A program that PyInstaller has frozen parses, renders, and uses domains, keys and policies."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.test_environments import CHECKS

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(find_spec("PyInstaller") is None, reason="needs PyInstaller: group freeze"),
]


@pytest.mark.parametrize("form", ["--onedir", "--onefile"])
def test_a_frozen_program_has_all_it_needs(form: str, tmp_path: Path) -> None:
    """The program checks what each room returns, and runs away from the checkout."""
    program = tmp_path / "program.py"
    program.write_text(CHECKS.replace("assert False", "assert True"), encoding="utf-8")
    freeze = [sys.executable, "-m", "PyInstaller", form, "--log-level", "ERROR", program.name]
    subprocess.run(freeze, check=True, cwd=tmp_path)
    frozen = tmp_path / "dist" / "program"
    if frozen.is_dir():
        frozen /= "program"
    subprocess.run([frozen], check=True, cwd=tmp_path, env={})

"""Checks the examples beside it as a project sees them that has no plugin for mypy.

With the plugin they are checked like all other code, by ``make check``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="needs mypy and django-stubs: the dependency group “check”")
pytest.importorskip("mypy_django_plugin", reason="needs django-stubs: the dependency group “check”")

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def mypy(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run mypy in the project's root, without the plugin."""
    config = str(HERE / "without_plugin.toml")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_fields_reveal_records_without_the_plugin(tmp_path: Path) -> None:
    """The overloads alone tell URLRecord from URLRecord | None; unused ignores are errors."""
    result = mypy(
        f"--cache-dir={tmp_path}",
        "tests/typing/example_model_fields.py",
        "tests/typing/example_form_fields.py",
        "tests/typing/example_names.py",
        "tests/typing/example_policies.py",
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "no issues found in 4 source files" in result.stdout

"""Checks the examples of the documents with mypy and pyright, as programs would contain them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("mypy", reason="needs mypy and django-stubs: the dependency group “check”")
pytest.importorskip("basedpyright", reason="needs basedpyright: the dependency group “check”")

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent.parent
PAGES: Final = ("docs/recipes.md", "docs/conventions.md", "docs/origins.md")

_BLOCK: Final = re.compile(
    r"^(?:<!--- invisible-code-block: |```)python\n(.*?)^(?:-->|```)", re.MULTILINE | re.DOTALL
)
_HEADER: Final = "from typing import Any\nmake_table: Any = None\n"


def code_of(page: Path) -> str:
    """Return the statements of a page's examples.

    Those that show an error are left out, and queries: a manager has a type only in an installed
    app.
    """
    lines: list[str] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for statement in re.split(r"^(?=>>> )", block, flags=re.MULTILINE):
            if "\nTraceback " in statement or ".objects." in statement:
                continue
            is_example = statement.startswith(">>> ")
            for line in statement.splitlines():
                if not is_example:
                    lines.append(line)
                elif line.startswith((">>> ", "...")):
                    lines.append(line[4:])
    return _HEADER + "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the paths of the programs, one for each page."""
    directory = tmp_path_factory.mktemp("recipes")
    paths = []
    for page in PAGES:
        path = directory / f"of_{Path(page).stem}.py"
        path.write_text(code_of(ROOT / page), encoding="utf-8")
        paths.append(str(path))
    return paths


def test_mypy_accepts_the_examples(programs: list[str], tmp_path: Path) -> None:
    """In its strict mode, with the plugin of django-stubs, as a Django project has it."""
    done = run("mypy", f"--cache-dir={tmp_path}", "--allow-redefinition", *programs)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_accepts_the_examples(programs: list[str], tmp_path: Path) -> None:
    """In its standard mode."""
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(
        f'{{"include": ["{Path(programs[0]).parent}"], "typeCheckingMode": "standard",'
        f' "extraPaths": ["{ROOT / "src"}", "{ROOT}"], "reportUnusedExpression": false}}',
        encoding="utf-8",
    )
    done = run("basedpyright", "--project", str(settings), "--pythonpath", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr


def run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment in the project's root."""
    return subprocess.run(
        [sys.executable, "-m", tool, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

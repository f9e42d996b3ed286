"""Checks the examples of the documents with mypy, and of some with pyright."""

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
"""Pages whose examples pass as a whole program would."""

_ELSEWHERE: Final = {
    "docs/quickstart.md": "several files; `.ci/quickstart.py` follows it",
    "docs/tutorial.md": "several files; `.ci/quickstart.py` follows it",
    "docs/tutorial-link-checker.md": "tests/integrations/test_link_checker.py checks its files",
}

_IN_SESSION: Final = (
    "allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-any-generics"
)
"""What holds for the other pages: functions that are typed into a session have no annotations."""

_KNOWN: Final = {
    "docs/block-lists.md": "attr-defined, import-not-found",  # two files of an app
    "docs/html-reference.md": "union-attr",
    "docs/html.md": "union-attr",
    "docs/migrating.md": "no-redef",  # a migration for each deploy
    "docs/patterns.md": "operator, union-attr",
    "docs/pitfalls-in-django.md": "union-attr",
    "docs/redirect-uris.md": "arg-type, union-attr",
    "docs/registrable-domains.md": "arg-type",
    "docs/rendering.md": "union-attr",
    "tests/examples.md": "arg-type, assignment, union-attr, var-annotated",
}
"""Codes of errors on a page. "union-attr": a reader sees which of the types an example has."""

_BLOCK: Final = re.compile(
    r"^(?:<!--- invisible-code-block: |```)python\n(.*?)^(?:-->|```)", re.MULTILINE | re.DOTALL
)
_SKIPPED: Final = re.compile(
    r"^<!--+ skip: next -->\s*```python\n.*?^```", re.MULTILINE | re.DOTALL
)
_HEADER: Final = (
    "# mypy: allow-redefinition\nfrom typing import Any\nmake_table: Any\npretend: Any\n"
)


def code_of(page: Path) -> str:
    """Return the statements of a page's examples, without those that show an error.

    A model's ``objects`` has a type only in an installed app. Its ``_default_manager`` always does.
    """
    lines: list[str] = []
    for block in _BLOCK.findall(_SKIPPED.sub("", page.read_text(encoding="utf-8"))):
        for statement in re.split(r"^(?=>>> )", block, flags=re.MULTILINE):
            if "\nTraceback " in statement:
                continue
            is_example = statement.startswith(">>> ")
            for line in statement.splitlines():
                if not is_example:
                    lines.append(line)
                elif line.startswith((">>> ", "...")):
                    lines.append(line[4:])
    code = re.sub(r"\b([A-Z]\w+)\.objects\b", r"\1._default_manager", "\n".join(lines))
    return f"{_HEADER}{code}\n"


def options_of(page: str) -> str:
    """Return the comment for mypy that a page which is not one of `PAGES` begins with."""
    known = f', disable-error-code="{_KNOWN[page]}"' if page in _KNOWN else ""
    return f"# mypy: {_IN_SESSION}{known}\n"


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
    """In its strict mode, with the plugin of django-stubs, as a Django project has it.

    Those of pages besides `PAGES` are typed as in a session. No page is left out, except those that
    other tests follow. The options are comments in the programs, so that mypy takes the rest from
    the cache of `make check`.
    """
    found = [*ROOT.glob("docs/*.md"), ROOT / "tests/examples.md"]
    pages = {path.relative_to(ROOT).as_posix() for path in found} - {*PAGES}
    assert pages >= {*_ELSEWHERE, *_KNOWN}
    paths = [*programs]
    for page in sorted(pages - {*_ELSEWHERE}):
        path = tmp_path / f"of_{re.sub(r'[^a-z]', '_', page)}.py"
        path.write_text(options_of(page) + code_of(ROOT / page), encoding="utf-8")
        paths.append(str(path))
    assert len(paths) > 40
    done = run("mypy", *paths)
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

"""Runs the recipes that need other packages, for a client and for tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
_BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_page_on_tests_has_tests_that_pass(tmp_path: Path) -> None:
    """The tests run from a file, with pytest-httpx."""
    page = (
        (DOCS / "integrations/testing.md").read_text("utf-8").partition("## Code that fetches")[2]
    )
    blocks = _BLOCK.findall(page)
    (tmp_path / "test_page.py").write_text("\n\n".join(blocks), "utf-8")
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:django", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(tmp_path / "test_page.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "4 passed" in done.stdout, done.stdout

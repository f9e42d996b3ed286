"""What the two pages of pitfalls say that a browser does is what this one does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

PAGES: Final = sorted((Path(__file__).resolve().parents[2] / "docs").glob("pitfalls*.md"))

_BLOCK: Final = re.compile(r"^```js\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ANSWER: Final = re.compile(r"(.+)\n// (.+)\n")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_browser_gives_the_answers_of_the_page(path: Path, page: Page) -> None:
    """Each line of JavaScript gives what the comment below it says."""
    blocks = _BLOCK.findall(path.read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        answers = _ANSWER.findall(block)
        assert "".join(f"{asked}\n// {said}\n" for asked, said in answers) == block
        for asked, said in answers:
            assert page.evaluate(f"() => ({asked})") == json.loads(said), asked

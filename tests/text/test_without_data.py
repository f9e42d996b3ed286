"""Links in text where unicodedata2 is missing, as in Pyodide."""

from __future__ import annotations

import ast
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Final

import pytest
import unicodedata2

ROOT: Final = Path(__file__).resolve().parents[2]

# What stands for None among the loaded modules cannot be imported.
PROGRAM: Final = """
import sys
sys.modules["unicodedata2"] = None
from weburl.text import find_links
for text in sys.argv[1:]:
    print(ascii([link.text for link in find_links(text)]))
"""


def links_without_unicodedata2(*texts: str) -> list[str]:
    """Return a line for each text, with the links in it."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *texts],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    ).stdout.splitlines()


def test_links_are_found_in_every_script() -> None:
    """As with it."""
    links = ["https://b\u00fccher.de/\u00e9", "\u0645\u062b\u0627\u0644.com", "me@\u65e5\u672c.jp"]
    assert links_without_unicodedata2(" and ".join(links)) == [ascii(links)]


@pytest.mark.parametrize("form", ["https://{}.com/a", "x{}.com", "{}x.com"])
def test_a_host_with_a_letter_that_only_unicodedata2_knows_is_no_link(form: str) -> None:
    """And no exception; the link after it is found."""
    letters = [
        char
        for char in map(chr, range(0x80, 0x30000))
        if unicodedata.category(char) == "Cn" and unicodedata2.category(char) in ("Ll", "Lo")
    ]
    texts = [f"{form.format(char)} and https://example.com/" for char in letters[::50]]
    assert texts
    for text, line in zip(texts, links_without_unicodedata2(*texts), strict=True):
        *others, last = ast.literal_eval(line)
        assert last == "https://example.com/"
        assert "".join(others).isascii(), text

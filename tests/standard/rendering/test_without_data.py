"""Rendering URLs without regex or unicodedata2, as on PyPy and in Pyodide."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Final

import pytest
import unicodedata2

ROOT: Final = Path(__file__).resolve().parents[2]

# A module that is None in `sys.modules` cannot be imported.
PROGRAM: Final = """
import sys
for name in sys.argv[1].split():
    sys.modules[name] = None
import weburl
for text in sys.argv[2:]:
    record = weburl.parse(text)
    print(weburl.render(record), weburl.render(record, max_length=20), weburl.render_html(record))
"""

# Otherwise, Python warns where unicodedata2 turns the GIL on.
WITHOUT_GIL: Final = {name: os.environ[name] for name in ("PYTHON_GIL",) if name in os.environ}

URLS: Final = (
    "https://127.0.0.1/caf%C3%A9?%D7%A9%D7%9C%D7%95%D7%9D#%E6%97%A5%CC%81",
    "https://b\u00fccher.example/",
    "https://\u043f\u0440\u0438\u043c\u0435\u0440.com/",
    "https://\u0430\u0440\u0440\u04cf\u0435.com/",
    "https://\u65e5\u672c\u8a9e.jp/%E3%82%AB%E3%83%8A",
    "https://example.com/%20?a",
)


def shown_without(packages: str, *urls: str) -> tuple[list[str], str]:
    """Return the lines with URLs that an interpreter without packages prints, and its warnings."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, packages, *urls],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"} | WITHOUT_GIL,
    )
    return result.stdout.splitlines(), result.stderr


@pytest.mark.parametrize("packages", ["regex", "unicodedata2", "regex unicodedata2"])
def test_urls_are_shown_in_unicode_without_the_packages(packages: str) -> None:
    """All parts look the same as with them, and there are no warnings."""
    complete, _ = shown_without("", *URLS)
    assert "b\u00fccher" in complete[1] and "xn--" in complete[3]
    assert shown_without(packages, *URLS) == (complete, "")


def test_a_letter_that_only_unicodedata2_knows_stays_encoded() -> None:
    """The letter is in a path, so the parser does not need to know it."""
    letter = next(
        char
        for char in map(chr, range(0x80, 0x30000))
        if unicodedata.category(char) == "Cn" and unicodedata2.category(char) == "Ll"
    )
    encoded = "".join(f"%{byte:02X}" for byte in letter.encode())
    (line,), warned = shown_without("unicodedata2", f"https://example.com/{letter}")
    assert line.split(" ")[0] == f"https://example.com/{encoded}"
    assert warned == ""

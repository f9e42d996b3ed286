"""Showing URLs where regex or unicodedata2 is missing, as on PyPy and in Pyodide."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]

# What stands for None among the loaded modules cannot be imported.
PROGRAM: Final = """
import sys
sys.modules[sys.argv[1]] = None
import weburl
for text in sys.argv[2:]:
    record = weburl.parse(text)
    print(weburl.render(record), weburl.render(record, max_length=20), weburl.render_html(record))
"""

# Its host is no domain: the registrable part of one takes unicodedata2, too.
URL: Final = "https://127.0.0.1/caf%C3%A9?%D7%A9%D7%9C%D7%95%D7%9D#%E6%97%A5%CC%81"
HTTPS: Final = "https://xn--bcher-kva.example/"


def shown_without(package: str, *urls: str) -> tuple[list[str], str]:
    """Return the lines that show URLs in an interpreter without a package, and its warnings."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, package, *urls],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    return result.stdout.splitlines(), result.stderr


@pytest.mark.parametrize("package", ["regex", "unicodedata2"])
def test_what_is_beyond_ascii_stays_encoded(package: str) -> None:
    """Nothing of it is shown as itself, in any part, and cutting works."""
    (line,), _ = shown_without(package, URL)
    full, cut, markup = line.split(" ", 2)
    assert full == URL
    assert cut == "https://127.0.0.1/c…"
    assert "/caf%C3%A9" in markup
    assert markup.isascii()


def test_a_domain_is_shown_in_ascii_where_regex_is_missing() -> None:
    """Its scripts are not known; it is parsed all the same."""
    (line,), _ = shown_without("regex", "https://b\u00fccher.example/")
    assert line.split(" ")[0] == HTTPS


@pytest.mark.parametrize("package", ["regex", "unicodedata2"])
def test_a_warning_says_what_is_missing_and_how_to_get_it(package: str) -> None:
    """Once, however many URLs are shown."""
    lines, warned = shown_without(package, URL, URL)
    assert len(lines) == 2
    assert warned.count("RuntimeWarning") == 1
    assert package in warned and "django-whatwg-url[rendering]" in warned


def test_where_nothing_is_beyond_ascii_there_is_no_warning() -> None:
    """The data is not asked for."""
    lines, warned = shown_without("regex", "https://example.com/%20?a")
    assert lines[0].startswith("https://example.com/%20?a ")
    assert warned == ""

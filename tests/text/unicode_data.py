"""Unicode's data for UTS #58, which is not part of this repository.

The tests look for it in the directory that ``UTS58_DATA`` names, or else in ``../shared/uts58``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

DIRECTORY: Final = Path(
    os.environ.get("UTS58_DATA") or Path(__file__).resolve().parents[2].parent / "shared" / "uts58"
)
NEEDS_DATA: Final = pytest.mark.skipif(
    not DIRECTORY.is_dir() and not os.environ.get("CI"),
    reason=f"there is no data of UTS #58 in {DIRECTORY}",
)


def lines(name: str) -> list[str]:
    """Return the lines of a file, without those that are empty or comments."""
    return [line for line in all_lines(name) if line and not line.startswith("#")]


def all_lines(name: str) -> list[str]:
    """Return every line of a file."""
    return (DIRECTORY / name).read_text(encoding="utf-8").split("\n")


def property_values(name: str) -> Iterator[tuple[int, str]]:
    """Yield each code point that a file names, with the value of the property, or ""."""
    for line in lines(name):
        code_points, _, value = line.partition("#")[0].partition(";")
        first, _, last = code_points.strip().partition("..")
        for code_point in range(int(first, 16), int(last or first, 16) + 1):
            yield code_point, value.strip()


def links_marked(line: str) -> tuple[str, list[str]]:
    """Return the text of a line of the detection test, and the links that it marks."""
    return re.sub("[⸠⸡]", "", line), re.findall("⸠(.*?)⸡", line)

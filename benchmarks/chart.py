"""Draws the chart of speed from the table of `docs/performance.md`: ``python -m benchmarks.chart``.

One picture for light pages and one for dark ones. Bars longer than the picture are cut, and say how
long they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "performance.md"
PICTURES: Final = ROOT / "docs" / "pictures"
TITLE: Final = "Nanoseconds to parse a URL and write it"

_ROW: Final = re.compile(r"^\| (.+?) \| .+? \| ([\d,]+) \|", re.MULTILINE)
_OURS: Final = "weburl"
# A bar of this many nanoseconds is as wide as the picture allows.
_LONGEST: Final = 5000
_LEFT, _WIDTH, _ROW_HEIGHT, _TOP = 150, 440, 26, 40


class Colors(NamedTuple):
    """The colors of text, of our bars, and of the others."""

    text: str
    ours: str
    others: str


THEMES: Final = {
    "light": Colors("#22252a", "#0b5c53", "#b9b4a8"),
    "dark": Colors("#e6e4df", "#6fd3c3", "#5c6167"),
}


def numbers(page: str) -> dict[str, int]:
    """Return the nanoseconds of each library on the page, in the order of its table."""
    return {name: int(number.replace(",", "")) for name, number in _ROW.findall(page)}


def drawn(times: dict[str, int], colors: Colors) -> str:
    """Return the chart as SVG, the fastest first."""
    rows = sorted(times.items(), key=lambda row: row[1])
    height = _TOP + len(rows) * _ROW_HEIGHT + 6
    width = _LEFT + _WIDTH + 100
    label = f"{TITLE}: " + ", ".join(f"{name} {number:,}" for name, number in rows)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(label)}" font-family="system-ui, sans-serif" font-size="14" '
        f'fill="{colors.text}">'
    )
    parts = [
        opening,
        f'<text x="0" y="20" font-weight="600">{TITLE}</text>',
        *(line for at, row in enumerate(rows) for line in _bar(at, *row, colors)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bar(at: int, name: str, number: int, colors: Colors) -> Iterator[str]:
    y = _TOP + at * _ROW_HEIGHT
    length = max(2, round(min(number, _LONGEST) / _LONGEST * _WIDTH))
    is_ours = name.startswith(_OURS)
    color, weight = (colors.ours, "650") if is_ours else (colors.others, "400")
    yield f'<text x="0" y="{y + 15}" font-weight="{weight}">{escape(name)}</text>'
    yield f'<rect x="{_LEFT}" y="{y + 2}" width="{length}" height="17" rx="2" fill="{color}"/>'
    cut = " →" if number > _LONGEST else ""
    end = _LEFT + length + 8
    yield f'<text x="{end}" y="{y + 15}" font-weight="{weight}">{number:,}{cut}</text>'


def pictures() -> dict[Path, str]:
    """Return the pictures by the files that they belong in."""
    times = numbers(PAGE.read_text(encoding="utf-8"))
    return {
        PICTURES / f"speed-{theme}.svg": drawn(times, colors) for theme, colors in THEMES.items()
    }


def main() -> None:
    """Write the pictures."""
    for path, picture in pictures().items():
        path.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()

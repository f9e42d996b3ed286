"""The table of `docs/conformance.md` that says where Chromium leaves the standard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.browser.rules import RULES

CHROMIUM: Final = 156
"""The version whose answers the table shows."""

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"


FEW: Final = 500
"""A rule that fewer inputs meet has no row."""


def _code(text: str) -> str:
    if not text:
        return "an empty text"
    shown = "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)
    return "`" + shown.replace("|", "\\|") + "`"


def rows(counts: Mapping[str, int]) -> list[str]:
    """Return the table of the rules that more than a few inputs meet, the most frequent first."""
    lines = ["| what Chromium does | example | inputs |", "|---|---|---|"]
    met = [rule for rule in RULES if counts[rule.name] >= FEW]
    for rule in sorted(met, key=lambda rule: -counts[rule.name]):
        base = "" if rule.example.base is None else f" on {_code(rule.example.base)}"
        says = rule.says.replace("|", "\\|")
        lines.append(f"| {says} | {_code(rule.example.input)}{base} | {counts[rule.name]:,} |")
    return lines


def with_table(page: str, name: str, lines: list[str]) -> str:
    """Return a page with another table behind its mark."""
    pattern = rf"(<!-- table: {name} -->\n)(?:\|.*\n)*"
    changed, count = re.subn(pattern, lambda found: found[1] + "\n".join(lines) + "\n", page)
    assert count == 1, name
    return changed


def with_number(page: str, name: str, number: int) -> str:
    """Return a page with another number behind its mark."""
    pattern = rf"(<!-- number: {name} -->)[0-9,]*"
    changed, count = re.subn(pattern, lambda found: f"{found[1]}{number:,}", page)
    assert count == 1, name
    return changed

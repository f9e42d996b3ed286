"""The public names that `docs/stability.md` promises."""

from __future__ import annotations

import re
from pathlib import Path


def names(root: Path) -> dict[str, list[str]]:
    """Return the names of each public module, in the order of the page; ``root``: the checkout."""
    page = (root / "docs" / "stability.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", page, re.MULTILINE)
    return {module: re.findall(r"`(\w+)`", listed) for module, listed in rows}

"""The public names, which `docs/stability.md` promises."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

FILE: Final = "public_names.json"


def names(root: Path) -> dict[str, list[str]]:
    """Return the names of each public module, in the order of the file; ``root``: the checkout."""
    text = (root / "docs" / FILE).read_text(encoding="utf-8")
    listed: dict[str, list[str]] = json.loads(text)
    return listed

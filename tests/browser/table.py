"""The numbers of `docs/conformance.md` that say how often Chromium leaves the standard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

CHROMIUM: Final = 156
"""The version whose answers were counted."""

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"


def with_number(page: str, name: str, number: int) -> str:
    """Return a page with another number behind its mark."""
    pattern = rf"(<!-- number: {name} -->)[0-9,]*"
    changed, count = re.subn(pattern, lambda found: f"{found[1]}{number:,}", page)
    assert count == 1, name
    return changed
